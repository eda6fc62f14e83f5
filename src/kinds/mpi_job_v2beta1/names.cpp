#include "kinds/mpi_job_v2beta1/kind.hpp"

#include "base/whole_number.hpp"
#include "job/contract/child_metadata.hpp"
#include "model/rules/label_of.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v2beta1 {

replica_spec const* spec_of(mpi_job const& job, std::string_view type) noexcept {
    auto const entry = job.spec.mpi_replica_specs.find(type);
    return entry == job.spec.mpi_replica_specs.end() ? nullptr : &entry->second;
}

std::string path_of(std::string_view type) { return std::string("spec.mpiReplicaSpecs[").append(type).append("]"); }

std::int32_t worker_count(mpi_job const& job) noexcept {
    auto const* const workers = spec_of(job, worker_type);
    return workers == nullptr ? 0 : std::max(workers->replicas.value_or(0), 0);
}

std::int32_t slots_of(mpi_job const& job) noexcept { return job.spec.slots_per_worker.value_or(1); }
bool launcher_works(mpi_job const& job) noexcept { return job.spec.run_launcher_as_worker.value_or(false); }
bool is_suspended(mpi_job const& job) noexcept { return job.spec.run_policy.suspend.value_or(false); }

std::string launcher_name(mpi_job const& job) { return job.metadata.name + "-launcher"; }
std::string worker_name(mpi_job const& job, std::int32_t index) {
    return job.metadata.name + "-worker-" + std::to_string(index);
}
std::string config_map_name(mpi_job const& job) { return job.metadata.name + "-config"; }
std::string secret_name(mpi_job const& job) { return job.metadata.name + "-ssh"; }

std::optional<std::int32_t> worker_index(mpi_job const& job, std::string_view name) noexcept {
    constexpr std::string_view between = "-worker-";
    std::string_view const start = job.metadata.name;
    if (!name.starts_with(start) || !name.substr(start.size()).starts_with(between)) return std::nullopt;
    std::string_view const digits = name.substr(start.size() + between.size());
    auto const index = read_whole_number<std::int32_t>(digits);
    bool const canonical = digits.size() == 1 || !digits.starts_with('0'); // worker-01 is not worker-1
    return index && canonical && !digits.starts_with('-') ? index : std::nullopt;
}

string_map role_labels(mpi_job const& job, std::string_view role) {
    string_map labels;
    labels.emplace(label::operator_name, label::own_operator);
    labels.emplace(label::job_name, job.metadata.name);
    labels.emplace(label::job_role, role);
    return labels;
}

bool is_labelled_worker(mpi_job const& job, object_meta const& pod) noexcept {
    return label_of(pod, label::operator_name) == label::own_operator &&
           label_of(pod, label::job_name) == job.metadata.name && label_of(pod, label::job_role) == worker_role;
}

/// Counts the launcher where it works, so that the indices of all hosts differ.
std::int32_t first_index_label(mpi_job const& job, mpi_operator_options const& options) noexcept {
    return launcher_works(job) && options.release >= mpi_operator_release::v0_7_0 ? 1 : 0;
}

std::string index_label(mpi_job const& job, std::int32_t index, mpi_operator_options const& options) {
    return std::to_string(std::int64_t{index} + first_index_label(job, options));
}

bool is_own(mpi_job const& job, object_meta const& object) noexcept {
    return is_controlled_by(object, job.metadata.uid);
}

object_meta child_metadata(mpi_job const& job, std::string name) {
    auto m = kftrain::child_metadata(job, std::move(name));
    m.labels.emplace("app", job.metadata.name);
    return m;
}

} // namespace kftrain::kubeflow_v2beta1
