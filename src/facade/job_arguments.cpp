#include "facade/job_arguments.hpp"

#include "base/in_quotes.hpp"
#include "base/joined.hpp"

#include <kftrain/job/scaling.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/model/nearest_name.hpp>

#include <algorithm>

namespace kftrain {

std::string job_reference::to_string() const {
    if (empty()) return "no job";
    std::string text(kind->primary().info->kind);
    text += ' ';
    if (!namespace_.empty()) text += namespace_ + "/";
    return text + name;
}

std::optional<failure> fault_of(job_reference const& job) {
    if (job.empty()) return rules::cannot("job", "expected a reference to a job, got an empty one");
    if (job.name.empty()) return rules::cannot("job.name", "expected the name of a job, got an empty one");
    return std::nullopt;
}

std::optional<failure> fault_of(any_job const& job) {
    if (job.empty()) return rules::cannot("job", "expected a job, got an empty one");
    return std::nullopt;
}

std::vector<std::string> roles_of(prepared_job const& job, membership const& layout) {
    std::vector<std::string> names;
    for (auto const& r : layout.roles) names.push_back(r.name);
    auto const scaling = job.scaling();
    for (auto const& place : scaling.places)
        if (std::ranges::find(names, place.role) == names.end()) names.push_back(place.role);
    return names;
}

std::optional<failure> fault_of_role(std::string_view path, std::string_view role,
                                     std::vector<std::string> const& roles) {
    if (std::ranges::find(roles, role) != roles.end()) return std::nullopt;
    std::string message = in_quotes(role) + ", expected ";
    if (roles.empty())
        message += "no role, because the job has none";
    else
        message += (roles.size() == 1 ? "" : "one of ") + joined(roles, ", ", in_quotes);
    std::vector<std::string_view> const names(roles.begin(), roles.end());
    if (auto const near = nearest_name(names, role); !near.empty() && roles.size() > 1)
        message += "; did you mean " + in_quotes(near) + "?";
    return rules::cannot(std::string(path), std::move(message));
}

std::optional<failure> fault_of_kinds(std::vector<rules::job_rules const*> const& named) {
    if (std::ranges::find(named, nullptr) == named.end()) return std::nullopt;
    return rules::cannot("kinds", "expected the rules of a kind, got null");
}

std::vector<rules::job_rules const*> selected_kinds(std::vector<rules::job_rules const*> const& named) {
    auto const known = known_job_rules();
    if (named.empty()) return {known.begin(), known.end()};
    std::vector<rules::job_rules const*> kinds;
    for (auto const* k : named)
        if (std::ranges::find(kinds, k) == kinds.end()) kinds.push_back(k);
    return kinds;
}

} // namespace kftrain
