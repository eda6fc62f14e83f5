#include "objects/pod_validation/quality.hpp"

#include <array>

namespace kftrain::pod_checks {
namespace {

constexpr std::array<char const*, 2> counted{"cpu", "memory"};

struct sums {
    quantity requested, limited;
    bool requests = false, limits = false;
};

/// Adds the requests and limits of a container for a resource. True if it has a limit.
bool add(resource_list const& amounts, char const* name, quantity& sum, bool& any) {
    auto const found = amounts.find(name);
    if (found == amounts.end() || found->second.sign() <= 0) return false;
    sum += found->second;
    return any = true;
}

} // namespace

std::string_view quality_of(core::pod_spec const& spec) {
    std::array<sums, counted.size()> all;
    bool everywhere = true;
    for (auto const* list : {&spec.containers, &spec.init_containers})
        for (auto const& c : *list)
            for (std::size_t i = 0; i < counted.size(); ++i) {
                add(c.resources.requests, counted[i], all[i].requested, all[i].requests);
                if (!add(c.resources.limits, counted[i], all[i].limited, all[i].limits)) everywhere = false;
            }
    bool any = false, equal = true;
    for (auto const& s : all) {
        any = any || s.requests || s.limits;
        equal = equal && s.requests == s.limits && (!s.requests || s.requested == s.limited);
    }
    if (!any) return "BestEffort";
    return everywhere && equal ? "Guaranteed" : "Burstable";
}

} // namespace kftrain::pod_checks
