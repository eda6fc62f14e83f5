#ifndef KFTRAIN_SRC_JOB_CONTRACT_WATCHED_PODS_HPP
#define KFTRAIN_SRC_JOB_CONTRACT_WATCHED_PODS_HPP

#include <kftrain/job/job_rules.hpp>

#include <string>

namespace kftrain {

/// Distinguishes the pods of a stored job from other pods with its labels.
class pod_claim {
public:
    /// Both must outlive the claim.
    pod_claim(rules::job_rules const& kind, object_meta const& job);

    /// Returns whether the pod may belong to an earlier job of the same name, or to another controller. A pod without a
    /// controller belongs to the job, because its operator will adopt it.
    bool is_of_another(object_meta const& pod) const;

private:
    rules::job_rules const& kind_;
    object_meta const& job_;
    bool controls_pods_; ///< its operator creates the pods itself, without a Job or StatefulSet in between
};

/// Returns the selector of the pods of a kind, as its rules watch them; empty if the rules watch all pods.
std::string pod_selector_of(rules::job_rules const& kind);

} // namespace kftrain

#endif
