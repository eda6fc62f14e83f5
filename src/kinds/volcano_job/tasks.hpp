#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_TASKS_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_TASKS_HPP

#include <kftrain/kinds/volcano_job.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kftrain::volcano {

/// Limits the memory that a typing mistake can cost; no cluster has so many.
inline constexpr std::int32_t most_replicas = 100'000;

/// Returns the first task of this name, or null.
task_spec const* find_task(job const&, std::string_view name) noexcept;
/// Returns the number of the task in the list; absent if there is none.
std::optional<std::size_t> task_number(job const&, std::string_view name) noexcept;
/// Returns the replicas of the task, from 0 to most_replicas.
std::int32_t replicas_of(task_spec const&) noexcept;
/// Returns `minAvailable` of the task, or else its replicas.
std::int32_t min_available_of(task_spec const&) noexcept;
std::int64_t total_replicas(job const&) noexcept;
std::int64_t total_min_available(job const&) noexcept;

} // namespace kftrain::volcano

#endif
