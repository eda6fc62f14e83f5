#include "kinds/mpi_job_v2beta1/plan/conditions.hpp"
#include "kinds/mpi_job_v2beta1/render/members.hpp"

#include <kftrain/job/job_patch.hpp>

namespace kftrain::kubeflow_v2beta1 {

rules::scaling scaling_of(mpi_job const& job) {
    rules::scaling s;
    if (is_finished(job.status)) {
        s.refused = "the job is finished";
    } else if (spec_of(job, worker_type) == nullptr) {
        s.refused = "the job has no workers";
    } else {
        auto& p = s.places.emplace_back();
        p.role = worker_type;
        p.path = path_of(worker_type) + ".replicas";
        p.now = worker_count(job);
        p.least = 1; // a running job would be unattended, and a stored one refused
        p.most = most_workers;
        p.effect = "The launcher keeps running and sees the change in discover_hosts.sh. Elastic programs use the new "
                   "hosts, which get new ranks. Other programs do not notice the change, or fail if a host is removed.";
    }
    return s;
}

result<rules::job_write> scaled(mpi_job const& job, std::string_view type, std::int32_t workers) {
    std::string const path = path_of(type) + ".replicas";
    auto const place = rules::checked_place(scaling_of(job), type, workers, path);
    if (!place) return place.error();
    mpi_job next = job;
    next.spec.mpi_replica_specs[std::string(type)].replicas = workers;
    set_defaults(next);
    if (auto const found = validate(next); has_errors(found)) return rules::cannot(path, join_errors(found, "; "));
    return rules::patch_of_job(mpi_job::resource, job.metadata, {"mpiReplicaSpecs", type, "replicas"},
                               std::to_string(workers));
}

rules::suspending suspending_of(mpi_job const& job) {
    return rules::suspending_of(is_suspended(job), is_finished(job.status));
}

result<rules::job_write> suspended(mpi_job const& job, bool on) {
    return rules::patch_of_suspend(suspending_of(job), mpi_job::resource, job.metadata, {"runPolicy", "suspend"}, on);
}

} // namespace kftrain::kubeflow_v2beta1
