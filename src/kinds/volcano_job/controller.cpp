#include "kinds/volcano_job/controller.hpp"

#include "kinds/volcano_job/plugins/plugins.hpp"

#include <kftrain/job/observed_types.hpp>
#include <kftrain/objects/networking/network_policy.hpp>
#include <kftrain/objects/scheduling/priority_class.hpp>
#include <kftrain/objects/volcano/command.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

namespace kftrain::volcano {
namespace {

using names = std::vector<rules::object_name>;

template <std::string (*Name)(job const&)> rules::by_name_of_primary called() {
    return rules::named_by<job>([](job const& j) { return names{{"", Name(j)}}; });
}

rules::by_name_of_primary called_like_groups() {
    return rules::named_by<job>([](job const& j) { return names{{"", group_name(j)}, {"", j.metadata.name}}; });
}

rules::by_name_of_primary called_like_config_maps() {
    return rules::named_by<job>([](job const& j) { return names{{"", hosts_name(j)}, {"", hostfile_name(j)}}; });
}

rules::by_name_of_primary called_like_services() {
    return rules::named_by<job>([](job const& j) { return names{{"", j.metadata.name}, {"", head_name(j)}}; });
}

rules::by_name_of_primary named_as_claims() {
    return rules::named_by<job>([](job const& j) {
        names all;
        for (auto const& v : j.spec.volumes)
            if (!v.volume_claim_name.empty()) all.emplace_back("", v.volume_claim_name);
        return all;
    });
}

rules::by_name_of_primary named_as_priorities() {
    return rules::named_by<job>([](job const& j) {
        names all;
        for (auto const& t : j.spec.tasks)
            if (auto const& n = t.template_.spec.priority_class_name; !n.empty()) all.emplace_back("", n);
        return all;
    });
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

job_controller::job_controller(volcano_operator_options options) : options_(std::move(options)) {
    using rules::reach;
    rows_.emplace_back(row::pods, observed_pod_type(), rules::by_controller()).with_changes();
    rows_.emplace_back(row::groups, object_type_of<pod_group>, called_like_groups()).with_changes();
    rows_.emplace_back(row::commands, object_type_of<command>, naming_the_job());
    rows_.emplace_back(row::queue, object_type_of<queue>,
                       rules::named_by<job>([](job const& j) { return names{{"", j.spec.queue}}; }), reach::cluster);
    rows_.emplace_back(row::hosts, object_type_of<core::config_map>,
                       is_designed(options_) ? called_like_config_maps() : called<&hosts_name>());
    rows_.emplace_back(row::services, object_type_of<core::service>, called_like_services());
    rows_.emplace_back(row::network_policy, object_type_of<networking::network_policy>, rules::by_name_of_primary());
    rows_.emplace_back(row::secret, observed_secret_type(), called<&secret_name>());
    rows_.emplace_back(row::claims, object_type_of<core::persistent_volume_claim>, named_as_claims());
    rows_.emplace_back(row::priorities, object_type_of<scheduling::priority_class>, named_as_priorities(),
                       reach::cluster);
}

} // namespace kftrain::volcano
