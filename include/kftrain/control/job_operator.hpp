#ifndef KFTRAIN_CONTROL_JOB_OPERATOR_HPP
#define KFTRAIN_CONTROL_JOB_OPERATOR_HPP

#include <kftrain/control/controller_operator.hpp>
#include <kftrain/job/operator_options.hpp>
#include <kftrain/job/training_job.hpp>

namespace kftrain::control {

struct job_operator_options : controller_operator_options {
    job_operator_options() = default;

    operator_options rules; ///< what the rules of the kinds may be told
};

/** Watches the jobs of one kind and their children and carries out what the kind's rules plan. This is the operator that the
    cluster would run for the kind, in a library; kinds differ in their rules only. */
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
