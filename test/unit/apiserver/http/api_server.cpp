#include "unit/apiserver/http/running_server.hpp"

#include <kftrain/objects/core.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_api_server)

using namespace sample;
using namespace std::chrono_literals;
namespace asio = boost::asio;

BOOST_AUTO_TEST_CASE(a_complete_response_has_one_piece) {
    running s;
    auto r = s.open("GET", "/healthz");
    BOOST_TEST(r.head.status == 200u);
    running::piece p;
    s.read(*r.body, p);
    BOOST_TEST(p->text == "ok");
    s.read(*r.body, p);
    BOOST_TEST(p->ec == asio::error::eof);
}

BOOST_AUTO_TEST_CASE(the_default_namespace_exists) {
    running s;
    BOOST_TEST(s.open("GET", "/api/v1/namespaces/default").head.status == 200u);
}

BOOST_AUTO_TEST_CASE(an_object_added_directly_keeps_its_status) {
    running s;
    pod p;
    p.metadata.name = "a";
    p.metadata.namespace_ = "default";
    auto& c = p.spec.containers.emplace_back();
    c.name = "c";
    c.image = "none";
    p.status.phase = "Running";
    BOOST_TEST(s.server->add_object(any_object(p)).has_value());
    auto const& store = s.server->store();
    auto const kind = store.find("", "v1", "pods").value();
    BOOST_TEST(store.get(kind, "default", "a").value()->text().find(R"("phase":"Running")") != std::string::npos);
    auto const again = s.server->add_object(any_object(p));
    BOOST_TEST(again.error().detail.message == R"(Pod "a": pods "a" already exists)");
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

BOOST_AUTO_TEST_CASE(dependents_are_deleted_soon_after_their_owner) {
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
                     uid + R"("}]},"spec":{"containers":[{"name":"c","image":"i"}]}})");
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
               "column \"State\" of pytorchjobs.kubeflow.org: path \"status\" is not supported");
    BOOST_TEST(s.server->register_resource({}).has_error());
}

BOOST_AUTO_TEST_CASE(dependents_stay_if_garbage_collection_is_disabled) {
    for (bool const collects : {true, false}) {
        api_server_options options;
        options.collect_garbage = collects;
        running r(options);
        r.make_pod("owner");
        auto const uid = r.server->store().get(0, "default", "owner").value()->uid();
        r.open("POST", pods_path,
               R"({"metadata":{"name":"dependent","ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"owner",)"
               R"("uid":")" +
                   std::string(uid) + R"("}]},"spec":{"containers":[{"name":"c","image":"i"}]}})");
        r.open("DELETE", std::string(pods_path) + "/owner");
        r.turn();
        BOOST_TEST(r.server->store().get(0, "default", "dependent").has_value() == !collects);
    }
}

BOOST_AUTO_TEST_SUITE_END()
