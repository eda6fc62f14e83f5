#include <kftrain/objects/type_table.hpp>

#include <kftrain/objects/apps/stateful_set.hpp>
#include <kftrain/objects/authorization/subject_access_review.hpp>
#include <kftrain/objects/autoscaling/horizontal_pod_autoscaler.hpp>
#include <kftrain/objects/batch/job.hpp>
#include <kftrain/objects/coordination/lease.hpp>
#include <kftrain/objects/core/config_map.hpp>
#include <kftrain/objects/core/event.hpp>
#include <kftrain/objects/core/limit_range.hpp>
#include <kftrain/objects/core/namespace.hpp>
#include <kftrain/objects/core/node.hpp>
#include <kftrain/objects/core/persistent_volume.hpp>
#include <kftrain/objects/core/persistent_volume_claim.hpp>
#include <kftrain/objects/core/pod.hpp>
#include <kftrain/objects/core/service.hpp>
#include <kftrain/objects/coscheduling/pod_group.hpp>
#include <kftrain/objects/discovery/endpoint_slice.hpp>
#include <kftrain/objects/events/event.hpp>
#include <kftrain/objects/jobset/job_set.hpp>
#include <kftrain/objects/networking/network_policy.hpp>
#include <kftrain/objects/rbac/role.hpp>
#include <kftrain/objects/scheduling/priority_class.hpp>
#include <kftrain/objects/trainer/training_runtime.hpp>
#include <kftrain/objects/volcano/command.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <array>

namespace kftrain {
namespace {

template <class... Types> constexpr auto stored_and_listed() {
    return std::array{&object_type_of<Types>..., object_type_of<Types>.list...};
}

constexpr auto stored = stored_and_listed<
    batch::job, trainer::cluster_training_runtime, core::config_map, coscheduling::pod_group, core::endpoints,
    discovery::endpoint_slice, core::event, events::event, autoscaling::horizontal_pod_autoscaler, jobset::job_set,
    coordination::lease, core::limit_range, core::namespace_, networking::network_policy, core::node,
    core::persistent_volume, core::persistent_volume_claim, pod, core::pod_template, scheduling::priority_class,
    core::resource_quota, rbac::cluster_role, rbac::cluster_role_binding, rbac::role, rbac::role_binding,
    autoscaling::scale, core::secret, service, core::service_account, apps::stateful_set, trainer::training_runtime,
    volcano::command, volcano::pod_group, volcano::queue>();

constexpr auto all = [] {
    std::array<object_type const*, stored.size() + 5> types{};
    std::copy(stored.begin(), stored.end(), types.begin());
    types[stored.size()] = &plain_type_of<core::binding>;
    types[stored.size() + 1] = &plain_type_of<meta::api_status>;
    types[stored.size() + 2] = &plain_type_of<authorization::self_subject_access_review>;
    types[stored.size() + 3] = &plain_type_of<authorization::subject_access_review>;
    types[stored.size() + 4] = &plain_type_of<authorization::self_subject_rules_review>;
    return types;
}();

} // namespace

std::span<object_type const* const> object_types() noexcept { return all; }

object_type const* find_object_type(std::span<object_type const* const> types, std::string_view api_version,
                                    std::string_view kind) noexcept {
    for (auto const* t : types) {
        std::string_view stem = kind;
        if (t->info->list) {
            if (!stem.ends_with("List")) continue;
            stem.remove_suffix(4);
        }
        if (t->info->kind == stem && t->info->api_version() == api_version) return t;
    }
    return nullptr;
}

} // namespace kftrain
