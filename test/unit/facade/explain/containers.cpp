#include "unit/facade/explain/explained_job.hpp"

#include "facade/explain/collect_evidence.hpp"
#include "facade/explain/exit_status.hpp"

BOOST_AUTO_TEST_SUITE(facade_explain_containers)

using namespace explained;

BOOST_AUTO_TEST_CASE(the_member_that_ended_first_is_named_with_its_code_and_log) {
    explained_job w;
    w.ended("master-0", 1, "11:30:02");
    w.ended("worker-0", 1, "11:30:01");
    w.ended("worker-1", 3, "11:30:00");
    w.log("worker-1", {"epoch 1", "ValueError: bad label"});
    w.fail();
    auto const e = w.explain();
    BOOST_TEST_REQUIRE(e.causes.size() == 1);
    auto const& c = e.causes[0];
    BOOST_TEST((c.kind == cause_kind::exited));
    BOOST_TEST(c.summary == "Worker 1 (rank 2) ended with exit code 3");
    BOOST_TEST(c.code.value() == 3);
    BOOST_TEST(c.container == "pytorch");
    BOOST_TEST(c.log.back() == "ValueError: bad label");
    BOOST_TEST(c.affected == 1);
    BOOST_TEST(members(c) == "worker-1");
    BOOST_TEST(has_line(c.evidence, "Worker 0 (rank 1) ended with exit code 1 1 s later, probably as a consequence"));
    BOOST_TEST(has_line(c.evidence, "Master 0 (rank 0) ended with exit code 1 2 s later, probably as a consequence"));
}

BOOST_AUTO_TEST_CASE(of_equal_end_times_the_lowest_rank_comes_first) {
    explained_job w;
    w.ended("worker-1", 2);
    w.ended("worker-0", 2);
    w.ended("master-0", 2);
    w.fail();
    auto const c = w.first();
    BOOST_TEST(members(c) == "master-0 worker-0 worker-1");
    BOOST_TEST(c.affected == 3);
}

BOOST_AUTO_TEST_CASE(a_terminated_member_was_not_the_first_to_fail) {
    explained_job w;
    w.ended("master-0", 143);
    w.ended("worker-0", 1);
    w.fail();
    BOOST_TEST(members(w.first()) == "worker-0");
}

BOOST_AUTO_TEST_CASE(a_member_that_lost_its_peer_was_not_the_first_to_fail) {
    explained_job w;
    w.ended("master-0", 1);
    w.log("master-0", {"RuntimeError: Connection reset by peer"});
    w.ended("worker-1", 9);
    w.fail();
    BOOST_TEST(members(w.first()) == "worker-1");
}

BOOST_AUTO_TEST_CASE(signals_are_named) {
    explained_job w;
    w.ended("worker-0", 139);
    w.fail();
    auto const c = w.first();
    BOOST_TEST(c.signal == "SIGSEGV");
    BOOST_TEST(c.summary == "Worker 0 (rank 1) ended with exit code 139 (SIGSEGV)");
    BOOST_TEST(contains(c.advice, "native code"));
    core::container_state_terminated t;
    for (auto const& [number, name] :
         {std::pair(1, "SIGHUP"), {6, "SIGABRT"}, {9, "SIGKILL"}, {15, "SIGTERM"}, {31, "SIGSYS"}}) {
        BOOST_TEST(explaining::signal_name(number) == name);
        t.exit_code = 128 + number;
        BOOST_TEST(explaining::signal_of(t) == number);
    }
    t.exit_code = 200;
    BOOST_TEST(explaining::signal_of(t) == 0);
    t.signal = 7; // as runtimes without this convention report it
    BOOST_TEST(explaining::signal_of(t) == 7);
}

BOOST_AUTO_TEST_CASE(out_of_memory_is_the_cause_of_later_failures) {
    explained_job w;
    w.ended("worker-1", 137, "11:30:00", "OOMKilled");
    w.ended("master-0", 1, "11:30:04");
    w.fail();
    auto const e = w.explain();
    BOOST_TEST(w.kinds() == "out-of-memory");
    auto const& c = e.causes[0];
    BOOST_TEST(contains(c.summary, "its limit is 8Gi"));
    BOOST_TEST(c.signal == "SIGKILL");
    BOOST_TEST(has_line(c.evidence, "Master 0 (rank 0) ended with exit code 1 4 s later, probably as a consequence"));
}

BOOST_AUTO_TEST_CASE(of_different_failures_the_earliest_comes_first) {
    explained_job w;
    w.ended("worker-0", 3, "11:10:00");
    w.ended("worker-1", 137, "11:30:00", "OOMKilled");
    w.fail();
    BOOST_TEST(w.kinds() == "exited out-of-memory");
}

BOOST_AUTO_TEST_CASE(a_missing_program_is_recognized_for_each_runtime) {
    std::string const containerd =
        "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create "
        "failed: unable to start container process: exec: \"pythn\": executable file not found in $PATH: unknown";
    {
        explained_job w;
        w.ended("worker-0", 128, "11:30:00", "StartError").status.container_statuses[0].state.terminated->message =
            containerd;
        w.fail();
        auto const c = w.first();
        BOOST_TEST((c.kind == cause_kind::command_not_found));
        BOOST_TEST(contains(c.summary, "was not found"));
        BOOST_TEST(has_line(c.evidence, "pythn"));
    }
    {
        explained_job w; // CRI-O and docker leave the container waiting
        w.waiting("worker-0", "RunContainerError",
                  "failed to start container \"1\": Error response from daemon: OCI runtime create failed: starting "
                  "container process "
                  "caused: exec: \"/train.sh\": permission denied: unknown");
        auto const c = w.first();
        BOOST_TEST((c.kind == cause_kind::command_not_found));
        BOOST_TEST(contains(c.summary, "is not executable"));
    }
    {
        explained_job w; // a shell
        w.ended("worker-0", 127);
        w.log("worker-0", {"sh: 1: pythn: not found"});
        w.fail();
        BOOST_TEST(w.kinds() == "command-not-found");
    }
}

BOOST_AUTO_TEST_CASE(a_crash_loop_is_listed_after_its_cause) {
    explained_job w;
    w.all_run();
    auto& c = w.pods.front().status.container_statuses[0];
    c.state = core::container_state();
    c.state.waiting.emplace().reason = "CrashLoopBackOff";
    c.state.waiting->message = "back-off 5m0s restarting failed container=pytorch pod=digits-worker-0_team-a(x)";
    c.restart_count = 7;
    auto& t = c.last_state.terminated.emplace();
    t.exit_code = 1;
    t.reason = "Error";
    t.finished_at = at("11:59:00");
    BOOST_TEST(w.kinds() == "exited crash-loop rendezvous");
    BOOST_TEST(w.explain().causes[1].summary ==
               "Containers of Worker 0 (rank 1) have failed and restarted, up to 7 times so far");
}

BOOST_AUTO_TEST_CASE(containers_that_run_long_after_a_failure_are_healthy) {
    explained_job w;
    w.all_run();
    auto& c = w.pods.front().status.container_statuses[0];
    c.restart_count = 5;
    c.last_state.terminated.emplace().exit_code = 1;
    c.last_state.terminated->finished_at = at("11:00:04");
    BOOST_TEST(w.kinds() == "healthy");
    c.state.running->started_at = at("11:59:00");
    BOOST_TEST(w.kinds() == "exited crash-loop");
}

BOOST_AUTO_TEST_CASE(failed_connections_to_an_unstarted_member_are_consequences) {
    explained_job w;
    w.ended("worker-0", 1);
    w.log("worker-0", {"torch.distributed.DistNetworkError: connection to digits-master-0 timed out"});
    w.unplaced("master-0", "0/3 nodes are available: 3 Insufficient nvidia.com/gpu.");
    BOOST_TEST(w.kinds() == "unschedulable starting exited");
}

BOOST_AUTO_TEST_CASE(deleted_objects_are_not_causes) {
    explained_job w;
    w.all_run();
    auto& p = w.ended("worker-1", 143);
    p.metadata.deletion_timestamp = at("11:29:59");
    w.pods.erase(std::next(w.pods.begin())); // its pod that runs
    BOOST_TEST(!contains(w.kinds(), "exited"));
}

BOOST_AUTO_TEST_CASE(the_exit_of_a_replaced_pod_is_reported) {
    explained_job w;
    w.running("worker-0");
    w.running("worker-1");
    auto& old = w.ended("master-0", 7);
    old.metadata.uid = "old";
    auto& replacement = w.pod("master-0");
    replacement.metadata.creation_timestamp = at("11:31:00");
    auto const c = w.first();
    BOOST_TEST((c.kind == cause_kind::exited));
    BOOST_TEST(c.code.value_or(0) == 7);
    BOOST_TEST(members(c) == "master-0");
    // It counts no more when the new one has run for long.
    replacement.status.phase = "Running";
    w.container(replacement).state.running.emplace().started_at = at("11:31:05");
    BOOST_TEST(w.kinds() == "healthy");
}

BOOST_AUTO_TEST_CASE(logs_of_the_first_failures_are_read) {
    explained_job w(12);
    for (int i = 0; i < 12; ++i) w.ended("worker-" + std::to_string(i), 1, "11:30:0" + std::to_string(9 - i % 10));
    w.explain();
    explaining::findings const f(w.evidence, w.now);
    auto const wanted = explaining::logs_to_read(f, explain_options());
    BOOST_TEST_REQUIRE(wanted.size() == 4);
    BOOST_TEST(wanted[0].pod == "digits-worker-9");
    BOOST_TEST(wanted[0].lines == 20);
    BOOST_TEST(!wanted[0].previous);
    BOOST_TEST(explaining::logs_to_read(f, explain_options().with_log_lines(0)).empty());
}

BOOST_AUTO_TEST_CASE(log_lines_lose_timestamps_and_are_truncated_between_characters) {
    explaining::wanted_log wanted;
    wanted.lines = 2;
    std::string const longer = std::string(499, 'a') + "\xC3\xA4" + "b";
    auto const tail = explaining::tail_of(wanted, "2026-03-01T11:00:00.123456789Z one\r\n2026-03-01T11:00:01Z " +
                                                      longer + "\n2026-03-01T11:00:02Z \n");
    BOOST_TEST_REQUIRE(tail.lines.size() == 2);
    BOOST_TEST(tail.lines[0] == std::string(499, 'a') + "...");
    BOOST_TEST(tail.lines[1] == "");
    BOOST_TEST((tail.last == at("11:00:02")));
}

BOOST_AUTO_TEST_SUITE_END()
