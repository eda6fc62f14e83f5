#ifndef KFTRAIN_CONTROL_JOB_OPERATOR_HPP
#define KFTRAIN_CONTROL_JOB_OPERATOR_HPP

#include <kftrain/control/controller_operator.hpp>
#include <kftrain/job/operator_options.hpp>
#include <kftrain/job/training_job.hpp>

namespace kftrain::control {

struct job_operator_options : controller_operator_options {
    job_operator_options() = default;

    operator_options rules; ///< options of the rules of the kind, such as the gang scheduler
};

/** The operator of a job kind: watches the jobs of the kind and their children, and executes the plans that the rules
    of the kind make. It takes the place of the upstream operator; run only one of the two for a kind. */
class any_job_operator : public controller_operator {
public:
    any_job_operator(rules::job_rules const& kind, kube::client client, job_operator_options options = {});
};

/// The operator of a kind that is known at compile time.
template <training_job K> class job_operator : public any_job_operator {
public:
    explicit job_operator(kube::client client, job_operator_options options = {})
        : any_job_operator(job_rules_for<K>(), std::move(client), std::move(options)) {}
};

} // namespace kftrain::control

#endif
