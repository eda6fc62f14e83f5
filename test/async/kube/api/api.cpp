#include "async/probe.hpp"

#include <kftrain/kube/any_api.hpp>
#include <kftrain/kube/api.hpp>

#include <boost/asio/error.hpp>

#include <vector>

BOOST_AUTO_TEST_SUITE(async_api)

using namespace kftrain;
using namespace kftrain::test;
using namespace std::chrono_literals;

namespace {

struct pods : scripted_client {
    kube::api<pod> in_d{client, "d"};
    kube::api<pod> anywhere = kube::api<pod>::all_namespaces(client);
    diagnostics why;
    kube::call_options detailed() { return kube::call_options().with_detail(why); }
};

pod named(std::string name, std::string ns = "") {
    pod p;
    p.metadata.name = std::move(name);
    p.metadata.namespace_ = std::move(ns);
    return p;
}

std::string const stored =
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"d","resourceVersion":"7"}})";

} // namespace

BOOST_AUTO_TEST_CASE(get_completes_with_the_object) {
    pods c;
    BOOST_TEST(c.in_d.get_namespace() == "d");
    BOOST_TEST(c.anywhere.get_namespace() == "");
    c.expect("GET", "/api/v1/namespaces/d/pods/a").piece(stored);
    answer_probe<pod> p;
    asio::post(c.context, [&] {
        c.in_d.async_get("a", p.handler());
        BOOST_TEST(!p.called());
    });
    c.run();
    BOOST_TEST(p.ec() == error_code());
    BOOST_TEST(p.value().metadata.resource_version == "7");
}

BOOST_AUTO_TEST_CASE(list_completes_with_a_page) {
    pods c;
    c.expect("GET", "/api/v1/namespaces/d/pods?labelSelector=a%3Db&limit=2")
        .piece(R"({"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":"9","continue":"t"},)")
        .piece(R"("items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]})");
    c.expect("GET", "/api/v1/pods").piece(R"({"apiVersion":"v1","kind":"PodList","metadata":{},"items":[]})");
    answer_probe<object_list<pod>> p, q;
    c.in_d.async_list(kube::list_options().with_label_selector("a=b").with_limit(2), p.handler());
    c.run();
    BOOST_TEST_REQUIRE(p.ec() == error_code());
    BOOST_TEST(p.value().metadata.continue_ == "t");
    BOOST_TEST_REQUIRE(p.value().items.size() == 2U);
    BOOST_TEST(p.value().items[1].metadata.name == "b");
    c.anywhere.async_list(q.handler());
    c.run();
    BOOST_TEST(q.ec() == error_code());
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(create_sends_the_object_and_completes_with_what_was_stored) {
    pods c;
    c.expect("POST", "/api/v1/namespaces/d/pods").status(201).piece(stored);
    answer_probe<pod> p;
    c.in_d.async_create(named("a"), p.handler());
    c.run();
    BOOST_TEST(p.value().metadata.resource_version == "7");
    auto const sent = from_json<pod>(c.link->requests().at(0).body);
    BOOST_TEST_REQUIRE(sent.has_value());
    BOOST_TEST(sent->metadata.name == "a");
    BOOST_TEST(c.link->requests().at(0).body.find(R"("kind":"Pod")") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(replace_and_replace_status_send_put_requests) {
    pods c;
    c.expect("PUT", "/api/v1/namespaces/d/pods/a").piece(stored);
    c.expect("PUT", "/api/v1/namespaces/d/pods/a/status")
        .status(409)
        .piece(status_text("Conflict", 409, "the object has been modified"));
    answer_probe<pod> p, q;
    c.in_d.async_replace(named("a"), p.handler());
    c.run();
    BOOST_TEST(p.ec() == error_code());
    c.in_d.async_replace_status(named("a"), c.detailed(), q.handler());
    c.run();
    BOOST_TEST(is_conflict(q.ec()));
    BOOST_TEST(c.why.message == "the object has been modified");
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(patch_sends_the_changes_and_completes_with_the_whole_object) {
    pods c;
    c.expect("PATCH", "/api/v1/namespaces/d/pods/a").piece(stored);
    c.expect("PATCH", "/api/v1/namespaces/d/pods/a/status")
        .status(415)
        .piece(status_text("UnsupportedMediaType", 415, "accepted media types include: x"));
    answer_probe<pod> p, q, r;
    c.in_d.async_patch("a", {patch_type::strategic, "{}"}, p.handler());
    c.run();
    BOOST_TEST(p.ec() == error_code());
    BOOST_TEST(p.value().metadata.resource_version == "7");
    c.in_d.async_patch_status("a", {patch_type::json, "[]"}, c.detailed(), q.handler());
    c.run();
    BOOST_TEST(q.ec() == make_error_code(reason::unsupported_media_type));
    c.anywhere.async_patch("a", {patch_type::merge, "{}"}, r.handler());
    c.run();
    BOOST_TEST(r.ec() == make_error_code(errc::invalid_argument));
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(delete_accepts_an_object_or_a_status) {
    pods c;
    c.expect("DELETE", "/api/v1/namespaces/d/pods/a").piece(stored);
    c.expect("DELETE", "/api/v1/namespaces/d/pods/a")
        .piece(R"({"kind":"Status","apiVersion":"v1","status":"Success"})");
    answer_probe<void> p, q;
    c.in_d.async_delete("a", p.handler());
    c.run();
    c.in_d.async_delete("a", kube::delete_options().with_grace_period_seconds(0), q.handler());
    c.run();
    BOOST_TEST(p.calls() == 1U);
    BOOST_TEST(p.ec() == error_code());
    BOOST_TEST(q.ec() == error_code());
    BOOST_TEST(c.link->requests().at(1).body.find("gracePeriodSeconds") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_written_object_determines_the_namespace) {
    pods c;
    c.expect("POST", "/api/v1/namespaces/e/pods").piece(R"({"kind":"Pod","metadata":{"name":"a","namespace":"e"}})");
    answer_probe<pod> p, q, r;
    c.anywhere.async_create(named("a", "e"), p.handler());
    c.run();
    BOOST_TEST(p.ec() == error_code());
    c.in_d.async_create(named("a", "e"), c.detailed(), q.handler());
    c.run();
    BOOST_TEST(q.ec() == make_error_code(errc::invalid_argument));
    BOOST_TEST(c.why.message == "expected \"d\", the namespace of the call, got \"e\"");
    c.anywhere.async_get("a", r.handler());
    c.run();
    BOOST_TEST(r.ec() == make_error_code(errc::invalid_argument));
}

BOOST_AUTO_TEST_CASE(a_response_that_does_not_fit_the_type_is_an_error_with_its_path) {
    pods c;
    c.expect("GET", "/api/v1/namespaces/d/pods/a").piece(R"({"kind":"Pod","spec":{"containers":[{"name":7}]}})");
    c.expect("GET", "/api/v1/namespaces/d/pods/a").piece(R"({"apiVersion":"v1","kind":"Service"})");
    answer_probe<pod> p, q;
    c.in_d.async_get("a", c.detailed(), p.handler());
    c.run();
    BOOST_TEST(p.ec() == make_error_code(errc::type_mismatch));
    BOOST_TEST(c.why.path == "spec.containers[0].name");
    c.in_d.async_get("a", q.handler());
    c.run();
    BOOST_TEST(q.ec() == make_error_code(errc::wrong_kind));
}

BOOST_AUTO_TEST_CASE(a_response_with_another_object_is_an_error) {
    pods c;
    std::string const path = "/api/v1/namespaces/d/pods";
    for (auto const* other : {R"({"kind":"Pod","metadata":{"name":"b","namespace":"d"}})",
                              R"({"kind":"Pod","metadata":{"name":"a","namespace":"e"}})"}) {
        for (auto const* method : {"GET", "PUT", "PATCH", "DELETE"}) c.expect(method, path + "/a").piece(other);
        c.expect("POST", path).piece(other);
        std::vector<answer_probe<pod>> got(4);
        answer_probe<void> removed;
        c.in_d.async_get("a", c.detailed(), got[0].handler());
        c.run();
        BOOST_TEST(c.why.path.starts_with("metadata.name"), c.why.path); // or namespace
        c.in_d.async_replace(named("a"), got[1].handler());
        c.run();
        c.in_d.async_patch("a", kube::patch_body(patch_type::merge, "{}"), got[2].handler());
        c.run();
        c.in_d.async_delete("a", removed.handler());
        c.run();
        c.in_d.async_create(named("a"), got[3].handler());
        c.run();
        for (auto& g : got) BOOST_TEST(g.ec() == make_error_code(errc::protocol));
        BOOST_TEST(removed.ec() == make_error_code(errc::protocol));
    }
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(a_response_that_is_no_list_or_has_another_namespace_is_an_error) {
    for (auto const* text : {"{}", R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"})",
                             R"({"kind":"PodList","metadata":{}})",
                             R"({"kind":"PodList","items":[{"metadata":{"name":"a","namespace":"e"}}]})",
                             R"({"kind":"PodList","items":[{"metadata":{"namespace":"d"}}]})"}) {
        pods c;
        for (int i = 0; i != 2; ++i) c.expect("GET", "/api/v1/namespaces/d/pods").piece(text);
        answer_probe<object_list<pod>> p;
        answer_probe<kube::any_list> q;
        c.in_d.async_list(p.handler());
        c.run();
        kube::any_api(c.client, object_type_of<pod>, "d").async_list(q.handler());
        c.run();
        BOOST_TEST(p.ec() == make_error_code(errc::protocol), text);
        BOOST_TEST(q.ec() == make_error_code(errc::protocol), text);
    }
}

BOOST_AUTO_TEST_CASE(each_step_can_fail_be_cancelled_or_time_out) {
    for (std::size_t step = 0; step < 3; ++step) {
        pods failing, cancelled, slow;
        for (auto* c : {&failing, &cancelled, &slow}) c->expect("POST", "/api/v1/namespaces/d/pods").piece(stored);
        answer_probe<pod> p, q, r;
        failing.link->fail_at(step, errc::connection_lost);
        failing.in_d.async_create(named("a"), p.handler());
        failing.run();
        BOOST_TEST(p.ec() == make_error_code(errc::connection_lost));
        cancelled.link->hang_at(step, [&] { q.cancel(); });
        cancelled.in_d.async_create(named("a"), q.handler());
        cancelled.run();
        BOOST_TEST(q.ec() == error_code(asio::error::operation_aborted));
        slow.link->hang_at(step, [] {});
        slow.in_d.async_create(named("a"), slow.detailed().with_timeout(10ms), r.handler());
        slow.run();
        BOOST_TEST(r.ec() == make_error_code(errc::timeout));
    }
}

BOOST_AUTO_TEST_CASE(a_pending_call_outlives_the_api_object) {
    scripted_client c;
    c.expect("GET", "/api/v1/namespaces/d/pods/a").piece(stored);
    answer_probe<pod> p;
    kube::api<pod>(c.client, "d").async_get("a", p.handler());
    c.run();
    BOOST_TEST(p.value().metadata.name == "a");
}

BOOST_AUTO_TEST_SUITE_END()
