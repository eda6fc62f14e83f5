#include "kinds/pytorch_job/constants.hpp"

namespace kftrain {
namespace {

/// `PyTorchJob <who><tail>`
std::string sentence(status_editor const& e, std::string_view who, std::string_view tail) {
    return std::string(e.kind()).append(" ").append(who).append(tail);
}

} // namespace

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/pytorch/pytorchjob_controller.go`, `UpdateJobStatus`.
void job_rules<pytorch_job>::view::judge(status_editor& e) const {
    bool const has_master = spec_of(pytorch::master) != nullptr;
    std::string const full_name = e.job_namespace() + "/" + e.job_name();
    for (auto type : types()) {
        auto const& spec = *spec_of(type);
        note_selector(e.status(), type);
        replica_status const counts = e.status().replica_statuses[std::string(type)];
        std::int32_t const wanted = spec.replicas.value_or(1);
        bool const done = wanted == counts.succeeded;

        if (has_master && type == pytorch::master) {
            if (counts.active > 0) e.set("Running", sentence(e, e.job_name(), " is running."));
            if (done) return e.finish("Succeeded", sentence(e, e.job_name(), " is successfully completed."));
        } else if (!has_master && type == pytorch::worker) {
            if (done)
                e.finish("Succeeded", sentence(e, full_name, " successfully completed."));
            else if (counts.active > 0)
                e.set("Running", sentence(e, full_name, " is running."));
        }

        if (counts.failed > 0 && wanted > counts.succeeded + counts.active) {
            std::string const tail =
                " because " + std::to_string(counts.failed) + " " + std::string(type) + " replica(s) failed.";
            if (spec.restart_policy == "Never") {
                e.finish("Failed", sentence(e, e.job_name(), " is failed" + tail));
            } else {
                auto const message = sentence(e, e.job_name(), " is restarting" + tail);
                e.raise("Warning", "Restarting", message);
                e.set("Restarting", message);
            }
        }
    }
}

} // namespace kftrain
