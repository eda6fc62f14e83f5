#ifndef KFTRAIN_KINDS_MPI_JOB_V2BETA1_BUILDER_HPP
#define KFTRAIN_KINDS_MPI_JOB_V2BETA1_BUILDER_HPP

#include <kftrain/kinds/mpi_job_v2beta1.hpp>
#include <kftrain/kinds/mpi_parts.hpp>

namespace kftrain::kubeflow_v2beta1 {

/// Selects the environment variables of the launcher and the format of the hostfile.
enum class mpi_implementation : std::uint8_t { open_mpi, intel, mpich };

/// The values that a builder of MPIJobs collected in addition to job and pods.
struct mpi_job_choices {
    using job = mpi_job;

    mpi_job_choices() = default;
    /// Returns the checked job.
    [[nodiscard]] result<mpi_job> build(job_choices const&, pod_choices const&) const;

    /// Path of the number of workers.
    static constexpr std::string_view workers_path = "spec.mpiReplicaSpecs[Worker].replicas";

    pod_change launcher{};             ///< may be empty
    boxed<replica_choices> workers;    ///< absent before the call of workers()
    std::optional<std::int32_t> slots; ///< processes on each host; absent: the default of the operator, 1
    bool launcher_works = false;       ///< whether the launcher is the first of the hosts
    bool waits_for_workers = false;    ///< whether the launcher is created when all workers are ready
    std::string ssh_path;              ///< directory of the keys in the pods; empty: `/root/.ssh`
    std::string implementation;        ///< OpenMPI, Intel or MPICH; empty: OpenMPI
    issues problems{};                 ///< values that do not fit their fields
};

namespace detail {

std::string_view to_wire(mpi_implementation) noexcept;

} // namespace detail

/** Builds an MPIJob step by step:

    @code
    auto job = mpi_job_builder("pi").in("team-a").image("registry/pi:1").command({"mpirun", "/pi"})
                   .slots(2).workers(2).build();
    @endcode

    `Parts` are the parts given so far, checked at compile time: building without image, or with neither workers nor
    a launcher that works, or giving a part twice, does not compile. build() finds all other faults. Setters change
    the builder and return it; image(), launcher(), workers() and launcher_as_worker() return a builder of another
    type and leave this one unchanged. Settings apply to the pods of launcher and workers, with two exceptions:
    command and arguments apply to the launcher only, because workers serve ssh, and devices apply to the workers
    only, unless the launcher works, too. launcher() and workers() take a function that customizes their own pods,
    including these settings.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
template <unsigned Parts>
class basic_mpi_job_builder final : public mpi_parts<basic_mpi_job_builder, Parts, mpi_job_choices> {
    using base = mpi_parts<basic_mpi_job_builder, Parts, mpi_job_choices>;

public:
    using base::base;

    /// Default: Open MPI.
    basic_mpi_job_builder& implementation(mpi_implementation which) {
        this->own_.implementation = detail::to_wire(which);
        return *this;
    }
    /// Creates the launcher when all workers are ready; by default immediately.
    basic_mpi_job_builder& wait_for_workers(bool yes = true) {
        this->own_.waits_for_workers = yes;
        return *this;
    }
    /// Sets the directory of the keys in the pods: `.ssh` in the home of the user that sshd runs as; default:
    /// /root/.ssh.
    basic_mpi_job_builder& ssh_path(std::string folder) {
        this->own_.ssh_path = std::move(folder);
        return *this;
    }

private:
    friend class kftrain::detail::builder_access;

    static constexpr void check_parts() {
        static_assert(base::has_workers || base::launcher_works,
                      "call workers() or launcher_as_worker() before build()");
    }
};

/// The builder of an MPIJob before any part is given.
using mpi_job_builder = basic_mpi_job_builder<0>;

} // namespace kftrain::kubeflow_v2beta1

namespace kftrain {

using kubeflow_v2beta1::mpi_job_builder;

} // namespace kftrain

#endif
