#ifndef KFTRAIN_KINDS_CHAINER_JOB_HPP
#define KFTRAIN_KINDS_CHAINER_JOB_HPP

/** @file
    ChainerJobs of `kubeflow.org/v1alpha1`: a master that reaches sets of workers by `kubectl exec`.
    @par Upstream chainer-operator, its last state, `pkg/apis/chainer/v1alpha1/types.go` */

#include <kftrain/base/special_members.hpp>
#include <kftrain/job/lint.hpp>
#include <kftrain/model/boxed.hpp>
#include <kftrain/objects/batch/job.hpp>
#include <kftrain/objects/core.hpp>

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

struct mpi_config {
    mpi_config() = default;

    /// Processes on each host; absent: as many as GPUs of NVIDIA that the container `chainer` may have, else 1.
    std::optional<std::int32_t> slots;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(mpi_config, (slots))

/// The pod that starts the program, or the only one.
struct chainer_master {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(chainer_master);

    std::optional<std::int64_t> active_deadline_seconds; ///< of its Job
    std::optional<std::int32_t> backoff_limit;           ///< failed pods of its Job; absent means 6
    boxed<kubeflow_v1alpha1::mpi_config> mpi_config;
    core::pod_template_spec template_; ///< restartPolicy: Never, which is meant if it is empty, or OnFailure
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(chainer_master, (active_deadline_seconds, backoff_limit, mpi_config, template_))

/// Workers of one sort.
struct chainer_worker_set {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(chainer_worker_set);

    std::optional<std::int32_t> replicas; ///< absent means 1
    boxed<kubeflow_v1alpha1::mpi_config> mpi_config;
    core::pod_template_spec template_; ///< its command has to wait; restartPolicy: empty or Always
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(chainer_worker_set, (replicas, mpi_config, template_))

/// By name. A reference to one stays valid when another is added.
using chainer_worker_set_map = std::map<std::string, chainer_worker_set, std::less<>>;

/// What a ChainerJob is to do.
struct chainer_job_spec {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(chainer_job_spec);

    std::string backend; ///< of jobs with workers: mpi, which is meant if it is empty
    chainer_master master;
    chainer_worker_set_map worker_sets; ///< empty: the master works alone
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(chainer_job_spec, (backend, master, worker_sets))

/** A Chainer job: a master, which is a Job of Kubernetes, and sets of workers, which are StatefulSets. Its status is that of the
    master's Job, as far as upstream knew of it.
    @par Upstream chainer-operator, its last state, `pkg/apis/chainer/v1alpha1/types.go` */
struct chainer_job {
    chainer_job() = default;

    static constexpr resource_info resource{"kubeflow.org", "v1alpha1", "ChainerJob", "chainerjobs"};

    object_meta metadata;
    chainer_job_spec spec;
    batch::job_status status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(chainer_job, (metadata, spec, status))

/// Fills what the user left out, as the operator does on each pass and writes into the job; idempotent.
/// @par Upstream chainer-operator, its last state, `pkg/apis/chainer/v1alpha1/defaults.go`
void set_defaults(chainer_job&);

/** Why the operator does not run the job, of a job with defaults: a backend that it does not know, which an event `FailedSynced` tells.
    There is no webhook: servers store such jobs.
    @par Upstream chainer-operator, its last state, `pkg/controllers/chainer_controller.go` */
issues validate(chainer_job const&);

/// Appends what the operator takes and what is hardly meant; works on the job as submitted.
void lint(chainer_job const&, issues&);
/// The rules that lint() of this kind alone knows.
std::span<lint_rule const> chainer_lint_rules() noexcept;

/// The types of the fields, in the form of resource_schema::parse(). The CRD has no schema: what has the wrong type ended
/// upstream's process, and is refused by this one. All other fields are kept.
std::string_view chainer_schema() noexcept;

/// All of these as the rules of a kind.
rules::job_rules const& kftrain_job_rules(type_tag<chainer_job>) noexcept;

} // namespace kftrain::kubeflow_v1alpha1

namespace kftrain {

using kubeflow_v1alpha1::chainer_job;

} // namespace kftrain

#endif
