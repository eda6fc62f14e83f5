#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_NAMES_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_NAMES_HPP

#include <kftrain/kinds/mpi_job_v2beta1.hpp>
#include <kftrain/model/ownership.hpp>

#include <optional>

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

/// @par Upstream mpi-operator v0.8.0 `pkg/apis/kubeflow/v2beta1/constants.go`
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

std::string
launcher_name(mpi_job const&); ///< of the Job, and the host name of its pods, whose own names nobody knows beforehand
std::string worker_name(mpi_job const&, std::int32_t index); ///< of the pod, and its host name
std::string config_map_name(mpi_job const&);
std::string secret_name(mpi_job const&);
/// Which worker bears this name; absent if none would.
std::optional<std::int32_t> worker_index(mpi_job const&, std::string_view pod_name) noexcept;

/// The labels by which pods of a role are found.
string_map role_labels(mpi_job const&, std::string_view role);
/// Whether a pod bears those of the workers.
bool is_labelled_worker(mpi_job const&, object_meta const&) noexcept;
/// More than any cluster has; a slip of the keyboard must not cost all memory.
inline constexpr std::int32_t most_workers = 100'000;
/// The index label of the first worker, and of worker `index`.
std::int32_t first_index_label(mpi_job const&, mpi_operator_options const&) noexcept;
std::string index_label(mpi_job const&, std::int32_t index, mpi_operator_options const&);

bool is_own(mpi_job const&, object_meta const&) noexcept; ///< whether the job controls the object
/// Name, namespace, label and owner of what the job owns beside its workers.
object_meta child_metadata(mpi_job const&, std::string name);

} // namespace kftrain::kubeflow_v2beta1

#endif
