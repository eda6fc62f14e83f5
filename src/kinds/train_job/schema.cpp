#include <kftrain/kinds/train_job.hpp>

#include <array>

namespace kftrain {
namespace embedded {
extern std::string_view const train_job_schema;        // schema.json
extern std::string_view const training_runtime_schema; // runtime_schema.json
extern std::string_view const job_set_schema;          // job_set_schema.json
extern std::string_view const job_set_template_schema; // job_set_template_schema.json
} // namespace embedded

namespace {

resource_schema compiled(std::string_view text) {
    std::array<schema_file, 1> const shared{{{"job_set_template_schema.json", embedded::job_set_template_schema}}};
    return resource_schema::parse(text, shared).value();
}

} // namespace

resource_schema const& trainer::schema() {
    static resource_schema const s = compiled(embedded::train_job_schema);
    return s;
}

resource_schema const& trainer::runtime_schema() {
    static resource_schema const s = compiled(embedded::training_runtime_schema);
    return s;
}

resource_schema const& trainer::job_set_schema() {
    static resource_schema const s = compiled(embedded::job_set_schema);
    return s;
}

} // namespace kftrain
