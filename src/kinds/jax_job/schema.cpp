#include <kftrain/kinds/jax_job.hpp>

namespace kftrain {
namespace embedded {
extern std::string_view const jax_job_schema; // schema.json
}

std::string_view job_rules<jax_job>::schema() noexcept { return embedded::jax_job_schema; }

} // namespace kftrain
