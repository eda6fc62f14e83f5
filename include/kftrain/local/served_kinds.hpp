#ifndef KFTRAIN_LOCAL_SERVED_KINDS_HPP
#define KFTRAIN_LOCAL_SERVED_KINDS_HPP

namespace kftrain::apiserver {
class api_server;
}

namespace kftrain::local {

/** Makes a server accept jobs of every known kind, like a cluster with their CRDs and webhooks, and the custom
    resources that their operators watch. Stores the runtimes and queues of an installation. No operator manages the
    jobs unless the caller runs a control::job_operator, and no pod runs: for tests of programs that submit and follow
    jobs. local_cluster does the same and runs the jobs. Replaces kinds that are already served. */
void serve_job_kinds(apiserver::api_server& server);

} // namespace kftrain::local

#endif
