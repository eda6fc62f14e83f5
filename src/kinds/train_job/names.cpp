#include "kinds/train_job/names.hpp"

#include <kftrain/model/ownership.hpp>

namespace kftrain::trainer {

std::string snapshot_name(train_job const& job) { return job.metadata.name + "-runtime-snapshot"; }
std::string ssh_secret_name(train_job const& job) { return job.metadata.name + "-mpi-ssh-auth"; }
std::string hostfile_name(train_job const& job) { return job.metadata.name + "-mpi-hostfile"; }

std::string main_address(train_job const& job) {
    auto const& name = job.metadata.name;
    return name + "-node-0-0." + name;
}

object_meta child_metadata(train_job const& job, std::string name) {
    object_meta m;
    m.name = std::move(name);
    m.namespace_ = job.metadata.namespace_;
    m.owner_references.push_back(controller_reference(job));
    return m;
}

bool is_suspended(train_job const& job) noexcept { return job.spec.suspend.value_or(false); }

bool has_own_runtime(train_job const& job) noexcept {
    return job.spec.runtime_ref.kind == training_runtime::resource.kind;
}

bool has_known_runtime(train_job const& job) noexcept {
    auto const& ref = job.spec.runtime_ref;
    return (!ref.api_group || *ref.api_group == group) &&
           (!ref.kind || *ref.kind == cluster_training_runtime::resource.kind || has_own_runtime(job));
}

} // namespace kftrain::trainer
