#include <kftrain/facade/served_kind.hpp>

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kube/discovery.hpp>

#include <algorithm>

namespace kftrain {

result<rules::job_rules const*> find_served_kind(std::string_view name, kube::api_catalog const& served) {
    auto only = find_job_kind(name);
    if (only) return only;
    auto const kinds = find_job_kinds(name);
    auto const info_of = [](rules::job_rules const* k) -> resource_info const& { return *k->primary().info; };
    bool const of_one_api = std::ranges::all_of(kinds, [&](rules::job_rules const* k) {
        return info_of(k).kind == info_of(kinds.front()).kind && info_of(k).group == info_of(kinds.front()).group;
    });
    if (kinds.empty() || !of_one_api) return only;
    auto const* const preferred = served.find(info_of(kinds.front()).group, info_of(kinds.front()).kind);
    if (preferred == nullptr) return only;
    auto const known = std::ranges::find_if(
        kinds, [&](rules::job_rules const* k) { return info_of(k).version == preferred->version; });
    return known == kinds.end() ? only : result<rules::job_rules const*>(*known);
}

} // namespace kftrain
