#include "job/family/replica_rules.hpp"
#include "kinds/mpi_job_v1/kind.hpp"

#include <kftrain/job/observed_types.hpp>
#include <kftrain/objects/core/config_map.hpp>
#include <kftrain/objects/rbac/role.hpp>

#include <algorithm>

namespace kftrain::kubeflow_v1 {
namespace {

using names = std::vector<rules::object_name>;

/// Names do not depend on options of the operator.
mpi_kind kind_of(mpi_job const& job) {
    static mpi_operator_options const nothing;
    return {job, nothing};
}

names launcher_of(mpi_job const& job) { return {{"", kind_of(job).launcher_name()}}; }
names config_of(mpi_job const& job) { return {{"", kind_of(job).config_name()}}; }
names account_of(mpi_job const& job) { return {{"", kind_of(job).account_name()}}; }

names pods_of(mpi_job const& job) {
    mpi_kind const kind = kind_of(job);
    names members = launcher_of(job);
    // The job may be stored and invalid: there is no webhook.
    auto const count = std::min<std::int64_t>(kind.workers(), mpi_kind::constants.max_replicas);
    for (std::int32_t i = 0; i < count; ++i) members.emplace_back("", kind.name_of(mpi::worker, i));
    return members;
}

template <names (*Names)(mpi_job const&)> rules::by_name_of_primary called() {
    return rules::named_by<mpi_job>([](mpi_job const& job) { return Names(job); });
}

} // namespace

void mpi_kind::add_own_rows(std::vector<rules::watched>& rows) {
    add_rows(rows, object_type_of<core::service_account>, called<&account_of>());
    add_rows(rows, object_type_of<core::config_map>, called<&config_of>());
    add_rows(rows, object_type_of<rbac::role>, called<&launcher_of>());
    add_rows(rows, object_type_of<rbac::role_binding>, called<&launcher_of>());
    add_named(rows, observed_pod_type(), called<&pods_of>()); // those that it controls have a row already
}

rules::job_rules const& kftrain_job_rules(type_tag<mpi_job>) noexcept {
    static rules::job_rules_of<replica_rules<mpi_kind>> const instance;
    return instance;
}

} // namespace kftrain::kubeflow_v1
