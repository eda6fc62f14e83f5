#include "kinds/volcano_job/plan/state.hpp"
#include "kinds/volcano_job/plan/requests.hpp"
#include "unit/kinds/volcano_job/sample.hpp"

#include <kftrain/job/job_rules.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_volcano_job_state)

using namespace volcano_sample;

// Expected: what v1.9.0's own states and policies gave when they were run.
namespace {

std::string next(std::string_view phase, std::string_view action, volcano_release r = volcano_release::v1_9_0) {
    auto const o = operation_of(phase, action, r);
    if (!o.kills) return "sync";
    return std::string(o.keeps_ended ? "soft " : "hard ") + std::string(o.next) + (o.retries ? " +1" : "");
}

/// Tasks t0 of one pod and t1 of two, of which so many ended.
std::string after(std::int32_t least, std::vector<std::int32_t> tasks, std::vector<std::int32_t> succeeded,
                  std::vector<std::int32_t> failed, std::optional<std::int32_t> enough = {}, std::int32_t pending = 0) {
    auto j = job_of("j", {task("t0", 1), task("t1", 2)});
    j.spec.min_available = least;
    j.spec.min_success = enough;
    job_status s;
    s.pending = pending;
    for (std::size_t i = 0; i < 2; ++i) {
        j.spec.tasks[i].min_available = tasks[i];
        auto& counted = s.task_status_count["t" + std::to_string(i)].phase;
        counted["Succeeded"] = succeeded[i];
        counted["Failed"] = failed[i];
        s.succeeded += succeeded[i];
        s.failed += failed[i];
    }
    s.running = 3 - s.succeeded - s.failed - pending;
    return std::string(phase_after(j, phase::running, s));
}

std::string action_of(volcano_job const& j, request const& r) { return decide(j, r, volcano_release::v1_9_0).action; }

request of(std::string task, std::string event, std::int32_t code, std::int32_t version, std::string action = {}) {
    request r(std::move(event));
    r.task = std::move(task);
    r.exit_code = code;
    r.version = version;
    r.action = std::move(action);
    return r;
}

} // namespace

BOOST_AUTO_TEST_CASE(actions_lead_to_phases) {
    for (auto const* live : {"", "Pending", "Running"}) {
        BOOST_TEST(next(live, "AbortJob") == "soft Aborting", live);
        BOOST_TEST(next(live, "RestartJob") == "hard Restarting +1", live);
        BOOST_TEST(next(live, "TerminateJob") == "soft Terminating", live);
        BOOST_TEST(next(live, "CompleteJob") == "soft Completing", live);
        for (auto const* other : {"SyncJob", "ResumeJob", "RestartTask", "Whatever"})
            BOOST_TEST(next(live, other) == "sync", live << " " << other);
    }
    BOOST_TEST(next("Restarting", "AbortJob") == "hard ");
    for (auto const* aborted : {"Aborting", "Aborted"}) {
        BOOST_TEST(next(aborted, "ResumeJob") == "soft Restarting +1");
        BOOST_TEST(next(aborted, "RestartJob") == "soft ");
    }
    for (auto const* ending : {"Completing", "Terminating", "Completed", "Terminated", "Failed"})
        BOOST_TEST(next(ending, "ResumeJob") == "soft ", ending);
}

BOOST_AUTO_TEST_CASE(since_v1_11_single_tasks_and_pods_can_restart) {
    auto const r = volcano_release::v1_11_0;
    BOOST_TEST(next("Running", "RestartTask", r) == "hard Restarting +1");
    BOOST_TEST((operation_of("Running", "RestartTask", r).of == operation::scope::task));
    BOOST_TEST((operation_of("Pending", "RestartPod", r).of == operation::scope::pod));
    BOOST_TEST((operation_of("Running", "RestartJob", r).of == operation::scope::job));
    BOOST_TEST(next("Restarting", "SyncJob", r) == "sync");
    BOOST_TEST(next("Restarting", "RestartPod", r) == "hard ");
}

BOOST_AUTO_TEST_CASE(pending_pods_trigger_policies_only_with_a_timeout) {
    auto j = job_of("j", {task("t", 1)});
    auto const r = volcano_release::v1_11_0;
    j.spec.policies = {on("*", "AbortJob")};
    BOOST_TEST(decide(j, of("t", "PodPending", 0, 0), r).action == "SyncJob");
    BOOST_TEST(decide(j, of("t", "PodRunning", 0, 0), r).action == "SyncJob");
    j.spec.policies[0].timeout = std::chrono::minutes(5);
    BOOST_TEST(decide(j, of("t", "PodPending", 0, 0), r).action == "AbortJob");
    BOOST_TEST((decide(j, of("t", "PodFailed", 0, 0), r).delay == std::chrono::minutes(5)));
    BOOST_TEST((decide(j, of("t", "PodFailed", 0, 0), volcano_release::v1_9_0).delay == kftrain::duration::zero()));
}

BOOST_AUTO_TEST_CASE(delayed_actions_can_become_needless) {
    job_memory m;
    auto const by = [](std::string pod, std::string event) {
        auto r = of("t", std::move(event), 0, 0);
        r.pod = std::move(pod);
        r.pod_uid = "u";
        return r;
    };
    m.put_off(by("a", "PodPending"), "AbortJob", at(10));
    m.put_off(by("a", "PodPending"), "AbortJob", at(20)); // is put off already
    m.put_off(by("b", "PodFailed"), "RestartPod", at(5));
    BOOST_TEST((m.next_due() == at(5)));
    m.drop_needless(by("b", "PodEvicted"));
    BOOST_TEST(m.delayed.size() == 2U);
    m.drop_needless(by("b", "PodRunning"));
    BOOST_TEST((m.next_due() == at(10)));
    BOOST_TEST(!m.take_due(at(9)));
    BOOST_TEST(m.take_due(at(10))->action == "AbortJob");
    m.put_off(by("a", "PodFailed"), "RestartTask", at(1));
    m.put_off(by("b", "PodFailed"), "TerminateJob", at(1));
    m.drop_like(by("c", ""), "RestartJob");
    BOOST_TEST(m.delayed.size() == 1U);
    m.drop_like(by("c", ""), "RestartTask");
    BOOST_TEST(m.delayed.empty());
}

BOOST_AUTO_TEST_CASE(a_running_job_ends) {
    BOOST_TEST(after(3, {1, 2}, {1, 2}, {0, 0}) == "Completed");
    BOOST_TEST(after(3, {1, 2}, {1, 1}, {0, 1}) == "Failed");
    BOOST_TEST(after(2, {1, 2}, {1, 1}, {0, 1}) == "Completed");
    BOOST_TEST(after(2, {1, 1}, {1, 1}, {0, 1}) == "Completed");
    BOOST_TEST(after(2, {1, 1}, {0, 2}, {1, 0}) == "Failed");
    BOOST_TEST(after(1, {0, 0}, {1, 0}, {0, 0}, 1) == "Completed");
    BOOST_TEST(after(1, {0, 0}, {1, 1}, {0, 1}, 3) == "Failed");
    BOOST_TEST(after(2, {1, 1}, {0, 0}, {0, 0}, {}, 2) == "Pending");
    BOOST_TEST(after(2, {1, 1}, {0, 0}, {0, 0}, {}, 1) == "");
}

BOOST_AUTO_TEST_CASE(the_last_restart_fails) {
    auto j = job_of("j", {task("a", 2)});
    j.spec.max_retry = 3;
    job_status s;
    s.retry_count = 2;
    s.min_available = 2;
    BOOST_TEST(phase_after(j, phase::restarting, s) == "Pending");
    s.terminating = 1;
    BOOST_TEST(phase_after(j, phase::restarting, s) == "");
    s.retry_count = 3;
    BOOST_TEST(phase_after(j, phase::restarting, s) == "Failed");
}

BOOST_AUTO_TEST_CASE(task_policies_come_first_and_old_pods_are_ignored) {
    auto j = job_of("j", {task("t", 1), task("u", 1)});
    j.status.version = 1;
    j.spec.policies = {on("PodFailed", "TerminateJob"), on_code(3, "RestartJob"), on("*", "AbortJob")};
    j.spec.tasks[0].policies = {on_code(3, "RestartJob"), on("TaskCompleted", "CompleteJob")};
    BOOST_TEST(action_of(j, of("t", "PodFailed", 3, 1)) == "RestartJob");
    BOOST_TEST(action_of(j, of("t", "PodFailed", 1, 1)) == "TerminateJob");
    BOOST_TEST(action_of(j, of("u", "PodFailed", 3, 1)) == "TerminateJob");
    BOOST_TEST(action_of(j, of("t", "TaskCompleted", 0, 1)) == "CompleteJob");
    BOOST_TEST(action_of(j, of("u", "TaskCompleted", 0, 1)) == "AbortJob");
    BOOST_TEST(action_of(j, of("t", "PodFailed", 3, 0)) == "SyncJob");
    BOOST_TEST(action_of(j, of("", "Unknown", 0, 0)) == "SyncJob");
    BOOST_TEST(action_of(j, of("", "OutOfSync", 0, 1)) == "SyncJob");
    BOOST_TEST(action_of(j, of("", "CommandIssued", 0, 0, "AbortJob")) == "AbortJob");
    BOOST_TEST(action_of(j, of("", "", 0, 1)) == "SyncJob");
}

BOOST_AUTO_TEST_CASE(phases_map_to_common_phases) {
    auto const reported = [](std::string phase) {
        auto j = job_of("j", {});
        j.status.state.phase = std::move(phase);
        return std::string(to_string(job_rules_for<volcano_job>().phase(&j)));
    };
    BOOST_TEST(reported("") == "Created");
    BOOST_TEST(reported("Aborted") == "Suspended");
    BOOST_TEST(reported("Terminated") == "Failed");
    BOOST_TEST(reported("Completed") == "Succeeded");
    BOOST_TEST(reported("Completing") == "Created");
    BOOST_TEST(reported("Restarting") == "Restarting");
}

BOOST_AUTO_TEST_SUITE_END()
