#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_KIND_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_KIND_HPP

#include "job/contract/conditions.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/recipe.hpp>
#include <kftrain/kinds/mpi_job_v2beta1.hpp>
#include <kftrain/model/any_object.hpp>
#include <kftrain/model/ownership.hpp>
#include <kftrain/objects/batch/job.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kftrain::kubeflow_v2beta1 {

inline constexpr std::string_view launcher_type = "Launcher";
inline constexpr std::string_view worker_type = "Worker";
inline constexpr std::string_view launcher_role = "launcher"; ///< value of the label `job-role`, as the next
inline constexpr std::string_view worker_role = "worker";

inline constexpr std::string_view open_mpi = "OpenMPI";
inline constexpr std::string_view intel_mpi = "Intel";
inline constexpr std::string_view mpich = "MPICH";
inline constexpr std::string_view at_startup = "AtStartup";
inline constexpr std::string_view wait_for_workers = "WaitForWorkersReady";
inline constexpr std::string_view root_ssh_path = "/root/.ssh";
inline constexpr std::string_view own_manager = "kubeflow.org/mpi-operator";

inline constexpr std::string_view config_path = "/etc/mpi";
inline constexpr std::string_view config_volume = "mpi-job-config";
inline constexpr std::string_view ssh_volume = "ssh-auth";
inline constexpr std::string_view hostfile_key = "hostfile";
inline constexpr std::string_view discovery_key = "discover_hosts.sh";
inline constexpr std::string_view private_key = "ssh-privatekey";
inline constexpr std::string_view public_key = "ssh-publickey";

/// Upstream: mpi-operator v0.8.0 `pkg/apis/kubeflow/v2beta1/constants.go`
namespace label {
inline constexpr std::string_view operator_name = "training.kubeflow.org/operator-name";
inline constexpr std::string_view job_name = "training.kubeflow.org/job-name";
inline constexpr std::string_view job_role = "training.kubeflow.org/job-role";
inline constexpr std::string_view replica_index = "training.kubeflow.org/replica-index";
inline constexpr std::string_view own_operator = "mpi-operator"; ///< value of operator_name
} // namespace label

/// The entry of this type, or null.
replica_spec const* spec_of(mpi_job const&, std::string_view type) noexcept;
/// `spec.mpiReplicaSpecs[Worker]`
std::string path_of(std::string_view type);

std::int32_t worker_count(mpi_job const&) noexcept; ///< 0 without workers, never negative
std::int32_t slots_of(mpi_job const&) noexcept;
bool launcher_works(mpi_job const&) noexcept;
bool is_suspended(mpi_job const&) noexcept;

/// The name of the launcher Job, and the host name of its pods; their own names are not known beforehand.
std::string launcher_name(mpi_job const&);
std::string worker_name(mpi_job const&, std::int32_t index); ///< of the pod, and its host name
std::string config_map_name(mpi_job const&);
std::string secret_name(mpi_job const&);
/// The index of the worker with this name; absent if no worker has it.
std::optional<std::int32_t> worker_index(mpi_job const&, std::string_view pod_name) noexcept;

/// The labels that select the pods of a role.
string_map role_labels(mpi_job const&, std::string_view role);
/// Whether a pod has the labels of workers.
bool is_labelled_worker(mpi_job const&, object_meta const&) noexcept;
/// Limits the memory that a typing mistake can cost; no cluster has so many.
inline constexpr std::int32_t most_workers = 100'000;
/// The index label of the first worker, and of worker `index`.
std::int32_t first_index_label(mpi_job const&, mpi_operator_options const&) noexcept;
std::string index_label(mpi_job const&, std::int32_t index, mpi_operator_options const&);

bool is_own(mpi_job const&, object_meta const&) noexcept; ///< whether the job controls the object
/// Name, namespace, label and owner of an object of the job other than a worker.
object_meta child_metadata(mpi_job const&, std::string name);

/// Validates a job that a server has stored, which therefore has a map of replicas, if only an empty one.
issues validate_stored(mpi_job const&);

/// Returns the message of the event: all errors, within the size limit of an event.
std::string validation_message(issues const&);

/// Cuts a text to the 1024 bytes that the message of an event may have.
std::string event_message(std::string text);

// Gang scheduling by Volcano or by a scheduler with the coscheduling plugin. All functions expect options that name a
// gang scheduler.
// @par Upstream mpi-operator v0.8.0 `pkg/controller/podgroup.go`

/// Values of the PriorityClasses of the cluster, by name; a missing class counts 0.
using priority_map = std::map<std::string, std::int32_t, std::less<>>;

bool has_gang(mpi_operator_options const&) noexcept;
bool is_volcano(mpi_operator_options const&) noexcept;
/// The type of the gang's PodGroup.
object_type const& pod_group_type(mpi_operator_options const&) noexcept;

/// The PodGroup for a job without one.
any_object render_pod_group(mpi_job const&, priority_map const&, mpi_operator_options const&);
/// The stored PodGroup with the necessary changes; empty if there are none.
any_object changed_pod_group(any_object const& stored, mpi_job const&, priority_map const&,
                             mpi_operator_options const&);

/// Adds the gang's scheduler, labels and annotations to a pod template. The user's scheduler is overwritten.
void join_gang(core::pod_template_spec&, mpi_job const&, mpi_operator_options const&);

/// The number of pods that must fit before any pod starts.
std::int32_t min_member(mpi_job const&) noexcept;
/** The resources that these pods request, or those of the policy; absent if there are none. If the job has more pods
    than must fit, `min_member() - 1` pods of the lower priority count, or of the workers if the priorities are equal.
    The sum is therefore too high if the launcher has the lower priority, as upstream. */
std::optional<resource_list> min_resources(mpi_job const&, priority_map const&);

// The two texts of the config map.

/// The address of the host with this name for the other hosts of the job: `NAME.JOB.NAMESPACE.svc`, and the domain if
/// there is one.
std::string address_of(mpi_job const&, std::string_view host, mpi_operator_options const&);

/** One line for each host of the spec, running or not, in the order of the indices. A launcher that is a host is the
    first.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go`, `newConfigMap` */
std::string hostfile(mpi_job const&, mpi_operator_options const&);

/** The script that prints the running hosts for Horovod: the launcher if it is a host, running or not, then these
    workers in the order of their names as texts, so that 10 comes before 2.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go`, `updateDiscoverHostsInConfigMap` */
std::string discovery_script(mpi_job const&, std::vector<std::string> running, mpi_operator_options const&);

// The objects of a valid job with defaults, as the operator creates them.

/// The headless service that makes the names of all pods of the job resolvable.
core::service render_service(mpi_job const&, mpi_operator_options const&);
/// `running`: names of the workers that run.
core::config_map render_config_map(mpi_job const&, std::vector<std::string> running, mpi_operator_options const&);
/// Without the keys.
core::secret render_secret(mpi_job const&);
core::pod render_worker(mpi_job const&, std::int32_t index, mpi_operator_options const&);
core::pod_template_spec render_launcher_template(mpi_job const&, mpi_operator_options const&);
batch::job render_launcher(mpi_job const&, mpi_operator_options const&);

/// The common parts of workers and launcher, in this order: the volume with the keys, and its mount.
void mount_keys(core::pod_spec&, mpi_job const&);
/// Host name, subdomain and, on the network of the host, the policy by which names are resolved.
void name_host(core::pod_spec&, std::string host, mpi_job const&);

/// A pair of keys for a secret as render_secret() makes it.
rules::recipe ssh_recipe();

/// An object, and the recipes for the content that it still lacks.
struct rendered_object {
    rendered_object() = default;
    rendered_object(any_object o) : object(std::move(o)) {}

    any_object object;
    std::vector<rules::recipe> made;
};

/** All objects in the order of their creation, for a job without running pods.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go` */
std::vector<rendered_object> render(mpi_job const&, priority_map const&, mpi_operator_options const&);

// Conditions of jobs, and of the Jobs that launch them.

job_phase phase_of(mpi_job const&) noexcept;

/** Sets a condition and moves it to the end of the list; true if anything changed. A condition with the same status and
    reason stays unchanged, whatever its message. Success and failure set the status of an earlier `Running` or `Failed`
    to False.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller_status.go` */
bool set_condition(job_status&, std::string_view type, std::string_view value, std::string reason, std::string message,
                   time_point now);

/// The true condition `Complete` or `Failed` of a launcher, or null: it has not ended.
batch::job_condition const* end_of(batch::job const& launcher) noexcept;

/// The input of judge().
struct observed_pods {
    observed_pods() = default;

    batch::job const* launcher = nullptr; ///< null: there is none, or it is to be created in this pass
    bool launcher_exists = false;         ///< also when it is to be created
    std::vector<std::shared_ptr<core::pod const>> launcher_pods; ///< controlled by it
    std::vector<core::pod const*>
        workers; ///< null for those that are created in this pass; empty if they do not matter
};

/** Returns the new status; `job` is the job with defaults and the status so far. Appends the events that the operator
    emits.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller{,_status}.go` */
job_status judge(mpi_job const& job, observed_pods const&, time_point now, mpi_operator_options const&,
                 std::vector<rules::emit_event>& events);

/** The existing objects with the names or labels of a job, with any controller. Snapshots that never change. */
struct mpi_world {
    mpi_world() = default;

    std::shared_ptr<batch::job const> launcher;                  ///< by its name
    std::vector<std::shared_ptr<core::pod const>> launcher_pods; ///< controlled by the launcher
    /// Pods with the label of the job, among them those of its launcher, and pods with the names of workers; each once.
    std::vector<std::shared_ptr<core::pod const>> workers;
    std::shared_ptr<core::service const> service; ///< by its name, as the next
    std::shared_ptr<core::config_map const> config_map;
    std::shared_ptr<core::secret const> secret; ///< only the names of its keys matter; values may be missing
    any_object pod_group;                       ///< of the type that the scheduler uses; empty if there is none
    priority_map priorities;
};

/** One pass over a job as a server stores it. The plan is empty if another manager runs the job or it is being deleted.
    If an object of another owner has the name of a child, the job gets an event, and the pass stops at that object.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go`, `syncHandler` */
rules::plan make_plan(prepared_job const&, mpi_world const&, time_point now, mpi_operator_options const&);

/// The objects that an operator with these options watches.
std::vector<rules::watched> watched_rows(mpi_operator_options const&);
/// The input of a plan, from these rows.
mpi_world gather(rules::world const&);

} // namespace kftrain::kubeflow_v2beta1

#endif
