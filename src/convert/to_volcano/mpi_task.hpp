#ifndef KFTRAIN_SRC_CONVERT_TO_VOLCANO_MPI_TASK_HPP
#define KFTRAIN_SRC_CONVERT_TO_VOLCANO_MPI_TASK_HPP

#include "convert/to_volcano/volcano_parts.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Common parts of the conversions of both versions of the MPIJob to the Job of Volcano.
namespace kftrain::convert::mpi {

inline constexpr std::string_view launcher_task = "launcher";
inline constexpr std::string_view worker_task = "worker";

/// Plugin svc writes one host in each line, without slots.
inline constexpr std::string_view worker_hosts = "/etc/volcano/worker.host";

inline constexpr std::array<std::string_view, 2> task_types{"Launcher", "Worker"};

inline constexpr source_names task_names = [] {
    source_names w;
    w.specs_field = "mpiReplicaSpecs";
    w.port_name = "mpijob-port";
    w.port = 22;
    w.default_restart_policy = "Never";
    w.types = task_types;
    return w;
}();

/// The task of a replica type on its way from an MPIJob; refers to the job in the making.
class task_pass {
public:
    /// `type` is Launcher or Worker, of which there is a task.
    task_pass(volcano_draft& draft, std::string_view type);

    volcano::task_spec& task() { return draft_.job.spec.tasks[index_]; }
    core::pod_spec& pod() { return task().template_.spec; }
    core::container& container(std::size_t i = 0) { return pod().containers[i]; }
    std::string const& path() const noexcept { return path_; } ///< in the source
    std::string result_path() const { return "spec.tasks[" + std::to_string(index_) + "]"; }
    std::string container_path(std::size_t i) const { return path_ + in_containers(i); }
    std::string result_container_path(std::size_t i) const { return result_path() + in_containers(i); }

    /// Adds a variable to the first container, after those of the template. Returns its path.
    std::string add(std::string name, std::string value);
    bool has_variable(std::string_view name);
    /** Replaces the path of the hostfile in commands and variables, reports other files that no longer exist, and
        removes variables that name the kubectl script of v1. Call before variables are added. */
    void rename_files(bool has_hosts);
    /// Replaces the command of the container by sshd.
    void run_sshd(std::size_t container, fate becomes, std::string_view why);
    /// Sets the number of processes on each host; for the launcher. These variables win over those of the template, as
    /// slots in a hostfile do.
    void add_slots(std::optional<std::int32_t> slots);
    /// Creates the launcher when the workers run; for the launcher.
    void wait_for_workers();

private:
    static std::string in_containers(std::size_t i) { return ".template.spec.containers[" + std::to_string(i) + "]"; }
    void rename_text(std::string& text, std::string const& from, std::string const& to, bool has_hosts);

    volcano_draft& draft_;
    std::size_t index_ = 0;
    std::string path_;
};

/// Adds the plugin ssh. Adds the plugin mpi, which sets MPI_HOST in the launcher, if the job has workers and all its
/// pods stay valid.
void add_plugins(volcano_draft&, bool has_workers, std::vector<std::string> ssh_arguments);
/// Excludes the launcher from the gang, for task_pass::wait_for_workers(). Call before convert_policy(), which reports
/// it.
void let_gang_be_workers(volcano_draft&, std::int32_t workers);

} // namespace kftrain::convert::mpi

#endif
