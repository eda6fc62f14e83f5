#include "async/facade/logs/job_log_cluster.hpp"
#include "facade/logs/log_retry.hpp"

using namespace job_log_tests;

// The lines of a job, and the errors for those that cannot be read.

namespace {

struct one_pod : job_log_cluster {
    /// Follows the job, whose only pod is in this state, until the line has come.
    void follow_master(std::string const& state, std::int32_t restarts, std::string const& line) {
        make_pod("j-master-0");
        set("j-master-0", state, restarts);
        follow();
        BOOST_REQUIRE(until([&] { return has("j-master-0: " + line); }));
    }
    /// Ends the job and checks that these lines came, without a loss.
    void finish_with(list expected) {
        finish_job();
        BOOST_TEST(end() == error_code(), detail.message);
        for (auto& line : expected) line.insert(0, "j-master-0: ");
        BOOST_TEST(lines == expected, boost::test_tools::per_element());
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(async_job_logs, one_pod)

BOOST_AUTO_TEST_CASE(an_interrupted_log_resumes_after_the_last_line) {
    log("j-master-0/0") = {responds({"one\ntwo\nthr"}, errc::connection_lost),
                           responds({"one\n"}, errc::connection_lost), responds({"one\ntwo\nthree\nfour"})};
    follow_master("running", 0, "two");
    set("j-master-0", "ended");
    finish_with({"one", "two", "three", "four"});
}

BOOST_AUTO_TEST_CASE(a_log_that_differs_after_an_interruption_has_lost_lines) {
    log("j-master-0/0") = {responds({"one\ntwo\n"}, errc::connection_lost), responds({"two\nthree\n"})};
    make_pod("j-master-0");
    set("j-master-0", "ended");
    follow();
    BOOST_REQUIRE(until([&] { return source->requests.size() == 2; }));
    finish_job();
    check_loss("container \"pytorch\" of pod j-master-0: its log does not begin as it did before the interruption");
}

BOOST_AUTO_TEST_CASE(a_log_that_is_interrupted_repeatedly_is_read_to_its_end) {
    for (int i = 0; i < 6; ++i) log("j-master-0/0").push_back(responds({"one\ntw"}, errc::connection_lost));
    log("j-master-0/0").push_back(responds({"one\ntwo\nthree\n"}));
    follow_master("running", 0, "three");
    set("j-master-0", "ended");
    finish_with({"one", "two", "three"});
}

BOOST_AUTO_TEST_CASE(a_log_that_ends_before_its_container_is_read_again) {
    log("j-master-0/0") = {responds({"one\n"}), responds({"one\ntwo\n"})};
    follow_master("running", 0, "two");
    set("j-master-0", "ended");
    finish_with({"one", "two"});
}

BOOST_AUTO_TEST_CASE(a_missed_previous_run_is_read) {
    log("j-master-0/0") = {responds({"one\n"})};
    log("j-master-0/1") = {responds({"two\n"})};
    follow_master("ended", 1, "two");
    finish_with({"one", "two"});
    BOOST_REQUIRE(source->requests.size() == 2U);
    BOOST_TEST(source->requests[0].previous);
    BOOST_TEST(!source->requests[1].previous);
}

BOOST_AUTO_TEST_CASE(unreadable_runs_are_reported) {
    log("j-master-0/2") = {responds({"three\n"})};
    log("j-master-0/3") = {responds({"four\n"})};
    follow_master("ended", 3, "four");
    finish_job();
    check_loss("container \"pytorch\" of pod j-master-0: its runs 0 to 1 ended");
    BOOST_TEST(lines == (list{"j-master-0: three", "j-master-0: four"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_lost_previous_run_is_reported) {
    log("j-master-0/0") = {refuses(400, reason::bad_request)};
    log("j-master-0/1") = {responds({"two\n"})};
    follow_master("ended", 1, "two");
    finish_job();
    check_loss("container \"pytorch\" of pod j-master-0: the request for its log failed");
}

BOOST_AUTO_TEST_CASE(the_log_of_a_container_in_back_off_is_read) {
    log("j-master-0/0") = {responds({"one\n"})};
    log("j-master-0/1") = {responds({"two\n"})};
    follow_master("waiting", 0, "one");
    set("j-master-0", "ended", 1);
    finish_with({"one", "two"});
}

BOOST_AUTO_TEST_CASE(a_restart_while_the_log_is_opened_is_detected) {
    auto late = responds({"not read\n"});
    late.opened = [&] {
        kube::patch_body const restarted(patch_type::merge, R"({"status":{"containerStatuses":[{"name":"pytorch",
            "restartCount":1,"state":{"terminated":{"exitCode":1}},"lastState":{"terminated":{"exitCode":1}}}]}})");
        pods.async_patch_status("j-master-0", restarted, [](error_code, pod const&) {});
    };
    log("j-master-0/0") = {late, responds({"one\n"})};
    log("j-master-0/1") = {responds({"two\n"})};
    follow_master("running", 0, "two");
    finish_with({"one", "two"});
}

BOOST_AUTO_TEST_CASE(a_pod_deleted_before_its_log_was_read_is_reported) {
    auto gone = refuses(404, reason::not_found);
    gone.opened = [&] { start_removing("j-master-0"); };
    log("j-master-0/0") = {gone};
    make_pod("j-master-0");
    set("j-master-0", "running");
    follow();
    BOOST_REQUIRE(until([&] { return source->requests.size() == 1; }));
    finish_job();
    check_loss("container \"pytorch\" of pod j-master-0: its pod was deleted before its log was read");
}

BOOST_AUTO_TEST_CASE(a_briefly_rejected_log_request_loses_no_line) {
    for (auto const& [status, why] : {std::pair(403U, reason::forbidden), {404U, reason::not_found}})
        log("j-master-0/0").push_back(refuses(status, why));
    log("j-master-0/0").push_back(responds({"one\n"}));
    follow_master("ended", 0, "one");
    finish_job();
    BOOST_TEST(end() == error_code(), detail.message);
}

BOOST_AUTO_TEST_CASE(a_log_missing_on_the_node_does_not_mean_a_deleted_pod) {
    for (unsigned i = 0; i != log_retry::most_refusals; ++i)
        log("j-master-0/0").push_back(refuses(404, reason::not_found));
    make_pod("j-master-0");
    set("j-master-0", "ended");
    follow();
    BOOST_REQUIRE(until([&] { return source->requests.size() == log_retry::most_refusals; }));
    finish_job();
    check_loss("container \"pytorch\" of pod j-master-0: the request for its log failed");
}

BOOST_AUTO_TEST_CASE(a_rejected_log_request_is_reported) {
    for (unsigned i = 0; i != log_retry::most_refusals; ++i)
        log("j-master-0/0").push_back(refuses(403, reason::forbidden));
    log("j-worker-0/0") = {responds({"up\n"})};
    for (auto const* name : {"j-master-0", "j-worker-0"}) {
        make_pod(name);
        set(name, "ended");
    }
    follow();
    BOOST_REQUIRE(until([&] { return has("j-worker-0: up"); }));
    finish_job();
    check_loss("container \"pytorch\" of pod j-master-0: the request for its log failed");
}

BOOST_AUTO_TEST_CASE(a_log_request_is_retried_after_a_server_error) {
    for (unsigned const status : {429U, 500U, 502U, 503U, 504U})
        log("j-master-0/0").push_back(refuses(status, reason::unknown));
    log("j-master-0/0").insert(log("j-master-0/0").begin() + 3, responds({"one\n"}, errc::connection_lost));
    log("j-master-0/0").push_back(responds({"one\ntwo\n"}));
    follow_master("ended", 0, "two");
    finish_with({"one", "two"});
}

BOOST_AUTO_TEST_CASE(a_replaced_pod_is_not_reported_as_missing) {
    log("j-master-0/0") = {responds({"one\n"}), responds({"two\n"})};
    follow_master("ended", 0, "one");
    time.advance(50ms); // a wait for the next run sees that the pod is there, and then that it goes
    remove_pod("j-master-0");
    make_pod("j-master-0");
    set("j-master-0", "ended");
    BOOST_REQUIRE(until([&] { return has("j-master-0: two"); }));
    remove_pod("j-master-0");
    finish_with({"one", "two"});
}

BOOST_AUTO_TEST_CASE(replicas_that_scaling_adds_are_followed) {
    log("j-worker-1/0") = {responds({"up\n"})};
    follow();
    auto j = ask<pytorch_job>([&](auto h) { jobs.async_get("j", std::move(h)); });
    j.spec.pytorch_replica_specs["Worker"].replicas = 2;
    ask<pytorch_job>([&](auto h) { jobs.async_replace(j, std::move(h)); });
    make_pod("j-worker-1");
    set("j-worker-1", "ended");
    BOOST_TEST(until([&] { return has("j-worker-1: up"); }));
    finish_job();
    BOOST_TEST(end() == error_code(), detail.message);
}

BOOST_AUTO_TEST_CASE(missing_pods_of_a_finished_job_are_reported) {
    finish_job();
    follow();
    check_loss("pod j-master-0: the pod was deleted before its log was read; and 1 more");
}

BOOST_AUTO_TEST_SUITE_END()
