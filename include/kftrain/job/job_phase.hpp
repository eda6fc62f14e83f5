#ifndef KFTRAIN_JOB_JOB_PHASE_HPP
#define KFTRAIN_JOB_JOB_PHASE_HPP

#include <kftrain/model/meta.hpp>

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string_view>

namespace kftrain {

/// The phase of a job, independent of its kind.
enum class job_phase : std::uint8_t { created, running, restarting, suspended, succeeded, failed };

/// Returns `Created`, `Running`, ... as in the condition types.
std::string_view to_string(job_phase) noexcept;
/// Writes the text of to_string().
std::ostream& operator<<(std::ostream& out, job_phase);

/// Returns whether the job succeeded or failed: both phases are final.
constexpr bool is_finished(job_phase p) noexcept { return p == job_phase::succeeded || p == job_phase::failed; }

/// Returns the phase from conditions of these types; other types are ignored.
job_phase phase_of(std::span<meta::condition const> conditions) noexcept;

} // namespace kftrain

#endif
