#include "property/recorded_jobs.hpp"

#include <kftrain/convert/chainer_job.hpp>
#include <kftrain/convert/pytorch_job.hpp>
#include <kftrain/job/member_lookup.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <set>

BOOST_AUTO_TEST_SUITE(property_one_way_conversions)

using namespace kftrain;

namespace {

auto newer_job(kubeflow_v1alpha1::pytorch_job const& job) { return convert::to_v1(job); }
auto newer_job(chainer_job const& job) { return convert::to_v2beta1(job); }

/// The path of the parent of a field.
std::string above(std::string const& path) {
    auto const end = path.find_last_of(".[");
    return path.substr(0, end == std::string::npos ? 0 : end);
}

/// Whether a job has a field, or lacks it in a part that it has.
bool leads_into(boost::json::value const& job, std::string const& path) {
    return !path.empty() &&
           (property::value_at(job, path) != nullptr || property::value_at(job, above(path)) != nullptr);
}

void check_results(auto const& jobs, std::set<std::string> const& without_counterpart) {
    std::set<std::string> refused;
    std::size_t converted = 0;
    for (auto const& [name, job] : jobs) {
        auto const source = boost::json::parse(any_job(job).to_json());
        auto const made = newer_job(job);
        if (!made) {
            BOOST_TEST(leads_into(source, made.error().detail.path), name << ": " << made.error().to_string());
            refused.insert(name.substr(name.rfind('/') + 1));
            continue;
        }
        ++converted;
        any_job const result(made->job);
        BOOST_TEST(property::faults_of(result) == "", name);
        BOOST_TEST(!result.with_defaults().render().empty(), name);
        auto const text = boost::json::parse(result.to_json());
        for (auto const& c : made->changes) {
            BOOST_TEST(!c.why.empty(), name << ": " << c.path);
            if (!c.result_path.empty())
                BOOST_TEST(property::value_at(text, c.result_path) != nullptr, name << ": " << c.result_path);
            if (c.value.text.empty() || c.path.starts_with("metadata.")) continue;
            auto const* const reported = property::value_at(source, c.path);
            BOOST_TEST_REQUIRE(reported != nullptr, name << ": " << c.path);
            BOOST_TEST(*reported == boost::json::parse(c.value.text), name << ": " << c.path);
        }
    }
    BOOST_TEST(converted > 30U);
    BOOST_TEST(refused == without_counterpart, boost::test_tools::per_element());
}

/// The rank of each member of a PyTorchJob: `MASTER 0: rank 0 of 3`.
std::vector<std::string> rank_lines(any_job const& job) {
    member_lookup const oracle(job);
    std::vector<std::string> all;
    for (auto const& m : oracle.layout().members) {
        std::string line = m.role + " " + std::to_string(m.index) + ":";
        std::ranges::transform(line, line.begin(),
                               [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
        for (auto const& c : oracle.environment_of(m))
            for (auto const& v : c.effective())
                if (c.container == "pytorch" && (v.name == "RANK" || v.name == "WORLD_SIZE"))
                    line += " " + v.name + "=" + v.value;
        all.push_back(line + " rank " + std::to_string(m.rank.value_or(-1)));
    }
    all.push_back("of " + std::to_string(oracle.layout().world_size.value_or(-1)));
    std::ranges::sort(all);
    return all;
}

/// Hosts of workers in the order of the hostfile, and how many there are with the master.
std::pair<std::size_t, std::optional<std::int64_t>> hosts_of_workers(any_job const& job) {
    auto const layout = job.with_defaults().members();
    std::size_t workers = 0;
    for (auto const& m : layout.members) workers += m.rank && m.role != "Master" && m.role != "Launcher" ? 1U : 0U;
    return {workers, layout.world_size};
}

} // namespace

/// Refused are containers without an image and names that no service may have, which the older operator takes.
BOOST_AUTO_TEST_CASE(every_recorded_v1alpha1_pytorch_job_converts_to_a_valid_job_or_is_rejected) {
    check_results(property::recorded_jobs<kubeflow_v1alpha1::pytorch_job>("pytorch-operator"),
                  {"image-default", "name-64", "name-digit", "name-dots"});
}

BOOST_AUTO_TEST_CASE(members_of_a_converted_pytorch_job_keep_their_ranks) {
    for (auto const& [name, job] : property::recorded_jobs<kubeflow_v1alpha1::pytorch_job>("pytorch-operator"))
        if (auto const made = newer_job(job))
            BOOST_TEST((rank_lines(any_job(made->job)) == rank_lines(any_job(job))), name);
}

/// Refused are those whose workers have no container `chainer` or are not alike, and values that no MPIJob may have.
BOOST_AUTO_TEST_CASE(every_recorded_chainer_job_converts_to_a_valid_mpi_job_or_is_rejected) {
    check_results(property::recorded_jobs<chainer_job>("chainer-operator"),
                  {"defaults-two-unnamed", "name-56", "name-64", "name-dots"});
}

BOOST_AUTO_TEST_CASE(the_example_of_chainer_jobs_is_accepted_as_an_mpi_job) {
    std::ifstream file(KFTRAIN_SOURCE_DIR "/examples/manifests/chainer_job.yaml");
    std::string const text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    auto const made = newer_job(from_yaml<chainer_job>(text).value()).value();
    BOOST_TEST(property::faults_of(any_job(made.job)) == "");
    BOOST_TEST(made.job.spec.run_launcher_as_worker.value_or(false)); // it trains itself
}

/// The master is a host as well, unless the command starts no process there.
BOOST_AUTO_TEST_CASE(hosts_of_a_converted_chainer_job_are_the_same) {
    for (auto const& [name, job] : property::recorded_jobs<chainer_job>("chainer-operator")) {
        auto const made = newer_job(job);
        if (!made || job.spec.unknown.find("worker") != nullptr) continue;
        auto const was = hosts_of_workers(any_job(job)), is = hosts_of_workers(any_job(made->job));
        BOOST_TEST(is.first == was.first, name);
        BOOST_TEST(is.second.value_or(0) + (made->job.spec.run_launcher_as_worker ? 0 : 1) == was.second.value_or(0),
                   name);
    }
}

BOOST_AUTO_TEST_SUITE_END()
