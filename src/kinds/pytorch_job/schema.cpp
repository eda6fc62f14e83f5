#include <kftrain/kinds/pytorch_job.hpp>

namespace kftrain {
namespace embedded {
extern std::string_view const pytorch_job_schema; // schema.json
}

std::string_view job_rules<pytorch_job>::schema() noexcept { return embedded::pytorch_job_schema; }

} // namespace kftrain
