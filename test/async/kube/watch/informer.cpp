#include "async/kube/watch/watched_pods.hpp"

#include <boost/asio/error.hpp>

#include <stdexcept>
#include <vector>

BOOST_AUTO_TEST_SUITE(async_informer)

using namespace kftrain;
using namespace kftrain::test;
using namespace std::chrono_literals;

namespace {

error_code const aborted = asio::error::operation_aborted;

} // namespace

BOOST_AUTO_TEST_CASE(an_informer_lists_and_then_watches) {
    informed_pods c;
    c.first_list().piece(pod_list("5", {pod_text("a", "3"), pod_text("b", "4")}));
    c.watch("5")
        .piece(event_text("ADDED", pod_text("c", "6")) + event_text("MODIFIED", pod_text("a", "7")))
        .piece(event_text("DELETED", pod_text("b", "8")))
        .piece(event_text("BOOKMARK", R"({"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"12"}})"))
        .hangs();
    BOOST_TEST(!c.pods->has_synced());
    c.start();
    check(c.seen, {"added a ->3 initial", "added b ->4 initial", "added c ->6", "modified a 3>7", "deleted b 4>8"});
    BOOST_TEST(c.pods->has_synced());
    BOOST_TEST(c.pods->last_resource_version() == "12");
    BOOST_TEST(c.pods->has_observed("11"));
    BOOST_TEST(!c.pods->has_observed("13"));
    BOOST_TEST(c.pods->find("d", "a")->metadata.resource_version == "7");
    BOOST_TEST(c.pods->find("d", "b") == nullptr);
    BOOST_TEST(c.pods->list().size() == 2U);
    BOOST_TEST(!c.runs.called());
    c.stop();
    BOOST_TEST(c.runs.ec() == aborted);
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(selectors_and_pages_reach_the_server) {
    informed_pods c(kube::informer_options().with_label_selector("a=b").with_page_size(1));
    c.selector = "labelSelector=a%3Db&";
    c.list("0", "limit=1&")
        .piece(R"({"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":"5","continue":"t"},"items":[)" +
               pod_text("a", "1") + "]}");
    c.expect("GET", c.path + "?labelSelector=a%3Db&limit=1&continue=t").piece(pod_list("5", {pod_text("b", "2")}));
    c.watch("5").hangs();
    c.start();
    check(c.seen, {"added a ->1 initial", "added b ->2 initial"});
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(a_relist_reports_missed_changes) {
    informed_pods c;
    c.first_list().piece(
        pod_list("5", {pod_text("gone", "1"), pod_text("kept", "2"), pod_text("moved", "3"), pod_text("reborn", "4")}));
    c.watch("5").piece(event_text("ERROR", status_text("Expired", 410, "too old resource version")));
    c.list("5").piece(pod_list("20", {pod_text("kept", "2"), pod_text("moved", "13"), pod_text("new", "14"),
                                      pod_text("reborn", "15", "Pending", "another")}));
    c.watch("20").hangs();
    c.start();
    c.seen.erase(c.seen.begin(), c.seen.begin() + 4);
    check(c.seen, {"deleted gone 1>1 missed", "modified moved 3>13", "added new ->14", "deleted reborn 4>4 missed",
                   "added reborn ->15"});
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(an_object_with_a_new_uid_is_reported_as_deleted_and_added) {
    informed_pods c;
    c.first_list().piece(pod_list("5", {pod_text("a", "1")}));
    c.watch("5").piece(event_text("MODIFIED", pod_text("a", "6", "Pending", "another"))).hangs();
    c.start();
    check(c.seen, {"added a ->1 initial", "deleted a 1>1 missed", "added a ->6"});
}

BOOST_AUTO_TEST_CASE(a_lost_watch_resumes_from_its_last_version) {
    informed_pods c;
    c.first_list().piece(pod_list("5", {pod_text("a", "1")}));
    c.watch("5").piece(event_text("MODIFIED", pod_text("a", "6")) + "{\"type\":\"MODI").breaks(errc::connection_lost);
    c.watch("6").piece(event_text("MODIFIED", pod_text("a", "7")));
    c.watch("7").hangs();
    c.start();
    check(c.seen, {"added a ->1 initial", "modified a 1>6", "modified a 6>7"});
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(failures_are_retried_and_logged) {
    watched_pods c;
    std::vector<std::string> logged;
    kube::client_options o;
    o.logger = logger([&](log_level, std::string_view m, std::initializer_list<log_field> fields) {
        logged.push_back(std::string(m) + ": " + (fields.end() - 1)->second);
    });
    kube::informer<pod> pods(kube::api<pod>(kube::client(c.link, o), "d"));
    c.first_list().status(403).piece(status_text("Forbidden", 403, "no rights"));
    c.first_list().piece(pod_list("5", {}));
    c.watch("5").piece(event_text("ERROR", status_text("Expired", 410, "too old resource version")));
    c.list("5").piece(pod_list("6", {}));
    c.watch("6").hangs();
    pods.async_run([](error_code) {});
    c.run(2500ms);
    BOOST_TEST(pods.has_synced());
    check(logged, {"informer failed, retrying: no rights", "informer lists again: too old resource version"});
}

BOOST_AUTO_TEST_CASE(async_wait_for_sync_completes_after_the_first_list) {
    informed_pods c;
    c.first_list().piece(pod_list("5", {}));
    c.watch("5").hangs();
    answer_probe<void> before, cancelled, after;
    c.pods->async_wait_for_sync(before.handler());
    c.pods->async_wait_for_sync(cancelled.handler());
    c.run(5ms);
    BOOST_TEST(!before.called());
    cancelled.cancel(asio::cancellation_type::total);
    c.start();
    BOOST_TEST(before.calls() == 1U);
    BOOST_TEST(before.ec() == error_code());
    BOOST_TEST(cancelled.ec() == aborted);
    c.pods->async_wait_for_sync(after.handler());
    BOOST_TEST(!after.called());
    c.run(5ms);
    BOOST_TEST(after.ec() == error_code());
    BOOST_TEST(after.called());
}

BOOST_AUTO_TEST_CASE(a_wait_for_the_first_list_can_time_out) {
    informed_pods c;
    answer_probe<void> p;
    diagnostics why;
    c.pods->async_wait_for_sync(kube::sync_options().with_timeout(1ms).with_detail(why), p.handler());
    c.run();
    BOOST_TEST(p.ec() == make_error_code(errc::timeout));
    BOOST_TEST(!why.message.empty());
}

BOOST_AUTO_TEST_CASE(a_late_event_handler_first_receives_the_known_objects) {
    informed_pods c;
    c.first_list().piece(pod_list("5", {pod_text("a", "1")}));
    c.watch("5").hangs();
    c.start();
    std::vector<std::string> late;
    c.pods->on_event([&](auto const& e) { late.push_back(informed_pods::text(e)); });
    BOOST_TEST(late.empty());
    c.run(5ms);
    check(late, {"added a ->1 initial"});
}

BOOST_AUTO_TEST_CASE(a_handler_that_throws_does_not_stop_the_informer) {
    informed_pods c;
    c.pods->on_event([](auto const&) { throw std::runtime_error("no"); });
    c.pods->on_event([](auto const&) { throw 1; });
    c.pods->on_event([&](auto const& e) { c.seen.push_back("after " + e.object->metadata.name); });
    c.first_list().piece(pod_list("5", {pod_text("a", "1")}));
    c.watch("5").hangs();
    c.start();
    check(c.seen, {"added a ->1 initial", "after a"});
}

BOOST_AUTO_TEST_CASE(an_informer_runs_once_at_a_time_and_can_run_again) {
    informed_pods c;
    c.first_list().piece(pod_list("5", {pod_text("a", "1")}));
    c.watch("5").hangs();
    c.start();
    answer_probe<void> second, again;
    c.pods->async_run(second.handler());
    BOOST_TEST(!second.called());
    c.run(5ms);
    BOOST_TEST(second.ec() == make_error_code(errc::already_running));
    c.stop();
    c.first_list().piece(pod_list("9", {pod_text("a", "1")}));
    c.watch("9").hangs();
    c.pods->async_run(again.handler());
    c.run(20ms);
    BOOST_TEST(!again.called());
    BOOST_TEST(c.seen.size() == 1U);
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(an_informer_can_be_cancelled_at_each_step) {
    // 0: list, 1 and 2: its body, 3: watch, 4 to 6: events
    for (auto type : {asio::cancellation_type::total, asio::cancellation_type::terminal})
        for (std::size_t step = 0; step < 7; ++step) {
            informed_pods c;
            c.first_list().piece(pod_list("5", {}));
            c.watch("5")
                .piece(event_text("ADDED", pod_text("a", "6")))
                .piece(event_text("MODIFIED", pod_text("a", "7")))
                .hangs();
            c.link->hang_at(step, [&] { c.runs.cancel(type); });
            c.start(20s);
            BOOST_TEST(c.runs.calls() == 1U);
            BOOST_TEST(c.runs.ec() == aborted);
            BOOST_TEST(c.link->steps() == step + 1);
        }
}

BOOST_AUTO_TEST_CASE(an_informer_can_be_cancelled_during_a_retry_delay) {
    informed_pods c;
    c.first_list().refuses(asio::error::connection_refused);
    c.start();
    BOOST_TEST(!c.runs.called());
    c.stop();
    BOOST_TEST(c.runs.ec() == aborted);
}

BOOST_AUTO_TEST_CASE(destroying_an_informer_ends_its_operations) {
    for (bool synced : {false, true}) {
        informed_pods c;
        auto& list = c.first_list();
        if (synced)
            list.piece(pod_list("5", {pod_text("a", "1")}));
        else
            list.hangs();
        if (synced) c.watch("5").hangs();
        answer_probe<void> waits;
        if (!synced) c.pods->async_wait_for_sync(waits.handler());
        c.start();
        c.pods.reset();
        BOOST_TEST(!c.runs.called());
        c.run();
        BOOST_TEST(c.runs.calls() == 1U);
        BOOST_TEST(c.runs.ec() == aborted);
        if (!synced) BOOST_TEST(waits.ec() == aborted);
    }
}

BOOST_AUTO_TEST_CASE(an_informer_can_be_destroyed_by_its_own_handler) {
    informed_pods c;
    c.pods->on_event([&](auto const&) { c.pods.reset(); });
    c.pods->on_event([&](auto const&) { c.seen.push_back("never"); });
    c.first_list().piece(pod_list("5", {pod_text("a", "1"), pod_text("b", "2")}));
    c.start();
    check(c.seen, {"added a ->1 initial"});
    BOOST_TEST(c.runs.ec() == aborted);
}

BOOST_AUTO_TEST_SUITE_END()
