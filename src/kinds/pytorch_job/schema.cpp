#include "kinds/pytorch_job/kind.hpp"

namespace kftrain {
namespace embedded {
extern std::string_view const pytorch_job_schema; // schema.json
}

std::string_view kubeflow_v1::pytorch_kind::schema() noexcept { return embedded::pytorch_job_schema; }

} // namespace kftrain
