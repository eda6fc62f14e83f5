#ifndef KFTRAIN_SRC_KINDS_TF_JOB_TF_CONFIG_HPP
#define KFTRAIN_SRC_KINDS_TF_JOB_TF_CONFIG_HPP

#include "kinds/tf_job/kind.hpp"

namespace kftrain::kubeflow_v1::tf {

cluster cluster_of(replica_job const&, membership const&, tf_operator_options const&);

/// `TF_CONFIG` of a task that is told of all others.
std::string dense_config(cluster const&, member const&);
/** `TF_CONFIG` of a job with dynamic workers: a worker is told of itself and the parameter servers, a parameter server of
    itself, tasks of other types of nobody. */
std::string sparse_config(cluster const&, member const&);

} // namespace kftrain::kubeflow_v1::tf

#endif
