#ifndef KFTRAIN_SRC_JOB_REPLICA_RENDER_HPP
#define KFTRAIN_SRC_JOB_REPLICA_RENDER_HPP

#include <kftrain/job/replica_job.hpp>

namespace kftrain {

/// The reference by which a child names the job as its controller.
owner_reference controller_reference(replica_job const&);

/// False for an object that merely bears the name of the job's: it is somebody else's, or of an earlier job of this name.
bool is_controlled_by(object_meta const& object, replica_job const&) noexcept;
/// Tells that such an object is in the way and is left alone. `consequence` ends the message and may be empty.
raise_event name_is_taken(replica_job const&, std::string_view kind, std::string_view consequence);

/// @par Upstream training-operator v1.9.0 `pkg/controller.v1/common/service.go`, `CreateNewService`
service render_service(replica_job const&, replica const&);

} // namespace kftrain

#endif
