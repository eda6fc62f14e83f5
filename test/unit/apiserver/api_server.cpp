#include "requests.hpp"

#include <kftrain/apiserver/api_server.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

using namespace sample;
using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {

struct running {
    explicit running(api_server_options options = {}) {
        options.clock = [] { return at(0); };
        server.emplace(context.get_executor(), std::move(options));
        BOOST_REQUIRE(server->register_resource(job_definition()).has_value());
        link = server->transport();
    }

    void turn() {
        context.restart();
        context.poll();
    }
    kube::streamed_response open(kube::http_request r) {
        std::optional<kube::streamed_response> out;
        link->async_open(std::move(r), [&](error_code ec, kube::streamed_response s) {
            BOOST_TEST(!ec);
            out = std::move(s);
        });
        BOOST_TEST(!out.has_value()); // never inline
        turn();
        BOOST_REQUIRE(out.has_value());
        return std::move(*out);
    }
    kube::streamed_response open(std::string method, std::string target, std::string body = "") {
        return open(request(std::move(method), std::move(target), std::move(body)));
    }
    void make_pod(std::string const& name) {
        auto const r = open("POST", pods_path, R"({"metadata":{"name":")" + name + R"("},"spec":{"containers":[]}})");
        BOOST_TEST(r.head.status == 201u);
    }

    struct arrived {
        bool done = false;
        error_code ec;
        std::string text;
    };
    using piece = std::shared_ptr<arrived>; // outlives a read that the test leaves pending
    void read(kube::body_stream& body, piece& into) {
        into = std::make_shared<arrived>();
        body.async_read([into](error_code ec, std::string text) {
            into->done = true;
            into->ec = ec;
            into->text = std::move(text);
        });
        BOOST_TEST(!into->done); // never inline
        turn();
    }

    asio::io_context context;
    std::optional<api_server> server;
    std::shared_ptr<kube::transport> link;
};

std::string types(std::string_view lines) {
    std::string out;
    while (!lines.empty()) {
        auto const end = lines.find('\n');
        auto const event = parse_object(lines.substr(0, end)).value();
        auto const* name = at_path(event, "object.metadata.name");
        out += std::string(event.at("type").as_string()) +
               (name != nullptr ? ":" + std::string(name->as_string()) : "") + " ";
        lines.remove_prefix(end + 1);
    }
    return out;
}

} // namespace

// Expected: the watch wire format, apiserver pkg/endpoints/handlers/watch.go, pkg/storage/cacher, v1.31.
BOOST_AUTO_TEST_SUITE(apiserver_api_server)

BOOST_AUTO_TEST_CASE(a_whole_answer_is_one_piece_and_the_end) {
    running s;
    auto r = s.open("GET", "/healthz");
    BOOST_TEST(r.head.status == 200u);
    running::piece p;
    s.read(*r.body, p);
    BOOST_TEST(p->text == "ok");
    s.read(*r.body, p);
    BOOST_TEST(p->ec == asio::error::eof);
}

BOOST_AUTO_TEST_CASE(the_namespace_default_exists) {
    running s;
    BOOST_TEST(s.open("GET", "/api/v1/namespaces/default").head.status == 200u);
}

BOOST_AUTO_TEST_CASE(a_watch_delivers_what_follows_its_version) {
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

BOOST_AUTO_TEST_CASE(writes_of_other_kinds_and_writes_without_a_change_wake_nobody) {
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

BOOST_AUTO_TEST_CASE(objects_outside_the_selection_are_not_seen_at_all) {
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

BOOST_AUTO_TEST_CASE(a_watch_can_deliver_tables_with_headers_once) {
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

BOOST_AUTO_TEST_CASE(a_version_that_is_no_longer_kept_ends_in_an_error_event) {
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

BOOST_AUTO_TEST_CASE(a_slow_reader_is_cut_off_when_the_log_passes_it) {
    api_server_options o;
    o.watch_log_limit = 3;
    running s(std::move(o));
    s.make_pod("a");
    auto w = s.open("GET", pods_path + "?watch=1&resourceVersion=" + std::to_string(s.server->store().version()));
    for (auto const* n : {"b", "c", "d", "e"}) s.make_pod(n); // nobody reads
    running::piece p;
    s.read(*w.body, p);
    BOOST_TEST(types(p->text) == "ERROR ");
    s.read(*w.body, p);
    BOOST_TEST(p->ec == asio::error::eof);
}

BOOST_AUTO_TEST_CASE(bookmarks_tell_the_version_reached_to_those_who_ask) {
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

BOOST_AUTO_TEST_CASE(a_read_can_be_cancelled) {
    running s;
    auto w = s.open("GET", pods_path + "?watch=1&resourceVersion=1");
    asio::cancellation_signal signal;
    error_code seen;
    w.body->async_read(asio::bind_cancellation_slot(signal.slot(), [&](error_code ec, std::string) { seen = ec; }));
    s.turn();
    BOOST_TEST(!seen);
    signal.emit(asio::cancellation_type::terminal);
    BOOST_TEST(!seen);
    s.turn();
    BOOST_TEST(seen == asio::error::operation_aborted);
}

BOOST_AUTO_TEST_CASE(handlers_run_on_their_own_executor) {
    running s;
    asio::io_context other;
    bool done = false;
    s.link->async_open(
        request("GET", "/healthz"),
        asio::bind_executor(other.get_executor(), [&](error_code, kube::streamed_response) { done = true; }));
    s.turn();
    BOOST_TEST(!done);
    other.run(); // kept at work by the pending operation
    BOOST_TEST(done);
}

BOOST_AUTO_TEST_CASE(dependents_go_soon_after_their_owner) {
    running s;
    auto job =
        s.open("POST", jobs_path, R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"j"}})");
    running::piece p;
    s.read(*job.body, p);
    auto const made = parse_object(p->text).value();
    std::string const uid(at_path(made, "metadata.uid")->as_string());
    BOOST_TEST(uid.size() == 36u);
    (void)s.open("POST", pods_path,
                 R"({"metadata":{"name":"p","ownerReferences":[{"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob",)"
                 R"("name":"j","uid":")" +
                     uid + R"("}]}})");
    auto w = s.open("GET", pods_path + "?watch=1&resourceVersion=" + std::to_string(s.server->store().version()));
    s.read(*w.body, p);
    (void)s.open("DELETE", jobs_path + "/j");
    BOOST_TEST(types(p->text) == "MODIFIED:p DELETED:p ");
}

BOOST_AUTO_TEST_CASE(a_destroyed_server_ends_its_watches_and_refuses_requests) {
    running s;
    auto w = s.open("GET", pods_path + "?watch=1&resourceVersion=1");
    running::piece p;
    s.read(*w.body, p);
    s.server.reset();
    s.turn();
    BOOST_TEST(p->ec == make_error_code(errc::connection_lost));
    error_code seen;
    s.link->async_open(request("GET", "/healthz"), [&](error_code ec, kube::streamed_response) { seen = ec; });
    s.turn();
    BOOST_TEST(seen == asio::error::connection_refused);
}

BOOST_AUTO_TEST_CASE(unusable_definitions_are_refused) {
    running s;
    auto d = job_definition();
    d.columns[0].path = "status";
    auto const r = s.server->register_resource(d);
    BOOST_TEST(r.error().code == make_error_code(errc::invalid_argument));
    BOOST_TEST(r.error().detail.message ==
               "column \"State\" of pytorchjobs.kubeflow.org: path \"status\" is not understood");
    BOOST_TEST(s.server->register_resource({}).has_error());
}

BOOST_AUTO_TEST_CASE(dependents_stay_where_nobody_collects_garbage) {
    for (bool const collects : {true, false}) {
        api_server_options options;
        options.collect_garbage = collects;
        running r(options);
        r.make_pod("owner");
        auto const uid = r.server->store().get(0, "default", "owner").value()->uid();
        r.open(
            "POST", pods_path,
            R"({"metadata":{"name":"dependent","ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"owner","uid":")" +
                std::string(uid) + R"("}]},"spec":{"containers":[]}})");
        r.open("DELETE", std::string(pods_path) + "/owner");
        r.turn();
        BOOST_TEST(r.server->store().get(0, "default", "dependent").has_value() == !collects);
    }
}

BOOST_AUTO_TEST_SUITE_END()
