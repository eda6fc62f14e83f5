#ifndef KFTRAIN_SRC_JOB_CONTRACT_POD_TEMPLATES_HPP
#define KFTRAIN_SRC_JOB_CONTRACT_POD_TEMPLATES_HPP

#include <kftrain/job/any_job.hpp>
#include <kftrain/objects/core.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/// A pod template of a job.
struct pod_template_place {
    pod_template_place() = default;

    std::string path;               ///< `spec.pytorchReplicaSpecs[Worker].template`
    std::vector<std::string> names; ///< one of them is the role, in some case
    core::pod_template_spec const* given = nullptr;
};

/// Returns the pod templates in the spec of a job of any kind; they refer to the job.
std::vector<pod_template_place> pod_templates(any_job const&);
/// Returns the template of the pods of a role, or null.
pod_template_place const* template_of(std::vector<pod_template_place> const&, std::string_view role);

} // namespace kftrain

#endif
