#ifndef KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_KIND_HPP
#define KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_KIND_HPP

#include <kftrain/job/job_phase.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/plan.hpp>
#include <kftrain/kinds/pytorch_job_v1alpha1.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::kubeflow_v1alpha1::pytorch {

// Names and labels of what a job owns.

inline constexpr std::string_view master_type = "MASTER";
inline constexpr std::string_view worker_type = "WORKER";
inline constexpr std::string_view main_container = "pytorch"; ///< the only one that gets the addresses of the others
inline constexpr std::string_view default_image = "pytorch/pytorch:v0.2";
inline constexpr std::int32_t default_port = 23456;
inline constexpr std::string_view port_name = "tf-port";
/// Limits the memory that a typing mistake can cost: each pod lists all others.
inline constexpr std::int32_t most_replicas = 10'000;

/// Values of `status.phase`, and of `status.state` and the states of replicas.
inline constexpr std::string_view creating = "Creating";
inline constexpr std::string_view done = "Done";
inline constexpr std::string_view failed = "Failed"; ///< a phase and a state
inline constexpr std::string_view running = "Running";
inline constexpr std::string_view succeeded = "Succeeded";
inline constexpr std::string_view unknown_state = "Unknown";

/// Upstream: pytorch-operator v0.3.0 `pkg/trainer/replicas.go`, `Labels`
namespace label {
inline constexpr std::string_view group = "kubeflow.org"; ///< its value is empty
inline constexpr std::string_view job_name = "pytorch_job_name";
inline constexpr std::string_view job_type = "job_type";
inline constexpr std::string_view runtime_id = "runtime_id";
inline constexpr std::string_view task_index = "task_index"; ///< of a pod its rank, of a service its index
} // namespace label

/// The sets of a job, as in its spec or as first observed.
using replica_sets = std::vector<pytorch_replica_spec>;

/// `spec.replicaSpecs[1]`
std::string path_of(std::size_t set);
/// The type of the set, in either spelling; may be empty.
std::string const& type_of(pytorch_replica_spec const&) noexcept;
bool is_known(std::string_view type) noexcept;
std::int32_t count_of(pytorch_replica_spec const&) noexcept; ///< never negative
std::int32_t port_of(pytorch_replica_spec const&) noexcept;
/// The value of `WORLD_SIZE`: the replicas of all sets together, also of sets with the same name.
std::int64_t world_size(replica_sets const&) noexcept;
/// Returns `master` or `worker`, as in names.
std::string_view lower_of(std::string_view type) noexcept;
/// The rank of the replica with this index within its type.
std::int32_t rank_of(std::string_view type, std::int32_t index) noexcept;

/** The runtime id of the spec, else four characters derived from the uid of the job or, before it is stored, from its
    namespace and name. Upstream draws random ones. */
std::string runtime_id_of(pytorch_job const&);

/// `J-t-<id>-<number>`, where `J` is the first 40 characters of the job's name. The number is the index in the name of
/// a service, and the rank in that of a pod. So the service with the name of a pod leads to it, if that service exists.
std::string child_name(pytorch_job const&, std::string_view type, std::int32_t number);

/** The name of a replica's pod: child_name() and the number of the attempt in five digits, from 0 on. If a creation is
    repeated, by this operator after a lost answer or by another one, it meets the pod of the first. Upstream draws five
    characters for each attempt. */
std::string pod_name(pytorch_job const&, std::string_view type, std::int32_t rank, std::size_t attempt = 0);

/// The labels of all children of a type.
string_map type_labels(pytorch_job const&, std::string_view type);
/// The labels of one of them.
string_map child_labels(pytorch_job const&, std::string_view type, std::int32_t number);

// Upstream validates twice: when it sets up a job, and when it creates the sets. Its texts are the messages of the
// issues; it reports the first one.

/** Checks a spec with defaults. The status begins with `invalid job spec: `.
    @par Upstream pytorch-operator v0.3.0 `pkg/apis/pytorch/validation/validation.go` */
issues spec_faults(pytorch_job_spec const&);
/** Checks a stored spec, with or without defaults. The status begins with `Could not create in memory datastructures;
    `.
    @par Upstream pytorch-operator v0.3.0 `pkg/trainer/replicas.go` */
issues set_faults(pytorch_job_spec const&);

// The children of a valid job with defaults.
// Upstream: pytorch-operator v0.3.0 `pkg/trainer/replicas.go`, `pkg/trainer/training.go`

/// The service of a replica, by its index. It has an address of its own.
core::service render_service(pytorch_job const&, pytorch_replica_spec const& set, std::int32_t index);

/// Makes the pods of one job, whose sets they have in common.
class pod_maker {
public:
    pod_maker(pytorch_job const& job, replica_sets const& sets);

    /// The pod of a replica, by its rank; see pod_name().
    core::pod make(pytorch_replica_spec const& set, std::int32_t rank, std::size_t attempt = 0) const;

private:
    std::string config_of(std::string_view type, std::int32_t rank) const;

    pytorch_job const& job_;
    std::string cluster_; ///< as TF_CONFIG has it; grows with the job, so it is written once
    std::string world_size_;
};

/// A replica that has children: those that several sets of a type share are the first one's.
struct placed {
    placed(pytorch_replica_spec const& s, std::int32_t i) : set(&s), index(i) {}

    pytorch_replica_spec const* set;
    std::int32_t index;
};

/// The replicas set by set, without those whose names an earlier set has taken and those of unknown types.
std::vector<placed> replicas_of(replica_sets const&);

/// Services, then pods, set by set.
std::vector<any_object> render(pytorch_job const&);

/// Adds the device volumes and variables of the operator options to the pods. The operator does this once, when it sets
/// up a job.
void add_accelerators(pytorch_job_spec&, pytorch_operator_options const&);

// Computes the status of a job.
// Upstream: pytorch-operator v0.3.0 `pkg/trainer/replicas.go`, `pkg/trainer/training.go`

/// The pods of a job that bear its labels, by type and the text of their index label.
class observed_pods {
public:
    /// Ignores pods of another RuntimeId.
    void add(pytorch_job const&, core::pod const&);
    /// A pod that is to be created in this pass.
    void add_new(std::string_view type, std::int32_t rank) { of_[key(type, rank)].any = true; }

    /// Whether the replica has a pod that has not failed; one that is being deleted counts.
    bool lives(std::string_view type, std::int32_t rank) const;
    /** The state of the newest pod whose container has a state: Running (also while it waits), Succeeded or Failed.
        Unknown if no container has a state; Running, as upstream, if there is no pod at all. */
    std::string_view state(std::string_view type, std::int32_t rank) const;

private:
    struct pods_of_one {
        bool any = false;
        bool alive = false;
        core::pod const* latest = nullptr; ///< the one whose state counts
    };
    using place = std::pair<std::string, std::string>;

    static place key(std::string_view type, std::int32_t rank) { return {std::string(type), std::to_string(rank)}; }

    std::map<place, pods_of_one> of_;
};

/// Counts the states of the replicas of a set.
pytorch_replica_status status_of(pytorch_replica_spec const& set, observed_pods const&);

/** The end of the job: the state of the replica that its policy names, in any set of that type; empty if it has not
    ended. WORKER rank 0, which does not exist, stands for the first worker: upstream would wait forever. */
std::string_view end_of(pytorch_job const&, replica_sets const&, observed_pods const&);

/// The existing objects for a job, by labels and names alone. Snapshots that never change.
struct pytorch_world {
    pytorch_world() = default;

    std::vector<core::pod const*> pods;       ///< by labels, made by anyone
    std::vector<core::pod const*> owned_pods; ///< with any labels: only their names matter
    std::vector<core::service const*> services;
};

/// The memory of an operator about a job: it notices edits of the sets only if their number changes, and ignores edits
/// of the status.
class first_observation final : public rules::memory {
public:
    first_observation(replica_sets s, pytorch_job_status t) : sets(std::move(s)), status(std::move(t)) {}

    replica_sets const sets;
    pytorch_job_status const status;
};

/** The next plan for a stored job.
    @par Upstream pytorch-operator v0.3.0 `pkg/trainer/training.go`, `Reconcile` */
rules::plan make_plan(prepared_job const&, pytorch_world const&, first_observation const* remembered,
                      pytorch_operator_options const&);

/// The objects that the operator watches.
std::vector<rules::watched> watched_rows();
/// The input of a plan, from these rows.
pytorch_world gather(rules::world const&);

} // namespace kftrain::kubeflow_v1alpha1::pytorch

#endif
