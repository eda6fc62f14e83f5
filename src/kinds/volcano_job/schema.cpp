#include <kftrain/kinds/volcano_job.hpp>

namespace kftrain {
namespace embedded {
extern std::string_view const volcano_job_schema; // schema.json
}

std::string_view volcano::schema() noexcept { return embedded::volcano_job_schema; }

} // namespace kftrain
