#include "integration/local/sandboxed_cluster.hpp"

#include <filesystem>

BOOST_AUTO_TEST_SUITE(integration_local_jobs)

using namespace local_tests;

// The environment, the output and the end of jobs.

BOOST_AUTO_TEST_CASE(pods_resolve_each_other_by_name) {
    cluster c;
    auto const flag = std::filesystem::path(c.options.directory + ".flag");
    // The worker looks up every form of the master's name that resolv.conf permits, and for one that does not exist.
    // Both stay until both have looked it up, since the name of a pod goes with it.
    auto const phase = c.run(scripts(
        "for i in $(seq 200); do getent ahostsv4 sh-worker-0 >/dev/null && break; sleep .05; done; "
        "getent ahostsv4 sh-worker-0 | awk 'NR==1{print $1}'; hostname; "
        "for i in $(seq 400); do [ -e " +
            flag.string() + " ] && break; sleep .05; done; sleep .2",
        1,
        "for n in sh-master-0 sh-master-0.default sh-master-0.default.svc sh-master-0.default.svc.cluster.local; do "
        "getent ahostsv4 $n | awk 'NR==1{print $1}'; done; "
        "getent hosts absent || echo none; getent hosts $(hostname) | awk '{print $1}'; hostname; "
        "echo $RANK $WORLD_SIZE $MASTER_ADDR; touch " +
            flag.string() + "; sleep 60"));
    std::filesystem::remove(flag);
    BOOST_TEST((phase == job_phase::succeeded));
    auto const master = c.get_pod("sh-master-0").status.pod_ip;
    auto const worker = c.get_pod("sh-worker-0").status.pod_ip;
    BOOST_TEST(master.starts_with("10.244."));
    BOOST_TEST(c.output["sh-master-0"] == worker + "\nsh-master-0\n");
    BOOST_TEST(c.output["sh-worker-0"] == master + "\n" + master + "\n" + master + "\n" + master + "\nnone\n" + worker +
                                              "\nsh-worker-0\n1 2 sh-master-0\n");
}

BOOST_AUTO_TEST_CASE(the_logs_of_every_rank_are_complete_with_an_unterminated_last_line) {
    cluster c;
    auto const written = c.options.directory + ".written";
    // Workers may start late, and the master is the end of the job.
    BOOST_TEST(
        (c.run(scripts("echo one >&2; echo; echo '  two  '; printf 'partial'; for i in $(seq 400); do [ -e " + written +
                           "1 ] && [ -e " + written + "2 ] && break; sleep .05; done; sleep .2",
                       2, "seq 1 3; printf \"rank $RANK\"; touch " + written + "$RANK")) == job_phase::succeeded));
    for (auto const* rank : {"1", "2"}) std::filesystem::remove(written + rank);
    BOOST_TEST(c.output["sh-master-0"] == "one\n\n  two  \npartial\n");
    BOOST_TEST(c.output["sh-worker-0"] == "1\n2\n3\nrank 1\n");
    BOOST_TEST(c.output["sh-worker-1"] == "1\n2\n3\nrank 2\n");
}

BOOST_AUTO_TEST_CASE(large_output_is_delivered_completely) {
    cluster c;
    BOOST_TEST((c.run(scripts("seq 1 200000")) == job_phase::succeeded));
    std::string expected;
    for (int i = 1; i <= 200000; ++i) expected += std::to_string(i) + "\n";
    BOOST_TEST(c.output["sh-master-0"].size() == expected.size());
    BOOST_TEST((c.output["sh-master-0"] == expected));
}

BOOST_AUTO_TEST_CASE(a_reader_slower_than_the_job_receives_everything) {
    cluster c;
    auto const stored = c.submit(scripts("seq 1 2000"));
    int lines = 0;
    auto const read = c.client.logs(stored, [&](log_line const& l) {
        BOOST_TEST(l.text == std::to_string(++lines));
        ::usleep(1500);
    });
    BOOST_TEST(read.has_value());
    BOOST_TEST(lines == 2000);
}

BOOST_AUTO_TEST_CASE(a_replica_that_outlives_the_job_does_not_delay_its_log) {
    cluster c;
    auto const begun = std::chrono::steady_clock::now();
    BOOST_TEST((c.run(scripts("echo done; sleep .5", 1, "echo up; sleep 1000")) == job_phase::succeeded));
    BOOST_TEST((std::chrono::steady_clock::now() - begun < 15s));
    BOOST_TEST(c.output["sh-master-0"] == "done\n");
}

BOOST_AUTO_TEST_CASE(logs_continue_across_a_restart) {
    auto const flag = std::filesystem::path(fresh_folder().string() + ".flag");
    cluster c;
    auto const stored = c.submit(scripts("if [ -e " + flag.string() +
                                             " ]; then echo second; sleep 3; echo third; else echo first; touch " +
                                             flag.string() + "; exit 7; fi",
                                         0, "", "OnFailure"));
    std::vector<std::string> lines;
    std::chrono::steady_clock::time_point second, third;
    auto const read = c.client.logs(stored, [&](log_line const& l) {
        lines.push_back(l.text);
        if (l.text == "second") second = std::chrono::steady_clock::now();
        if (l.text == "third") third = std::chrono::steady_clock::now();
    });
    BOOST_TEST(read.has_value());
    std::vector<std::string> const expected{"first", "second", "third"};
    BOOST_TEST(lines == expected, boost::test_tools::per_element());
    BOOST_TEST((third - second > 2s), "the output of the second run came after its end only");
    BOOST_TEST((c.wait(stored).phase() == job_phase::succeeded));
    auto const status = c.get_pod("sh-master-0").status.container_statuses.at(0);
    BOOST_TEST(status.restart_count == 1);
    BOOST_TEST(status.last_state.terminated->exit_code == 7);
    std::filesystem::remove(flag);
}

BOOST_AUTO_TEST_CASE(an_exit_code_is_reported_and_fails_the_job) {
    cluster c;
    BOOST_TEST((c.run(scripts("sleep 60", 1, "exit 3")) == job_phase::failed));
    auto const p = c.get_pod("sh-worker-0");
    BOOST_TEST(p.status.phase == "Failed");
    BOOST_TEST(p.status.container_statuses.at(0).state.terminated->exit_code == 3);
}

BOOST_AUTO_TEST_CASE(a_missing_command_fails_with_a_message) {
    cluster c;
    auto job = scripts("");
    job.spec.pytorch_replica_specs["Master"].template_.spec.containers[0].command = {"/no/such/program"};
    BOOST_TEST((c.run(job) == job_phase::failed));
    BOOST_TEST(c.output["sh-master-0"].find("/no/such/program") != std::string::npos, c.output["sh-master-0"]);
    BOOST_TEST(c.get_pod("sh-master-0").status.container_statuses.at(0).state.terminated->exit_code == 127);
}

BOOST_AUTO_TEST_CASE(a_deleted_job_kills_its_pods) {
    cluster c;
    auto const stored = c.submit(scripts("exec sleep 98761", 1, "exec sleep 98761"));
    BOOST_REQUIRE(c.until([] { return processes_with(std::string("sleep\0", 6) + "98761").size() == 2; }));
    BOOST_TEST(c.client.delete_job(stored).has_value());
    BOOST_TEST(c.until([] { return processes_with(std::string("sleep\0", 6) + "98761").empty(); }, 40s));
    BOOST_TEST(c.until([&] { return c.get_pod("sh-master-0").metadata.name.empty(); }));
    auto const gone = c.client.wait(stored);
    BOOST_REQUIRE(gone.has_error());
    BOOST_TEST((gone.error().code == make_error_code(errc::deleted)));
    BOOST_TEST(is_not_found(c.client.delete_job(stored).error().code));
}

BOOST_AUTO_TEST_CASE(a_pod_can_exit_cleanly_within_its_grace_period) {
    cluster c;
    auto const output_file = std::filesystem::path(fresh_folder().string() + ".output");
    auto job = scripts("trap 'sleep 1; echo bye > " + output_file.string() +
                       "; exit 0' TERM; echo up; while :; do sleep .1; done");
    c.submit(job);
    BOOST_REQUIRE(c.until([&] { return c.get_pod("sh-master-0").status.phase == "Running"; }));
    c.run_for(500ms);
    BOOST_TEST(c.client.delete_job(any_job(job)).has_value());
    BOOST_TEST(c.until([&] { return c.get_pod("sh-master-0").metadata.name.empty(); }));
    BOOST_TEST(std::filesystem::exists(output_file), "the pod was killed before its grace was over");
    std::filesystem::remove(output_file);
}

BOOST_AUTO_TEST_CASE(a_pod_that_ignores_sigterm_is_killed_after_its_grace_period) {
    cluster c;
    auto job = scripts("trap '' TERM; echo up; while :; do sleep .1; done");
    job.spec.pytorch_replica_specs["Master"].template_.spec.termination_grace_period_seconds = 1;
    c.submit(job);
    BOOST_REQUIRE(c.until([&] { return c.get_pod("sh-master-0").status.phase == "Running"; }));
    c.run_for(500ms);
    auto const begun = std::chrono::steady_clock::now();
    BOOST_TEST(c.client.delete_job(any_job(job)).has_value());
    BOOST_TEST(c.until([&] { return c.get_pod("sh-master-0").metadata.name.empty(); }));
    auto const took = std::chrono::steady_clock::now() - begun;
    BOOST_TEST((took > 900ms));
    BOOST_TEST((took < 10s));
}

BOOST_AUTO_TEST_CASE(an_unsupported_job_is_rejected_before_it_has_pods) {
    cluster c;
    auto job = scripts("true", 1, "true", "OnFailure");
    job.spec.pytorch_replica_specs["Worker"].template_.spec.containers[0].command.clear();
    auto const refused = c.client.submit(job);
    BOOST_REQUIRE(refused.has_error());
    BOOST_TEST(refused.error().detail.http_status == 403U);
    BOOST_TEST(refused.error().detail.message.ends_with(
                   "admission webhook \"local-cluster.kftrain\" denied the request: "
                   "spec.pytorchReplicaSpecs[Worker].template.spec.containers[0].command: the local cluster does not "
                   "support this: images are not pulled; set command to a program of this machine, or give the image "
                   "one with --command 'none=PROGRAM' (commands in C++ and Python)"),
               refused.error().detail.message);
    BOOST_TEST(c.get_pod("sh-master-0").metadata.name.empty());
}

BOOST_AUTO_TEST_SUITE_END()
