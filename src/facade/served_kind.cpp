#include <kftrain/facade/served_kind.hpp>

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/discovery.hpp>

#include <algorithm>

namespace kftrain {

result<rules::job_rules const*> find_served_kind(std::string_view name, kube::api_catalog const& served,
                                                 job_kinds kinds) {
    auto only = find_job_kind(name, kinds);
    if (only) return only;
    auto const found = find_job_kinds(name, kinds);
    auto const info_of = [](rules::job_rules const* k) -> resource_info const& { return *k->primary().info; };
    bool const of_one_api = std::ranges::all_of(found, [&](rules::job_rules const* k) {
        return info_of(k).kind == info_of(found.front()).kind && info_of(k).group == info_of(found.front()).group;
    });
    if (found.empty() || !of_one_api) return only;
    auto const* const preferred = served.find(info_of(found.front()).group, info_of(found.front()).kind);
    if (preferred == nullptr) return only;
    auto const known = std::ranges::find_if(
        found, [&](rules::job_rules const* k) { return info_of(k).version == preferred->version; });
    return known == found.end() ? only : result<rules::job_rules const*>(*known);
}

} // namespace kftrain
