#include "kinds/mpi_job_v2beta1/kind.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v2beta1 {

job_phase phase_of(mpi_job const& job) noexcept { return phase_by(job.status.conditions); }

bool set_condition(job_status& status, std::string_view type, std::string_view value, std::string reason,
                   std::string message, time_point now) {
    auto next = changed_condition(status, type, value, std::move(reason), std::move(message), now);
    if (!next) return false;
    std::erase_if(status.conditions, [&](job_condition const& c) {
        return c.type == type || (type == "Running" && c.type == "Restarting");
    });
    if (type == "Failed" || type == "Succeeded")
        for (auto& c : status.conditions)
            if (c.type == "Running" || c.type == "Failed") c.status = "False";
    status.conditions.push_back(*std::move(next));
    return true;
}

batch::job_condition const* end_of(batch::job const& launcher) noexcept {
    auto const true_condition = [&](std::string_view type) -> batch::job_condition const* {
        auto const* const first = condition_of(launcher.status.conditions, type); // the first of a type counts
        return first != nullptr && first->status == "True" ? first : nullptr;
    };
    auto const* const complete = true_condition("Complete");
    return complete != nullptr ? complete : true_condition("Failed");
}

namespace {

class judgement {
public:
    judgement(mpi_job const& job, observed_pods const& observed, time_point now, mpi_operator_options const& options,
              std::vector<rules::emit_event>& events)
        : job_(job), observed_(observed), options_(options), now_(now), events_(events), status_(job.status) {}

    job_status run() {
        note_suspension();
        if (observed_.launcher_exists) note_launcher();
        count_workers();
        note_running();
        return std::move(status_);
    }

private:
    /// `MPIJob <namespace>/<name><tail>`
    std::string text(std::string_view tail) const {
        return "MPIJob " + job_.metadata.namespace_ + "/" + job_.metadata.name + std::string(tail);
    }
    bool set(std::string_view type, std::string_view value, std::string reason, std::string message) {
        return set_condition(status_, type, value, std::move(reason), std::move(message), now_);
    }
    void emit(std::string type, std::string reason, std::string message) {
        events_.emplace_back(std::move(type), std::move(reason), std::move(message));
    }

    void note_suspension() {
        if (is_suspended(job_)) {
            if (set("Suspended", "True", "MPIJobSuspended", "MPIJob suspended"))
                emit("Normal", "MPIJobSuspended", "MPIJob suspended");
        } else if (find_condition(status_, "Suspended") != nullptr) {
            if (!set("Suspended", "False", "MPIJobResumed", "MPIJob resumed")) return;
            emit("Normal", "MPIJobResumed", "MPIJob resumed");
            status_.start_time = now_;
        }
    }

    void note_launcher() {
        replica_status counts;
        if (observed_.launcher != nullptr) {
            counts.failed = observed_.launcher->status.failed;
            auto const* const end = end_of(*observed_.launcher);
            if (end == nullptr) {
                counts.active = running_launchers();
            } else if (end->type == "Complete") {
                counts.succeeded = 1;
                succeed();
            } else {
                fail(*end);
            }
        }
        status_.replica_statuses[std::string(launcher_type)] = std::move(counts);
    }

    void succeed() {
        std::string const message = text(" successfully completed.");
        emit("Normal", "MPIJobSucceeded", message);
        if (!status_.completion_time) status_.completion_time = observed_.launcher->status.completion_time;
        set("Succeeded", "True", "MPIJobSucceeded", message);
    }

    void fail(batch::job_condition const& end) {
        std::string reason = end.reason.empty() ? "MPIJobFailed" : end.reason;
        std::string message = end.message.empty() ? text(" has failed") : end.message;
        if (auto const* const last = last_failed_launcher(); last != nullptr && reason == "BackoffLimitExceeded") {
            reason += "/" + last->status.reason;
            message = event_message(message + ": " + last->status.message);
        }
        emit("Warning", reason, message);
        if (!status_.completion_time) status_.completion_time = now_;
        set("Failed", "True", std::move(reason), std::move(message));
    }

    /// Differs from the active pods of the Job, which include pending ones.
    std::int32_t running_launchers() const {
        return static_cast<std::int32_t>(
            std::ranges::count_if(observed_.launcher_pods, [](auto const& p) { return p->status.phase == "Running"; }));
    }

    /// The youngest pod; null if there is none.
    core::pod const* last_failed_launcher() const {
        core::pod const* last = nullptr;
        for (auto const& p : observed_.launcher_pods)
            if (p->status.phase == "Failed" &&
                (last == nullptr || last->metadata.creation_timestamp < p->metadata.creation_timestamp))
                last = p.get();
        return last;
    }

    void count_workers() {
        replica_status counts;
        int evicted = 0;
        for (auto const* p : observed_.workers) {
            if (p == nullptr) continue;
            if (p->status.phase == "Running") ++counts.active;
            if (p->status.phase == "Succeeded") ++counts.succeeded;
            if (p->status.phase != "Failed") continue;
            ++counts.failed;
            if (p->status.reason == "Evicted") ++evicted;
        }
        running_workers_ = static_cast<std::size_t>(counts.active);
        status_.replica_statuses[std::string(worker_type)] = std::move(counts);
        if (evicted == 0) return;
        std::string const message =
            std::to_string(evicted) + "/" + std::to_string(observed_.workers.size()) + " workers are evicted";
        set("Failed", "True", "MPIJobEvicted", message);
        emit("Warning", "MPIJobEvicted", message);
    }

    void note_running() {
        if (is_suspended(job_)) {
            set("Running", "False", "MPIJobSuspended", text(" is suspended."));
        } else if (options_.release >= mpi_operator_release::v0_8_2 && is_finished(status_)) {
            note_that_it_never_ran();
        } else if (observed_.launcher != nullptr && running_launchers() > 0 &&
                   running_workers_ == observed_.workers.size()) {
            set("Running", "True", "MPIJobRunning", text(" is running."));
            emit("Normal", "MPIJobRunning", text(" is running"));
        }
    }

    void note_that_it_never_ran() {
        if (find_condition(status_, "Running") != nullptr) return;
        set_condition(status_, "Running", "False", "MPIJobRunning",
                      text(" is finished but Running condition was never set."),
                      status_.completion_time.value_or(now_));
    }

    mpi_job const& job_;
    observed_pods const& observed_;
    mpi_operator_options const& options_;
    time_point now_;
    std::vector<rules::emit_event>& events_;
    job_status status_;
    std::size_t running_workers_ = 0;
};

} // namespace

job_status judge(mpi_job const& job, observed_pods const& observed, time_point now, mpi_operator_options const& options,
                 std::vector<rules::emit_event>& events) {
    return judgement(job, observed, now, options, events).run();
}

} // namespace kftrain::kubeflow_v2beta1
