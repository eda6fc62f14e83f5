#ifndef KFTRAIN_SRC_CONVERT_OLD_PADDLE_JOB_HPP
#define KFTRAIN_SRC_CONVERT_OLD_PADDLE_JOB_HPP

#include "convert/old_job.hpp"

namespace kftrain::convert {

/// A set of pods of a PaddleJob of paddle-operator.
struct old_paddle_set {
    old_paddle_set() = default;

    std::int32_t replicas = 0;
    std::optional<std::int32_t> requests; ///< bounds of elastic training, as the next
    std::optional<std::int32_t> limits;
    core::pod_template_spec template_;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(old_paddle_set, (replicas, requests, limits, template_))

/** The spec of a PaddleJob of `batch.paddlepaddle.org/v1`.
    @par Upstream paddle-operator v0.3.5 `api/v1/paddlejob_types.go` */
struct old_paddle_spec {
    old_paddle_spec() = default;

    std::string clean_pod_policy; ///< Always, Never, OnFailure or OnCompletion; empty: OnCompletion
    boxed<kubeflow_v1::scheduling_policy> scheduling_policy;
    std::string intranet; ///< Service, Host or PodIP; empty: PodIP
    std::optional<std::int32_t> with_gloo;
    boxed<old_paddle_set> ps;
    boxed<old_paddle_set> worker;
    boxed<old_paddle_set> heter;
    std::optional<std::int32_t> elastic;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(old_paddle_spec,
                 (clean_pod_policy, scheduling_policy, intranet, with_gloo, ps, worker, heter, elastic))

using old_paddle_job = old_job<old_paddle_spec>;
KFTRAIN_DECLARE_TABLE(old_paddle_job, old_paddle_job)

} // namespace kftrain::convert

#endif
