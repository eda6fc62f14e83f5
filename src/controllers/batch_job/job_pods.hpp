#ifndef KFTRAIN_SRC_CONTROLLERS_BATCH_JOB_JOB_PODS_HPP
#define KFTRAIN_SRC_CONTROLLERS_BATCH_JOB_JOB_PODS_HPP

#include "objects/pod_resources.hpp"

#include <kftrain/job/plan.hpp>
#include <kftrain/objects/batch/job.hpp>

#include <optional>
#include <string_view>
#include <vector>

// Questions about a Job and its pods.
namespace kftrain::controllers::batch_jobs {

inline constexpr std::string_view tracking_finalizer = "batch.kubernetes.io/job-tracking";
inline constexpr std::string_view index_key = "batch.kubernetes.io/job-completion-index";
inline constexpr std::string_view failure_count_key = "batch.kubernetes.io/job-index-failure-count";
inline constexpr std::string_view ignored_failure_count_key = "batch.kubernetes.io/job-index-ignored-failure-count";
/// So many pods are made, deleted or noted as uncounted by one plan at most.
inline constexpr std::size_t most_per_plan = 500;

using pod_list = std::vector<pod const*>;

bool is_indexed(batch::job const&) noexcept;
bool is_suspended(batch::job const&) noexcept;
bool replaces_failed_only(batch::job const&) noexcept;
std::int32_t parallelism_of(batch::job const&) noexcept;
/// Absent: one success is enough.
std::optional<std::int32_t> completions_of(batch::job const&) noexcept;
std::int32_t backoff_limit_of(batch::job const&) noexcept;
/// The condition of this type that is True, or null.
batch::job_condition const* holding(batch::job const&, std::string_view type) noexcept;
/// Complete or Failed, if it holds.
batch::job_condition const* end_of(batch::job const&) noexcept;

bool is_tracked(pod const&) noexcept;
bool is_active(pod const&) noexcept;
bool is_terminating(pod const&) noexcept;
bool is_ready(pod const&) noexcept;
bool has_failed(pod const&, batch::job const&) noexcept;
std::optional<std::int32_t> index_of(pod const&) noexcept;
/// Whether the Job still needs a pod with this index; always true for a Job without indexes.
bool has_valid_index(pod const&, batch::job const&) noexcept;
time_point finished_at(pod const&) noexcept;
/// The number in an annotation; 0 if it has none.
std::int32_t counted(pod const&, std::string_view annotation) noexcept;

/// Sorts the pods by the order of their deletion.
void sort_for_removal(pod_list&);
/// Removes the finalizer.
rules::patch untracked(pod const&);

} // namespace kftrain::controllers::batch_jobs

#endif
