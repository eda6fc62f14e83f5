#ifndef KFTRAIN_JOB_V1_TRAINING_OPERATOR_OPTIONS_HPP
#define KFTRAIN_JOB_V1_TRAINING_OPERATOR_OPTIONS_HPP

#include <string>

namespace kftrain::kubeflow_v1 {

/** Common options of the operators for the kinds of training-operator.
    @par Upstream training-operator v1.9.0, its flags of the same names */
struct training_operator_options {
    training_operator_options() = default;

    /// Empty or `None`: pods are scheduled one by one. `volcano`: jobs get PodGroups of Volcano. Any other name: jobs
    /// get PodGroups of the scheduler plugins, and their pods name this scheduler.
    std::string gang_scheduler_name;
};

} // namespace kftrain::kubeflow_v1

namespace kftrain {

using kubeflow_v1::training_operator_options;

} // namespace kftrain

#endif
