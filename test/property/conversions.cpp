#include "cli/manifests/schema_check.hpp"
#include "property/recorded_jobs.hpp"

#include <kftrain/convert/mpi_job.hpp>
#include <kftrain/job/job_rules.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

BOOST_AUTO_TEST_SUITE(property_conversions)

using namespace kftrain;

namespace {

using convert::change;
using property::recorded_jobs;
using property::value_at;

auto converted_job(kubeflow_v1::mpi_job const& job) { return convert::to_v2beta1(job); }
auto converted_job(kubeflow_v2beta1::mpi_job const& job) { return convert::to_v1(job); }

/// With the defaults of schema and operator, with and without a run policy.
template <class Job> Job as_meant(Job job) {
    if (!job.spec.run_policy.suspend) job.spec.run_policy.suspend = false;
    any_job const given(std::move(job));
    auto const stored = set_schema_defaults(given.rules().schema(), given.to_json()).value();
    return *any_job(from_json<Job>(stored).value()).with_defaults().template get_if<Job>();
}

/// The host of each rank, and the number of processes of each host.
template <class Job> std::vector<std::string> hosts_of(Job const& job) {
    auto const layout = any_job(job).with_defaults().members();
    std::vector<std::string> hosts;
    for (auto const& m : layout.members) {
        std::string const who = m.role + " " + std::to_string(m.index);
        hosts.push_back(m.rank ? who + " has rank " + std::to_string(*m.rank) + ", processes " +
                                     std::to_string(layout.processes_per_member.value_or(0))
                               : who);
    }
    std::ranges::sort(hosts);
    return hosts;
}

/// The names along a path, without the keys and indexes of list items.
std::vector<std::string> steps_of(std::string const& path) {
    std::vector<std::string> steps;
    std::string const text = cli::one_spelling(path) + ".";
    for (std::size_t at = 0; at < text.size();) {
        auto const end = text.find('.', at);
        std::string step = text.substr(at, end - at);
        bool const item =
            step.find('=') != std::string::npos || step.find_first_not_of("0123456789") == std::string::npos;
        if (!item) steps.push_back(std::move(step));
        at = end + 1;
    }
    return steps;
}

/// Whether one of two paths leads through the other.
bool on_one_way(std::string const& a, std::string const& b) {
    auto const left = steps_of(a), right = steps_of(b);
    if (left.empty() || right.empty()) return false;
    auto const end = std::ranges::mismatch(left, right);
    return end.in1 == left.end() || end.in2 == right.end();
}

bool is_reported(std::string const& path, std::vector<change> const& changes) {
    return std::ranges::any_of(
        changes, [&](change const& c) { return on_one_way(path, c.path) || on_one_way(path, c.result_path); });
}

template <class Job>
void every_result_is_accepted(std::string const& folder, std::set<std::string> const& without_counterpart) {
    std::set<std::string> refused;
    std::size_t converted = 0;
    for (auto const& [name, job] : recorded_jobs<Job>(folder)) {
        auto const made = converted_job(job);
        if (!made) {
            BOOST_TEST(value_at(boost::json::parse(any_job(job).to_json()), made.error().detail.path) != nullptr,
                       name << ": " << made.error().to_string());
            refused.insert(name.substr(name.rfind('/') + 1));
            continue;
        }
        ++converted;
        BOOST_TEST(property::faults_of(any_job(made->job)) == "", name);
    }
    BOOST_TEST(converted > 30U);
    BOOST_TEST(refused == without_counterpart, boost::test_tools::per_element());
}

template <class Job> void check_reported_changes(std::string const& folder) {
    for (auto const& [name, job] : recorded_jobs<Job>(folder)) {
        auto const made = converted_job(job);
        if (!made) continue;
        auto const source = boost::json::parse(any_job(job).to_json());
        auto const result = boost::json::parse(any_job(made->job).to_json());
        for (auto const& c : made->changes) {
            BOOST_TEST(!c.why.empty());
            if (!c.value.text.empty() && !c.path.starts_with("metadata.")) {
                auto const* const found = value_at(source, c.path);
                BOOST_TEST_REQUIRE(found != nullptr, name << ": " << c.path);
                BOOST_TEST(*found == boost::json::parse(c.value.text), name << ": " << c.path);
            }
            if (!c.result_path.empty())
                BOOST_TEST(value_at(result, c.result_path) != nullptr, name << ": " << c.result_path);
        }
    }
}

template <class Job> void check_round_trip(std::string const& folder) {
    for (auto const& [name, job] : recorded_jobs<Job>(folder)) {
        auto const there = converted_job(job);
        if (!there) continue;
        auto const back = converted_job(there->job);
        BOOST_TEST_REQUIRE(back.has_value(), name);
        auto changes = there->changes;
        changes.insert(changes.end(), back->changes.begin(), back->changes.end());
        for (auto const& d : diff(as_meant(job), as_meant(back->job)))
            BOOST_TEST(is_reported(d.path, changes),
                       name << ": " << d.path << " was " << d.before << ", is " << d.after);
        auto const again = converted_job(back->job);
        BOOST_TEST_REQUIRE(again.has_value(), name);
        BOOST_TEST(to_json(again->job) == to_json(there->job), name);
    }
}

template <class Job> void hosts_are_the_same(std::string const& folder) {
    for (auto const& [name, job] : recorded_jobs<Job>(folder)) {
        auto const made = converted_job(job);
        bool const reported =
            made && std::ranges::any_of(made->changes, [](change const& c) {
                return c.becomes != convert::fate::changed &&
                       (c.path == "spec.runLauncherAsWorker" || c.path.find(".limits[") != c.path.npos);
            });
        if (!made || reported) continue;
        BOOST_TEST((hosts_of(made->job) == hosts_of(job)), name);
    }
}

} // namespace

/// Those without a counterpart hold values that only one of the versions takes.
BOOST_AUTO_TEST_CASE(every_converted_mpi_job_is_accepted_by_its_kind) {
    every_result_is_accepted<kubeflow_v1::mpi_job>("mpijob", {"clean-spec-unknown", "managedby-other", "name-63",
                                                              "name-dot", "schema-clean-policy",
                                                              "schema-replicas-negative", "schema-restart-policy"});
    every_result_is_accepted<kubeflow_v2beta1::mpi_job>("mpi-operator", {});
}

BOOST_AUTO_TEST_CASE(hosts_and_ranks_of_a_converted_mpi_job_are_the_same) {
    hosts_are_the_same<kubeflow_v1::mpi_job>("mpijob");
    hosts_are_the_same<kubeflow_v2beta1::mpi_job>("mpi-operator");
}

BOOST_AUTO_TEST_CASE(reported_changes_match_source_and_result) {
    check_reported_changes<kubeflow_v1::mpi_job>("mpijob");
    check_reported_changes<kubeflow_v2beta1::mpi_job>("mpi-operator");
}

BOOST_AUTO_TEST_CASE(fields_without_a_reported_change_survive_a_round_trip) {
    check_round_trip<kubeflow_v1::mpi_job>("mpijob");
    check_round_trip<kubeflow_v2beta1::mpi_job>("mpi-operator");
}

BOOST_AUTO_TEST_SUITE_END()
