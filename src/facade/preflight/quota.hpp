#ifndef KFTRAIN_SRC_FACADE_PREFLIGHT_QUOTA_HPP
#define KFTRAIN_SRC_FACADE_PREFLIGHT_QUOTA_HPP

#include <kftrain/job/prepared_job.hpp>
#include <kftrain/objects/core.hpp>
#include <kftrain/objects/core/namespace.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kftrain::preflight {

/// The pods of a role, which have equal requests.
struct role_demand {
    role_demand() = default;

    std::string name;
    std::int64_t pods = 0;
    core::pod_spec pod;
    resource_list each; ///< of one pod, as quotas name it: `requests.cpu`, `limits.memory`, `pods`
};

struct job_demand {
    job_demand() = default;

    std::vector<role_demand> roles;
    std::map<std::string, std::int64_t> objects; ///< beside the pods: `count/pytorchjobs.kubeflow.org`, `services`
};

/// The demand of all pods of a valid job, as if all ran at once.
job_demand demand_of(prepared_job const&);
/** The demand of a pod, with the resource names of quotas.
    @par Upstream kubernetes `pkg/quota/v1/evaluator/core/pods.go`, v1.31.3 */
resource_list usage_of(core::pod_spec const&);
/// Whether a quota applies to a pod; empty if only the server can decide this.
std::optional<bool> is_in_scope(core::resource_quota_spec const&, core::pod_spec const&);
/// Containers without a request or limit that a quota of this name requires.
std::vector<std::string> containers_without(core::pod_spec const&, std::string const& quota_name);

} // namespace kftrain::preflight

#endif
