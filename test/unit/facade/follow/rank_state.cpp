#include "unit/facade/follow/pods_of_job.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(facade_rank_state)

using namespace pods_of_job;
using sample::at;

namespace {

/// The only rank of a job, whose pod was changed like this, as it is and as observers decode it.
template <class Change> rank_state rank_of(Change how) {
    any_job const job(sample::job(1, 0));
    auto pods = made(job);
    BOOST_REQUIRE(pods.size() == 1U);
    change(pods[0], how);
    auto const whole = job_state_of(job, pods);
    BOOST_REQUIRE(whole.ranks.size() == 1U);
    return whole.ranks[0];
}

void check(rank_state const& r, rank_phase phase, std::string const& reason = "", int exit_code = 0) {
    BOOST_TEST((r.phase == phase), to_string(r.phase) << ", expected " << to_string(phase));
    BOOST_TEST(r.reason == reason);
    BOOST_TEST(r.exit_code.value_or(0) == exit_code);
}

void condition(pod& p, std::string type, std::string status, std::string reason = "") {
    auto& c = p.status.conditions.emplace_back();
    c.type = std::move(type);
    c.status = std::move(status);
    c.reason = std::move(reason);
    c.message = "why";
}

void wait_for(core::container_status& c, std::string reason) {
    c.state.waiting.emplace().reason = std::move(reason);
    c.state.waiting->message = "because";
}

} // namespace

BOOST_AUTO_TEST_CASE(a_pod_that_no_node_takes_is_pending_for_the_scheduler_s_reason) {
    auto const r = rank_of([](pod& p) { condition(p, "PodScheduled", "False", "Unschedulable"); });
    check(r, rank_phase::pending, "Unschedulable");
    BOOST_TEST(r.message == "why");
    BOOST_TEST(r.node == "");
    check(rank_of([](pod&) {}), rank_phase::pending);
}

BOOST_AUTO_TEST_CASE(a_container_that_cannot_start_has_a_reason) {
    for (char const* reason : {"ImagePullBackOff", "ErrImagePull", "CreateContainerConfigError", "ContainerCreating"}) {
        auto const r = rank_of([&](pod& p) {
            p.spec.node_name = "node-1";
            condition(p, "PodScheduled", "True");
            wait_for(container(p), reason);
        });
        check(r, rank_phase::pending, reason);
        BOOST_TEST(r.message == "because");
        BOOST_TEST(r.node == "node-1");
    }
}

BOOST_AUTO_TEST_CASE(an_init_container_is_reported_before_waiting_containers) {
    auto const r = rank_of([](pod& p) {
        wait_for(container(p), "PodInitializing");
        auto& init = p.status.init_container_statuses.emplace_back();
        init.restart_count = 3;
        wait_for(init, "CrashLoopBackOff");
        init.last_state.terminated.emplace().exit_code = 2;
    });
    check(r, rank_phase::pending, "CrashLoopBackOff", 2);
    BOOST_TEST(r.restarts == 3);
    check(rank_of([](pod& p) {
              wait_for(container(p), "PodInitializing");
              p.status.init_container_statuses.emplace_back().state.running.emplace();
          }),
          rank_phase::pending, "PodInitializing");
}

BOOST_AUTO_TEST_CASE(a_container_between_two_runs_is_pending_with_the_code_of_the_last) {
    auto const r = rank_of([](pod& p) {
        p.status.phase = "Running";
        auto& c = container(p);
        wait_for(c, "CrashLoopBackOff");
        c.restart_count = 2;
        c.last_state.terminated.emplace().exit_code = 137;
    });
    check(r, rank_phase::pending, "CrashLoopBackOff", 137);
    BOOST_TEST(r.restarts == 2);
}

BOOST_AUTO_TEST_CASE(a_pod_is_ready_when_all_of_its_containers_are) {
    auto const running = [](bool first, bool second, std::string ready_condition = "") {
        return rank_of([&](pod& p) {
            p.status.phase = "Running";
            for (bool const ready : {first, second}) {
                auto& c = p.status.container_statuses.emplace_back();
                c.state.running.emplace();
                c.ready = ready;
            }
            if (!ready_condition.empty()) condition(p, "Ready", ready_condition);
        });
    };
    check(running(true, true), rank_phase::ready);
    check(running(true, true, "True"), rank_phase::ready);
    check(running(true, false), rank_phase::running);
    check(running(true, true, "False"), rank_phase::running); // a gate, or its node
}

BOOST_AUTO_TEST_CASE(a_waiting_container_next_to_a_running_one_has_a_reason) {
    auto const r = rank_of([](pod& p) {
        p.status.phase = "Running";
        container(p).state.running.emplace();
        container(p).ready = true;
        wait_for(p.status.container_statuses.emplace_back(), "CrashLoopBackOff");
    });
    check(r, rank_phase::running, "CrashLoopBackOff");
}

BOOST_AUTO_TEST_CASE(a_failed_pod_is_explained_by_its_first_failed_container) {
    check(rank_of([](pod& p) {
              p.status.phase = "Failed";
              container(p).state.terminated.emplace().reason = "Completed";
              auto& second = p.status.container_statuses.emplace_back();
              second.state.terminated.emplace().exit_code = 137;
              second.state.terminated->reason = "OOMKilled";
          }),
          rank_phase::failed, "OOMKilled", 137);
    check(rank_of([](pod& p) {
              p.status.phase = "Failed";
              container(p).state.terminated.emplace().signal = 9;
          }),
          rank_phase::failed, "", 137);
    check(rank_of([](pod& p) {
              p.status.phase = "Failed";
              p.status.reason = "Evicted";
          }),
          rank_phase::failed, "Evicted");
}

BOOST_AUTO_TEST_CASE(a_succeeded_pod_has_no_exit_code) {
    check(rank_of([](pod& p) {
              p.status.phase = "Succeeded";
              container(p).state.terminated.emplace();
              auto& init = p.status.init_container_statuses.emplace_back();
              init.state.terminated.emplace();
          }),
          rank_phase::succeeded);
}

BOOST_AUTO_TEST_CASE(a_pod_that_is_deleted_is_terminating_until_it_has_ended) {
    for (auto const& [phase, wanted] : {std::pair("Running", rank_phase::terminating),
                                        {"Pending", rank_phase::terminating},
                                        {"Succeeded", rank_phase::succeeded}})
        check(rank_of([&, phase = phase](pod& p) {
                  p.status.phase = phase;
                  p.metadata.deletion_timestamp = at(5);
              }),
              wanted);
}

BOOST_AUTO_TEST_CASE(a_pod_of_a_lost_node_is_unknown) {
    check(rank_of([](pod& p) { p.status.phase = "Unknown"; }), rank_phase::unknown);
    check(rank_of([](pod& p) {
              p.status.phase = "Running";
              p.status.reason = "NodeLost";
              p.metadata.deletion_timestamp = at(5);
          }),
          rank_phase::unknown, "NodeLost");
}

BOOST_AUTO_TEST_SUITE_END()
