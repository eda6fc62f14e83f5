#include "job/contract/child_metadata.hpp"
#include "kinds/chainer_job/kind.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1alpha1::chainer {

bool is_distributed(chainer_job const& job) noexcept { return !job.spec.worker_sets.empty(); }
std::int32_t count_of(chainer_worker_set const& set) noexcept {
    return std::clamp(set.replicas.value_or(1), 0, most_workers);
}
std::int32_t slots_of(boxed<mpi_config> const& config) noexcept { return config ? config->slots.value_or(1) : 1; }

std::string account_name(chainer_job const& job) { return job.metadata.name + "-launcher"; }
std::string role_name(chainer_job const& job) { return job.metadata.name + "-launcher-role"; }
std::string binding_name(chainer_job const& job) { return job.metadata.name + "-launcher-rolebinding"; }
std::string config_map_name(chainer_job const& job) { return job.metadata.name + "-assets"; }
std::string master_name(chainer_job const& job) { return job.metadata.name + "-master"; }
std::string set_name(chainer_job const& job, std::string_view set) {
    return std::string(job.metadata.name).append("-workerset-").append(set);
}
std::string worker_name(chainer_job const& job, std::string_view set, std::int32_t index) {
    return set_name(job, set) + "-" + std::to_string(index);
}

string_map pod_labels(chainer_job const& job, std::string_view set) {
    string_map labels;
    labels.emplace(label::name, job.metadata.name);
    labels.emplace(label::role, set.empty() ? "master" : "workerset");
    if (!set.empty()) labels.emplace(label::set_name, set);
    return labels;
}

object_meta child_metadata(chainer_job const& job, std::string name) {
    auto m = kftrain::child_metadata(job, std::move(name));
    m.labels.emplace(label::name, job.metadata.name);
    return m;
}

} // namespace kftrain::kubeflow_v1alpha1::chainer
