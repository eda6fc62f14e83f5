#include "kinds/mpi_job_v1/kind.hpp"

namespace kftrain {
namespace embedded {
extern std::string_view const mpi_job_v1_schema; // schema.json
}

std::string_view kubeflow_v1::mpi_kind::schema() noexcept { return embedded::mpi_job_v1_schema; }

} // namespace kftrain
