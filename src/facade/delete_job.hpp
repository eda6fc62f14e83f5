#ifndef KFTRAIN_SRC_FACADE_DELETE_JOB_HPP
#define KFTRAIN_SRC_FACADE_DELETE_JOB_HPP

#include <kftrain/facade/submit_options.hpp>
#include <kftrain/kube/client.hpp>

namespace kftrain {

/// Body of training_client::async_delete(), of a reference with its namespace.
void delete_stored_job(kube::any_handler<void(error_code)> handler, kube::client client, job_reference job,
                       job_delete_options options);

} // namespace kftrain

#endif
