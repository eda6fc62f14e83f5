#ifndef KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_RENDER_HPP
#define KFTRAIN_SRC_KINDS_PYTORCH_JOB_V1ALPHA1_RENDER_HPP

#include "kinds/pytorch_job_v1alpha1/names.hpp"

#include <kftrain/job/plan.hpp>

/** The children of a valid job with defaults.
    @par Upstream pytorch-operator v0.3.0 `pkg/trainer/replicas.go`, `pkg/trainer/training.go` */
namespace kftrain::kubeflow_v1alpha1::pytorch {

/// The service of a replica, by its index. It has an address of its own.
core::service render_service(pytorch_job const&, pytorch_replica_spec const& set, std::int32_t index);

/// Makes the pods of one job, whose sets they have in common.
class pod_maker {
public:
    pod_maker(pytorch_job const& job, replica_sets const& sets);

    /// The pod of a replica, by its rank; see pod_name().
    core::pod make(pytorch_replica_spec const& set, std::int32_t rank, std::size_t attempt = 0) const;

private:
    std::string config_of(std::string_view type, std::int32_t rank) const;

    pytorch_job const& job_;
    std::string cluster_; ///< as TF_CONFIG has it; grows with the job, so it is written once
    std::string world_size_;
};

/// A replica that has children: those that several sets of a type share are the first one's.
struct placed {
    placed(pytorch_replica_spec const& s, std::int32_t i) : set(&s), index(i) {}

    pytorch_replica_spec const* set;
    std::int32_t index;
};

/// The replicas set by set, without those whose names an earlier set has taken and those of types that nobody knows.
std::vector<placed> replicas_of(replica_sets const&);

/// Services, then pods, set by set.
std::vector<any_object> render(pytorch_job const&);

/// Adds the device volumes and variables of the operator options to the pods. The operator does this once, when it sets
/// up a job.
void add_accelerators(pytorch_job_spec&, pytorch_operator_options const&);

} // namespace kftrain::kubeflow_v1alpha1::pytorch

#endif
