#ifndef KFTRAIN_SRC_JOB_V1_ABNORMAL_PODS_HPP
#define KFTRAIN_SRC_JOB_V1_ABNORMAL_PODS_HPP

#include <kftrain/job/plan_writer.hpp>

namespace kftrain::kubeflow_v1 {

/** Emits events that explain why an unfinished pod does not run.
    @par Upstream training-operator v1.9.0 `pkg/core/job.go`, `RecordAbnormalPods` */
void report_abnormal(pod const&, rules::plan_writer&);

} // namespace kftrain::kubeflow_v1

#endif
