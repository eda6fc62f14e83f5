#include "async/kube/watch/watched_pods.hpp"

#include <kftrain/model/dynamic_object.hpp>

#include <boost/asio/error.hpp>

BOOST_AUTO_TEST_SUITE(async_watch_stream)

using namespace kftrain;
using namespace kftrain::test;
using namespace std::chrono_literals;

namespace {

using change = kube::object_change<pod>;
using changes = kube::watch_stream<pod>;

error_code const aborted = asio::error::operation_aborted;
error_code const eof = asio::error::eof;

} // namespace

BOOST_AUTO_TEST_CASE(a_failure_status_ends_the_watch_with_its_reason) {
    for (auto const* end : {"", "\n"}) {
        watching_pods c;
        c.watch().field("Content-Type", "application/json").piece(status_text("Forbidden", 403, "no watch") + end);
        c.open();
        BOOST_TEST(c.opens.ec() == error_code());
        c.next(kube::next_options().with_detail(c.why));
        BOOST_TEST(is_forbidden(c.last), c.last.message());
        BOOST_TEST(c.why.message == "no watch");
    }
}

BOOST_AUTO_TEST_CASE(an_event_without_a_newline_at_the_end_of_a_watch_is_delivered) {
    watching_pods c;
    auto const added = event_text("ADDED", pod_text("a", "6"));
    c.watch().piece(added.substr(0, added.size() - 1));
    c.open();
    BOOST_TEST(c.next().object->metadata.name == "a");
    BOOST_TEST(c.last == error_code());
    c.next();
    BOOST_TEST(c.last == eof);
    c.next();
    BOOST_TEST(c.last == eof);
}

BOOST_AUTO_TEST_CASE(events_are_split_independently_of_the_pieces) {
    watching_pods c;
    auto const added = event_text("ADDED", pod_text("a", "6"));
    c.watch()
        .piece(added.substr(0, 20))
        .piece(added.substr(20) + event_text("MODIFIED", pod_text("a", "7", "Running")))
        .piece(event_text("DELETED", pod_text("a", "8", "Running")))
        .piece(event_text("BOOKMARK", R"({"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"9"}})"));
    c.open();
    BOOST_TEST(c.stream.resource_version() == "5");
    auto e = c.next();
    BOOST_TEST((e.kind == change_kind::added));
    BOOST_TEST(e.object->metadata.name == "a");
    BOOST_TEST(e.resource_version == "6");
    BOOST_TEST(c.stream.resource_version() == "6");
    e = c.next();
    BOOST_TEST((e.kind == change_kind::modified));
    BOOST_TEST(e.object->status.phase == "Running");
    e = c.next();
    BOOST_TEST((e.kind == change_kind::deleted));
    BOOST_TEST(e.object->metadata.name == "a");
    e = c.next();
    BOOST_TEST(!e.kind.has_value());
    BOOST_TEST(e.object.get() == nullptr);
    BOOST_TEST(c.stream.resource_version() == "9");
    for (int again = 0; again < 2; ++again) {
        c.next();
        BOOST_TEST(c.last == eof);
    }
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(nothing_is_read_before_the_first_call_of_next) {
    watching_pods c;
    c.watch().piece(event_text("ADDED", pod_text("a", "6"))).piece(event_text("ADDED", pod_text("b", "7")));
    c.open();
    auto const before = c.link->steps();
    c.run();
    BOOST_TEST(c.link->steps() == before);
    c.next();
    BOOST_TEST(c.link->steps() == before + 1);
}

BOOST_AUTO_TEST_CASE(existing_objects_have_no_version_to_resume_from) {
    watching_pods c;
    c.watch("")
        .piece(event_text("ADDED", pod_text("b", "9")))
        .piece(event_text("ADDED", pod_text("a", "3")))
        .piece(event_text("MODIFIED", pod_text("a", "12")));
    c.open(kube::watch_options());
    for (auto const* version : {"", "", "12"}) {
        BOOST_TEST(c.next().resource_version == version);
        BOOST_TEST(c.stream.resource_version() == version);
    }
}

BOOST_AUTO_TEST_CASE(initial_events_have_no_version_to_resume_from) {
    watching_pods c;
    c.expect("GET",
             "/api/v1/namespaces/d/pods?watch=true&resourceVersion=5&allowWatchBookmarks=true&sendInitialEvents=true&"
             "resourceVersionMatch=NotOlderThan")
        .piece(event_text("ADDED", pod_text("b", "9")))
        .piece(event_text("ADDED", pod_text("a", "3")))
        .piece(event_text("MODIFIED", pod_text("a", "11")))
        .piece(event_text(
            "BOOKMARK", R"({"metadata":{"resourceVersion":"12","annotations":{"k8s.io/initial-events-end":"true"}}})"))
        .piece(event_text("ADDED", pod_text("c", "13")));
    c.open(kube::watch_options().with_resource_version("5").with_initial_events());
    for (auto const* version : {"", "", "", "12", "13"}) {
        auto const e = c.next();
        BOOST_TEST(e.resource_version == version);
        BOOST_TEST(e.ends_initial_list == !e.kind.has_value());
        BOOST_TEST(c.stream.resource_version() == (*version == '\0' ? "5" : version));
    }
}

BOOST_AUTO_TEST_CASE(the_end_of_the_initial_list_is_marked) {
    watching_pods c;
    c.watch("")
        .piece(event_text("ADDED", pod_text("a", "3")))
        .piece(event_text("BOOKMARK",
                          R"({"metadata":{"resourceVersion":"9","annotations":{"k8s.io/initial-events-end":)"
                          R"("true"}}})"));
    c.open(kube::watch_options());
    BOOST_TEST(!c.next().ends_initial_list);
    auto const end = c.next();
    BOOST_TEST(end.ends_initial_list);
    BOOST_TEST(end.resource_version == "9");
}

BOOST_AUTO_TEST_CASE(an_error_event_ends_the_watch_with_the_error_of_the_server) {
    watching_pods c;
    c.watch().piece(event_text("ERROR", status_text("Expired", 410, "too old resource version: 5 (7)"))).hangs();
    c.open();
    for (int again = 0; again < 2; ++again) {
        c.next(kube::next_options().with_detail(c.why));
        BOOST_TEST(is_gone(c.last));
        BOOST_TEST(c.why.message == "too old resource version: 5 (7)");
    }
    BOOST_TEST(c.link->abandoned() == 1U);
}

BOOST_AUTO_TEST_CASE(a_rejected_watch_fails_to_open) {
    watching_pods c;
    c.watch().status(403).piece(status_text("Forbidden", 403, "pods is forbidden"));
    c.open(kube::watch_options().with_resource_version("5").with_detail(c.why));
    BOOST_TEST(is_forbidden(c.opens.ec()));
    BOOST_TEST(c.why.message == "pods is forbidden");
}

BOOST_AUTO_TEST_CASE(an_object_that_does_not_fit_its_type_keeps_the_watch_open) {
    watching_pods c;
    c.watch()
        .piece(event_text("ADDED", R"({"metadata":{"name":"a"},"spec":{"priority":"high"}})"))
        .piece(event_text("ADDED", pod_text("b", "7")));
    c.open();
    c.next(kube::next_options().with_detail(c.why));
    BOOST_TEST(c.last == make_error_code(errc::type_mismatch));
    BOOST_TEST(c.why.path == "spec.priority");
    BOOST_TEST(c.next().object->metadata.name == "b");
    BOOST_TEST(c.last == error_code());
}

BOOST_AUTO_TEST_CASE(an_incomplete_event_is_a_lost_connection) {
    watching_pods c;
    c.watch().piece(event_text("ADDED", pod_text("a", "6"))).piece(R"({"type":"ADDED","object":{)");
    c.open();
    c.next();
    c.next();
    BOOST_TEST(c.last == make_error_code(errc::connection_lost));
    BOOST_TEST(c.stream.resource_version() == "6");
}

BOOST_AUTO_TEST_CASE(a_pending_read_ends_by_cancellation_timeout_destruction_or_assignment) {
    for (auto const* how : {"cancelled", "late", "destroyed", "assigned"}) {
        watching_pods c;
        c.watch().hangs();
        c.open();
        answer_probe<change> p;
        auto options = kube::next_options().with_detail(c.why);
        if (how == std::string_view("late")) options.timeout = 5ms;
        c.stream.async_next(options, p.handler());
        c.run(2ms);
        if (how == std::string_view("cancelled")) p.cancel();
        if (how == std::string_view("destroyed")) c.stream = changes();
        changes other; // which outlives the call
        if (how == std::string_view("assigned")) c.stream = std::move(other);
        c.run();
        BOOST_TEST(p.calls() == 1U, how);
        if (how == std::string_view("late")) {
            BOOST_TEST(p.ec() == make_error_code(errc::timeout));
            BOOST_TEST(c.why.message == "watch of pods: not complete after 5 ms");
        } else {
            BOOST_TEST(p.ec() == aborted, how);
        }
        BOOST_TEST(c.link->abandoned() == 1U, how);
    }
}

BOOST_AUTO_TEST_CASE(a_watch_stream_can_be_destroyed_at_any_step) {
    for (std::size_t turns = 0; turns < 8; ++turns) {
        watching_pods c;
        c.watch().piece(event_text("ADDED", pod_text("a", "6"))).hangs();
        c.open();
        answer_probe<change> p;
        c.stream.async_next(p.handler());
        c.context.restart();
        for (std::size_t i = 0; i < turns; ++i) c.context.poll_one();
        c.stream = changes();
        c.run();
        BOOST_TEST(p.calls() == 1U, turns);
        BOOST_TEST(c.link->abandoned() == 1U, turns);
    }
}

BOOST_AUTO_TEST_CASE(a_deferred_call_ends_with_the_stream) {
    watching_pods c;
    c.watch().piece(event_text("ADDED", pod_text("a", "6")));
    c.open();
    auto later = c.stream.async_next();
    c.stream = changes();
    answer_probe<change> p;
    std::move(later)(p.handler());
    c.run();
    BOOST_TEST(p.ec() == aborted);
}

BOOST_AUTO_TEST_CASE(one_call_at_a_time_and_its_handler_can_start_the_next) {
    watching_pods c;
    c.watch().piece(event_text("ADDED", pod_text("a", "6"))).piece(event_text("ADDED", pod_text("b", "7")));
    c.open();
    answer_probe<change> second, third;
    std::string seen;
    c.stream.async_next([&](error_code, change const& e) {
        seen = e.object->metadata.name;
        c.stream.async_next(third.handler());
    });
    c.stream.async_next(second.handler());
    c.run();
    BOOST_TEST(seen == "a");
    BOOST_TEST(second.ec() == make_error_code(errc::already_running));
    BOOST_TEST(third.ec() == error_code());
    BOOST_TEST(third.value().object->metadata.name == "b");
}

BOOST_AUTO_TEST_CASE(dynamic_types_can_be_watched) {
    scripted_client c;
    c.expect("GET", "/apis/acme.example/v1/namespaces/d/widgets?watch=true&allowWatchBookmarks=true")
        .piece(event_text("MODIFIED", R"({"apiVersion":"acme.example/v1","kind":"Widget","metadata":{"name":"w",)"
                                      R"("resourceVersion":"4"},"spec":{"size":3}})"));
    kube::any_watch_stream stream;
    {
        dynamic_type const widgets("acme.example", "v1", "Widget", "widgets");
        answer_probe<kube::any_watch_stream> opens;
        kube::async_watch(kube::any_api(c.client, widgets, "d"), opens.handler());
        c.run();
        stream = std::move(opens.value());
    }
    answer_probe<kube::any_change> p;
    stream.async_next(p.handler());
    c.run();
    BOOST_TEST((p.value().kind == change_kind::modified));
    BOOST_TEST(p.value().object.get_if<dynamic_object>()->unknown.find("spec")->text == R"({"size":3})");
}

BOOST_AUTO_TEST_SUITE_END()
