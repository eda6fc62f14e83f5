#include "integration/local/logs/logged_cluster.hpp"

BOOST_AUTO_TEST_SUITE(integration_local_job_logs)

using namespace local_log_tests;

// The output of jobs whose pods are replaced, taken away and cleaned up: all of it, or an error.

BOOST_AUTO_TEST_CASE(output_lost_to_log_rotation_is_reported) {
    logged c(with_limits(4096, 2));
    flag const read, written;
    auto const stored =
        c.submit(scripts("echo begun; " + read.awaited() + "seq 1 20000; touch " + written.text() + "; sleep .2"));
    auto const logs = c.client.logs(stored, [&](log_line const&) {
        read.raise();
        while (!written.up()) ::usleep(10'000); // holds up the whole io_context, but not the pod
    });
    BOOST_REQUIRE(logs.has_error());
    BOOST_TEST(logs.error().code == make_error_code(errc::incomplete), logs.error().to_string());
    BOOST_TEST(logs.error().detail.message.find("container \"pytorch\" of pod sh-master-0") != std::string::npos,
               logs.error().to_string());
    BOOST_TEST((c.wait(stored).phase() == job_phase::succeeded));
}

BOOST_AUTO_TEST_CASE(no_line_is_lost_when_a_pod_is_replaced) {
    logged c;
    flag const before, written;
    auto const stored =
        c.submit(scripts("if [ -e " + before.text() + " ]; then echo second; " + written.awaited() +
                             "echo third; else touch " + before.text() + "; echo first; exit 138; fi",
                         1,
                         "seq 1 10; while [ ! -e " + before.text() +
                             " ]; do sleep .02; done; sleep .5; seq 11 17; touch " + written.text() + "; sleep 60",
                         "ExitCode"));
    auto const read = c.client.logs(stored, [&](log_line const& l) { c.output[l.member.pod_name] += l.text + "\n"; });
    BOOST_TEST(read.has_value(), (read ? "" : read.error().to_string()));
    BOOST_TEST(c.output["sh-master-0"] == "first\nsecond\nthird\n");
    BOOST_TEST(c.output["sh-worker-0"] == lines_text(1, 17));
}

BOOST_AUTO_TEST_CASE(no_line_is_lost_when_scaling_removes_a_replica) {
    logged c;
    flag const scaled, written;
    auto const stored =
        c.submit(scripts(written.awaited() + "echo end", 2,
                         "echo up; " + scaled.awaited() + "seq 1 17; touch " + written.text() + "; sleep 60"));
    bool cancelled = false;
    auto const read = c.client.logs(stored, [&](log_line const& l) {
        c.output[l.member.pod_name] += l.text + "\n";
        if (cancelled || c.output["sh-worker-0"].empty() || c.output["sh-worker-1"].empty()) return;
        cancelled = true;
        kube::api<pytorch_job> jobs(c.local.client(), "default");
        std::string const fewer = R"({"spec":{"pytorchReplicaSpecs":{"Worker":{"replicas":1}}}})";
        jobs.async_patch("sh", kube::patch_body(patch_type::merge, fewer),
                         [&](error_code ec, pytorch_job const&) { BOOST_TEST(!ec, ec.message()); });
        auto const gone = [](error_code ec, pod const&) { BOOST_TEST(!ec, ec.message()); };
        kube::async_wait(
            c.pods, "sh-worker-1",
            [&](pod const* p) {
                if (p == nullptr) scaled.raise();
                return p == nullptr;
            },
            kube::wait_options(), gone);
    });
    BOOST_TEST(cancelled);
    BOOST_TEST(read.has_value(), (read ? "" : read.error().to_string()));
    BOOST_TEST(c.output["sh-worker-0"] == "up\n" + lines_text(1, 17));
    BOOST_TEST(c.output["sh-worker-1"] == "up\n");
}

BOOST_AUTO_TEST_CASE(immediate_clean_up_loses_no_line_without_an_error) {
    for (int i = 0; i < 3; ++i) {
        logged c;
        auto job = scripts("seq 1 500", 2, "seq 1 1000");
        job.spec.run_policy.clean_pod_policy = "All";
        auto const stored = c.submit(job);
        auto const read =
            c.client.logs(stored, [&](log_line const& l) { c.output[l.member.pod_name] += l.text + "\n"; });
        if (!read) BOOST_TEST(read.error().code == make_error_code(errc::incomplete), read.error().to_string());
        bool const whole = c.output["sh-master-0"] == lines_text(1, 500);
        BOOST_TEST((whole || !read), "success without all lines of the master: " << c.output["sh-master-0"].size());
    }
}

BOOST_AUTO_TEST_CASE(pods_deleted_before_a_finished_job_is_read_are_reported) {
    logged c;
    auto job = scripts("echo lost");
    job.spec.run_policy.clean_pod_policy = "All";
    auto const stored = c.submit(job);
    c.wait(stored);
    BOOST_REQUIRE(c.until([&] { return c.get_pod("sh-master-0").metadata.name.empty(); }));
    auto const read = c.client.logs(stored, [](log_line const&) {});
    BOOST_REQUIRE(read.has_error());
    BOOST_TEST(read.error().code == make_error_code(errc::incomplete), read.error().to_string());
    BOOST_TEST(read.error().detail.message.find("sh-master-0") != std::string::npos, read.error().to_string());
}

BOOST_AUTO_TEST_SUITE_END()
