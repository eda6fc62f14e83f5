#include "job/v1/replica_job.hpp"

#include <array>

namespace kftrain {
namespace embedded {
extern std::string_view const replica_job_schema; // replica_job_schema.json
}

resource_schema kubeflow_v1::compile_schema(std::string_view text) {
    std::array<schema_file, 1> const shared{{{"replica_job_schema.json", embedded::replica_job_schema}}};
    return resource_schema::parse(text, shared).value();
}

} // namespace kftrain
