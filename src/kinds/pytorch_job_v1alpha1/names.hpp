#ifndef KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_NAMES_HPP
#define KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_NAMES_HPP

#include <kftrain/kinds/pytorch_job_v1alpha1.hpp>

#include <string>
#include <vector>

/// Names and labels of what a job owns.
namespace kftrain::kubeflow_v1alpha1::pytorch {

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

/// @par Upstream pytorch-operator v0.3.0 `pkg/trainer/replicas.go`, `Labels`
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
/// As in the set, in either spelling; may be empty.
std::string const& type_of(pytorch_replica_spec const&) noexcept;
bool is_known(std::string_view type) noexcept;
std::int32_t count_of(pytorch_replica_spec const&) noexcept; ///< never negative
std::int32_t port_of(pytorch_replica_spec const&) noexcept;
/// The value of `WORLD_SIZE`: the replicas of all sets together, also of sets with the same name.
std::int64_t world_size(replica_sets const&) noexcept;
/// `master` or `worker`, as names have it.
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
/// And of one of them.
string_map child_labels(pytorch_job const&, std::string_view type, std::int32_t number);

} // namespace kftrain::kubeflow_v1alpha1::pytorch

#endif
