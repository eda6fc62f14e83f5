#include "async/kube/watch/watched_pods.hpp"

#include <kftrain/kube/informer.hpp>

#include <boost/asio/error.hpp>

#include <vector>

BOOST_AUTO_TEST_SUITE(async_informer_guard)

using namespace kftrain;
using namespace kftrain::test;
using namespace std::chrono_literals;

namespace {

/// An informer that asks soon; its test ends when `last` was seen.
struct guarded_pods : watched_pods {
    explicit guarded_pods(std::chrono::milliseconds silence = 20ms) {
        pods.emplace(kube::api<pod>(client, "d"), kube::informer_options().with_silence(silence));
    }
    scripted_exchange& question() { return expect("GET", path + "?limit=1"); }
    void run_until(std::string const& last) {
        pods->on_event([this, last](kube::object_event<pod> const& e) {
            if (e.object->metadata.resource_version == last) runs.cancel();
        });
        pods->async_run(runs.handler());
        run();
        BOOST_TEST(runs.ec() == error_code(asio::error::operation_aborted));
        BOOST_TEST(link->surprises() == std::vector<std::string>(), boost::test_tools::per_element());
        BOOST_TEST(link->played());
    }
    scripted_exchange& watch_ends(std::string const& from) {
        return watch(from).piece(event_text("MODIFIED", pod_text("a", "99"))).hangs();
    }

    std::optional<kube::informer<pod>> pods;
    answer_probe<void> runs;
};

} // namespace

// Servers that say nothing, and servers that forgot.

BOOST_AUTO_TEST_CASE(a_silent_watch_is_restarted_if_the_server_does_not_respond) {
    for (error_code ec : {make_error_code(errc::connection_lost), make_error_code(errc::unreachable), error_code()}) {
        guarded_pods c;
        c.first_list().piece(pod_list("5", {pod_text("a", "3")}));
        c.watch("5").piece(event_text("MODIFIED", pod_text("a", "6"))).hangs();
        if (ec)
            c.question().refuses(ec);
        else
            c.question().hangs(); // so does the answer
        c.watch_ends("6");
        c.run_until("99");
        BOOST_TEST(c.link->abandoned() >= 2U); // both watches
    }
}

BOOST_AUTO_TEST_CASE(a_silent_watch_is_kept_if_the_server_responds) {
    guarded_pods c;
    c.first_list().piece(pod_list("5", {pod_text("a", "3")}));
    c.watch("5").hangs();
    c.question().piece(pod_list("5", {pod_text("a", "3")}));
    c.question().piece(pod_list("100", {pod_text("a", "3")}));
    c.question().status(403).piece(status_text("Forbidden", 403, "no rights"));
    c.question().status(503);
    c.question().piece("no json");
    c.question().refuses(errc::connection_lost); // so that the test ends
    c.watch_ends("5");
    c.run_until("99");
}

BOOST_AUTO_TEST_CASE(a_watch_that_gets_no_response_is_restarted) {
    guarded_pods c;
    c.first_list().piece(pod_list("5", {pod_text("a", "3")}));
    c.watch("5");
    c.link->hang_at(3, [] {}); // after the list and two reads of its body
    c.question().refuses(errc::connection_lost);
    c.watch_ends("5");
    c.run_until("99");
}

BOOST_AUTO_TEST_CASE(a_server_restored_from_a_backup_is_listed_again) {
    guarded_pods c;
    c.first_list().piece(pod_list("100", {pod_text("a", "3"), pod_text("lost", "90")}));
    c.watch("100").breaks(errc::connection_lost);
    c.watch("100").hangs(); // until there is a version 101
    c.question().piece(pod_list("60", {pod_text("a", "3")}));
    c.expect("GET", c.path + "?limit=500").piece(pod_list("60", {pod_text("a", "3")}));
    c.watch("60").piece(event_text("MODIFIED", pod_text("a", "99"))).hangs();
    std::vector<std::string> deleted;
    c.pods->on_event([&](kube::object_event<pod> const& e) {
        if (e.kind != change_kind::deleted) return;
        deleted.push_back(e.object->metadata.name);
        BOOST_TEST(e.missed);
    });
    c.run_until("99");
    BOOST_TEST(deleted == std::vector<std::string>{"lost"}, boost::test_tools::per_element());
    BOOST_TEST(!c.pods->has_observed("100"));
}

BOOST_AUTO_TEST_CASE(a_watch_that_detects_a_restored_server_notifies_the_others) {
    guarded_pods c;
    std::string const tail = "&timeoutSeconds=300&allowWatchBookmarks=true";
    auto const quiet = kube::informer_options().with_silence(1h);
    auto const path = [](std::string const& ns) { return "/api/v1/namespaces/" + ns + "/pods"; };
    auto const lists = [&](std::string const& ns, std::string const& version) {
        auto const query = version == "60" ? "?limit=500" : "?limit=500&resourceVersion=0";
        c.expect("GET", path(ns) + query).piece(pod_list(version, {}));
    };
    auto const watches = [&](std::string const& ns, std::string const& version) -> scripted_exchange& {
        return c.expect("GET", path(ns) + "?watch=true&resourceVersion=" + version + tail);
    };
    auto const play = [&](auto& pods, auto handler) {
        pods.async_run(std::move(handler));
        BOOST_TEST(c.time.run_until([&] { return c.link->played(); }));
    };
    kube::informer<pod> standing(kube::api<pod>(c.client, "standing"), quiet);
    kube::informer<pod> resting(kube::api<pod>(c.client, "resting"), quiet);
    lists("standing", "40"); // older than the state that it goes back to, and true no more all the same
    watches("standing", "40").hangs();
    play(standing, [](error_code) {});
    lists("resting", "50");
    watches("resting", "50").refuses(asio::error::connection_refused);
    play(resting, [](error_code) {});
    lists("d", "100");
    watches("d", "100").hangs();
    c.question().piece(pod_list("60", {}));
    c.expect("GET", c.path + "?limit=500").piece(pod_list("60", {pod_text("a", "59")}));
    c.pods->on_event([&](auto const&) { c.runs.cancel(); }); // or it would ask on
    lists("standing", "60");
    watches("standing", "60").hangs();
    lists("resting", "60");
    watches("resting", "60").hangs();
    play(*c.pods, c.runs.handler());
    BOOST_TEST(standing.last_resource_version() == "60");
    BOOST_TEST(resting.last_resource_version() == "60");
}

BOOST_AUTO_TEST_CASE(after_an_early_end_of_a_watch_the_server_version_is_checked) {
    guarded_pods c(1h); // not for silence
    c.first_list().piece(pod_list("100", {pod_text("a", "3")}));
    c.watch("100").piece(event_text("MODIFIED", pod_text("a", "101")));
    c.watch("101").piece(event_text("MODIFIED", pod_text("a", "102"))).hangs();
    c.question().piece(pod_list("60", {}));
    c.expect("GET", c.path + "?limit=500").piece(pod_list("60", {pod_text("a", "99")}));
    c.run_until("99");
}

BOOST_AUTO_TEST_CASE(the_check_of_silent_watches_can_be_disabled) {
    guarded_pods c(0ms);
    c.first_list().piece(pod_list("5", {}));
    c.watch("5").hangs();
    c.pods->async_run(c.runs.handler());
    c.run(100ms);
    BOOST_TEST(c.link->played());
    BOOST_TEST(c.link->requests().size() == 2U);
}

BOOST_AUTO_TEST_CASE(an_informer_can_be_cancelled_during_the_check) {
    guarded_pods c;
    c.first_list().piece(pod_list("5", {}));
    c.watch("5").hangs();
    c.question();
    c.link->hang_at(5, [&] { c.runs.cancel(); }); // 3: watch, 4: its first read
    c.pods->async_run(c.runs.handler());
    c.run();
    BOOST_TEST(c.runs.calls() == 1U);
    BOOST_TEST(c.runs.ec() == error_code(asio::error::operation_aborted));
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_SUITE_END()
