#include "job/lint_rules.hpp"

#include "job/lint_table.hpp"

#include <algorithm>
#include <array>

namespace kftrain {

void report(issues& found, lint_rule const& rule, std::string path, std::string_view text) {
    issue i;
    i.rule = rule.id;
    i.level = rule.level;
    i.message = path + ": " + std::string(text);
    i.path = std::move(path);
    found.push_back(std::move(i));
}

std::span<lint_rule const> replica_lint_rules() noexcept { return lint::all; }

bool keeps_from_starting(issue const& i) noexcept {
    static constexpr std::array rules{
        &lint::child_name,    &lint::restart_policy, &lint::container_names, &lint::container_ports,
        &lint::service_ports, &lint::resources,      &lint::volume_mount,    &lint::pod};
    return std::ranges::any_of(rules, [&](lint_rule const* rule) { return rule->id == i.rule; });
}

bool asks_for_devices(pod_spec const& spec) noexcept {
    for (auto const& c : spec.containers)
        for (auto const* amounts : {&c.resources.limits, &c.resources.requests})
            for (auto const& [name, amount] : *amounts)
                if (name.find('/') != std::string::npos) return true;
    return false;
}

std::string container_path(replica_job const& job, std::string_view type, std::size_t index, std::string_view list) {
    return job.path_of(type).append(".template.spec.").append(list).append("[") + std::to_string(index) + "]";
}

void lint_replicas(replica_job const& written, replica_job const& complete, issues& found) {
    lint_policy(written, complete, found);
    // Admission refuses more; laying them out would cost all memory.
    topology layout;
    if (complete.total_replicas() <= replica_job::max_replicas) layout = lay_out(complete);
    for (auto type : complete.types()) {
        lint_children(complete, type, layout, found);
        lint_containers(complete, type, found);
        lint_pods(complete, type, layout, found);
    }
}

} // namespace kftrain
