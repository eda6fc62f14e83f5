#ifndef KFTRAIN_SRC_LOCAL_JOB_RESOURCES_HPP
#define KFTRAIN_SRC_LOCAL_JOB_RESOURCES_HPP

#include <kftrain/apiserver/resource_definition.hpp>
#include <kftrain/job/any_job.hpp>

namespace kftrain::local {

/// How the API server serves a job kind: as its CRD says, and with the kind's rules as admission.
apiserver::resource_definition resource_for(job_kind const& kind);

} // namespace kftrain::local

#endif
