#ifndef KFTRAIN_JOB_JOB_PHASE_HPP
#define KFTRAIN_JOB_JOB_PHASE_HPP

#include <kftrain/model/meta.hpp>

#include <cstdint>
#include <span>
#include <string_view>

namespace kftrain {

/// Where a job stands, for callers that do not care about its kind.
enum class job_phase : std::uint8_t { created, running, restarting, suspended, succeeded, failed };

/// `Created`, `Running`, ... as in the condition types.
std::string_view to_string(job_phase) noexcept;

/// Succeeded or failed: a job does not leave these.
constexpr bool is_finished(job_phase p) noexcept { return p == job_phase::succeeded || p == job_phase::failed; }

/// The phase told by conditions of these types; types of other names mean nothing.
job_phase phase_of(std::span<meta::condition const> conditions) noexcept;

} // namespace kftrain

#endif
