#include "job/v1/replica_outcome.hpp"
#include "kinds/mx_job/kind.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1 {

/** Upstream: training-operator v1.7.0 `pkg/controller.v1/mxnet/mxjob_controller.go`, `UpdateJobStatus`, where the order of the types
    is chance. Here the scheduler comes first while a replica is being restarted, so that the job says so, and last otherwise: a job
    one of whose replicas has failed and is not restarted then says Running, which it is. */
void mx_kind::judge(status_editor& e) const {
    bool const single = is_single_worker();
    auto order = types();
    auto const scheduler = std::ranges::find(order, mxnet::scheduler);
    if (scheduler != order.end() && !is_true(e.status(), "Restarting"))
        std::rotate(scheduler, scheduler + 1, order.end());
    for (auto type : order) {
        auto const& spec = *spec_of(type);
        replica_status const counts = e.status().replica_statuses[std::string(type)];
        bool const done = spec.replicas.value_or(1) == counts.succeeded;
        if ((type == mxnet::scheduler || single) && judge_leader(e, counts, done)) return;
        judge_any_failure(e, "mxjob " + e.job_name(), type, spec, counts);
    }
}

} // namespace kftrain::kubeflow_v1
