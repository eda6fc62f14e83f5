#include "job/contract/field_error.hpp"
#include "kinds/tf_job/kind.hpp"

namespace kftrain::kubeflow_v1 {

/// Upstream: training-operator v1.9.0 `pkg/webhooks/tensorflow/tfjob_webhook.go`. It counts entries, not replicas.
void tf_kind::validate_map(issues& found) const {
    if (spec_of(tf::chief) != nullptr && spec_of(tf::master) != nullptr)
        found.push_back(forbidden("tf.chief-and-master", std::string("spec.").append(tf_kind::constants.specs_field),
                                  "must not have more than 1 Chief or Master role"));
}

} // namespace kftrain::kubeflow_v1
