#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_PLAN_STATE_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_PLAN_STATE_HPP

#include "kinds/volcano_job/kind.hpp"

#include <kftrain/job/job_phase.hpp>

/** Phases of a job, and the transitions between them.
    @par Upstream volcano v1.9.0 `pkg/controllers/job/state/` */
namespace kftrain::volcano {

namespace phase {
inline constexpr std::string_view pending = "Pending";
inline constexpr std::string_view aborting = "Aborting";
inline constexpr std::string_view aborted = "Aborted";
inline constexpr std::string_view running = "Running";
inline constexpr std::string_view restarting = "Restarting";
inline constexpr std::string_view completing = "Completing";
inline constexpr std::string_view completed = "Completed";
inline constexpr std::string_view terminating = "Terminating";
inline constexpr std::string_view terminated = "Terminated";
inline constexpr std::string_view failed = "Failed";
} // namespace phase

/// The effect of an action in a phase.
struct operation {
    operation() = default;

    /// The pods that go: all of the job, all of the task of the request, or the pod of the request.
    enum class scope : std::uint8_t { job, task, pod };

    bool kills = false;      ///< pods go; else they are brought in line with the spec
    bool keeps_ended = true; ///< of a kill: pods that have ended stay
    /// The phase that comes next in any case; empty: see phase_after().
    std::string_view next;
    bool retries = false; ///< it counts as a retry
    scope of = scope::job;
};

operation operation_of(std::string_view phase, std::string_view action, volcano_release) noexcept;
/// The phase that follows from the status after the operation; empty: the phase stays.
std::string_view phase_after(job const&, std::string_view phase, job_status const&) noexcept;

bool is_initiated(job const&) noexcept;
/// Completed, Failed or Terminated.
bool is_over(std::string_view phase) noexcept;
job_phase stored_phase(job const&) noexcept;

} // namespace kftrain::volcano

#endif
