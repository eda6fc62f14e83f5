#include "job/v1/replica_outcome.hpp"

#include "base/ascii.hpp"
#include "job/v1/labels.hpp"
#include "model/rules/deadline_after.hpp"

#include <algorithm>
#include <map>

namespace kftrain::kubeflow_v1 {
namespace {

bool past_backoff_limit(replica_job const& job, observed const& world) {
    if (!job.policy.backoff_limit) return false;
    std::int32_t const limit = *job.policy.backoff_limit;
    std::int32_t restarted = 0;
    std::int32_t failed = 0;
    std::int32_t active = 0;
    std::map<std::string, bool, std::less<>> restarting; // by type as labels have it
    for (auto const& [type, spec] : job.specs) restarting[to_lower(type)] = restarts(spec);
    for (auto const& p : world.pods) {
        auto const& phase = p->status.phase;
        if (phase == "Failed") ++failed;
        if (phase != "Failed" && phase != "Succeeded" && !p->metadata.deletion_timestamp) ++active;
        auto const type = restarting.find(label_of(p->metadata, label::replica_type));
        if (phase != "Running" || type == restarting.end() || !type->second) continue;
        for (auto const& c : p->status.init_container_statuses) restarted += c.restart_count;
        for (auto const& c : p->status.container_statuses) restarted += c.restart_count;
    }
    if (limit == 0 ? restarted > 0 : restarted >= limit) return true;

    std::int32_t failed_before = 0;
    for (auto const& [type, counts] : job.status.replica_statuses) failed_before += counts.failed;
    // Upstream's count of earlier retries is always 0, so newly failed pods matter for a limit of 0 only.
    return limit == 0 && failed > failed_before && active != job.total_replicas();
}

} // namespace

bool restarts(replica_spec const& spec) noexcept {
    auto const& policy = spec.restart_policy;
    return policy == "OnFailure" || policy == "Always" || policy == "ExitCode";
}

std::optional<time_point> deadline_of(replica_job const& job, job_status const& status) noexcept {
    if (!job.policy.active_deadline_seconds || !status.start_time) return std::nullopt;
    return deadline_after(*status.start_time, *job.policy.active_deadline_seconds);
}

std::string_view exceeded_limit(replica_job const& job, observed const& world, job_status const& status,
                                time_point now) {
    if (past_backoff_limit(job, world)) return "has reached the specified backoff limit";
    auto const deadline = deadline_of(job, status);
    if (deadline && now >= *deadline) return "was active longer than specified deadline";
    return {};
}

time_point finished_at(job_status const& status) noexcept {
    if (status.completion_time) return *status.completion_time;
    for (auto type : {"Succeeded", "Failed"})
        if (auto const* c = find_condition(status, type);
            c != nullptr && c->status == "True" && c->last_transition_time)
            return *c->last_transition_time;
    return {};
}

std::optional<std::int32_t> exit_code_of(pod const& p, std::string_view container) noexcept {
    for (auto const& c : p.status.container_statuses)
        if (c.name == container && c.state.terminated) return c.state.terminated->exit_code;
    return std::nullopt;
}

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
