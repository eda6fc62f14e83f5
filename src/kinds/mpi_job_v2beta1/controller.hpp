#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_CONTROLLER_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_CONTROLLER_HPP

#include "kinds/mpi_job_v2beta1/plan/plan.hpp"

#include <kftrain/job/controller_rules.hpp>

namespace kftrain::kubeflow_v2beta1 {

/** The rules of the controller of MPIJobs, for rules::controller_of.
    @par Upstream mpi-operator v0.8.0 `pkg/controller/mpi_job_controller.go` */
class mpi_controller {
public:
    using object = mpi_job;
    static constexpr std::string_view name = "mpi-job-controller";

    explicit mpi_controller(mpi_operator_options = {});

    std::span<rules::watched const> watches() const noexcept { return rows_; }
    rules::plan make_plan(rules::look<mpi_job> const&) const;

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
