#include "job/v1/replica_outcome.hpp"
#include "kinds/xgboost_job/kind.hpp"

namespace kftrain::kubeflow_v1 {

/** Upstream: training-operator v1.9.0 `pkg/controller.v1/xgboost/xgboostjob_controller.go`, `UpdateJobStatus`. An end of either
    sort begins with Running, so that the condition is there, and False, even of jobs that nobody saw running. */
void xgboost_kind::judge(status_editor& e) const {
    auto const run = [&] { e.set("Running", sentence(e, e.job_name(), " is running.")); };
    for (auto type : types()) {
        auto const& spec = *spec_of(type);
        replica_status const counts = e.status().replica_statuses[std::string(type)];
        if (type == xgboost::master) {
            bool const done = spec.replicas.value_or(1) == counts.succeeded;
            if (done) run();
            if (judge_leader(e, counts, done)) return;
        }
        if (counts.failed == 0) continue;
        run();
        judge_any_failure(e, sentence(e, e.job_name(), ""), type, spec, counts);
    }
}

} // namespace kftrain::kubeflow_v1
