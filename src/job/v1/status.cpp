#include "job/v1/status.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1 {

void set_condition(job_status& status, std::string_view type, std::string_view value, std::string reason,
                   std::string message, time_point now) {
    if (is_true(status, "Failed")) return;
    auto next = changed_condition(status, type, value, std::move(reason), std::move(message), now);
    if (!next) return;
    std::erase_if(status.conditions, [&](job_condition const& c) {
        return c.type == type || (type == "Restarting" && c.type == "Running") ||
               (type == "Running" && c.type == "Restarting");
    });
    if (type == "Failed" || type == "Succeeded")
        for (auto& c : status.conditions)
            if (c.type == "Running") c.status = "False";
    status.conditions.push_back(*std::move(next));
}

void count_pod(replica_status& counts, pod const& p) noexcept {
    if (p.status.phase == "Running") {
        // A running pod that is being deleted counts as failed, as upstream has it.
        ++(p.metadata.deletion_timestamp ? counts.failed : counts.active);
    } else if (p.status.phase == "Succeeded") {
        ++counts.succeeded;
    } else if (p.status.phase == "Failed") {
        ++counts.failed;
    }
}

void status_editor::set(std::string_view type, std::string_view value, std::string_view reason_suffix,
                        std::string message) {
    set_condition(status_, type, value, std::string(kind_).append(reason_suffix), std::move(message), now_);
}

void status_editor::raise(std::string_view event_type, std::string_view reason_suffix, std::string message) {
    todo_.emit(std::string(event_type), std::string(kind_).append(reason_suffix), std::move(message));
}

void status_editor::finish(std::string_view outcome, std::string message) {
    raise("Normal", outcome, message);
    if (!status_.completion_time) status_.completion_time = now_;
    set(outcome, std::move(message));
}

job_phase phase_of(job_status const& status) noexcept { return phase_by(status.conditions); }

} // namespace kftrain::kubeflow_v1
