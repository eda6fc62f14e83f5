#include "async/probe.hpp"

#include <kftrain/kube/any_api.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/subresources.hpp>
#include <kftrain/model/dynamic_object.hpp>

BOOST_AUTO_TEST_SUITE(async_api_verbs)

using namespace kftrain;
using namespace kftrain::test;

namespace {

std::string const path = "/api/v1/namespaces/d/pods";
std::string const answer = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"d"}})";
std::string const scale_answer = R"({"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a"},)"
                                 R"("spec":{"replicas":3},"status":{"replicas":2,"selector":"x=y"}})";

struct verbs : scripted_client {
    kube::api<pod> pods{client, "d"};
    answer_probe<pod> written;
    answer_probe<void> done;
    answer_probe<autoscaling::scale> scaled;
    diagnostics why;
    kube::http_request const& sent() { return link->requests().back(); }
};

pod pod_to_apply() {
    pod p;
    p.metadata.name = "a";
    p.metadata.managed_fields.emplace_back();
    p.metadata.managed_fields.back().manager = "me";
    return p;
}

} // namespace

BOOST_AUTO_TEST_CASE(an_object_is_applied_without_its_managed_fields) {
    verbs c;
    c.expect("PATCH", path + "/a?fieldManager=me&force=true").piece(answer);
    c.pods.async_apply(pod_to_apply(), kube::apply_options().with_field_manager("me").with_force(),
                       c.written.handler());
    c.run();
    BOOST_TEST(c.written.ec() == error_code());
    BOOST_TEST(c.written.value().metadata.namespace_ == "d");
    BOOST_TEST(c.sent().fields.get("Content-Type") == "application/apply-patch+yaml");
    auto const body = from_json<pod>(c.sent().body).value();
    BOOST_TEST(body.metadata.name == "a");
    BOOST_TEST(body.metadata.managed_fields.empty());
    BOOST_TEST(c.sent().body.find(R"("kind":"Pod")") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_apply_conflict_lists_fields_and_managers) {
    verbs c;
    c.expect("PATCH", path + "/a?fieldManager=me")
        .status(409)
        .piece(status_text(
            "Conflict", 409, "Apply failed with 1 conflict",
            R"(,"details":{"causes":[{"reason":"FieldManagerConflict","message":"conflict with \"kubectl\"",)"
            R"("field":".spec.priority"}]})"));
    c.pods.async_apply(pod_to_apply(), kube::apply_options().with_field_manager("me").with_detail(c.why),
                       c.written.handler());
    c.run();
    BOOST_TEST(is_conflict(c.written.ec()));
    BOOST_TEST_REQUIRE(c.why.causes.size() == 1U);
    BOOST_TEST(c.why.causes[0].field == ".spec.priority");
    BOOST_TEST(c.why.causes[0].message == "conflict with \"kubectl\"");
}

BOOST_AUTO_TEST_CASE(apply_requires_a_field_manager) {
    verbs c;
    c.pods.async_apply(pod_to_apply(), kube::apply_options().with_detail(c.why), c.written.handler());
    c.run();
    BOOST_TEST(c.written.ec() == make_error_code(errc::invalid_argument));
    BOOST_TEST(c.why.path == "field_manager");
    BOOST_TEST(c.link->requests().empty());
}

BOOST_AUTO_TEST_CASE(every_write_accepts_dry_run_and_field_manager) {
    verbs c;
    auto const options = kube::write_options().with_dry_run().with_field_manager("me");
    std::string const query = "?dryRun=All&fieldManager=me";
    for (auto const& [method, target] :
         {std::pair("POST", path), std::pair("PUT", path + "/a"), std::pair("PUT", path + "/a/status"),
          std::pair("PATCH", path + "/a"), std::pair("PATCH", path + "/a/status")})
        c.expect(method, target + query).piece(answer);
    auto const object = pod_to_apply();
    kube::patch_body const change(patch_type::merge, "{}");
    c.pods.async_create(object, options, c.written.handler());
    c.run();
    c.pods.async_replace(object, options, c.written.handler());
    c.run();
    c.pods.async_replace_status(object, options, c.written.handler());
    c.run();
    c.pods.async_patch("a", change, options, c.written.handler());
    c.run();
    c.pods.async_patch_status("a", change, options, c.written.handler());
    c.run();
    BOOST_TEST(c.written.calls() == 5U);
    BOOST_TEST(c.written.ec() == error_code());
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(one_request_deletes_a_collection) {
    verbs c;
    c.expect("DELETE", path + "?labelSelector=job%3Dx").piece(R"({"kind":"PodList","metadata":{},"items":[]})");
    c.expect("DELETE", path);
    c.pods.async_delete_collection(kube::list_options().with_label_selector("job=x"),
                                   kube::delete_options().with_grace_period_seconds(0), c.done.handler());
    c.run();
    BOOST_TEST(c.done.ec() == error_code());
    BOOST_TEST(c.sent().body.find("gracePeriodSeconds") != std::string::npos);
    c.pods.async_delete_collection({}, kube::delete_options().with_whole_collection(), c.done.handler());
    c.run();
    BOOST_TEST(c.done.calls() == 2U);
    BOOST_TEST(c.done.ec() == error_code());
    c.pods.async_delete_collection({}, c.done.handler());
    c.run();
    BOOST_TEST(c.done.ec() == make_error_code(errc::invalid_argument));
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(dynamic_types_have_the_same_verbs) {
    scripted_client c;
    dynamic_type const widgets("acme.example", "v1", "Widget", "widgets");
    kube::any_api const api(c.client, widgets, "d");
    std::string const place = "/apis/acme.example/v1/namespaces/d/widgets";
    std::string const widget = R"({"apiVersion":"acme.example/v1","kind":"Widget","metadata":{"name":"w"},"spec":{}})";
    c.expect("PATCH", place + "/w?fieldManager=me").piece(widget);
    c.expect("POST", place + "?dryRun=All").piece(widget);
    c.expect("DELETE", place + "?fieldSelector=metadata.name%3Dw");
    c.expect("PATCH", place + "/w/scale").piece(R"({"kind":"Scale","metadata":{"name":"w"},"spec":{"replicas":3}})");
    auto const object = widgets.from_json(widget).value();
    answer_probe<any_object> written;
    answer_probe<void> done;
    answer_probe<autoscaling::scale> scaled;
    api.async_apply(object, kube::apply_options().with_field_manager("me"), written.handler());
    c.run();
    api.async_create(object, kube::write_options().with_dry_run(), written.handler());
    c.run();
    api.async_delete_collection(kube::list_options().with_field_selector("metadata.name=w"), done.handler());
    c.run();
    kube::async_set_scale(api, "w", 3, scaled.handler());
    c.run();
    BOOST_TEST(written.calls() == 2U);
    BOOST_TEST(written.ec() == error_code());
    BOOST_TEST(done.ec() == error_code());
    BOOST_TEST(scaled.value().spec.replicas == 3);
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(the_scale_is_read_and_set) {
    verbs c;
    c.expect("GET", path + "/a/scale").piece(scale_answer);
    c.expect("PATCH", path + "/a/scale?dryRun=All").piece(scale_answer);
    kube::async_get_scale(c.pods, "a", c.scaled.handler());
    c.run();
    BOOST_TEST(c.scaled.ec() == error_code());
    BOOST_TEST(c.scaled.value().status.replicas == 2);
    BOOST_TEST(c.scaled.value().status.selector == "x=y");
    kube::async_set_scale(c.pods, "a", 7, kube::write_options().with_dry_run(), c.scaled.handler());
    c.run();
    BOOST_TEST(c.scaled.ec() == error_code());
    BOOST_TEST(c.sent().body == R"({"spec":{"replicas":7}})");
    BOOST_TEST(c.sent().fields.get("Content-Type") == "application/merge-patch+json");
    kube::async_set_scale(c.pods, "a", -1, kube::write_options().with_detail(c.why), c.scaled.handler());
    c.run();
    BOOST_TEST(c.scaled.ec() == make_error_code(errc::invalid_argument));
    BOOST_TEST(c.why.message == "expected at least 0 replicas, got -1");
}

BOOST_AUTO_TEST_CASE(a_pod_is_evicted) {
    verbs c;
    c.expect("POST", path + "/a/eviction").status(201).piece(R"({"kind":"Status","status":"Success"})");
    kube::async_evict(c.client, "d", "a", kube::delete_options().with_grace_period_seconds(0), c.done.handler());
    c.run();
    BOOST_TEST(c.done.ec() == error_code());
    BOOST_TEST(c.sent().body.find(R"("kind":"Eviction")") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
