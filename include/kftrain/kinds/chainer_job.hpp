#ifndef KFTRAIN_KINDS_CHAINER_JOB_HPP
#define KFTRAIN_KINDS_CHAINER_JOB_HPP

/** @file ChainerJobs of `kubeflow.org/v1alpha1`: a master that reaches sets of workers by `kubectl exec`.
    @par Upstream chainer-operator, its last state, `pkg/apis/chainer/v1alpha1/types.go` */

#include <kftrain/base/special_members.hpp>
#include <kftrain/job/lint.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/objects/batch/job.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kftrain::rules {
class job_rules;
}

namespace kftrain::kubeflow_v1alpha1 {

/// The MPI settings of the hosts of a set.
struct mpi_config {
    mpi_config() = default;

    /// Processes on each host; absent: the NVIDIA GPU limit of the container `chainer`, or 1 without one.
    std::optional<std::int32_t> slots;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(mpi_config, (slots))

/// The pod that starts the program, or the only pod.
struct chainer_master {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(chainer_master);

    /// Seconds from its start until its Job fails; absent: no limit.
    std::optional<std::int64_t> active_deadline_seconds;
    std::optional<std::int32_t> backoff_limit;       ///< failed pods of its Job; absent means 6
    boxed<kubeflow_v1alpha1::mpi_config> mpi_config; ///< absent: the default number of slots
    core::pod_template_spec template_;               ///< restartPolicy: Never (also if empty) or OnFailure
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(chainer_master, (active_deadline_seconds, backoff_limit, mpi_config, template_))

/// Workers made from one template.
struct chainer_worker_set {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(chainer_worker_set);

    std::optional<std::int32_t> replicas;            ///< absent means 1
    boxed<kubeflow_v1alpha1::mpi_config> mpi_config; ///< absent: the default number of slots
    core::pod_template_spec template_;               ///< its command must wait; restartPolicy: empty or Always
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(chainer_worker_set, (replicas, mpi_config, template_))

/// By name. References to elements stay valid when others are added.
using chainer_worker_set_map = std::map<std::string, chainer_worker_set, std::less<>>;

/// The specification of a ChainerJob.
struct chainer_job_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(chainer_job_spec);

    std::string backend;                ///< for jobs with workers: mpi (also if empty)
    chainer_master master;              ///< its result is the result of the job
    chainer_worker_set_map worker_sets; ///< empty: the master works alone
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(chainer_job_spec, (backend, master, worker_sets))

/** A Chainer job: a master, which is a Job of Kubernetes, and sets of workers, which are StatefulSets. Its status is
    that of the master's Job, with the fields that upstream had.
    @par Upstream chainer-operator, its last state, `pkg/apis/chainer/v1alpha1/types.go` */
struct chainer_job {
    chainer_job() = default;

    static constexpr resource_info resource{"kubeflow.org", "v1alpha1", "ChainerJob", "chainerjobs"};

    object_meta metadata;     ///< the name prefixes the names of the Job, the StatefulSets and their pods
    chainer_job_spec spec;    ///< desired state
    batch::job_status status; ///< copied from the Job of the master
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(chainer_job, (metadata, spec, status))

/// Sets the fields that the user left out, as the operator does on each pass and writes into the job; idempotent.
/// @par Upstream chainer-operator, its last state, `pkg/apis/chainer/v1alpha1/defaults.go`
void set_defaults(chainer_job&);

/** Returns why the operator does not run the job, which must have defaults: an unknown backend, reported by an event
    `FailedSynced`. There is no webhook: servers store such jobs.
    @par Upstream chainer-operator, its last state, `pkg/controllers/chainer_controller.go` */
issues validate(chainer_job const&);

/// Appends likely mistakes that the operator accepts; `complete` is the written job with defaults.
void lint(chainer_job const& written, chainer_job const& complete, issues&);
/// Returns the lint rules of this kind alone.
std::span<lint_rule const> chainer_lint_rules() noexcept;

/// Returns all of these as the rules of a kind. The CRD has no schema: a value of the wrong type ended the process of
/// the upstream operator; the schema of the rules rejects it. All other fields are kept.
rules::job_rules const& kftrain_job_rules(type_tag<chainer_job>) noexcept;

} // namespace kftrain::kubeflow_v1alpha1

namespace kftrain {

using kubeflow_v1alpha1::chainer_job;

} // namespace kftrain

#endif
