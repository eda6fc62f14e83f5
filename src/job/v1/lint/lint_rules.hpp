#ifndef KFTRAIN_SRC_JOB_V1_LINT_LINT_RULES_HPP
#define KFTRAIN_SRC_JOB_V1_LINT_LINT_RULES_HPP

#include "job/contract/field_error.hpp"

#include "job/v1/gang.hpp"
#include "job/v1/replica_job.hpp"
#include <kftrain/job/lint.hpp>

namespace kftrain::kubeflow_v1 {

/// Appends what replica_lint_rules() find. Looks at the job as written and at the same job with defaults.
void lint_replicas(replica_job const& written, replica_job const& complete, gang_scheduler const&, issues&);

// Its parts.

/// Names, labels and environment of the pods that a type becomes.
void lint_children(replica_job const&, std::string_view type, membership const&, issues&);
/// Images, ports and the service of a type's template, and containers that keep it from ending.
void lint_containers(replica_job const& written, replica_job const& complete, std::string_view type, issues&);
/// Faults of the pods of a type that a server refuses, reported for its template.
void lint_pods(replica_job const&, std::string_view type, membership const&, gang_scheduler const&, issues&);
/// The run policy, and what restart policies do together with it.
void lint_policy(replica_job const& written, replica_job const& complete, gang_scheduler const&, issues&);

/// Whether a container asks for devices: resources of a name with a domain, e.g. `nvidia.com/gpu`.
bool requests_devices(core::pod_spec const&) noexcept;
/// `<path of type>.template.spec.containers[<index>]`
std::string container_path(replica_job const&, std::string_view type, std::size_t index,
                           std::string_view list = "containers");

} // namespace kftrain::kubeflow_v1

#endif
