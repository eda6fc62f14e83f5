#ifndef KFTRAIN_KINDS_MPI_JOB_V1_BUILDER_HPP
#define KFTRAIN_KINDS_MPI_JOB_V1_BUILDER_HPP

#include <kftrain/kinds/mpi_job_v1.hpp>
#include <kftrain/kinds/mpi_parts.hpp>

namespace kftrain::kubeflow_v1 {

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
    bool launcher_works = false;       ///< whether the launcher gets devices like a worker
    std::string main_container;        ///< the container of the workers in which processes start; empty: the default
    issues problems{};                 ///< values that do not fit their fields
};

/** Builds an MPIJob of `kubeflow.org/v1` step by step:

    @code
    auto job = kubeflow_v1::mpi_job_builder("pi").in("team-a").image("registry/pi:1").command({"mpirun", "/pi"})
                   .slots(2).workers(2).build();
    @endcode

    `Parts` are the parts given so far, checked at compile time: building without image or workers, or giving a part
    twice, does not compile. build() finds all other faults. Setters change the builder and return it; image(),
    launcher(), workers() and launcher_as_worker() return a builder of another type and leave this one unchanged.
    Settings apply to the pods of launcher and workers, with two exceptions: command and arguments apply to the
    launcher only, because workers sleep until it starts processes in them, and devices apply to the workers only,
    unless the launcher works, too. launcher() and workers() take a function that customizes their own pods,
    including these settings.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
template <unsigned Parts>
class basic_mpi_job_builder final : public mpi_parts<basic_mpi_job_builder, Parts, mpi_job_choices> {
    using base = mpi_parts<basic_mpi_job_builder, Parts, mpi_job_choices>;

public:
    using base::base;

    /// Sets the container of the workers in which processes start; default: `mpi`.
    basic_mpi_job_builder& main_container(std::string name) {
        this->own_.main_container = std::move(name);
        return *this;
    }

private:
    friend class kftrain::detail::builder_access;

    static constexpr void check_parts() { static_assert(base::has_workers, "call workers() before build()"); }
};

/// The builder of an MPIJob before any part is given.
using mpi_job_builder = basic_mpi_job_builder<0>;

} // namespace kftrain::kubeflow_v1

#endif
