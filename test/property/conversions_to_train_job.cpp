#include "property/recorded_jobs.hpp"
#include "property/unreported_fields.hpp"

#include <kftrain/convert/train_job.hpp>
#include <kftrain/job/member_lookup.hpp>

#include <algorithm>
#include <array>

BOOST_AUTO_TEST_SUITE(property_conversions_to_train_job)

using namespace kftrain;

namespace {

/// What Kubeflow Trainer does not support.
bool is_without_counterpart(failure const& f) {
    static constexpr std::array<std::string_view, 4> reasons{
        "Kubeflow Trainer supports no other", "for the pods of the entry", "expected the name of a JobSet",
        "expected at least 1 for a TrainJob"};
    return !f.detail.path.empty() && std::ranges::any_of(reasons, [&](std::string_view reason) {
        return f.detail.message.find(reason) != std::string::npos;
    });
}

std::string lint_faults(any_job const& job) {
    std::string text;
    for (auto const& i : job.lint())
        if (i.level == issue::severity::error) text += i.rule + " " + i.path + ": " + i.message + "; ";
    return text;
}

/// Checks each recorded job, and `compare`s it with its result.
template <class Job, class Compare> void results_are_train_jobs(std::string const& folder, Compare compare) {
    std::size_t refused = 0, converted = 0;
    for (auto const& [name, job] : property::recorded_jobs<Job>(folder)) {
        auto const made = convert::to_train_job(job);
        if (!made) {
            BOOST_TEST(is_without_counterpart(made.error()), name << ": " << made.error().to_string());
            ++refused;
            continue;
        }
        ++converted;
        any_job const from(job), result(made->job);
        auto const faults = property::faults_of(result) + lint_faults(result);
        BOOST_TEST(faults == "", name << ": " << faults);
        BOOST_TEST(to_json(from_yaml<train_job>(result.to_yaml()).value()) == result.to_json(), name);
        BOOST_TEST(!result.render().empty(), name);
        auto const source = boost::json::parse(from.to_json()), text = boost::json::parse(result.to_json());
        property::check_changes(name, made->changes, source, text);
        for (auto const& field : property::unreported_fields(source, text, made->changes))
            BOOST_ERROR(name + ": " + field);
        compare(name, from.with_defaults().members(), result.with_defaults().members());
    }
    BOOST_TEST(converted > 30U, folder);
    BOOST_TEST(refused < converted, folder);
}

} // namespace

/// Each pod becomes a node; the number of processes in a pod is another if nothing says it.
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
