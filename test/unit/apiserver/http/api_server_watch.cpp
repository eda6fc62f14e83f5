#include "unit/apiserver/http/running_server.hpp"

BOOST_AUTO_TEST_SUITE(apiserver_api_server_watch)

using namespace sample;
using namespace std::chrono_literals;

// Expected: the watch wire format, apiserver pkg/endpoints/handlers/watch.go, pkg/storage/cacher, v1.31.

BOOST_AUTO_TEST_CASE(a_watch_delivers_changes_after_its_version) {
    running s;
    s.make_pod("before");
    auto const version = std::to_string(s.server->store().version());
    auto w = s.open("GET", pods_path + "?watch=true&resourceVersion=" + version);
    BOOST_TEST(w.head.status == 200u);
    running::piece p;
    s.read(*w.body, p);
    BOOST_TEST(!p->done);
    s.make_pod("a");
    BOOST_REQUIRE(p->done);
    BOOST_TEST(types(p->text) == "ADDED:a ");
    s.make_pod("b");
    (void)s.open("DELETE", pods_path + "/a");
    s.read(*w.body, p);
    BOOST_TEST(types(p->text) == "ADDED:b MODIFIED:a DELETED:a ");
}

BOOST_AUTO_TEST_CASE(a_watch_without_a_version_starts_with_what_exists) {
    running s;
    s.make_pod("a");
    for (auto const* version : {"", "&resourceVersion=0"}) {
        auto w = s.open("GET", pods_path + "?watch=1" + version);
        running::piece p;
        s.read(*w.body, p);
        BOOST_TEST(types(p->text) == "ADDED:a ");
        s.read(*w.body, p);
        BOOST_TEST(!p->done);
    }
}

BOOST_AUTO_TEST_CASE(irrelevant_writes_do_not_wake_a_watch) {
    running s;
    s.make_pod("a");
    auto w = s.open("GET", pods_path + "?watch=1&resourceVersion=" + std::to_string(s.server->store().version()));
    running::piece p;
    s.read(*w.body, p);
    (void)s.open("POST", "/api/v1/namespaces/default/configmaps", R"({"metadata":{"name":"c"}})");
    auto r =
        request("PATCH", pods_path + "/a/status", R"({"status":{"phase":"Pending"}})", "application/merge-patch+json");
    BOOST_TEST(s.open(r).head.status == 200u);
    BOOST_TEST(!p->done);
    s.make_pod("b");
    BOOST_TEST(p->done);
}

BOOST_AUTO_TEST_CASE(an_object_that_leaves_or_enters_the_selection_is_deleted_or_added) {
    running s;
    s.make_pod("a");
    auto w = s.open("GET", pods_path + "?watch=1&fieldSelector=status.phase%3DRunning");
    auto const set = [&](std::string phase) {
        (void)s.open(request("PATCH", pods_path + "/a/status", R"({"status":{"phase":")" + phase + R"("}})",
                             "application/merge-patch+json"));
    };
    running::piece p;
    s.read(*w.body, p);
    BOOST_TEST(!p->done);
    set("Running");
    BOOST_TEST(types(p->text) == "ADDED:a ");
    set("Failed");
    s.read(*w.body, p);
    BOOST_TEST(types(p->text) == "DELETED:a ");
    auto const gone = parse_object(p->text).value();
    BOOST_TEST(at_path(gone, "object.status.phase")->as_string() == "Running"); // the last state that matched
    BOOST_TEST(at_path(gone, "object.metadata.resourceVersion")->as_string() ==
               std::to_string(s.server->store().version()));
}

BOOST_AUTO_TEST_CASE(objects_outside_the_selection_are_not_delivered) {
    running s;
    auto w = s.open("GET", "/api/v1/namespaces/other/pods?watch=1");
    running::piece p;
    s.read(*w.body, p);
    s.make_pod("stranger");
    (void)s.open(request("PATCH", pods_path + "/stranger/status", R"({"status":{"phase":"Running"}})",
                         "application/merge-patch+json"));
    (void)s.open("DELETE", pods_path + "/stranger");
    BOOST_TEST(!p->done);
}

BOOST_AUTO_TEST_CASE(a_table_watch_sends_the_column_headers_once) {
    running s;
    auto r = request("GET", pods_path + "?watch=1");
    r.fields.add("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
    auto w = s.open(r);
    running::piece p;
    s.read(*w.body, p);
    s.make_pod("a");
    auto const first = parse_object(p->text).value();
    BOOST_TEST(at_path(first, "object.kind")->as_string() == "Table");
    BOOST_TEST(at_path(first, "object.columnDefinitions")->is_array());
    s.read(*w.body, p);
    s.make_pod("b");
    auto const second = parse_object(p->text).value();
    BOOST_TEST(at_path(second, "object.columnDefinitions")->is_null());
    BOOST_TEST(at_path(second, "object.rows")->at(0).at("cells").at(0).as_string() == "b");
}

BOOST_AUTO_TEST_CASE(an_expired_version_yields_an_error_event) {
    api_server_options o;
    o.watch_log_limit = 2;
    running s(std::move(o));
    for (auto const* n : {"a", "b", "c", "d"}) s.make_pod(n);
    auto w = s.open("GET", pods_path + "?watch=1&resourceVersion=2");
    BOOST_TEST(w.head.status == 200u);
    running::piece p;
    s.read(*w.body, p);
    auto const event = parse_object(p->text).value();
    BOOST_TEST(event.at("type").as_string() == "ERROR");
    BOOST_TEST(at_path(event, "object.kind")->as_string() == "Status");
    BOOST_TEST(at_path(event, "object.code")->as_int64() == 410);
    BOOST_TEST(at_path(event, "object.reason")->as_string() == "Expired");
    s.read(*w.body, p);
    BOOST_TEST(p->ec == asio::error::eof);
}

BOOST_AUTO_TEST_CASE(a_reader_slower_than_the_log_is_disconnected) {
    api_server_options o;
    o.watch_log_limit = 3;
    running s(std::move(o));
    s.make_pod("a");
    auto w = s.open("GET", pods_path + "?watch=1&resourceVersion=" + std::to_string(s.server->store().version()));
    for (auto const* n : {"b", "c", "d", "e"}) s.make_pod(n); // the client does not read
    running::piece p;
    s.read(*w.body, p);
    BOOST_TEST(types(p->text) == "ERROR ");
    s.read(*w.body, p);
    BOOST_TEST(p->ec == asio::error::eof);
}

BOOST_AUTO_TEST_CASE(bookmarks_contain_the_current_version_on_request) {
    api_server_options o;
    o.bookmark_interval = 30ms;
    running s(std::move(o));
    auto w = s.open("GET", pods_path + "?watch=1&allowWatchBookmarks=true&resourceVersion=1");
    auto plain = s.open("GET", pods_path + "?watch=1&resourceVersion=1");
    (void)s.open("POST", "/api/v1/namespaces/default/configmaps", R"({"metadata":{"name":"c"}})");
    running::piece p, q;
    s.read(*plain.body, q);
    s.read(*w.body, p);
    BOOST_TEST(!p->done);
    s.context.restart();
    s.context.run_for(60ms);
    BOOST_REQUIRE(p->done);
    BOOST_TEST(p->text ==
               R"({"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":")" +
                   std::to_string(s.server->store().version()) + "\"}}}\n");
    BOOST_TEST(!q->done);
}

BOOST_AUTO_TEST_CASE(a_watch_ends_cleanly_when_its_time_is_over) {
    running s;
    auto w = s.open("GET", pods_path + "?watch=1&timeoutSeconds=1&resourceVersion=1");
    running::piece p;
    s.read(*w.body, p);
    s.context.restart();
    s.context.run_for(1200ms);
    BOOST_TEST(p->done);
    BOOST_TEST(p->ec == asio::error::eof);
}

BOOST_AUTO_TEST_CASE(a_streaming_list_ends_with_a_bookmark_and_the_watch_continues) {
    running s;
    s.make_pod("a");
    s.make_pod("b");
    std::string const streaming = pods_path + "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
    for (auto const* since : {"", "&resourceVersion=1"}) { // all objects, for any version of the reader
        auto w = s.open("GET", streaming + "&allowWatchBookmarks=true" + since);
        running::piece p;
        s.read(*w.body, p);
        BOOST_TEST(types(p->text) == "ADDED:a ADDED:b BOOKMARK ");
        auto const last = parse_object(p->text.substr(p->text.rfind("{\"type\""))).value();
        auto const* mark = at_path(last, "object.metadata.annotations");
        BOOST_REQUIRE(mark != nullptr);
        BOOST_TEST(mark->at("k8s.io/initial-events-end").as_string() == "true");
        BOOST_TEST(at_path(last, "object.metadata.resourceVersion")->as_string() ==
                   std::to_string(s.server->store().version()));
        s.read(*w.body, p);
        BOOST_TEST(!p->done);
    }
    auto unmarked = s.open("GET", streaming); // bookmarks are sent on request only
    running::piece p;
    s.read(*unmarked.body, p);
    BOOST_TEST(types(p->text) == "ADDED:a ADDED:b ");
    s.read(*unmarked.body, p);
    s.make_pod("c");
    BOOST_TEST(types(p->text) == "ADDED:c ");
    auto changes = s.open("GET", pods_path + "?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan");
    s.read(*changes.body, p);
    BOOST_TEST(!p->done);
    s.make_pod("d");
    BOOST_TEST(types(p->text) == "ADDED:d ");
}

BOOST_AUTO_TEST_CASE(an_empty_streaming_list_is_only_a_bookmark) {
    running s;
    auto w = s.open("GET", pods_path + "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                                       "&allowWatchBookmarks=true");
    running::piece p;
    s.read(*w.body, p);
    BOOST_TEST(types(p->text) == "BOOKMARK ");
}

BOOST_AUTO_TEST_SUITE_END()
