#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_NAMES_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_NAMES_HPP

#include "job/contract/child_metadata.hpp"

#include <kftrain/kinds/volcano_job.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::volcano {

/// Upstream: volcano.sh/apis v1.9.0 `pkg/apis/batch/v1alpha1/labels.go`, `pkg/apis/scheduling/v1beta1/labels.go`
namespace key {
inline constexpr std::string_view task_index = "volcano.sh/task-index";
inline constexpr std::string_view task_name = "volcano.sh/task-spec";
inline constexpr std::string_view job_name = "volcano.sh/job-name";
inline constexpr std::string_view job_namespace = "volcano.sh/job-namespace";
inline constexpr std::string_view job_version = "volcano.sh/job-version";
inline constexpr std::string_view job_retries = "volcano.sh/job-retry-count";
inline constexpr std::string_view job_forwarding = "volcano.sh/job-forwarding";
inline constexpr std::string_view queue_name = "volcano.sh/queue-name";
inline constexpr std::string_view template_id = "volcano.sh/template-uid";
inline constexpr std::string_view group_name = "scheduling.k8s.io/group-name";
inline constexpr std::string_view numa_policy = "volcano.sh/numa-topology-policy";
inline constexpr std::string_view preemptable = "volcano.sh/preemptable";
inline constexpr std::string_view cooldown = "volcano.sh/cooldown-time";
inline constexpr std::string_view revocable_zone = "volcano.sh/revocable-zone";
inline constexpr std::string_view budget_min = "volcano.sh/jdb-min-available";
inline constexpr std::string_view budget_max = "volcano.sh/jdb-max-unavailable";
} // namespace key

inline constexpr std::string_view default_task = "default";
inline constexpr std::string_view default_queue = "default";
inline constexpr std::int32_t default_retries = 3;

/// Returns the value of an annotation such as `volcano.sh/job-version`, or an empty view.
std::string_view annotation_of(object_meta const&, std::string_view key) noexcept;

std::string pod_name(job const&, task_spec const&, std::int64_t index);
/// Returns the name of the task as in names of pods.
std::string_view task_name(task_spec const&) noexcept;
/// Returns the host name of the template, or else the name of the pod.
std::string host_name(job const&, task_spec const&, std::int64_t index);
/// Returns the name of the service: the subdomain of the template, or else the name of the job.
std::string subdomain(job const&, task_spec const&);
/// Returns `<host name>.<subdomain>`.
std::string address(job const&, task_spec const&, std::int64_t index);
/// Returns the addresses of all replicas; a single one if the template fixes the host name.
std::vector<std::string> hosts(job const&, task_spec const&);
/// Returns the name of the task for names of variables and files, with underscores instead of hyphens.
std::string identifier(task_spec const&);
std::string upper_case(std::string);

std::string group_name(job const&);    ///< of the PodGroup
std::string hosts_name(job const&);    ///< of the ConfigMap of plugin svc
std::string secret_name(job const&);   ///< of plugin ssh
std::string hostfile_name(job const&); ///< of the ConfigMap of plugin mpi as designed
std::string head_name(job const&);     ///< of the Service of plugin ray

/// Returns the path of a task in a manifest.
std::string task_path(std::size_t number);

/// Returns whether the job is the controller of the object.
bool is_own(job const&, object_meta const&) noexcept;

// Tasks.

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
