#include <kftrain/kinds/mpi_job_v1_builder.hpp>

#include "job/v1/built_job.hpp"
#include "kinds/mpi_job_v1/kind.hpp"

namespace kftrain::kubeflow_v1::detail {

result<mpi_job> build(job_choices const& chosen, pod_choices const& pod, mpi_job_choices const& own) {
    mpi_job job;
    job.metadata = chosen.metadata;
    job.spec.run_policy = chosen.policy;
    job.spec.slots_per_worker = own.slots;
    job.spec.main_container = own.main_container;
    auto const add = [&](std::string_view type, pod_choices const& common, replica_choices const& replicas) {
        job.spec.mpi_replica_specs.emplace(
            type, kftrain::detail::make_replicas(mpi_kind::constants.container, common, replicas));
    };
    replica_choices launcher;
    launcher.own = own.launcher;
    add(mpi::launcher, own.launcher_works ? pod : kftrain::detail::without_devices(pod), launcher);
    if (own.workers) add(mpi::worker, kftrain::detail::without_command(pod), *own.workers);

    return kftrain::detail::checked<mpi_kind>(std::move(job), chosen.problems, own.problems);
}

} // namespace kftrain::kubeflow_v1::detail
