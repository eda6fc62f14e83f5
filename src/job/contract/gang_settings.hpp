#ifndef KFTRAIN_SRC_JOB_CONTRACT_GANG_SETTINGS_HPP
#define KFTRAIN_SRC_JOB_CONTRACT_GANG_SETTINGS_HPP

#include <kftrain/job/job_rules.hpp>
#include <kftrain/model/boxed.hpp>

namespace kftrain::rules {

/// The gang settings of an API with `spec.runPolicy.schedulingPolicy`; absent without a policy.
template <class Policy> std::optional<gang_settings> gang_settings_of(boxed<Policy> const& policy) {
    if (!policy) return std::nullopt;
    gang_settings g;
    g.queue = policy->queue;
    g.priority_class = policy->priority_class;
    g.min_available = policy->min_available;
    g.path = "spec.runPolicy.schedulingPolicy";
    return g;
}

} // namespace kftrain::rules

#endif
