#include "job/v1/lint/lint_rules.hpp"

#include "job/v1/lint/lint_table.hpp"

namespace kftrain {

void report(issues& found, lint_rule const& rule, std::string path, std::string_view text) {
    issue i;
    i.rule = rule.id;
    i.level = rule.level;
    i.keeps_from_starting = rule.keeps_from_starting;
    i.message = path + ": " + std::string(text);
    i.path = std::move(path);
    found.push_back(std::move(i));
}

std::span<lint_rule const> replica_lint_rules() noexcept { return lint::all; }

namespace kubeflow_v1 {

bool requests_devices(core::pod_spec const& spec) noexcept {
    for (auto const& c : spec.containers)
        for (auto const* amounts : {&c.resources.limits, &c.resources.requests})
            for (auto const& [name, amount] : *amounts)
                if (name.find('/') != std::string::npos) return true;
    return false;
}

std::string container_path(replica_job const& job, std::string_view type, std::size_t index, std::string_view list) {
    return job.path_of(type).append(".template.spec.").append(list).append("[") + std::to_string(index) + "]";
}

void lint_replicas(replica_job const& written, replica_job const& complete, gang_scheduler const& gang, issues& found) {
    lint_policy(written, complete, gang, found);
    // Admission refuses more; laying them out would cost all memory.
    issues too_large;
    validate_bounds(complete, too_large);
    membership layout;
    if (too_large.empty()) layout = lay_out(complete);
    for (auto type : complete.types()) {
        lint_children(complete, type, layout, found);
        lint_containers(written, complete, type, found);
        lint_pods(complete, type, layout, gang, found);
    }
}

} // namespace kubeflow_v1
} // namespace kftrain
