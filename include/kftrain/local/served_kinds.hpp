#ifndef KFTRAIN_LOCAL_SERVED_KINDS_HPP
#define KFTRAIN_LOCAL_SERVED_KINDS_HPP

namespace kftrain::apiserver {
class api_server;
}

namespace kftrain::local {

/** Lets a server take jobs of every known kind as a cluster does that has their CRDs and webhooks, and the custom resources that their
    operators watch. Nothing looks after the jobs, unless the caller runs a control::job_operator, and no pod runs: for tests of programs that
    submit and follow jobs. local_cluster does the same and runs them. Kinds that are served already are replaced. */
void serve_job_kinds(apiserver::api_server& server);

} // namespace kftrain::local

#endif
