#include <kftrain/kinds/mpi_job_v2beta1.hpp>

namespace kftrain {
namespace embedded {
extern std::string_view const mpi_job_v2beta1_schema; // schema.json
}

std::string_view kubeflow_v2beta1::schema() noexcept { return embedded::mpi_job_v2beta1_schema; }

} // namespace kftrain
