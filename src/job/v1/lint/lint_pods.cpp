#include "job/v1/labels.hpp"
#include "job/v1/lint/lint_rules.hpp"
#include "job/v1/lint/lint_table.hpp"
#include "job/v1/replica_render.hpp"
#include "model/json/json_document.hpp"
#include "model/rules/object_meta.hpp"
#include "objects/pod_validation.hpp"

#include <kftrain/model/codec.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace kftrain::kubeflow_v1 {
namespace {

/// The first pod that the operator creates. For a type without pods, or with too many to lay them out, the pod as far
/// as the template determines it.
pod sample_of(replica_job const& job, std::string_view type, membership const& layout, gang_scheduler const& gang) {
    for (auto const& r : layout.members)
        if (r.role == type) return render_pod(job, layout, r, gang);
    auto const& spec = *job.spec_of(type);
    pod p;
    p.metadata.name = job.name_of(type, 0);
    p.spec = spec.template_.spec;
    return p;
}

lint_rule const& rule_of(schema_violation const& fault) {
    static constexpr std::array<std::pair<std::string_view, lint_rule const*>, 4> own{
        {{"pod.container.name", &lint::container_names},
         {"pod.container.ports", &lint::container_ports},
         {"pod.container.resources", &lint::resources},
         {"pod.container.volume-mounts", &lint::volume_mount}}};
    auto const id = pod_rule(fault);
    auto const* const known = std::ranges::find(own, id, [](auto const& entry) { return entry.first; });
    return known != own.end() ? *known->second : lint::pod;
}

/// A limit that is wrong is also a request that is wrong, which nobody wrote.
bool follows_from_limit(schema_violation const& fault, std::vector<schema_violation> const& all) {
    constexpr std::string_view requests = ".resources.requests[", limits = ".resources.limits[";
    auto const at = fault.field.find(requests);
    if (at == std::string::npos) return false;
    auto twin = fault.field;
    twin.replace(at, requests.size(), limits);
    return std::ranges::any_of(
        all, [&](schema_violation const& other) { return other.field == twin && other.message == fault.message; });
}

/// Of the metadata, pods get these.
void lint_metadata(object_meta const& given, std::string const& path, issues& found) {
    object_meta taken;
    taken.labels = given.labels;
    taken.annotations = given.annotations;
    taken.finalizers = given.finalizers;
    if (taken == object_meta()) return;
    error_code ec;
    auto const parsed = detail::parse_json(to_json(taken), ec);
    auto const* const metadata = ec ? nullptr : parsed.if_object();
    if (metadata == nullptr) return;
    auto faults = common_meta_faults(*metadata);
    std::ranges::move(builtin_finalizer_faults(*metadata), std::back_inserter(faults));
    for (auto const& f : faults) report(found, lint::pod, path + f.place, f.what.message);
}

} // namespace

void lint_pods(replica_job const& job, std::string_view type, membership const& layout, gang_scheduler const& gang,
               issues& found) {
    auto const path = job.path_of(type) + ".template.";
    lint_metadata(job.spec_of(type)->template_.metadata, path, found);
    auto const faults = created_pod_faults(sample_of(job, type, layout, gang));
    for (auto const& f : faults) {
        // The template's policy is not the pod's; faults of the replica's policy are reported there.
        if (f.field == "spec.restartPolicy" || follows_from_limit(f, faults)) continue;
        report(found, rule_of(f), path + f.field, f.message);
    }
}

} // namespace kftrain::kubeflow_v1
