#include "base/ascii.hpp"
#include "job/v1/labels.hpp"
#include "job/v1/replica_limits.hpp"
#include "kinds/tf_job/kind.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1 {
namespace {

/// Whether there is one pod of worker 0, and it ended well.
bool is_first_worker_done(observed const& seen) {
    pod const* first = nullptr;
    for (auto const& p : seen.pods) {
        if (label_of(p->metadata, label::replica_type) != to_lower(tf::worker) || index_of(p->metadata) != 0) continue;
        if (first != nullptr) return false;
        first = p.get();
    }
    return first != nullptr && first->status.phase == "Succeeded" &&
           exit_code_of(*first, tf_kind::constants.container) == 0;
}

} // namespace

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/tensorflow/tfjob_controller.go`, `UpdateJobStatus`. Success does not
/// prevent failures of the same pass from being reported. Types that the kind does not know are counted, and not judged.
void tf_kind::judge(status_editor& e) const {
    std::string const who = std::string(e.kind()) + " " + e.job_namespace() + "/" + e.job_name();
    // Running takes the place of Restarting, which has to come back where replicas failed.
    std::optional<std::string> restarting;
    if (auto const* c = find_condition(e.status(), "Restarting")) restarting = c->message;

    for (auto type : tf::types) {
        auto const* const spec = spec_of(type);
        if (spec == nullptr) continue;
        replica_status const counts = e.status().replica_statuses[std::string(type)];
        bool done = spec->replicas.value_or(1) == counts.succeeded;
        bool const leads = has_chief() ? type == tf::chief || type == tf::master : type == tf::worker;
        if (leads) {
            if (!has_chief())
                done = done || (job_.spec.success_policy != tf::all_workers && is_first_worker_done(e.seen()));
            // Of workers that are done nothing is said but that.
            if (counts.active > 0 && (has_chief() || !done)) e.set("Running", who + " is running.");
            if (done) e.finish("Succeeded", who + " successfully completed.");
        }
        if (counts.failed == 0) continue;
        if (restarting) {
            e.set("Restarting", *restarting);
        } else if (!job_.spec.enable_dynamic_worker || type != tf::worker) {
            e.finish("Failed", who + " has failed because " + std::to_string(counts.failed) + " " + std::string(type) +
                                   " replica(s) failed.");
        }
    }
}

} // namespace kftrain::kubeflow_v1
