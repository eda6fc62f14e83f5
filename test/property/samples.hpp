#ifndef KFTRAIN_TEST_PROPERTY_SAMPLES_HPP
#define KFTRAIN_TEST_PROPERTY_SAMPLES_HPP

#include <kftrain/job/any_job.hpp>
#include <kftrain/job/operator_options.hpp>

#include <string>
#include <vector>

namespace property {

/// A job that is admitted, and what its operator is told.
struct sample {
    std::string name;
    kftrain::any_job job;
    kftrain::operator_options options{};
};

/// Every recorded job that admission accepted and whose kind is known, jobs drawn of every registered kind, and PyTorchJobs made
/// from seeds. Prints which share of those drawn is admitted.
std::vector<sample> const& samples();

/// Of the jobs that were drawn of this apiVersion and kind, with a blank between, how many are admitted: 0 to 1.
double admitted_share(std::string const& kind);

} // namespace property

#endif
