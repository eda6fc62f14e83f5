#ifndef KFTRAIN_SRC_FACADE_PLAN_PLAN_JOB_HPP
#define KFTRAIN_SRC_FACADE_PLAN_PLAN_JOB_HPP

#include <kftrain/facade/update_plan.hpp>
#include <kftrain/kube/client.hpp>

namespace kftrain {

/// Body of training_client::async_plan(), of a job with its namespace.
void plan_job(kube::any_handler<void(error_code, update_plan)> handler, kube::client client, any_job job,
              kube::call_options options);

} // namespace kftrain

#endif
