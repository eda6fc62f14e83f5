#ifndef KFTRAIN_SRC_JOB_REPLICA_RENDER_HPP
#define KFTRAIN_SRC_JOB_REPLICA_RENDER_HPP

#include <kftrain/job/replica_job.hpp>

namespace kftrain {

/// The reference by which a child names the job as its controller.
owner_reference controller_reference(replica_job const&);

/// @par Upstream training-operator v1.9.0 `pkg/controller.v1/common/service.go`, `CreateNewService`
service render_service(replica_job const&, replica const&);

} // namespace kftrain

#endif
