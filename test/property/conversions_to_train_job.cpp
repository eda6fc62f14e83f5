#include "property/recorded_jobs.hpp"
#include "property/unreported_fields.hpp"

#include <kftrain/convert/train_job.hpp>
#include <kftrain/job/member_lookup.hpp>

#include <algorithm>
#include <array>

BOOST_AUTO_TEST_SUITE(property_conversions_to_train_job)

using namespace kftrain;

namespace {

/// Refusals of jobs that Kubeflow Trainer does not support.
constexpr std::array<std::string_view, 4> refusals{"Kubeflow Trainer supports no other", "for the pods of the entry",
                                                   "expected the name of a JobSet",
                                                   "expected at least 1 for a TrainJob"};

template <class Job, class Compare> void results_are_train_jobs(std::string const& folder, Compare compare) {
    property::check_conversions<Job, train_job>(
        folder, refusals, 30, [](Job const& job) { return convert::to_train_job(job); },
        [&](std::string const& name, any_job const& from, any_job const& result) {
            compare(name, from.with_defaults().members(), result.with_defaults().members());
        });
}

} // namespace

/// Each pod becomes a node; the default number of processes in a pod differs.
BOOST_AUTO_TEST_CASE(recorded_pytorch_jobs_become_train_jobs_with_as_many_pods) {
    results_are_train_jobs<pytorch_job>(
        "pytorchjob", [](std::string const& name, membership const& before, membership const& after) {
            BOOST_TEST(after.members.size() == before.members.size(), name);
            for (std::size_t i = 0; i < after.members.size(); ++i)
                BOOST_TEST(after.members[i].rank.value_or(-1) == static_cast<std::int64_t>(i), name);
        });
}

/// The launcher is one more host, unless it was one; workers cannot be absent.
BOOST_AUTO_TEST_CASE(recorded_mpi_jobs_become_train_jobs_with_their_hosts) {
    results_are_train_jobs<kubeflow_v2beta1::mpi_job>(
        "mpi-operator", [](std::string const& name, membership const& before, membership const& after) {
            BOOST_TEST(after.members.size() == std::max<std::size_t>(before.members.size(), 2), name);
        });
}

BOOST_AUTO_TEST_SUITE_END()
