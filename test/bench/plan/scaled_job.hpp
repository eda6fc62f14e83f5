#ifndef KFTRAIN_TEST_BENCH_PLAN_SCALED_JOB_HPP
#define KFTRAIN_TEST_BENCH_PLAN_SCALED_JOB_HPP

#include <kftrain/job/any_job.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace kftrain::bench {

/// The job with so many replicas in all; none if it has no set of replicas, or more outside its largest one.
std::optional<any_job> scaled(any_job const& job, std::int64_t replicas);

/// Every job of examples/manifests and test/bench/jobs that has a set of replicas.
std::vector<any_job> jobs_with_replicas();

} // namespace kftrain::bench

#endif
