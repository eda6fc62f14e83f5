#ifndef KFTRAIN_SRC_KINDS_TF_JOB_TF_CONFIG_HPP
#define KFTRAIN_SRC_KINDS_TF_JOB_TF_CONFIG_HPP

#include "kinds/tf_job/kind.hpp"

namespace kftrain::kubeflow_v1::tf {

cluster cluster_of(replica_job const&, membership const&, tf_operator_options const&);

/// `TF_CONFIG` of a task, with the addresses of all tasks.
std::string dense_config(cluster const&, member const&);
/** `TF_CONFIG` of a job with dynamic workers: a worker gets its own address and those of the parameter servers, a
    parameter server its own, tasks of other types none. */
std::string sparse_config(cluster const&, member const&);

} // namespace kftrain::kubeflow_v1::tf

#endif
