#include "async/kube/watch/watched_pods.hpp"

#include <kftrain/kube/informer.hpp>

#include <boost/asio/error.hpp>

#include <vector>

BOOST_AUTO_TEST_SUITE(async_streaming_list)

using namespace kftrain;
using namespace kftrain::test;
using namespace std::chrono_literals;

// Expected: KEP-3157, and client-go tools/cache/reflector.go where a list breaks off.

namespace {

std::string mark(std::string const& version) {
    return event_text("BOOKMARK", R"({"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":")" + version +
                                      R"(","annotations":{"k8s.io/initial-events-end":"true"}}})");
}
std::string added(std::string const& name, std::string const& version, std::string const& uid = "") {
    return event_text("ADDED", pod_text(name, version, "Pending", uid));
}

struct streamed_pods : watched_pods {
    explicit streamed_pods(std::chrono::milliseconds patience = 20s) : pods(make(patience)) {
        pods->on_event([this](kube::object_event<pod> const& e) {
            seen.push_back(std::string(to_string(e.kind)) + " " + e.object->metadata.name + " " +
                           e.object->metadata.resource_version + (e.initial ? " initial" : "") +
                           (e.missed ? " missed" : ""));
        });
    }
    std::unique_ptr<kube::informer<pod>> make(std::chrono::milliseconds patience) {
        auto const how = kube::informer_options().with_streaming_list().with_streaming_patience(patience);
        return std::make_unique<kube::informer<pod>>(kube::api<pod>(client, "d"), how);
    }
    scripted_exchange& stream(std::string const& version = "") {
        return expect("GET", path + "?watch=true" + (version.empty() ? "" : "&resourceVersion=" + version) +
                                 "&timeoutSeconds=300&allowWatchBookmarks=true&sendInitialEvents=true"
                                 "&resourceVersionMatch=NotOlderThan");
    }
    void start(std::chrono::milliseconds time = 30ms) {
        pods->async_run(runs.handler());
        run(time);
    }
    void check(std::vector<std::string> const& expected) {
        BOOST_TEST(seen == expected, boost::test_tools::per_element());
        BOOST_TEST(link->surprises() == std::vector<std::string>(), boost::test_tools::per_element());
        BOOST_TEST(link->played());
    }

    std::unique_ptr<kube::informer<pod>> pods;
    answer_probe<void> runs;
    std::vector<std::string> seen;
};

} // namespace

BOOST_AUTO_TEST_CASE(events_up_to_the_bookmark_form_the_list_and_the_watch_continues) {
    streamed_pods c;
    c.stream()
        .piece(added("b", "4"))
        .piece(added("a", "3") + mark("5") + added("c", "6"))
        .piece(event_text("DELETED", pod_text("b", "7")))
        .hangs();
    c.start();
    c.check({"added a 3 initial", "added b 4 initial", "added c 6", "deleted b 7"});
    BOOST_TEST(c.pods->has_synced());
    BOOST_TEST(c.pods->last_resource_version() == "7");
}

BOOST_AUTO_TEST_CASE(nothing_is_reported_before_the_bookmark) {
    streamed_pods c;
    c.stream().piece(added("a", "3") + added("b", "4")).hangs();
    c.start();
    c.check({});
    BOOST_TEST(!c.pods->has_synced());
    BOOST_TEST(c.pods->last_resource_version() == "");
    BOOST_TEST(c.pods->list().empty());
}

BOOST_AUTO_TEST_CASE(changes_before_the_bookmark_are_part_of_the_list) {
    streamed_pods c;
    c.stream()
        .piece(added("a", "1") + added("b", "2") + event_text("MODIFIED", pod_text("a", "6")) +
               event_text("DELETED", pod_text("b", "7")) + mark("7"))
        .hangs();
    c.start();
    c.check({"added a 6 initial"});
}

BOOST_AUTO_TEST_CASE(an_empty_collection_sends_only_the_bookmark) {
    streamed_pods c;
    c.stream().piece(mark("5")).hangs();
    c.start();
    c.check({});
    BOOST_TEST(c.pods->has_synced());
    BOOST_TEST(c.pods->has_observed("5"));
}

BOOST_AUTO_TEST_CASE(a_new_list_reports_missed_changes_only) {
    streamed_pods c;
    c.stream()
        .piece(added("gone", "1") + added("kept", "2") + added("moved", "3") + added("reborn", "4") + mark("5"))
        .hangs();
    c.start();
    auto const kept = c.pods->find("d", "kept");
    c.seen.clear();
    c.runs.cancel();
    c.run();
    // A list by a run of its own requests the known version, or a newer one.
    c.stream().piece(added("kept", "2") + added("moved", "13") + added("new", "14") + added("reborn", "15", "other") +
                     mark("20") + event_text("ERROR", status_text("Expired", 410, "too old")));
    c.stream("20").piece(added("kept", "2") + mark("30")).hangs();
    answer_probe<void> again;
    c.pods->async_run(again.handler());
    c.run(30ms);
    c.check({"deleted gone 1 missed", "modified moved 13", "added new 14", "deleted reborn 4 missed", "added reborn 15",
             "deleted moved 13 missed", "deleted new 14 missed", "deleted reborn 15 missed"});
    BOOST_TEST((c.pods->find("d", "kept") == kept));
    BOOST_TEST(kept.use_count() == 2); // ours and the one that is kept: lists left none behind
}

BOOST_AUTO_TEST_CASE(unreadable_objects_of_a_streamed_list_are_not_reported_as_deleted) {
    streamed_pods c;
    auto const unreadable = event_text("ADDED", R"({"metadata":{"name":"a","namespace":"d"},"spec":[]})");
    c.stream().piece(added("a", "3") + mark("5") + event_text("ERROR", status_text("Expired", 410, "too old")));
    c.stream("5").piece(unreadable + added("b", "6") + mark("9")).hangs();
    c.start();
    c.check({"added a 3 initial", "added b 6"});
}

BOOST_AUTO_TEST_CASE(an_interrupted_list_is_restarted) {
    for (bool cleanly : {false, true}) {
        streamed_pods c;
        auto& first = c.stream().piece(added("a", "3") + added("gone", "4"));
        if (!cleanly) first.breaks(errc::connection_lost);
        c.stream().piece(added("a", "3") + mark("5")).hangs();
        c.start();
        c.check({"added a 3 initial"});
    }
}

BOOST_AUTO_TEST_CASE(a_server_without_streaming_lists_gets_paged_lists_from_then_on) {
    for (unsigned status : {400U, 422U}) {
        streamed_pods c;
        c.stream().status(status).piece(status_text(status == 400 ? "BadRequest" : "Invalid", status, "no such thing"));
        c.first_list().piece(pod_list("5", {pod_text("a", "3")}));
        c.watch("5").piece(event_text("ERROR", status_text("Expired", 410, "too old")));
        c.list("5").piece(pod_list("6", {pod_text("a", "3")}));
        c.watch("6").hangs();
        c.start();
        c.check({"added a 3 initial"});
        auto const other = c.make(20s); // of the same client
        c.first_list().piece(pod_list("6", {}));
        c.watch("6").hangs();
        answer_probe<void> p;
        other->async_run(p.handler());
        c.run(30ms);
        c.check({"added a 3 initial"});
        BOOST_TEST(other->has_synced());
    }
}

BOOST_AUTO_TEST_CASE(a_server_that_rejects_both_forms_is_retried) {
    streamed_pods c;
    c.stream().status(400).piece(status_text("BadRequest", 400, "odd selector"));
    c.first_list().status(400).piece(status_text("BadRequest", 400, "odd selector"));
    c.stream().piece(added("a", "3") + mark("5")).hangs();
    c.start(2s);
    c.check({"added a 3 initial"});
}

BOOST_AUTO_TEST_CASE(another_failure_falls_back_to_one_paged_list) {
    streamed_pods c;
    c.stream().status(500).piece(status_text("InternalError", 500, "etcd"));
    c.first_list().piece(pod_list("5", {pod_text("a", "3")}));
    c.watch("5").piece(event_text("ERROR", status_text("Expired", 410, "too old")));
    c.stream("5").piece(added("a", "3") + mark("9")).hangs();
    c.start();
    c.check({"added a 3 initial"});
}

/// So says kube-apiserver 1.31 with etcd 3.4.23.
BOOST_AUTO_TEST_CASE(an_open_streaming_watch_that_fails_falls_back_to_pages) {
    streamed_pods c;
    c.stream().piece(event_text("ERROR", status_text("InternalError", 500,
                                                     "a watch stream was requested by the client but the required "
                                                     "storage feature RequestWatchProgress is disabled")));
    c.first_list().piece(pod_list("5", {pod_text("a", "3")}));
    c.watch("5").hangs();
    c.start();
    c.check({"added a 3 initial"});
}

BOOST_AUTO_TEST_CASE(a_bookmark_without_the_annotation_falls_back_to_pages) {
    streamed_pods c;
    c.stream()
        .piece(added("a", "3"))
        .piece(event_text("BOOKMARK", R"({"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"5"}})"))
        .hangs();
    c.first_list().piece(pod_list("5", {pod_text("a", "3")}));
    c.watch("5").piece(event_text("ERROR", status_text("Expired", 410, "too old")));
    c.list("5").piece(pod_list("6", {})); // remembered
    c.watch("6").hangs();
    c.start();
    c.check({"added a 3 initial", "deleted a 3 missed"});
}

BOOST_AUTO_TEST_CASE(a_streaming_list_that_stalls_falls_back_to_pages) {
    streamed_pods c(300ms);
    c.stream().piece(added("a", "3")).hangs();
    c.first_list().piece(pod_list("5", {pod_text("a", "3")}));
    c.watch("5").hangs();
    c.start(0ms);
    BOOST_TEST(!c.pods->has_synced());
    c.run_until([&] { return c.link->played(); });
    c.run(30ms);
    c.check({"added a 3 initial"});
}

BOOST_AUTO_TEST_CASE(a_streaming_list_without_an_answer_falls_back_to_pages) {
    streamed_pods c(30ms);
    c.stream();
    c.link->hang_at(0, [] {});
    c.first_list().piece(pod_list("5", {}));
    c.watch("5").hangs();
    c.start(0ms);
    c.run_until([&] { return c.link->played(); });
    c.run(30ms);
    c.check({});
    BOOST_TEST(c.pods->has_synced());
}

BOOST_AUTO_TEST_CASE(the_stall_timeout_ends_with_the_list) {
    streamed_pods c(20ms);
    c.stream().piece(mark("5")).hangs();
    c.start(100ms); // a second stream would be a surprise
    c.check({});
    BOOST_TEST(c.pods->has_synced());
}

BOOST_AUTO_TEST_CASE(the_stall_timeout_can_be_disabled) {
    streamed_pods c(0ms);
    c.stream().piece(added("a", "3")).piece(added("b", "4")).hangs();
    c.start(100ms);
    c.check({});
}

BOOST_AUTO_TEST_CASE(one_undecodable_object_hides_no_other) {
    streamed_pods c;
    c.stream().piece(added("a", "3") + event_text("ADDED", R"({"spec":[]})") + added("b", "4") + mark("5")).hangs();
    c.start();
    c.check({"added a 3 initial", "added b 4 initial"});
}

BOOST_AUTO_TEST_CASE(a_streaming_list_can_be_cancelled_at_each_step) {
    // 0: watch, 1 to 3: events
    for (std::size_t step = 0; step < 4; ++step) {
        streamed_pods c;
        c.stream().piece(added("a", "3")).piece(mark("5")).hangs();
        c.link->hang_at(step, [&] { c.runs.cancel(); });
        c.start(20s);
        BOOST_TEST(c.runs.calls() == 1U);
        BOOST_TEST(c.runs.ec() == error_code(asio::error::operation_aborted));
        BOOST_TEST(c.link->steps() == step + 1);
    }
}

BOOST_AUTO_TEST_SUITE_END()
