#include "kinds/volcano_job/kind.hpp"

#include <kftrain/job/observed_types.hpp>
#include <kftrain/objects/networking/network_policy.hpp>
#include <kftrain/objects/scheduling/priority_class.hpp>
#include <kftrain/objects/volcano/command.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

namespace kftrain::volcano {
namespace {

using names = std::vector<rules::object_name>;

names groups_of(job const& j) { return {{"", group_name(j)}, {"", j.metadata.name}}; }
names config_maps_of(job const& j) { return {{"", hosts_name(j)}, {"", hostfile_name(j)}}; }
names services_of(job const& j) { return {{"", j.metadata.name}, {"", head_name(j)}}; }
std::string queue_of(job const& j) { return j.spec.queue; }

names claims_of(job const& j) {
    names all;
    for (auto const& v : j.spec.volumes)
        if (!v.volume_claim_name.empty()) all.emplace_back("", v.volume_claim_name);
    return all;
}

names priorities_of(job const& j) {
    names all;
    for (auto const& t : j.spec.tasks)
        if (auto const& n = t.template_.spec.priority_class_name; !n.empty()) all.emplace_back("", n);
    return all;
}

rules::by_reference naming_the_job() {
    return rules::naming<command>([](command const& c) -> std::optional<rules::object_name> {
        bool const meant =
            c.target && c.target->api_version == job::resource.api_version() && c.target->kind == job::resource.kind;
        if (!meant) return std::nullopt;
        return rules::object_name("", c.target->name);
    });
}

} // namespace

std::vector<rules::watched> watched_rows(volcano_operator_options const& options) {
    using rules::named_by;
    using rules::reach;
    std::vector<rules::watched> rows;
    rows.emplace_back(row::pods, observed_pod_type(), rules::by_controller()).with_changes();
    rows.emplace_back(row::groups, object_type_of<pod_group>, named_by<job, &groups_of>()).with_changes();
    rows.emplace_back(row::commands, object_type_of<command>, naming_the_job());
    rows.emplace_back(row::queue, object_type_of<queue>, named_by<job, &queue_of>(), reach::cluster);
    rows.emplace_back(row::hosts, object_type_of<core::config_map>,
                      is_designed(options) ? named_by<job, &config_maps_of>() : named_by<job, &hosts_name>());
    rows.emplace_back(row::services, object_type_of<core::service>, named_by<job, &services_of>());
    rows.emplace_back(row::network_policy, object_type_of<networking::network_policy>, rules::by_name_of_primary());
    rows.emplace_back(row::secret, observed_secret_type(), named_by<job, &secret_name>());
    rows.emplace_back(row::claims, object_type_of<core::persistent_volume_claim>, named_by<job, &claims_of>());
    rows.emplace_back(row::priorities, object_type_of<scheduling::priority_class>, named_by<job, &priorities_of>(),
                      reach::cluster);
    return rows;
}

} // namespace kftrain::volcano
