#include <kftrain/kinds/chainer_job_builder.hpp>

#include "job/v1/built_job.hpp"
#include "kinds/chainer_job/kind.hpp"

namespace kftrain::kubeflow_v1alpha1::detail {
namespace {

using namespace chainer;

/// What keeps a worker until it is reached.
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

result<chainer_job> build(pod_choices const& pod, chainer_job_choices const& own) {
    chainer_job job;
    job.metadata = own.metadata;
    auto& spec = job.spec;
    spec.master.active_deadline_seconds = own.deadline;
    spec.master.backoff_limit = own.backoff_limit;
    replica_choices master;
    master.own = own.master;
    spec.master.template_ = template_of(pod, master);
    pod_choices waiter = pod;
    waiter.training.command = {"/bin/sh", "-c", std::string(waiting)};
    waiter.training.args.clear();
    waiter.restart_policy.clear(); // of the master; workers have none
    for (auto const& chosen : own.sets) {
        auto& set = spec.worker_sets[chosen.name];
        set.replicas = chosen.replicas.count;
        set.template_ = template_of(waiter, chosen.replicas);
        if (own.slots) set.mpi_config.emplace().slots = own.slots;
    }
    if (own.slots && !own.sets.empty()) spec.master.mpi_config.emplace().slots = own.slots;

    return kftrain::detail::checked(std::move(job), own.problems, pods_of);
}

} // namespace kftrain::kubeflow_v1alpha1::detail
