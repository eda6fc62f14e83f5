#ifndef KFTRAIN_TEST_BENCH_SERVER_JOB_DRIVER_HPP
#define KFTRAIN_TEST_BENCH_SERVER_JOB_DRIVER_HPP

#include <kftrain/kube/config.hpp>

namespace kftrain::bench {

inline constexpr int pods_per_job = 8;

/** Creates `jobs` PyTorchJobs of one master and seven workers and plays kubelet: a pod that appears becomes Running;
    when all pods of its job run, they become Succeeded. Returns after so many seconds, when every job has succeeded. */
double drive_jobs(kube::config const& server, int jobs);

} // namespace kftrain::bench

#endif
