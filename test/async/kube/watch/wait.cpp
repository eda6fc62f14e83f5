#include "async/kube/watch/watched_pods.hpp"

#include <kftrain/kube/wait.hpp>

#include <boost/asio/error.hpp>

#include <vector>

BOOST_AUTO_TEST_SUITE(async_wait)

using namespace kftrain;
using namespace kftrain::test;
using namespace std::chrono_literals;

namespace {

struct waiting : watched_pods {
    waiting() { selector = "fieldSelector=metadata.name%3Da&"; }

    void wait(std::string phase, kube::wait_options o = {}) {
        kube::async_wait(
            kube::api<pod>(client, "d"), "a",
            [this, phase = std::move(phase)](pod const* p) {
                seen.push_back(p != nullptr ? p->status.phase : "absent");
                return seen.back() == phase;
            },
            o.with_detail(why), result.handler());
    }

    answer_probe<pod> result;
    diagnostics why;
    std::vector<std::string> seen;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_state_that_holds_already_needs_no_watch) {
    waiting c;
    c.first_list().piece(pod_list("5", {pod_text("a", "3", "Running")}));
    asio::post(c.context, [&] {
        c.wait("Running");
        BOOST_TEST(!c.result.called());
    });
    c.run();
    BOOST_TEST(c.result.ec() == error_code());
    BOOST_TEST(c.result.value().metadata.resource_version == "3");
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(the_predicate_is_called_for_every_state_until_it_holds) {
    waiting c;
    c.first_list().piece(pod_list("5", {pod_text("a", "3")}));
    c.watch("5")
        .piece(event_text("MODIFIED", pod_text("a", "6", "Running")) +
               event_text("MODIFIED", pod_text("a", "7", "Succeeded")))
        .hangs();
    c.wait("Succeeded");
    c.run();
    BOOST_TEST(c.result.value().metadata.resource_version == "7");
    BOOST_TEST(c.seen == (std::vector<std::string>{"Pending", "Running", "Succeeded"}),
               boost::test_tools::per_element());
    BOOST_TEST(c.link->abandoned() == 1U); // the watch was closed
}

BOOST_AUTO_TEST_CASE(events_of_other_objects_are_ignored) {
    waiting c;
    c.first_list().piece(pod_list("5", {pod_text("a", "3")}));
    c.watch("5")
        .piece(event_text("ADDED", pod_text("x0", "6", "Running", "z")) + event_text("DELETED", pod_text("x0", "7")) +
               event_text("ADDED", R"({"metadata":{"name":"x1","namespace":"d"},"spec":[]})") +
               event_text("MODIFIED", pod_text("a", "8", "Running")))
        .hangs();
    c.wait("Running");
    c.run();
    BOOST_TEST(c.result.ec() == error_code());
    BOOST_TEST(c.result.value().metadata.name == "a");
    BOOST_TEST(c.seen == (std::vector<std::string>{"Pending", "Running"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_unexpected_response_is_not_taken_as_a_deletion) {
    for (auto const& answer : {std::string("{}"), pod_list("20", {pod_text("b", "12")})}) {
        waiting c;
        c.first_list().piece(pod_list("5", {pod_text("a", "3")}));
        c.watch("5").piece(event_text("ERROR", status_text("Expired", 410, "too old resource version")));
        c.list("5").piece(answer);
        c.wait("Running");
        c.run(100ms);
        BOOST_TEST(!c.result.called());
        BOOST_TEST(c.seen == (std::vector<std::string>{"Pending"}), boost::test_tools::per_element());
        BOOST_TEST(c.link->played());
        c.result.cancel();
        c.run();
    }
}

BOOST_AUTO_TEST_CASE(an_object_that_does_not_fit_its_type_ends_the_wait) {
    std::string const odd = R"({"metadata":{"name":"a","namespace":"d"},"spec":{"priority":"high"}})";
    for (bool const by_event : {false, true}) {
        waiting c;
        c.first_list().piece(pod_list("5", {by_event ? pod_text("a", "3") : odd}));
        if (by_event) c.watch("5").piece(event_text("MODIFIED", odd)).hangs();
        c.wait("Running");
        c.run();
        BOOST_TEST(c.result.ec() == make_error_code(errc::type_mismatch));
        BOOST_TEST(c.why.message == R"(Pod d/a: spec.priority: expected int32, got "high")");
    }
}

BOOST_AUTO_TEST_CASE(a_wait_can_begin_before_the_object_exists) {
    waiting c;
    c.first_list().piece(pod_list("5", {}));
    c.watch("5").piece(event_text("ADDED", pod_text("a", "6", "Running"))).hangs();
    c.wait("Running");
    c.run();
    BOOST_TEST(c.result.ec() == error_code());
}

BOOST_AUTO_TEST_CASE(a_deletion_ends_the_wait_with_success_or_an_error) {
    for (bool wanted : {false, true}) {
        waiting c;
        c.first_list().piece(pod_list("5", {pod_text("a", "3")}));
        c.watch("5").piece(event_text("DELETED", pod_text("a", "6"))).hangs();
        c.wait(wanted ? "absent" : "Running");
        c.run();
        BOOST_TEST(c.result.ec() == (wanted ? error_code() : make_error_code(errc::deleted)));
        BOOST_TEST(c.result.value().metadata.name == "");
        BOOST_TEST(c.why.message == (wanted ? "" : "Pod d/a was deleted"));
    }
}

BOOST_AUTO_TEST_CASE(another_object_with_the_same_name_counts_as_a_deletion) {
    for (bool in_list : {true, false}) {
        waiting c;
        c.first_list().piece(pod_list("5", {pod_text("a", "3", "Pending", in_list ? "other" : "mine")}));
        if (!in_list) c.watch("5").piece(event_text("MODIFIED", pod_text("a", "6", "Running", "other"))).hangs();
        c.wait("Running", kube::wait_options().with_uid("mine"));
        c.run();
        BOOST_TEST(c.result.ec() == make_error_code(errc::deleted));
        BOOST_TEST(c.why.message == "Pod d/a was replaced by another object of the same name");
    }
}

BOOST_AUTO_TEST_CASE(lost_connections_are_retried) {
    waiting c;
    c.first_list().piece(pod_list("5", {pod_text("a", "3")}));
    c.watch("5").breaks(errc::connection_lost);
    c.watch("5").piece(event_text("MODIFIED", pod_text("a", "6", "Running"))).hangs();
    c.wait("Running");
    c.run();
    BOOST_TEST(c.result.ec() == error_code());
}

BOOST_AUTO_TEST_CASE(permanent_refusals_end_the_wait) {
    waiting c;
    c.first_list().status(403).piece(status_text("Forbidden", 403, "no rights"));
    c.wait("Running");
    c.run();
    BOOST_TEST(c.result.ec() == make_error_code(reason::forbidden));
    BOOST_TEST(c.why.message == "no rights");
    BOOST_TEST(c.why.http_status == 403U);
}

BOOST_AUTO_TEST_CASE(an_invalid_name_is_rejected) {
    waiting c;
    kube::async_wait(
        kube::api<pod>(c.client, "d"), "a/b", [](pod const*) { return true; }, kube::wait_options(),
        c.result.handler());
    BOOST_TEST(!c.result.called());
    c.run();
    BOOST_TEST(c.result.ec() == make_error_code(errc::invalid_argument));
    BOOST_TEST(c.link->steps() == 0U);
}

BOOST_AUTO_TEST_CASE(a_timeout_has_the_last_failure) {
    waiting c;
    c.first_list().piece(pod_list("5", {pod_text("a", "3")}));
    c.watch("5").piece(event_text("ERROR", status_text("Expired", 410, "too old resource version")));
    c.list("5").hangs();
    c.wait("Running", kube::wait_options().with_timeout(500ms));
    c.run();
    BOOST_TEST(c.result.ec() == make_error_code(errc::timeout));
    BOOST_TEST(c.why.message ==
               "wait for Pod a: not complete after 500 ms; the last failure: too old resource version");
}

BOOST_AUTO_TEST_CASE(a_wait_can_be_cancelled_and_time_out_at_each_step) {
    // 0: list, 1 and 2: its body, 3: watch, 4 and 5: events
    for (std::size_t step = 0; step < 6; ++step)
        for (bool cancel : {true, false}) {
            waiting c;
            c.first_list().piece(pod_list("5", {pod_text("a", "3")}));
            c.watch("5").piece(event_text("MODIFIED", pod_text("a", "6"))).hangs();
            c.link->hang_at(step, [&] {
                if (cancel) c.result.cancel(asio::cancellation_type::total);
            });
            c.wait("Running", kube::wait_options().with_timeout(cancel ? 10s : 10ms));
            c.run();
            BOOST_TEST(c.result.calls() == 1U);
            BOOST_TEST(c.result.ec() ==
                       (cancel ? error_code(asio::error::operation_aborted) : make_error_code(errc::timeout)));
            if (!cancel) BOOST_TEST(c.why.message == "wait for Pod a: not complete after 10 ms");
        }
}

BOOST_AUTO_TEST_SUITE_END()
