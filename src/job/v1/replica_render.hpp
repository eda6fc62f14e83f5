#ifndef KFTRAIN_SRC_JOB_V1_REPLICA_RENDER_HPP
#define KFTRAIN_SRC_JOB_V1_REPLICA_RENDER_HPP

#include "job/v1/gang.hpp"
#include "job/v1/replica_job.hpp"

namespace kftrain::kubeflow_v1 {

/// The reference by which a child names the job as its controller.
owner_reference controller_reference(replica_job const&);

/// False if an object only has the name of a child of the job, and belongs to another owner or to an earlier job.
bool is_controlled_by(object_meta const& object, replica_job const&) noexcept;
/// The event for such an object, which the operator leaves alone. `consequence` ends the message and may be empty.
rules::emit_event name_is_taken(replica_job const&, std::string_view kind, std::string_view consequence);

/// The pod of one replica, as the operator creates it.
/// @par Upstream training-operator v1.9.0 `pkg/controller.v1/common/pod.go`, `createNewPod`
pod render_pod(replica_job const&, membership const&, member const&, gang_scheduler const&);
/// @par Upstream training-operator v1.9.0 `pkg/controller.v1/common/service.go`, `CreateNewService`
service render_service(replica_job const&, member const&);
/// All children in the order of their creation: the kind's own, PodGroup, then pods and services of each type.
std::vector<any_object> render(replica_job const&, gang_scheduler const&);

} // namespace kftrain::kubeflow_v1

#endif
