#ifndef KFTRAIN_TEST_BENCH_SAMPLES_SAMPLE_SUBMISSION_HPP
#define KFTRAIN_TEST_BENCH_SAMPLES_SAMPLE_SUBMISSION_HPP

#include "bench/support/child_process.hpp"

#include <kftrain/kinds/pytorch_job_builder.hpp>

#include <string>
#include <utility>

namespace kftrain::bench {

/// A PyTorchJob of a master and two workers, as a user submits it.
inline pytorch_job sample_submission(std::string const& ns) {
    auto job = pytorch_job_builder("job")
                   .in(ns)
                   .image("registry.example.org/trainer:1")
                   .command({"python", "train.py"})
                   .master()
                   .workers(2)
                   .build();
    if (!job) give_up(job.error().to_string());
    return std::move(*job);
}

} // namespace kftrain::bench

#endif
