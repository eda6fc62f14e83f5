#include "job/contract/conditions.hpp"

#include <ostream>

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

std::ostream& operator<<(std::ostream& out, job_phase p) { return out << to_string(p); }

job_phase phase_of(std::span<meta::condition const> conditions) noexcept { return phase_by(conditions); }

} // namespace kftrain
