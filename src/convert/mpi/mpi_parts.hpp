#ifndef KFTRAIN_SRC_CONVERT_MPI_MPI_PARTS_HPP
#define KFTRAIN_SRC_CONVERT_MPI_MPI_PARTS_HPP

#include "convert/carried.hpp"

#include <kftrain/kinds/mpi_job_v1.hpp>
#include <kftrain/kinds/mpi_job_v2beta1.hpp>

#include <optional>

// Common parts of the conversions of MPIJobs. Names of types and fields are the same in both versions.
namespace kftrain::convert::mpi {

inline constexpr std::string_view launcher = "Launcher";
inline constexpr std::string_view worker = "Worker";
inline constexpr std::string_view v1_manager = "kubeflow.org/training-operator";
inline constexpr std::string_view v2beta1_manager = "kubeflow.org/mpi-operator";

/// The operator of v2beta1 uses its value as the queue of a gang if the policy names none; the operator of v1 ignores
/// it.
inline constexpr std::string_view queue_annotation = "scheduling.volcano.sh/queue-name";

/// Volumes that the operators add: both versions the first, v1 the second, v2beta1 the third.
inline constexpr std::string_view config_volume = "mpi-job-config";
inline constexpr std::string_view kubectl_volume = "mpi-job-kubectl";
inline constexpr std::string_view ssh_volume = "ssh-auth";

inline std::string path_of(std::string_view type) {
    return std::string("spec.mpiReplicaSpecs[").append(type).append("]");
}

/// A limit that makes a host of the launcher of a job of v1.
struct gpu_limit {
    gpu_limit() = default;

    std::string path;
    std::string value;
};

/// The first one of a launcher, if there is any.
/// @par Upstream training-operator v1.9.0 `pkg/controller.v1/mpi/mpijob.go`, `isGPULauncher`
std::optional<gpu_limit> find_gpu_limit(core::pod_spec const& launcher);

/// Whether all that a container does is to be there: it sleeps, be it in a loop of a shell, or follows /dev/null.
bool only_waits(core::container const&);

/// Whether all that a container does is to serve ssh.
bool only_serves_ssh(core::container const&);

/// Leaves the command and its args to the operator. The path is that of the container.
void drop_command(core::container&, std::string const& path, std::string_view why, change_list&);

/// Removes the command of a container that only waits, so that the operator of v2beta1 starts sshd in it; reports any
/// other command. The paths are those of the container.
void start_sshd(core::container&, std::string const& path, std::string const& result_path, change_list&);

/// A run policy without its manager and of the other version, with the same values.
template <class To, class From>
To carried_policy(From const& from, std::string_view why_unknown, change_list& changes) {
    To to;
    to.clean_pod_policy = from.clean_pod_policy;
    to.ttl_seconds_after_finished = from.ttl_seconds_after_finished;
    to.active_deadline_seconds = from.active_deadline_seconds;
    to.backoff_limit = from.backoff_limit;
    to.suspend = from.suspend;
    changes.dropped(from.unknown, "spec.runPolicy", why_unknown);
    if (!from.scheduling_policy) return to;
    auto const& gang = *from.scheduling_policy;
    auto& carried = to.scheduling_policy.emplace();
    carried.min_available = gang.min_available;
    carried.queue = gang.queue;
    carried.min_resources = gang.min_resources;
    carried.priority_class = gang.priority_class;
    carried.schedule_timeout_seconds = gang.schedule_timeout_seconds;
    changes.dropped(gang.unknown, "spec.runPolicy.schedulingPolicy", why_unknown);
    return to;
}

/// An entry of the replica map in the other version, with the same values.
template <class To, class From>
To carried_replicas(From const& from, std::string_view type, std::string_view why_unknown, change_list& changes) {
    To to;
    to.replicas = from.replicas;
    to.template_ = from.template_;
    to.restart_policy = from.restart_policy;
    changes.dropped(from.unknown, path_of(type), why_unknown);
    return to;
}

/// Replaces the operator's name in managedBy by that of the other operator.
std::optional<std::string> carried_manager(std::optional<std::string> const&, std::string_view own,
                                           std::string_view other, change_list&);

} // namespace kftrain::convert::mpi

#endif
