#include "kinds/restart_policies.hpp"

#include <kftrain/kinds/volcano_job.hpp>

#include <algorithm>

namespace kftrain {

std::vector<std::string> policy_events(any_job const& job, std::string_view action) {
    std::vector<std::string> events;
    auto const add = [&](std::string name) {
        if (!name.empty() && std::ranges::find(events, name) == events.end()) events.push_back(std::move(name));
    };
    auto const add_all = [&](std::vector<volcano::lifecycle_policy> const& policies) {
        for (auto const& p : policies) {
            if (p.action != action) continue;
            add(p.event);
            for (auto const& name : p.events) add(name);
            if (p.exit_code) add("exit code " + std::to_string(*p.exit_code));
        }
    };
    auto const* const own = job.get_if<volcano::job>();
    if (own == nullptr) return events;
    for (auto const& t : own->spec.tasks) add_all(t.policies);
    add_all(own->spec.policies);
    return events;
}

} // namespace kftrain
