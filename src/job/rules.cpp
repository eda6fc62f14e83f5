#include <kftrain/job/rules.hpp>

namespace kftrain {

std::string_view to_string(job_phase p) noexcept {
    switch (p) {
    case job_phase::created: return "Created";
    case job_phase::running: return "Running";
    case job_phase::restarting: return "Restarting";
    case job_phase::suspended: return "Suspended";
    case job_phase::succeeded: return "Succeeded";
    case job_phase::failed: return "Failed";
    }
    return "Created";
}

job_phase phase_of(std::span<job_condition const> conditions) noexcept {
    auto const holds = [&](std::string_view type) {
        for (auto const& c : conditions)
            if (c.type == type && c.status == "True") return true;
        return false;
    };
    // Succeeded and Failed can both be True upstream; the failure is what the caller has to know.
    for (auto p :
         {job_phase::failed, job_phase::succeeded, job_phase::suspended, job_phase::restarting, job_phase::running})
        if (holds(to_string(p))) return p;
    return job_phase::created;
}

} // namespace kftrain
