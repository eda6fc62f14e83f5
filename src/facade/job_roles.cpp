#include "facade/job_roles.hpp"

#include "base/in_quotes.hpp"
#include "base/joined.hpp"

#include <kftrain/model/nearest_name.hpp>

#include <algorithm>

namespace kftrain {

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

} // namespace kftrain
