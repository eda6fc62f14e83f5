#ifndef KFTRAIN_SRC_LOCAL_JOB_RESOURCES_HPP
#define KFTRAIN_SRC_LOCAL_JOB_RESOURCES_HPP

#include <kftrain/apiserver/resource_definition.hpp>
#include <kftrain/job/any_job.hpp>

#include <vector>

namespace kftrain::local {

/// How the API server serves a job kind: as its CRD says, and with the kind's rules as admission.
apiserver::resource_definition resource_for(job_kind const& kind);

/// How it serves the custom resources among the children of the kind, when its operator is told this.
std::vector<apiserver::resource_definition> child_resources_for(job_kind const& kind, operator_options const& rules);

} // namespace kftrain::local

#endif
