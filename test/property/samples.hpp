#ifndef KFTRAIN_TEST_PROPERTY_SAMPLES_HPP
#define KFTRAIN_TEST_PROPERTY_SAMPLES_HPP

#include <kftrain/job/any_job.hpp>
#include <kftrain/job/operator_options.hpp>

#include <string>
#include <vector>

namespace property {

/// A valid job, and the options of its operator.
struct sample {
    std::string name;
    kftrain::any_job job;
    kftrain::operator_options options{};
};

/// Every recorded job that admission accepted and whose kind is known, and jobs drawn of every registered kind. Prints
/// which share of those drawn is admitted.
std::vector<sample> const& samples();

/// Documents drawn of a registered kind, admitted or not.
std::vector<std::string> const& drawn_documents(kftrain::rules::job_rules const&);

/// Of those, how many are admitted: 0 to 1.
double admitted_share(kftrain::rules::job_rules const&);

} // namespace property

#endif
