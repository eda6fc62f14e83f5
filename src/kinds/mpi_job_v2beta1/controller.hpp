#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_CONTROLLER_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_CONTROLLER_HPP

#include "kinds/mpi_job_v2beta1/gang.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/objects/batch/job.hpp>

#include <memory>
#include <vector>

namespace kftrain::kubeflow_v2beta1 {

/** What exists in the cluster for a job. Objects that bear a name which the job wants are here, with any controller.
    Snapshots: shared, never changed. */
struct mpi_world {
    mpi_world() = default;

    std::shared_ptr<batch::job const> launcher;                  ///< by its name
    std::vector<std::shared_ptr<core::pod const>> launcher_pods; ///< controlled by the launcher
    /// Pods with the label of the job, among them those of its launcher, and pods with the names of workers; each once.
    std::vector<std::shared_ptr<core::pod const>> workers;
    std::shared_ptr<core::service const> service; ///< by its name, as the next
    std::shared_ptr<core::config_map const> config_map;
    std::shared_ptr<core::secret const> secret; ///< of which the names of the keys count; values may be missing
    any_object pod_group;                       ///< of the type that the scheduler uses; empty if there is none
    priority_map priorities;
};

/** One pass over a job as a server stores it. The plan is empty if another manager runs the job or it is being deleted.
    If an object of another owner has the name of a child, the job gets an event, and the pass stops at that object.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go`, `syncHandler` */
rules::plan make_plan(prepared_job const&, mpi_world const&, time_point now, mpi_operator_options const&);

/** The rules of the controller of MPIJobs, for rules::job_rules_of.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go` */
class mpi_controller {
public:
    using object = mpi_job;
    static constexpr std::string_view name = "mpi-job-controller";

    explicit mpi_controller(mpi_operator_options = {});

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::job_look<mpi_job> const&) const;

protected:
    mpi_operator_options const& options() const noexcept { return options_; }

private:
    mpi_operator_options options_;
    std::vector<rules::watched> rows_;
};

/// The input of a plan, from the rows above.
mpi_world gather(rules::world const&);

} // namespace kftrain::kubeflow_v2beta1

#endif
