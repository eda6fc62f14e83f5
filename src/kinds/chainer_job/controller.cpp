#include "kinds/chainer_job/controller.hpp"

#include "kinds/chainer_job/plan.hpp"

namespace kftrain::kubeflow_v1alpha1::chainer {
namespace {

constexpr std::string_view account_row = "service account";
constexpr std::string_view role_row = "role";
constexpr std::string_view binding_row = "role binding";
constexpr std::string_view config_map_row = "config map";
constexpr std::string_view master_row = "master";
constexpr std::string_view sets_row = "worker sets";

using object_names = std::vector<rules::object_name>;

/// Whatever controls them: an object with a name that the job needs is a conflict.
template <std::string (*Name)(chainer_job const&)> rules::by_name_of_primary called() {
    return rules::named_by<chainer_job>([](chainer_job const& job) { return object_names{{"", Name(job)}}; });
}

rules::by_name_of_primary called_like_sets() {
    return rules::named_by<chainer_job>([](chainer_job const& job) {
        object_names all;
        for (auto const& [name, set] : job.spec.worker_sets) all.emplace_back("", set_name(job, name));
        return all;
    });
}

template <resource K> K const* first(rules::world const& world, std::string_view row) {
    auto const all = world.of<K>(row);
    return all.empty() ? nullptr : &*all.begin();
}

} // namespace

chainer_controller::chainer_controller() {
    rows_.emplace_back(account_row, object_type_of<core::service_account>, called<&account_name>());
    rows_.emplace_back(role_row, object_type_of<rbac::role>, called<&role_name>());
    rows_.emplace_back(binding_row, object_type_of<rbac::role_binding>, called<&binding_name>());
    rows_.emplace_back(config_map_row, object_type_of<core::config_map>, called<&config_map_name>());
    rows_.emplace_back(master_row, object_type_of<batch::job>, called<&master_name>());
    rows_.emplace_back(sets_row, object_type_of<apps::stateful_set>, called_like_sets());
}

rules::plan chainer_controller::make_plan(rules::look<chainer_job> const& look) const {
    chainer_world world;
    world.account = first<core::service_account>(look.world, account_row);
    world.role = first<rbac::role>(look.world, role_row);
    world.binding = first<rbac::role_binding>(look.world, binding_row);
    world.config_map = first<core::config_map>(look.world, config_map_row);
    world.master = first<batch::job>(look.world, master_row);
    for (auto const& set : look.world.of<apps::stateful_set>(sets_row)) world.sets.push_back(&set);
    return chainer::make_plan(look.object, world);
}

} // namespace kftrain::kubeflow_v1alpha1::chainer
