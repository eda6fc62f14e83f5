#include "kinds/tf_job/kind.hpp"

namespace kftrain {
namespace embedded {
extern std::string_view const tf_job_schema; // schema.json
}

std::string_view kubeflow_v1::tf_kind::schema() noexcept { return embedded::tf_job_schema; }

} // namespace kftrain
