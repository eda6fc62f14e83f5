#include "local/kubelet/pod_report.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(local_pod_adoption)

using namespace kftrain;
using namespace kftrain::local;

// Pods whose containers are gone after a restart of the machine, as in kubelet v1.31.

namespace {

time_point at(int seconds) { return time_point(std::chrono::seconds(1767225600 + seconds)); }

/// A pod of two containers under an earlier kubelet, and its record under the next one.
struct adopted_pod {
    pod p;
    pod_record record;

    explicit adopted_pod(std::string policy) {
        p.spec.restart_policy = std::move(policy);
        p.status.start_time = at(0);
        for (auto const* name : {"first", "second"}) {
            p.spec.containers.emplace_back().name = name;
            p.status.container_statuses.emplace_back().name = name;
            record.containers.emplace_back();
        }
    }
    core::container_status& status(std::size_t i) { return p.status.container_statuses[i]; }
    void runs(std::size_t i, int restarts = 0) {
        status(i).state.running.emplace().started_at = at(1);
        status(i).restart_count = restarts;
    }
    void has_init(core::container_state state) {
        p.spec.init_containers.emplace_back().name = "init";
        auto& s = p.status.init_container_statuses.emplace_back();
        s.name = "init";
        s.state = std::move(state);
        record.init_containers.emplace_back();
    }
    void ended(std::size_t i, int code) { status(i).state.terminated = terminated(code, 0, at(1), at(2)); }
    bool adopted() { return adopt(p, record, at(9)); }
    std::string phase() {
        auto fresh = p;
        fresh.status = core::pod_status();
        return report(fresh, record, at(9)).phase;
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_pod_that_never_ran_starts_afresh) {
    for (auto const* policy : {"Never", "OnFailure", "Always"}) {
        adopted_pod w(policy);
        w.status(0).state.waiting.emplace().reason = "ContainerCreating";
        BOOST_TEST(w.adopted());
        BOOST_TEST(!w.record.started.has_value());
        for (auto const& c : w.record.containers) BOOST_TEST(c.runs == 0);
        BOOST_TEST(w.phase() == "Pending");
    }
}

BOOST_AUTO_TEST_CASE(a_running_container_counts_as_killed_and_is_restarted) {
    adopted_pod w("OnFailure");
    w.runs(0, 2);
    w.runs(1);
    BOOST_TEST(w.adopted());
    auto const& c = w.record.containers[0];
    BOOST_REQUIRE(c.state.terminated.has_value());
    BOOST_TEST(c.state.terminated->exit_code == 137);
    BOOST_TEST(c.state.terminated->reason == "ContainerStatusUnknown");
    BOOST_TEST((c.state.terminated->started_at == at(1)));
    BOOST_TEST(c.runs == 3);
    BOOST_TEST(w.record.containers[1].runs == 1);
    BOOST_TEST((w.record.started == at(0)));
    BOOST_TEST(w.phase() == "Running");
}

BOOST_AUTO_TEST_CASE(a_pod_that_is_never_restarted_has_failed) {
    adopted_pod w("Never");
    w.ended(0, 0);
    w.runs(1);
    BOOST_TEST(!w.adopted());
    BOOST_TEST(w.record.containers[0].state.terminated->exit_code == 0);
    BOOST_TEST(w.record.containers[1].state.terminated->exit_code == 137);
    BOOST_TEST(w.phase() == "Failed");
}

BOOST_AUTO_TEST_CASE(a_container_that_had_not_started_in_such_a_pod_has_failed_too) {
    adopted_pod w("Never");
    w.runs(0);
    w.status(1).state.waiting.emplace().reason = "ImagePullBackOff";
    BOOST_TEST(!w.adopted());
    BOOST_TEST(w.record.containers[1].state.terminated->exit_code == 137);
    BOOST_TEST(w.phase() == "Failed");
}

BOOST_AUTO_TEST_CASE(a_pod_with_init_containers_fails_if_it_is_never_restarted) {
    core::container_state done;
    done.terminated = terminated(0, 0, at(0), at(1));
    adopted_pod w("Never");
    w.has_init(done);
    w.runs(0);
    w.runs(1);
    BOOST_TEST(!w.adopted());
    BOOST_TEST(w.phase() == "Failed");

    core::container_state running;
    running.running.emplace().started_at = at(0);
    adopted_pod interrupted("Never");
    interrupted.has_init(running);
    BOOST_TEST(!interrupted.adopted());
    BOOST_TEST(interrupted.record.init_containers[0].state.terminated->exit_code == 137);
    BOOST_TEST(interrupted.phase() == "Failed");

    adopted_pod again("OnFailure");
    again.has_init(running);
    BOOST_TEST(again.adopted());
    BOOST_TEST(!again.record.init_containers[0].state.terminated.has_value());
    BOOST_TEST(again.phase() == "Pending");
}

BOOST_AUTO_TEST_CASE(a_container_that_succeeded_keeps_its_result) {
    adopted_pod w("OnFailure");
    w.ended(0, 0);
    w.runs(1);
    BOOST_TEST(w.adopted());
    BOOST_TEST(w.record.containers[0].state.terminated->exit_code == 0);
    BOOST_TEST(w.phase() == "Running");
}

BOOST_AUTO_TEST_CASE(a_container_between_two_runs_keeps_its_count) {
    adopted_pod w("Always");
    w.runs(0);
    w.status(1).state.waiting.emplace().reason = "CrashLoopBackOff";
    w.status(1).last_state.terminated = terminated(1, 0, at(1), at(2));
    w.status(1).restart_count = 4;
    BOOST_TEST(w.adopted());
    BOOST_TEST(w.record.containers[1].runs == 4);
    BOOST_TEST(w.record.containers[1].last_state.terminated->exit_code == 1);
    BOOST_TEST(!w.record.containers[1].state.terminated.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
