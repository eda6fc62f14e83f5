#include <kftrain/kinds/chainer_job_builder.hpp>

#include "job/v1/built_job.hpp"
#include "kinds/chainer_job/kind.hpp"

namespace kftrain::kubeflow_v1alpha1 {
namespace {

using namespace chainer;

/// Keeps a worker alive until processes start in it.
constexpr std::string_view waiting = "while true; do sleep 60 & wait; done";

core::pod_template_spec template_of(pod_choices const& pod, replica_choices const& chosen) {
    auto made = kftrain::detail::make_replicas(main_container, pod, chosen);
    made.template_.spec.restart_policy = std::move(made.restart_policy);
    return std::move(made.template_);
}

std::vector<kftrain::detail::built_pod> pods_of(chainer_job const& job) {
    std::vector<kftrain::detail::built_pod> pods{{&job.spec.master.template_.spec, "spec.master.template.spec"}};
    for (auto const& [name, set] : job.spec.worker_sets)
        pods.push_back({&set.template_.spec, "spec.workerSets[" + name + "].template.spec"});
    return pods;
}

} // namespace

result<chainer_job> chainer_job_choices::build(pod_choices const& pod) const {
    chainer_job made;
    made.metadata = metadata;
    auto& spec = made.spec;
    spec.master.active_deadline_seconds = deadline;
    spec.master.backoff_limit = backoff_limit;
    spec.master.template_ = template_of(pod, replica_choices(master));
    pod_choices waiter = pod;
    waiter.training.command = {"/bin/sh", "-c", std::string(waiting)};
    waiter.training.args.clear();
    waiter.restart_policy.clear(); // of the master; workers have none
    for (auto const& chosen : sets) {
        auto& set = spec.worker_sets[chosen.name];
        set.replicas = chosen.replicas.count;
        set.template_ = template_of(waiter, chosen.replicas);
        if (slots) set.mpi_config.emplace().slots = slots;
    }
    if (slots && !sets.empty()) spec.master.mpi_config.emplace().slots = slots;

    return kftrain::detail::checked(std::move(made), problems, pods_of);
}

} // namespace kftrain::kubeflow_v1alpha1
