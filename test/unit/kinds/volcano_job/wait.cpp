#include "unit/kinds/volcano_job/scene.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <limits>

BOOST_AUTO_TEST_SUITE(kinds_volcano_job_wait)

using namespace volcano_sample;

// A job that waits for an object must not ignore anything else.

BOOST_AUTO_TEST_CASE(a_job_that_waits_for_its_queue_accepts_commands_and_stops_polling) {
    auto j = complete(job_of("j", {task("a", 1)}));
    j.spec.queue = "gone";
    scene s(std::move(j));
    s.look();
    command c;
    c.metadata.name = "stop";
    c.action = "AbortJob";
    s.commands = {c};
    BOOST_TEST(s.look() == (lines{"DELETE Command stop", "event CommandIssued"}));
    s.commands.clear();
    BOOST_TEST(s.look() == (lines{"event ExecuteAction", "status Aborting"}));
    for (int i = 0; i == 0 || (i < 8 && s.last.requeue_at); ++i) s.look(); // its own phase brings it back
    BOOST_TEST(!s.last.requeue_at);
    BOOST_TEST(s.job.status.state.phase == "Aborted");
}

BOOST_AUTO_TEST_CASE(a_job_that_waits_for_its_queue_does_not_loop_on_spec_changes) {
    auto j = complete(job_of("j", {task("a", 1)}));
    j.spec.queue = "gone";
    scene s(std::move(j));
    s.look();
    for (int generation = 2; generation < 4; ++generation) {
        s.job.metadata.generation = generation;
        for (int i = 0; i == 0 || (i < 8 && s.last.requeue_at); ++i) s.look();
        BOOST_TEST(!s.last.requeue_at);
    }
    s.job.spec.queue = "default"; // the queue has come
    BOOST_TEST(s.look() == lines{"status Pending"});
}

BOOST_AUTO_TEST_CASE(a_job_that_waits_for_a_claim_can_be_aborted) {
    auto j = complete(job_of("j", {task("a", 1)}));
    auto& v = j.spec.volumes.emplace_back();
    v.mount_path = "/x";
    v.volume_claim_name = "mine";
    j.status.state.phase = "Pending";
    scene s(std::move(j));
    BOOST_TEST(s.look() == lines{"event PVCError"});
    command c;
    c.metadata.name = "stop";
    c.action = "AbortJob";
    s.commands = {c};
    s.look();
    s.commands.clear();
    BOOST_TEST(s.look() == (lines{"event ExecuteAction", "status Aborting"}));
}

// Garbage collection takes it away, and the job would be without.
BOOST_AUTO_TEST_CASE(leftovers_of_an_earlier_job_are_not_used) {
    auto const posts = [](std::string const& owner) {
        auto j = complete(job_of("j", {task("a", 1)}));
        j.spec.plugins["svc"];
        j.spec.plugins["ssh"];
        j.status.state.phase = "Pending";
        scene s(j);
        core::config_map files = render_hosts(j);
        core::secret keys = render_secret(j);
        for (auto* meta : {&files.metadata, &keys.metadata}) {
            meta->owner_references.front().uid = owner;
            if (owner.empty()) meta->owner_references.clear();
        }
        s.config_maps = {files};
        s.secret = keys;
        auto const reported = s.look();
        return std::ranges::count(reported, "POST ConfigMap j-svc") + std::ranges::count(reported, "POST Secret j-ssh");
    };
    BOOST_TEST(posts("uid-of-the-former") == 2);
    BOOST_TEST(posts("uid-1") == 0); // its own
    BOOST_TEST(posts("") == 0);      // a user has created it for the job
}

BOOST_AUTO_TEST_CASE(a_pod_whose_name_is_taken_is_refused_and_tried_again) {
    auto j = complete(job_of("j", {task("a", 1)}));
    scene s(std::move(j));
    s.go("Pending");
    s.job.status.state.phase = "Pending";
    BOOST_TEST(std::ranges::count(s.look(), "POST Pod j-a-0") == 1);
    for (auto const& step : s.last.steps)
        for (auto const& a : step.actions)
            if (auto const* c = std::get_if<rules::create>(&a))
                BOOST_TEST((c->exists == rules::on_refusal::fail), c->object.metadata().name);
}

BOOST_AUTO_TEST_CASE(counters_at_their_limit_wrap_around) {
    auto j = complete(job_of("j", {task("a", 1)}));
    scene s(std::move(j));
    s.running();
    s.look();
    s.job.status.version = s.job.status.retry_count = std::numeric_limits<std::int32_t>::max();
    command c;
    c.metadata.name = "again";
    c.action = "RestartJob";
    s.commands = {c};
    BOOST_TEST(s.look() == (lines{"DELETE Command again", "event CommandIssued"}));
    s.commands.clear();
    for (int i = 0; i < 8 && s.job.status.state.phase != "Restarting"; ++i) s.look();
    BOOST_TEST(s.job.status.version == std::numeric_limits<std::int32_t>::min());
    BOOST_TEST(s.job.status.retry_count == std::numeric_limits<std::int32_t>::min());
}

BOOST_AUTO_TEST_SUITE_END()
