#include "job/v1/replica_outcome.hpp"
#include "kinds/pytorch_job/kind.hpp"

namespace kftrain::kubeflow_v1 {

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/pytorch/pytorchjob_controller.go`, `UpdateJobStatus`.
void pytorch_kind::judge(status_editor& e) const {
    bool const has_master = spec_of(pytorch::master) != nullptr;
    for (auto type : types()) {
        auto const& spec = *spec_of(type);
        note_selector(e.status(), type);
        replica_status const counts = e.status().replica_statuses[std::string(type)];
        bool const done = spec.replicas.value_or(1) == counts.succeeded;

        if (has_master && type == pytorch::master) {
            if (judge_leader(e, counts, done)) return;
        } else if (!has_master && type == pytorch::worker) {
            // Of an elastic job any worker that ends well has done the work of all.
            judge_whole(e, counts, done || (job_.spec.elastic_policy && counts.succeeded > 0));
        }
        judge_failures(e, type, spec, counts);
    }
}

} // namespace kftrain::kubeflow_v1
