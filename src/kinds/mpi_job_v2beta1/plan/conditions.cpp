#include "kinds/mpi_job_v2beta1/plan/conditions.hpp"

#include "job/contract/conditions.hpp"

namespace kftrain::kubeflow_v2beta1 {

job_condition const* find_condition(job_status const& status, std::string_view type) noexcept {
    return condition_of(status.conditions, type);
}

bool is_true(job_status const& status, std::string_view type) noexcept {
    return kftrain::is_true(status.conditions, type);
}

bool is_finished(job_status const& status) noexcept {
    return is_true(status, "Succeeded") || is_true(status, "Failed");
}

job_phase phase_of(mpi_job const& job) noexcept { return phase_by(job.status.conditions); }

bool set_condition(job_status& status, std::string_view type, std::string_view value, std::string reason,
                   std::string message, time_point now) {
    auto const* const before = find_condition(status, type);
    bool const same_value = before != nullptr && before->status == value;
    if (same_value && before->reason == reason) return false;

    job_condition next;
    next.type = type;
    next.status = value;
    next.reason = std::move(reason);
    next.message = std::move(message);
    next.last_update_time = now;
    next.last_transition_time = same_value ? before->last_transition_time : now;

    std::erase_if(status.conditions, [&](job_condition const& c) {
        return c.type == type || (type == "Running" && c.type == "Restarting");
    });
    if (type == "Failed" || type == "Succeeded")
        for (auto& c : status.conditions)
            if (c.type == "Running" || c.type == "Failed") c.status = "False";
    status.conditions.push_back(std::move(next));
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

} // namespace kftrain::kubeflow_v2beta1
