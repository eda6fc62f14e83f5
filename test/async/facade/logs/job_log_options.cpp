#include "async/facade/logs/node_logs.hpp"

using namespace node_logs;

// Which part of the output of a job is pulled.

namespace {

struct two_pods : node_with_logs {
    two_pods() {
        run_pod("j-master-0", {"01 one", "02 two", "03 three"});
        run_pod("j-worker-0", {"01 up", "05 down"});
    }
    void finish() {
        for (auto const* name : {"j-master-0", "j-worker-0"}) end_pod(name);
        finish_job();
    }
    /// The end of a stream that is refused.
    std::string refusal(job_log_options const& options) {
        auto stream = open(options);
        auto const r = stream.next(kube::next_options().with_timeout(20s));
        BOOST_REQUIRE(r.has_error());
        BOOST_TEST(r.error().code == make_error_code(errc::invalid_argument), r.error().to_string());
        return r.error().to_string();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(async_job_log_options, two_pods)

BOOST_AUTO_TEST_CASE(logs_can_be_limited_to_a_role_or_rank) {
    finish();
    auto by_role = open(job_log_options().with_role("Worker"));
    BOOST_TEST(rest(by_role) == (list{"j-worker-0: up", "j-worker-0: down"}), boost::test_tools::per_element());
    auto by_rank = open(job_log_options().with_rank(0));
    BOOST_TEST(rest(by_rank) == (list{"j-master-0: one", "j-master-0: two", "j-master-0: three"}),
               boost::test_tools::per_element());
    BOOST_TEST(refusal(job_log_options().with_role("Chief")) ==
               "roles: \"Chief\", expected one of \"Master\", \"Worker\"");
    BOOST_TEST(refusal(job_log_options().with_rank(2)) == "ranks: 2, expected 0 to 1");
    BOOST_TEST(refusal(job_log_options().with_rank(2).with_follow(false)) == "ranks: 2, expected 0 to 1");
    BOOST_TEST(refusal(job_log_options().with_tail(-2)) == "tail: -2, expected at least 0");
}

BOOST_AUTO_TEST_CASE(an_unknown_container_is_rejected_with_the_known_names) {
    auto const wrong = job_log_options().with_container("torch");
    std::string const words =
        "containers: \"torch\", expected one of \"init-pytorch\", \"pytorch\""; // workers wait in the former
    BOOST_TEST(refusal(wrong) == words);
    BOOST_TEST(refusal(job_log_options(wrong).with_follow(false)) == words);
    BOOST_TEST(refusal(job_log_options(wrong).with_role("Master")) == "containers: \"torch\", expected \"pytorch\"");
    auto right = open(job_log_options().with_container("pytorch").with_role("Worker"));
    BOOST_TEST(next(right) == "j-worker-0: up");
}

BOOST_AUTO_TEST_CASE(an_unknown_container_is_rejected_before_pods_exist) {
    for (auto const* name : {"j-master-0", "j-worker-0"}) remove_pod(name);
    BOOST_TEST(refusal(job_log_options().with_container("torch").with_role("Master")) ==
               "containers: \"torch\", expected \"pytorch\"");
}

BOOST_AUTO_TEST_CASE(injected_containers_are_found_in_the_pod) {
    auto p = ask<pod>([&](auto h) { pods.async_get("j-master-0", std::move(h)); });
    remove_pod("j-master-0");
    p.metadata.uid.clear();
    p.metadata.resource_version.clear();
    p.spec.containers.emplace_back(p.spec.containers[0]).name = "istio-proxy";
    auto made = ask<pod>([&](auto h) { pods.async_create(p, std::move(h)); });
    made.status = p.status;
    made.status.container_statuses.emplace_back(made.status.container_statuses[0]).name = "istio-proxy";
    ask<pod>([&](auto h) { pods.async_replace_status(made, std::move(h)); });
    auto stream = open(job_log_options().with_container("istio-proxy"));
    BOOST_TEST(next(stream) == "j-master-0: one");
    BOOST_TEST(last.container == "istio-proxy");
    BOOST_TEST(refusal(job_log_options().with_container("torch").with_role("Master")) ==
               "containers: \"torch\", expected one of \"istio-proxy\", \"pytorch\"");
}

BOOST_AUTO_TEST_CASE(without_follow_the_logs_of_all_kept_runs_are_returned) {
    end_pod("j-master-0");
    write("j-master-0/3", {"07 fourth"}).ended = true;
    write("j-master-0/4", {"08 fifth"});
    set("j-master-0", "running", 4);
    auto stream = open(job_log_options().with_follow(false).with_role("Master"));
    BOOST_TEST(next(stream) == "j-master-0: fourth");
    BOOST_TEST(last.run == 3);
    BOOST_TEST(next(stream) == "j-master-0: fifth");
    BOOST_TEST(last.run == 4);
    BOOST_TEST(rest(stream).empty());
    remove_pod("j-worker-0");
    auto none = open(job_log_options().with_follow(false).with_role("Worker"));
    BOOST_TEST(rest(none).empty());
    jobs.async_delete("j", [](error_code) {});
    auto gone = open(job_log_options().with_follow(false));
    BOOST_TEST(next(gone).front() == '(');
    BOOST_TEST(error_detail.message.find("j") != std::string::npos, error_detail.message);
}

BOOST_AUTO_TEST_CASE(previous_returns_only_the_run_before_the_latest) {
    end_pod("j-master-0");
    write("j-master-0/1", {"07 second"});
    set("j-master-0", "running", 1);
    auto stream = open(job_log_options().with_previous());
    BOOST_TEST(rest(stream) == (list{"j-master-0: one", "j-master-0: two", "j-master-0: three"}),
               boost::test_tools::per_element());
    BOOST_TEST(last.run == 0);
    end_pod("j-master-0", 1);
    set("j-master-0", "waiting", 1); // to be started again
    auto waiting = open(job_log_options().with_previous());
    BOOST_TEST(rest(waiting) == (list{"j-master-0: second"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(tail_applies_to_the_lines_that_exist_at_the_start) {
    auto stream = open(job_log_options().with_tail(1).with_role("Master"));
    BOOST_TEST(next(stream) == "j-master-0: three");
    write("j-master-0/0", {"04 four", "04 five"});
    BOOST_TEST(next(stream) == "j-master-0: four");
    log_of("j-master-0/0").breaks = true; // the last lines are not repeated, either
    write("j-master-0/0", {"05 six"});
    BOOST_TEST(next(stream) == "j-master-0: five");
    BOOST_TEST(next(stream) == "j-master-0: six");
    end_pod("j-master-0");
    write("j-master-0/1", {"07 one", "07 two"});
    set("j-master-0", "running", 1);
    end_pod("j-master-0", 1);
    finish_job();
    BOOST_TEST(rest(stream) == (list{"j-master-0: one", "j-master-0: two"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(since_applies_to_logs_that_exist_at_the_start) {
    auto stream = open(job_log_options().with_since(90s));
    next(stream, 5);
    for (auto const& r : node->requests) BOOST_TEST(r.since_seconds.value_or(0) == 90);
    auto const before = node->requests.size();
    end_pod("j-master-0");
    write("j-master-0/1", {"07 second"});
    set("j-master-0", "running", 1);
    BOOST_TEST(next(stream) == "j-master-0: second");
    BOOST_REQUIRE(node->requests.size() == before + 1);
    BOOST_TEST(!node->requests.back().since_seconds.has_value());
}

BOOST_AUTO_TEST_CASE(logs_take_turns_if_the_number_of_open_logs_is_limited) {
    auto stream = open(job_log_options().with_open_logs(1));
    list all = next(stream, 5); // of two that both go on
    BOOST_TEST(std::ranges::count(all, "j-master-0: three") == 1);
    BOOST_TEST(std::ranges::count(all, "j-worker-0: down") == 1);
    for (auto const* name : {"j-worker-0", "j-master-0", "j-worker-0"}) {
        write(std::string(name) + "/0", {"09 again"});
        BOOST_TEST(next(stream) == std::string(name) + ": again");
        BOOST_TEST(node->open() <= 1U);
    }
    write("j-worker-0/0", {"10 last words"});
    finish_job(); // while a replica whose turn has not come has output
    auto const left = rest(stream);
    BOOST_TEST(left == (list{"j-worker-0: last words"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
