#include "kinds/chainer_job/names.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1alpha1 {
namespace {

using namespace chainer;

/// Of several containers none is renamed.
void name_container(core::pod_spec& pod) {
    if (pod.containers.size() == 1 && pod.containers.front().name.empty()) pod.containers.front().name = main_container;
}

/// As many as GPUs that the container may have; what it requests does not count.
void fill_slots(boxed<mpi_config>& config, core::pod_spec const& pod) {
    if (config && config->slots) return;
    std::int64_t slots = 1;
    auto const main = std::ranges::find(pod.containers, main_container, &core::container::name);
    if (main != pod.containers.end())
        if (auto const gpus = main->resources.limits.find("nvidia.com/gpu"); gpus != main->resources.limits.end())
            slots = gpus->second.value();
    config.emplace().slots = static_cast<std::int32_t>(std::clamp<std::int64_t>(slots, INT32_MIN, INT32_MAX));
}

} // namespace

/// Upstream: chainer-operator, its last state, `pkg/apis/chainer/v1alpha1/defaults.go`.
void set_defaults(chainer_job& job) {
    auto& spec = job.spec;
    name_container(spec.master.template_.spec);
    if (spec.master.template_.spec.restart_policy.empty()) spec.master.template_.spec.restart_policy = "Never";
    if (!is_distributed(job)) return;
    if (spec.backend.empty()) spec.backend = mpi;
    for (auto& [name, set] : spec.worker_sets) {
        if (!set.replicas) set.replicas = 1;
        name_container(set.template_.spec);
    }
    if (spec.backend != mpi) return;
    fill_slots(spec.master.mpi_config, spec.master.template_.spec);
    for (auto& [name, set] : spec.worker_sets) fill_slots(set.mpi_config, set.template_.spec);
}

issues validate(chainer_job const& job) {
    issues found;
    auto const add_fault = [&](std::string_view rule, std::string path, std::string message) {
        auto& i = found.emplace_back();
        i.rule = rule;
        i.path = std::move(path);
        i.message = std::move(message);
    };
    if (is_distributed(job) && job.spec.backend != mpi)
        add_fault("chainer.backend", "spec.backend", "backend:\"" + job.spec.backend + "\" not supported");
    std::int64_t total = 0;
    bool one_too_large = false;
    for (auto const& [name, set] : job.spec.worker_sets) {
        auto const count = set.replicas.value_or(1);
        std::string const path = "spec.workerSets[" + name + "].replicas";
        total += std::max(count, 0);
        one_too_large = one_too_large || count > most_workers;
        if (count < 0)
            add_fault("chainer.replicas", path, path + ": " + std::to_string(count) + " replicas, expected 0 or more");
        if (count > most_workers)
            add_fault("kftrain.replica-limit", path,
                      path + ": " + std::to_string(count) + " replicas exceed the limit of kftrain, " +
                          std::to_string(most_workers));
    }
    if (total > most_workers && !one_too_large)
        add_fault("kftrain.replica-limit", "spec.workerSets",
                  "spec.workerSets: " + std::to_string(total) + " replicas exceed the limit of kftrain, " +
                      std::to_string(most_workers));
    return found;
}

} // namespace kftrain::kubeflow_v1alpha1
