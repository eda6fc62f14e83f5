#ifndef KFTRAIN_SRC_FACADE_PREFLIGHT_PREFLIGHT_JOB_HPP
#define KFTRAIN_SRC_FACADE_PREFLIGHT_PREFLIGHT_JOB_HPP

#include <kftrain/facade/preflight.hpp>
#include <kftrain/kube/client.hpp>

namespace kftrain {

/// Body of training_client::async_preflight(), of a job with its namespace.
void preflight_job(kube::any_handler<void(error_code, preflight_report)> handler, kube::client client, any_job job,
                   preflight_options options);

} // namespace kftrain

#endif
