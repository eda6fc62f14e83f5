#ifndef KFTRAIN_SRC_LOCAL_CLUSTER_JOB_RESOURCES_HPP
#define KFTRAIN_SRC_LOCAL_CLUSTER_JOB_RESOURCES_HPP

#include <kftrain/apiserver/resource_definition.hpp>
#include <kftrain/job/prepared_job.hpp>

#include <functional>
#include <vector>

namespace kftrain::apiserver {
class api_server;
}

namespace kftrain::local {

/// The parts of a job that this cluster cannot run; see unsupported_parts().
using job_limits = std::function<issues(prepared_job const&)>;

/** The definition of a job kind for the API server: from its CRD, with the kind's rules as admission. Valid jobs that
    have `limits` are refused, too, with these as messages, because their pods would never run. A stored job that
    already has such limits may be changed. */
apiserver::resource_definition resource_for(rules::job_rules const& kind, job_limits limits = nullptr);

/// Returns how the server serves the companions of a kind and the other custom resources that its rules watch.
std::vector<apiserver::resource_definition> child_resources_for(rules::job_rules const& kind);

/// Stores what an installation of the operator contains, such as runtimes; the kind and its child_resources_for() must
/// be served.
void add_installed_objects(apiserver::api_server& server, rules::job_rules const& kind);

/// Serves a kind and its child_resources_for(), and stores its installed objects.
/// @par Errors those of api_server::register_resource(); the definitions of kftrain's own kinds have none
result<void> serve_kind(apiserver::api_server& server, rules::job_rules const& kind, job_limits limits);

} // namespace kftrain::local

#endif
