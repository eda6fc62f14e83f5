#include "kinds/volcano_job/plan/state.hpp"

namespace kftrain::volcano {
namespace {

operation kill(std::string_view next = {}) noexcept {
    operation o;
    o.kills = true;
    o.next = next;
    return o;
}

operation restart(bool keeps_ended) noexcept {
    auto o = kill(phase::restarting);
    o.keeps_ended = keeps_ended;
    o.retries = true;
    return o;
}

operation restart_part(std::string_view action) noexcept {
    auto o = kill();
    o.keeps_ended = false;
    o.of = action == "RestartTask" ? operation::scope::task : operation::scope::pod;
    return o;
}

operation of_live_job(std::string_view action, bool parts) noexcept {
    if (parts) {
        auto o = restart_part(action);
        o.next = phase::restarting;
        o.retries = true;
        return o;
    }
    if (action == "AbortJob") return kill(phase::aborting);
    if (action == "RestartJob") return restart(false);
    if (action == "TerminateJob") return kill(phase::terminating);
    if (action == "CompleteJob") return kill(phase::completing);
    return operation();
}

bool has_pods_left(job_status const& s) noexcept { return s.terminating != 0 || s.pending != 0 || s.running != 0; }

/// Whether fewer pods of a task have succeeded than it needs.
bool has_failed_task(job const& job, job_status const& status) noexcept {
    for (auto const& t : job.spec.tasks) {
        auto const counted = status.task_status_count.find(t.name);
        if (!t.min_available || counted == status.task_status_count.end()) continue;
        auto const succeeded = counted->second.phase.find("Succeeded");
        if ((succeeded == counted->second.phase.end() ? 0 : succeeded->second) < *t.min_available) return true;
    }
    return false;
}

std::string_view after_running(job const& job, job_status const& status) noexcept {
    std::int64_t const total = total_replicas(job);
    if (total == 0) return {}; // scaled to nothing
    auto const& enough = job.spec.min_success;
    if (enough && status.succeeded >= *enough) return phase::completed;
    if (std::int64_t{status.succeeded} + status.failed == total) {
        if (job.spec.min_available >= total_min_available(job) && has_failed_task(job, status)) return phase::failed;
        if (enough || status.succeeded < job.spec.min_available) return phase::failed;
        return phase::completed;
    }
    return status.pending > total - job.spec.min_available ? phase::pending : std::string_view();
}

std::string_view after_restarting(job const& job, job_status const& status) noexcept {
    if (status.retry_count >= job.spec.max_retry) return phase::failed;
    return total_replicas(job) - status.terminating >= status.min_available ? phase::pending : std::string_view();
}

} // namespace

operation operation_of(std::string_view now, std::string_view action, volcano_release release) noexcept {
    bool const later = release >= volcano_release::v1_11_0;
    bool const parts = later && (action == "RestartTask" || action == "RestartPod");
    if (now == phase::running) return of_live_job(action, parts);
    if (now == phase::restarting) {
        if (later && action == "SyncJob") return operation();
        if (parts) return restart_part(action);
        auto o = kill();
        o.keeps_ended = false;
        return o;
    }
    bool const aborted = now == phase::aborting || now == phase::aborted;
    if (aborted && action == "ResumeJob") return restart(true);
    if (aborted || now == phase::completing || now == phase::terminating || is_over(now)) return kill();
    return of_live_job(action, parts); // Pending, and unknown phases
}

std::string_view phase_after(job const& job, std::string_view now, job_status const& status) noexcept {
    if (now == phase::running) return after_running(job, status);
    if (now == phase::restarting) return after_restarting(job, status);
    if (now == phase::aborted || is_over(now)) return {};
    if (now == phase::aborting) return has_pods_left(status) ? std::string_view() : phase::aborted;
    if (now == phase::completing) return has_pods_left(status) ? std::string_view() : phase::completed;
    if (now == phase::terminating) return has_pods_left(status) ? std::string_view() : phase::terminated;
    std::int64_t const begun = std::int64_t{status.running} + status.succeeded + status.failed;
    return job.spec.min_available <= begun ? phase::running : std::string_view();
}

bool is_initiated(job const& job) noexcept {
    return !job.status.state.phase.empty() && job.status.state.phase != phase::pending;
}

bool is_over(std::string_view now) noexcept {
    return now == phase::completed || now == phase::failed || now == phase::terminated;
}

job_phase stored_phase(job const& job) noexcept {
    std::string_view const now = job.status.state.phase;
    if (now == phase::failed || now == phase::terminated) return job_phase::failed;
    if (now == phase::completed) return job_phase::succeeded;
    if (now == phase::aborting || now == phase::aborted) return job_phase::suspended;
    if (now == phase::restarting) return job_phase::restarting;
    return now == phase::running ? job_phase::running : job_phase::created;
}

} // namespace kftrain::volcano
