#include "kinds/volcano_job/plan/requests.hpp"
#include "unit/kinds/volcano_job/scene.hpp"

#include <kftrain/job/any_job.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>
#include <random>

BOOST_AUTO_TEST_SUITE(kinds_volcano_job_many)

using namespace volcano_sample;

namespace {

/// All of the job's pods are pending, then they run: a change for each.
scene starting(std::int32_t pods, volcano_operator_options const& options) {
    scene s(complete(job_of("j", {task("a", pods)})), options);
    s.running();
    for (std::int32_t i = 0; i != pods; ++i) {
        auto const name = "j-a-" + std::to_string(i);
        s.pods.push_back(s.pod(name, "Pending"));
    }
    while (!s.look().empty() || s.last.requeue_at) {}
    for (auto& p : s.pods) {
        any_object const before(p);
        p.status.phase = "Running";
        s.changes.emplace_back(0, before, any_object(p));
    }
    return s;
}

} // namespace

// Jobs with many pods, each with its own events.

BOOST_AUTO_TEST_CASE(requests_are_queued_once_in_order_of_arrival) {
    std::mt19937 random(7);
    request_queue queue;
    std::deque<request> expected;
    for (int round = 0; round != 3000; ++round) {
        request_queue const before = queue; // is not changed by what follows
        auto const first = before.empty() ? request() : before.front();
        std::vector<request> more(random() % 4);
        for (auto& r : more) {
            r.pod = "p" + std::to_string(random() % 200);
            if (std::ranges::find(expected, r) == expected.end()) expected.push_back(r);
        }
        queue.add(more);
        for (auto n = random() % 4; n != 0 && !expected.empty(); --n) {
            BOOST_TEST_REQUIRE(!queue.empty());
            BOOST_TEST_REQUIRE((queue.front() == expected.front()));
            queue.pop();
            expected.pop_front();
        }
        BOOST_TEST_REQUIRE(queue.empty() == expected.empty());
        BOOST_TEST_REQUIRE((before.empty() || before.front() == first));
    }
}

BOOST_AUTO_TEST_CASE(simultaneous_pod_starts_cause_one_reconcile) {
    auto s = starting(50, release(volcano_release::v1_12_3));
    int plans = 0;
    do {
        s.look();
        ++plans;
    } while (s.last.requeue_at && plans != 60);
    BOOST_TEST(plans <= 3);
    BOOST_TEST(s.job.status.running == 50);
}

BOOST_AUTO_TEST_CASE(delays_of_a_policy_apply_to_each_pod) {
    auto s = starting(10, release(volcano_release::v1_12_3));
    s.look();
    s.job.spec.policies = {on("PodFailed", "RestartPod")};
    s.job.spec.policies[0].timeout = std::chrono::seconds(10);
    for (std::size_t i = 0; i != 5; ++i) {
        any_object const before(s.pods[i]);
        s.pods[i].status.phase = "Failed";
        s.changes.emplace_back(0, before, any_object(s.pods[i]));
    }
    auto const reported = s.look(2);
    BOOST_TEST(std::ranges::count(reported, "event ExecuteAction") == 5);
    auto const* const remembered = dynamic_cast<job_memory const*>(s.memory.get());
    BOOST_TEST_REQUIRE(remembered != nullptr);
    BOOST_TEST(remembered->delayed.size() == 5U);
    BOOST_TEST((remembered->next_due() == at(12)));
}

/// A server of Volcano would store it.
BOOST_AUTO_TEST_CASE(no_pod_is_made_of_a_stored_job_beyond_the_limit) {
    scene s(complete(job_of("j", {task("a", 60'000), task("b", 60'000)})));
    s.pods.clear();
    auto const reported = s.look();
    BOOST_TEST_REQUIRE(reported.size() == 1U);
    BOOST_TEST(reported[0] == "event FailedSynced");
}

BOOST_AUTO_TEST_CASE(fewer_pods_with_too_large_environments_are_refused) {
    auto const of = [](std::int32_t idle, std::int32_t reported) {
        auto j = job_of("j", {task("idle", idle), task("worker", reported)});
        j.spec.plugins["svc"];
        j.spec.plugins["tensorflow"];
        return j;
    };
    auto const found = volcano::validate_update(of(0, 30'000), of(30'000, 2'000));
    BOOST_TEST_REQUIRE(found.size() == 1U);
    BOOST_TEST(found[0].rule == "kftrain.environment-limit");
    BOOST_TEST(volcano::validate_update(of(0, 20'000), of(0, 30'000)).empty());
}

BOOST_AUTO_TEST_CASE(all_tasks_together_have_a_limit) {
    auto const rules_of = [](std::vector<std::int32_t> const& counts) {
        std::vector<task_spec> tasks;
        for (auto const n : counts) tasks.push_back(task("t" + std::to_string(tasks.size()), n));
        std::vector<std::string> broken;
        for (auto const& i : any_job(job_of("j", tasks)).validate()) broken.push_back(i.rule + " " + i.path);
        return broken;
    };
    BOOST_TEST(rules_of({50'000, 50'000}).empty());
    BOOST_TEST(rules_of({50'000, 50'001}) == (lines{"kftrain.replica-limit spec.tasks"}));
    BOOST_TEST(rules_of({1, 100'001}) == (lines{"kftrain.replica-limit spec.tasks[1].replicas"}));
    auto reported = job_of("j", {task("ps", 2), task("worker", 20'000)});
    BOOST_TEST(any_job(reported).validate().empty());
    reported.spec.plugins["svc"];
    reported.spec.plugins["tensorflow"]; // each pod lists all others
    auto const found = any_job(reported).validate();
    BOOST_TEST_REQUIRE(found.size() == 1U);
    BOOST_TEST(found[0].rule == "kftrain.environment-limit");
    reported.spec.tasks[1].replicas = 2'000;
    BOOST_TEST(any_job(reported).validate().empty());
    auto const places = any_job(job_of("j", {task("a", 60'000), task("b", 10)})).scaling().places;
    BOOST_TEST(places[1].most.value() == 40'000);
}

BOOST_AUTO_TEST_SUITE_END()
