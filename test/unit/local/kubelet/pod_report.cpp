#include "local/kubelet/pod_report.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(local_pod_report)

using namespace kftrain;
using namespace kftrain::local;

// Phases as kubelet v1.31 computes them.

namespace {

time_point at(int seconds) { return time_point(std::chrono::seconds(1767225600 + seconds)); }

struct reported_pod {
    pod p;
    pod_record known;

    explicit reported_pod(std::string policy, std::size_t containers = 1, std::size_t init_containers = 0) {
        p.spec.restart_policy = std::move(policy);
        for (std::size_t i = 0; i < containers; ++i) add(p.spec.containers, known.containers, "c" + std::to_string(i));
        for (std::size_t i = 0; i < init_containers; ++i)
            add(p.spec.init_containers, known.init_containers, "i" + std::to_string(i));
    }
    static void add(std::vector<core::container>& specs, std::vector<container_record>& records, std::string name) {
        specs.emplace_back().name = std::move(name);
        records.emplace_back();
    }
    static void runs(container_record& c) {
        c.state = core::container_state();
        c.state.running.emplace().started_at = at(0);
    }
    static void ends(container_record& c, int code) {
        c.state = core::container_state();
        c.state.terminated = terminated(code, 0, at(0), at(1));
    }
    static void waits_after(container_record& c, int code) {
        ends(c, code);
        c.last_state = std::exchange(c.state, core::container_state());
        c.state.waiting.emplace().reason = "CrashLoopBackOff";
        ++c.restarts;
    }
    std::string phase() const { return report(p, known, at(2)).phase; }
    std::string condition(std::string const& type) const {
        for (auto const& c : report(p, known, at(2)).conditions)
            if (c.type == type) return c.reason.empty() ? c.status : c.status + " " + c.reason;
        return "absent";
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_pod_is_pending_until_every_container_has_begun) {
    reported_pod w("Never", 2);
    BOOST_TEST(w.phase() == "Pending");
    w.runs(w.known.containers[0]);
    BOOST_TEST(w.phase() == "Pending");
    w.runs(w.known.containers[1]);
    BOOST_TEST(w.phase() == "Running");
}

BOOST_AUTO_TEST_CASE(a_pod_runs_until_its_last_container_has_ended) {
    reported_pod w("Never", 2);
    w.ends(w.known.containers[0], 1);
    w.runs(w.known.containers[1]);
    BOOST_TEST(w.phase() == "Running");
    w.ends(w.known.containers[1], 0);
    BOOST_TEST(w.phase() == "Failed");
    w.ends(w.known.containers[0], 0);
    BOOST_TEST(w.phase() == "Succeeded");
}

BOOST_AUTO_TEST_CASE(the_restart_policy_determines_the_pod_phase) {
    for (auto const& [policy, code, phase] :
         std::vector<std::tuple<std::string, int, std::string>>{{"Never", 0, "Succeeded"},
                                                                {"Never", 1, "Failed"},
                                                                {"OnFailure", 0, "Succeeded"},
                                                                {"OnFailure", 1, "Running"},
                                                                {"Always", 0, "Running"},
                                                                {"Always", 1, "Running"},
                                                                {"", 0, "Running"}}) {
        reported_pod w(policy);
        w.ends(w.known.containers[0], code);
        BOOST_TEST(w.phase() == phase, policy << " and exit code " << code << ": " << w.phase());
        BOOST_TEST(restarts(policy.empty() ? "Always" : policy, *w.known.containers[0].state.terminated) ==
                   (phase == "Running"));
    }
}

BOOST_AUTO_TEST_CASE(a_container_that_waits_for_its_restart_keeps_the_pod_running) {
    reported_pod w("OnFailure");
    w.waits_after(w.known.containers[0], 1);
    BOOST_TEST(w.phase() == "Running");
    auto const s = report(w.p, w.known, at(2)).container_statuses.at(0);
    BOOST_TEST(s.restart_count == 1);
    BOOST_TEST(s.state.waiting->reason == "CrashLoopBackOff");
    BOOST_TEST(s.last_state.terminated->exit_code == 1);
    BOOST_TEST(!s.ready);
}

BOOST_AUTO_TEST_CASE(containers_of_a_terminating_pod_are_not_restarted) {
    for (auto const* policy : {"Always", "OnFailure", "Never"}) {
        reported_pod w(policy);
        w.known.leaving = true;
        w.runs(w.known.containers[0]);
        BOOST_TEST(w.phase() == "Running");
        w.ends(w.known.containers[0], 143);
        BOOST_TEST(w.phase() == "Failed");
        w.ends(w.known.containers[0], 0);
        BOOST_TEST(w.phase() == "Succeeded");
    }
}

BOOST_AUTO_TEST_CASE(init_containers_come_first) {
    reported_pod w("OnFailure", 1, 2);
    BOOST_TEST(w.phase() == "Pending");
    BOOST_TEST(w.condition("Initialized") == "False ContainersNotInitialized");
    BOOST_TEST(report(w.p, w.known, at(2)).container_statuses[0].state.waiting->reason == "PodInitializing");
    w.runs(w.known.init_containers[0]);
    BOOST_TEST(w.phase() == "Pending");
    w.ends(w.known.init_containers[0], 0);
    BOOST_TEST(w.phase() == "Pending");
    w.ends(w.known.init_containers[1], 0);
    BOOST_TEST(w.phase() == "Pending");
    BOOST_TEST(w.condition("Initialized") == "True");
    BOOST_TEST(report(w.p, w.known, at(2)).container_statuses[0].state.waiting->reason == "ContainerCreating");
    w.runs(w.known.containers[0]);
    BOOST_TEST(w.phase() == "Running");
}

BOOST_AUTO_TEST_CASE(a_failed_init_container_fails_the_pod_when_it_is_not_repeated) {
    reported_pod never("Never", 1, 1);
    never.ends(never.known.init_containers[0], 1);
    BOOST_TEST(never.phase() == "Failed");
    reported_pod again("OnFailure", 1, 1);
    again.ends(again.known.init_containers[0], 1);
    BOOST_TEST(again.phase() == "Pending");
    again.known.leaving = true;
    BOOST_TEST(again.phase() == "Failed");
    // A success counts under any policy.
    reported_pod always("Always", 1, 1);
    always.ends(always.known.init_containers[0], 0);
    always.runs(always.known.containers[0]);
    BOOST_TEST(always.phase() == "Running");
}

BOOST_AUTO_TEST_CASE(readiness_follows_the_containers) {
    reported_pod w("Never", 2);
    w.runs(w.known.containers[0]);
    BOOST_TEST(w.condition("Ready") == "False ContainersNotReady");
    BOOST_TEST(w.condition("PodScheduled") == "True");
    w.runs(w.known.containers[1]);
    BOOST_TEST(w.condition("Ready") == "True");
    BOOST_TEST(w.condition("ContainersReady") == "True");
    for (auto& c : w.known.containers) w.ends(c, 0);
    BOOST_TEST(w.condition("Ready") == "False PodCompleted");
    w.ends(w.known.containers[0], 3);
    BOOST_TEST(w.condition("Ready") == "False PodFailed");
}

BOOST_AUTO_TEST_CASE(a_condition_keeps_the_time_of_its_last_change) {
    reported_pod w("Never");
    w.runs(w.known.containers[0]);
    w.p.status = report(w.p, w.known, at(5));
    auto const same = report(w.p, w.known, at(9));
    for (auto const& c : same.conditions) BOOST_TEST((c.last_transition_time == at(5)), c.type);
    w.ends(w.known.containers[0], 0);
    for (auto const& c : report(w.p, w.known, at(9)).conditions)
        BOOST_TEST((c.last_transition_time == (c.type.ends_with("Ready") ? at(9) : at(5))), c.type);
}

BOOST_AUTO_TEST_CASE(addresses_and_start_time_are_reported_once_known) {
    reported_pod w("Never");
    BOOST_TEST(report(w.p, w.known, at(2)).pod_ips.empty());
    w.known.address = "10.244.0.2";
    w.known.host_address = "10.244.0.1";
    w.known.started = at(1);
    auto const s = report(w.p, w.known, at(2));
    BOOST_TEST(s.pod_ip == "10.244.0.2");
    BOOST_TEST(s.pod_ips.at(0).ip == "10.244.0.2");
    BOOST_TEST(s.host_ip == "10.244.0.1");
    BOOST_TEST((s.start_time == at(1)));
}

BOOST_AUTO_TEST_CASE(a_start_failure_is_reported_for_each_container) {
    reported_pod w("Never", 2, 1);
    w.known.trouble = "Failed to create pod sandbox: no";
    auto const s = report(w.p, w.known, at(2));
    BOOST_TEST(s.phase == "Pending");
    for (auto const* list : {&s.init_container_statuses, &s.container_statuses})
        for (auto const& c : *list) BOOST_TEST(c.state.waiting->message == w.known.trouble);
    BOOST_TEST(s.container_statuses[0].state.waiting->reason == "PodInitializing");
}

BOOST_AUTO_TEST_CASE(a_container_that_was_not_created_keeps_its_pod_pending_under_any_policy) {
    for (auto const* policy : {"Always", "OnFailure", "Never"}) {
        reported_pod w(policy);
        w.known.containers[0].state.waiting.emplace().reason = "CreateContainerError";
        BOOST_TEST(w.phase() == "Pending");
        BOOST_TEST(report(w.p, w.known, at(2)).container_statuses[0].state.waiting->reason == "CreateContainerError");
    }
}

// Sidecars. Expected: kubelet v1.31, getPhase and GeneratePodInitializedCondition.

namespace {

/// Init container 0 is a sidecar, 1 an ordinary one.
reported_pod with_sidecar(std::string const& policy) {
    reported_pod w(policy, 1, 2);
    w.p.spec.init_containers[0].restart_policy.emplace() = "Always";
    return w;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_pod_waits_until_its_sidecar_has_started) {
    auto w = with_sidecar("Never");
    auto& sidecar = w.known.init_containers[0];
    w.ends(w.known.init_containers[1], 0);
    BOOST_TEST(w.condition("Initialized") == "False ContainersNotInitialized");
    w.runs(sidecar);
    sidecar.unstarted = true;
    BOOST_TEST(w.phase() == "Pending");
    BOOST_TEST(w.condition("Initialized") == "False ContainersNotInitialized");
    sidecar.unstarted = false;
    BOOST_TEST(w.condition("Initialized") == "True");
    BOOST_TEST(w.phase() == "Pending"); // the container has not begun
    w.runs(w.known.containers[0]);
    BOOST_TEST(w.phase() == "Running");
    // Once a container has begun, the pod stays initialized.
    w.waits_after(sidecar, 1);
    BOOST_TEST(w.phase() == "Running");
    BOOST_TEST(w.condition("Initialized") == "True");
}

BOOST_AUTO_TEST_CASE(a_pod_ends_after_its_sidecars_with_the_phase_of_its_containers) {
    for (auto const& [code, phase] : std::vector<std::pair<int, std::string>>{{0, "Succeeded"}, {3, "Failed"}}) {
        auto w = with_sidecar("Never");
        w.ends(w.known.init_containers[1], 0);
        w.runs(w.known.init_containers[0]);
        w.ends(w.known.containers[0], code);
        BOOST_TEST(w.phase() == "Running");
        w.known.leaving = true;
        BOOST_TEST(w.phase() == "Running");
        w.ends(w.known.init_containers[0], 137); // counts for nothing
        BOOST_TEST(w.phase() == phase);
    }
}

BOOST_AUTO_TEST_CASE(a_pod_whose_initialization_fails_does_not_wait_for_its_sidecars) {
    for (auto const& [policy, phase] :
         std::vector<std::pair<std::string, std::string>>{{"Never", "Failed"}, {"OnFailure", "Pending"}}) {
        auto w = with_sidecar(policy);
        w.runs(w.known.init_containers[0]);
        w.ends(w.known.init_containers[1], 1);
        BOOST_TEST(w.phase() == phase, policy);
    }
}

BOOST_AUTO_TEST_CASE(a_pod_is_ready_when_its_sidecars_are) {
    auto w = with_sidecar("Never");
    w.ends(w.known.init_containers[1], 0);
    w.runs(w.known.init_containers[0]);
    w.runs(w.known.containers[0]);
    BOOST_TEST(w.condition("Ready") == "True");
    auto const s = report(w.p, w.known, at(2));
    BOOST_TEST(s.init_container_statuses[0].started.value_or(false));
    BOOST_TEST(s.init_container_statuses[0].ready);
    w.known.init_containers[0].unready = true;
    BOOST_TEST(w.condition("Ready") == "False ContainersNotReady");
    BOOST_TEST(w.condition("ContainersReady") == "False ContainersNotReady");
}

// kubernetes pkg/kubelet/prober/prober_manager.go, UpdatePodStatus, v1.31.
BOOST_AUTO_TEST_CASE(readiness_follows_the_probes) {
    reported_pod w("Never");
    auto& c = w.known.containers[0];
    c.state.running.emplace();
    c.unstarted = true;
    c.unready = true;
    auto const seen = [&] {
        auto const s = report(w.p, w.known, at(2));
        BOOST_TEST(s.phase == "Running");
        auto const& one = s.container_statuses[0];
        BOOST_TEST((s.conditions.back().type == "Ready" && (s.conditions.back().status == "True") == one.ready));
        return std::string(one.started.value_or(false) ? "started" : "") + (one.ready ? " ready" : "");
    };
    BOOST_TEST(seen() == "");
    c.unready = false;
    BOOST_TEST(seen() == "");
    c.unstarted = false;
    BOOST_TEST(seen() == "started ready");
    c.unready = true;
    BOOST_TEST(seen() == "started");
}

BOOST_AUTO_TEST_CASE(restarts_wait_twice_as_long_each_time) {
    std::vector<std::string> waits;
    for (int failures : {0, 1, 2, 3, 4, 5, 6, 7, 1'000'000}) waits.push_back(in_minutes(restart_delay(failures)));
    std::vector<std::string> const expected{"0s", "10s", "20s", "40s", "1m20s", "2m40s", "5m0s", "5m0s", "5m0s"};
    BOOST_TEST(waits == expected, boost::test_tools::per_element());
}

// A back-off that was not used for twice its limit is reset: client-go v0.31 `util/flowcontrol/backoff.go`.
BOOST_AUTO_TEST_CASE(a_container_that_ran_for_ten_minutes_starts_a_new_count) {
    BOOST_TEST(!outlived_back_off(terminated(1, 0, at(0), at(599))));
    BOOST_TEST(outlived_back_off(terminated(1, 0, at(0), at(600))));
    BOOST_TEST(!outlived_back_off(terminated(1, 0, std::nullopt, at(600))));
}

BOOST_AUTO_TEST_CASE(a_signal_is_an_exit_code_above_128) {
    BOOST_TEST(terminated(0, 9, at(0), at(1)).exit_code == 137);
    BOOST_TEST(terminated(0, 15, at(0), at(1)).exit_code == 143);
    BOOST_TEST(terminated(3, 0, at(0), at(1)).exit_code == 3);
    BOOST_TEST(terminated(3, 0, at(0), at(1)).reason == "Error");
    BOOST_TEST(terminated(0, 0, at(0), at(1)).reason == "Completed");
}

BOOST_AUTO_TEST_CASE(a_refused_pod_is_failed_with_the_reason) {
    auto const s = report_refusal("NotSupported", "spec.volumes: no", at(2));
    BOOST_TEST(s.phase == "Failed");
    BOOST_TEST(s.reason == "NotSupported");
    BOOST_TEST(s.message == "spec.volumes: no");
    BOOST_TEST(s.container_statuses.empty());
}

// Expected: kubelet v1.31, pkg/kubelet/active_deadline.go
BOOST_AUTO_TEST_CASE(a_pod_fails_when_its_deadline_is_exceeded) {
    reported_pod w("Always");
    w.ends(w.known.containers[0], 0);
    w.known.leaving = true;
    BOOST_TEST(report(w.p, w.known, at(2)).phase == "Succeeded");
    w.known.deadline_exceeded = true;
    auto const s = report(w.p, w.known, at(2));
    BOOST_TEST(s.phase == "Failed");
    BOOST_TEST(s.reason == "DeadlineExceeded");
    BOOST_TEST(s.message == "Pod was active on the node longer than the specified deadline");
}

BOOST_AUTO_TEST_CASE(an_evicted_pod_has_failed) {
    reported_pod w("Always");
    w.ends(w.known.containers[0], 0);
    w.known.leaving = true;
    w.known.evicted = "Usage of EmptyDir volume \"v\" exceeds the limit \"1Mi\". ";
    auto const s = report(w.p, w.known, at(2));
    BOOST_TEST(s.phase == "Failed");
    BOOST_TEST(s.reason == "Evicted");
    BOOST_TEST(s.message == w.known.evicted);
}

BOOST_AUTO_TEST_SUITE_END()
