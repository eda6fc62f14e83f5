#ifndef KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_PLAN_PASS_HPP
#define KFTRAIN_SRC_KINDS_MPI_JOB_V2BETA1_PLAN_PASS_HPP

#include "kinds/mpi_job_v2beta1/plan/plan.hpp"
#include "kinds/mpi_job_v2beta1/plan/status.hpp"

#include <kftrain/job/plan_writer.hpp>

#include <set>
#include <string_view>

namespace kftrain::kubeflow_v2beta1 {

/// One pass over a job, with the steps of upstream's syncHandler. Functions return false if an object is in the way.
class pass {
public:
    pass(mpi_job const& stored, mpi_world const& world, time_point now, mpi_operator_options const& options);

    rules::plan run();

private:
    job_status& status() { return job_.status; }

    // plan.cpp
    bool is_managed_elsewhere() const;
    bool is_valid();
    void note_creation();
    void close();
    void synchronize();
    bool make_children(observed_pods&);
    void write_status();
    /// Whether the job controls the object. If not, adds an event.
    bool is_mine(object_meta const&, std::string_view kind = {});

    // plan_children.cpp
    bool sync_service();
    bool sync_config_map();
    bool sync_secret();
    bool sync_pod_group();
    bool may_launch(std::vector<core::pod const*> const& workers) const;
    void warn_of_overridden_policy();
    void align_launcher(batch::job const&);
    void resume_launcher(batch::job& next);

    // plan_workers.cpp
    std::vector<std::string> running_workers() const;
    void shrink();
    std::optional<std::int32_t> index_of(core::pod const&) const;
    bool sync_workers(std::vector<core::pod const*>&);
    bool clean_up();

    mpi_job const& stored_;
    mpi_job job_; ///< with defaults, and with the status as it becomes
    mpi_world const& world_;
    mpi_operator_options const& options_;
    time_point now_;
    rules::plan_writer todo_;
    std::set<std::string_view> gone_; ///< workers that this pass removes and that are gone as soon as that is answered
};

} // namespace kftrain::kubeflow_v2beta1

#endif
