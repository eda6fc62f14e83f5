#include "job/v1/replica_outcome.hpp"
#include "kinds/paddle_job/kind.hpp"

namespace kftrain::kubeflow_v1 {

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/paddlepaddle/paddlepaddle_controller.go`, `UpdateJobStatus`.
void paddle_kind::judge(status_editor& e) const {
    for (auto type : types()) {
        auto const& spec = *spec_of(type);
        note_selector(e.status(), type);
        replica_status const counts = e.status().replica_statuses[std::string(type)];
        bool const done = spec.replicas.value_or(1) == counts.succeeded;
        if (has_master() && type == paddle::master) {
            if (judge_leader(e, counts, done)) return;
        } else if (!has_master() && type == paddle::worker) {
            judge_whole(e, counts, done);
        }
        judge_failures(e, type, spec, counts);
    }
}

} // namespace kftrain::kubeflow_v1
