#ifndef KFTRAIN_LOCAL_SERVED_KINDS_HPP
#define KFTRAIN_LOCAL_SERVED_KINDS_HPP

#include <kftrain/kinds/registry.hpp>

namespace kftrain::apiserver {
class api_server;
}

namespace kftrain::local {

/** Makes a server accept jobs of the kinds, like a cluster with their CRDs and webhooks, and the custom
    resources that their operators watch. Stores the runtimes and queues of an installation. No operator manages the
    jobs unless the caller runs a control::job_operator, and no pod runs: for tests of programs that submit and follow
    jobs. local_cluster does the same and runs the jobs. Replaces kinds that are already served.
    @param kinds must outlive the server
    @par Errors `errc::invalid_argument` for null, and for a kind of a program without a name or with an invalid column
    path, after the kinds before it */
[[nodiscard]] result<void> serve_job_kinds(apiserver::api_server& server, job_kinds kinds = known_job_rules());

} // namespace kftrain::local

#endif
