#include "job/v1/replica_outcome.hpp"

namespace kftrain::kubeflow_v1 {

std::string sentence(status_editor const& e, std::string_view who, std::string_view tail) {
    return std::string(e.kind()).append(" ").append(who).append(tail);
}

bool judge_leader(status_editor& e, replica_status const& counts, bool done) {
    if (counts.active > 0) e.set("Running", sentence(e, e.job_name(), " is running."));
    if (done) e.finish("Succeeded", sentence(e, e.job_name(), " is successfully completed."));
    return done;
}

void judge_whole(status_editor& e, replica_status const& counts, bool done) {
    std::string const full_name = e.job_namespace() + "/" + e.job_name();
    if (done)
        e.finish("Succeeded", sentence(e, full_name, " successfully completed."));
    else if (counts.active > 0)
        e.set("Running", sentence(e, full_name, " is running."));
}

void judge_failures(status_editor& e, std::string_view type, replica_spec const& spec, replica_status const& counts) {
    if (counts.failed == 0 || spec.replicas.value_or(1) <= counts.succeeded + counts.active) return;
    std::string const tail =
        " because " + std::to_string(counts.failed) + " " + std::string(type) + " replica(s) failed.";
    if (spec.restart_policy == "Never") return e.finish("Failed", sentence(e, e.job_name(), " is failed" + tail));
    auto const message = sentence(e, e.job_name(), " is restarting" + tail);
    e.raise("Warning", "Restarting", message);
    e.set("Restarting", message);
}

void judge_any_failure(status_editor& e, std::string_view subject, std::string_view type, replica_spec const& spec,
                       replica_status const& counts) {
    if (counts.failed == 0) return;
    std::string const tail =
        " because " + std::to_string(counts.failed) + " " + std::string(type) + " replica(s) failed.";
    if (spec.restart_policy != "ExitCode") return e.finish("Failed", std::string(subject) + " is failed" + tail);
    auto const message = std::string(subject) + " is restarting" + tail;
    e.raise("Warning", "Restarting", message);
    e.set("Restarting", message);
}

} // namespace kftrain::kubeflow_v1
