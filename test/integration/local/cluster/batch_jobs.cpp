#include "integration/local/sandboxed_cluster.hpp"

#include <kftrain/objects/batch/job.hpp>
#include <kftrain/objects/core/event.hpp>

BOOST_AUTO_TEST_SUITE(integration_local_batch_jobs)

using namespace local_tests;

// Jobs of batch/v1, which Kubernetes itself runs.

namespace {

batch::job shell_job(std::string const& script) {
    batch::job j;
    j.metadata.name = "sh";
    j.metadata.namespace_ = "default";
    j.spec.template_.spec.restart_policy = "Never";
    test::add_container(j.spec.template_, "c").command = {"sh", "-c", script};
    return j;
}

struct batch_cluster : cluster {
    batch::job stored() { return get<batch::job>("sh"); }
    void change(std::string patch) {
        ask<batch::job>([&](auto h) {
            objects<batch::job>().async_patch("sh", kube::patch_body(patch_type::merge, patch), std::move(h));
        });
    }
    /// With its pods.
    void remove() {
        objects<batch::job>().async_delete(
            "sh", kube::delete_options().with_propagation_policy(kube::propagation::background),
            [](error_code ec) { BOOST_TEST(!ec); });
    }
    std::vector<pod> pods() { return all<pod>(); }
    bool holds(std::string const& type, std::string const& status = "True") {
        for (auto const& c : stored().status.conditions)
            if (c.type == type && c.status == status) return true;
        return false;
    }
    std::size_t events(std::string const& reason) {
        return static_cast<std::size_t>(
            std::ranges::count_if(all<core::event>(), [&](auto const& e) { return e.reason == reason; }));
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_job_of_two_completions_runs_to_its_end) {
    batch_cluster c;
    auto job = shell_job("exit 0");
    job.spec.completions = 2;
    auto const made = c.create(job);
    BOOST_TEST(made.spec.selector->match_labels.find("batch.kubernetes.io/controller-uid")->second ==
               made.metadata.uid);
    // A pod with the labels of the Job but without a controller is not adopted.
    pod stray;
    stray.metadata.name = "stray";
    stray.metadata.labels = made.spec.template_.metadata.labels;
    stray.spec = shell_job("sleep 600").spec.template_.spec;
    stray.spec.termination_grace_period_seconds = 1;
    c.create(stray);
    BOOST_REQUIRE(c.until([&] { return c.holds("Complete"); }));
    BOOST_TEST(c.get_pod("stray").metadata.owner_references.empty());
    auto const ended = c.stored();
    BOOST_TEST(ended.status.succeeded == 2);
    BOOST_TEST(ended.status.failed == 0);
    BOOST_TEST(ended.status.active == 0);
    BOOST_TEST((ended.status.start_time && ended.status.completion_time));
    auto const pods = c.pods();
    BOOST_TEST(pods.size() == 3u);
    for (auto const& p : pods) {
        if (p.metadata.name == "stray") continue;
        BOOST_TEST(p.metadata.name.starts_with("sh-"));
        BOOST_TEST(p.metadata.finalizers.empty());
        BOOST_TEST(p.metadata.labels.find("batch.kubernetes.io/job-name")->second == "sh");
    }
    BOOST_TEST(c.until([&] { return c.events("Completed") == 1 && c.events("SuccessfulCreate") == 2; }));
    // With the Job go its pods, and no others.
    c.remove();
    BOOST_TEST(c.until([&] { return c.pods().size() == 1; }));
    BOOST_TEST(c.get_pod("stray").metadata.name == "stray");
}

BOOST_AUTO_TEST_CASE(pods_of_an_indexed_job_have_their_index) {
    batch_cluster c;
    auto const folder = fresh_folder();
    std::filesystem::create_directory(folder);
    auto job = shell_job("hostname >" + folder.string() + "/$JOB_COMPLETION_INDEX");
    job.spec.completion_mode = "Indexed";
    job.spec.completions = 3;
    job.spec.parallelism = 2;
    c.create(job);
    BOOST_REQUIRE(c.until([&] { return c.holds("Complete"); }));
    BOOST_TEST(c.stored().status.completed_indexes == "0-2");
    for (auto const* index : {"0", "1", "2"}) {
        std::ifstream in(folder / index);
        std::string name;
        in >> name;
        BOOST_TEST(name == std::string("sh-") + index);
    }
    std::filesystem::remove_all(folder);
}

BOOST_AUTO_TEST_CASE(a_job_ends_at_its_backoff_limit) {
    batch_cluster c;
    auto job = shell_job("exit 3");
    job.spec.backoff_limit = 0;
    c.create(job);
    BOOST_REQUIRE(c.until([&] { return c.holds("Failed"); }));
    auto const ended = c.stored();
    BOOST_TEST(ended.status.failed == 1);
    BOOST_TEST(ended.status.conditions.back().reason == "BackoffLimitExceeded");
    BOOST_TEST(c.until([&] { return c.events("BackoffLimitExceeded") == 1; }));
}

BOOST_AUTO_TEST_CASE(a_job_is_suspended_and_resumed) {
    batch_cluster c;
    auto job = shell_job("sleep 600");
    job.spec.template_.spec.termination_grace_period_seconds = 1;
    c.create(job);
    BOOST_REQUIRE(c.until([&] { return c.stored().status.ready == 1; }));
    auto const first = c.pods().at(0).metadata.name;
    c.change(R"({"spec":{"suspend":true}})");
    BOOST_REQUIRE(c.until([&] { return c.holds("Suspended") && c.pods().empty(); }));
    BOOST_TEST(!c.stored().status.start_time);
    BOOST_TEST(c.stored().status.failed == 0);
    c.change(R"({"spec":{"suspend":false}})");
    BOOST_REQUIRE(c.until([&] { return c.holds("Suspended", "False") && c.stored().status.ready == 1; }));
    BOOST_TEST(c.pods().at(0).metadata.name != first);
    // A Job that is deleted while it runs leaves nothing behind: its pods are not counted any more.
    c.remove();
    BOOST_TEST(c.until([&] { return c.pods().empty(); }));
}

BOOST_AUTO_TEST_SUITE_END()
