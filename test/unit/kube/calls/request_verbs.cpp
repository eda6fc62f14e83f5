#include <kftrain/kube/request.hpp>
#include <kftrain/objects/core.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(kube_request_verbs)

namespace {

namespace kube = kftrain::kube;
namespace request = kftrain::kube::request;
using kftrain::pod;

std::string line_of(kftrain::result<kube::http_request> const& r) {
    return r ? r->method + " " + r->target : "refused: " + r.error().to_string();
}
std::string const pods_path = "/api/v1/namespaces/d/pods";

} // namespace

BOOST_AUTO_TEST_CASE(write_options_become_query_parameters) {
    auto const create = request::create(pod::resource, "d", "{}");
    BOOST_TEST(line_of(request::with(create, kube::write_options())) == "POST " + pods_path);
    auto const options = kube::write_options()
                             .with_dry_run()
                             .with_field_manager("my trainer")
                             .with_validation(kube::field_validation::strict);
    BOOST_TEST(line_of(request::with(create, options)) ==
               "POST " + pods_path + "?dryRun=All&fieldManager=my%20trainer&fieldValidation=Strict");
    BOOST_TEST(request::with(create, options)->body == "{}");
    BOOST_TEST(line_of(request::with(request::get(pod::resource, "d", ""), options)) ==
               "refused: name: expected a name, got an empty one");
    auto const applied =
        kube::apply_options().with_field_manager("m").with_dry_run().with_validation(kube::field_validation::ignore);
    BOOST_TEST(line_of(request::apply(pod::resource, "d", "a", "{}", applied)) ==
               "PATCH " + pods_path + "/a?fieldManager=m&dryRun=All&fieldValidation=Ignore");
}

BOOST_AUTO_TEST_CASE(a_field_manager_that_is_too_long_is_refused) {
    std::string const longest(128, 'm');
    auto const write = request::create(pod::resource, "d", "{}");
    BOOST_TEST(request::with(write, kube::write_options().with_field_manager(longest)).has_value());
    auto const refusal =
        "refused: field_manager: field manager \"" + longest + "m\" has 129 bytes, expected at most 128";
    BOOST_TEST(line_of(request::with(write, kube::write_options().with_field_manager(longest + "m"))) == refusal);
    BOOST_TEST(line_of(request::apply(pod::resource, "d", "a", "{}",
                                      kube::apply_options().with_field_manager(longest + "m"))) == refusal);
}

BOOST_AUTO_TEST_CASE(collections_are_deleted_by_selectors) {
    auto const r = request::remove_collection(
        pod::resource, "d", kube::list_options().with_label_selector("a=b"),
        kube::delete_options().with_propagation_policy(kube::propagation::foreground).with_dry_run());
    BOOST_TEST(line_of(r) == "DELETE " + pods_path + "?labelSelector=a%3Db");
    BOOST_TEST(r->body ==
               R"({"dryRun":["All"],"propagationPolicy":"Foreground","kind":"DeleteOptions","apiVersion":"v1"})");
    auto const all = kube::delete_options().with_whole_collection();
    BOOST_TEST(line_of(request::remove_collection(pod::resource, "d", {}, all)) == "DELETE " + pods_path);
    BOOST_TEST(
        line_of(request::remove_collection(pod::resource, "d", {})) ==
        "refused: label_selector: expected a selector, or delete_options::whole_collection to delete all objects");
    for (auto const& [which, field] : {std::pair{kube::list_options().with_limit(3), "limit"},
                                       std::pair{kube::list_options().with_continue("3"), "continue_"},
                                       std::pair{kube::list_options().with_resource_version("3"), "resource_version"}})
        BOOST_TEST(line_of(request::remove_collection(pod::resource, "d", which, all)) ==
                   "refused: " + std::string(field) + ": expected no value for a deletion by selectors, got \"3\"");
    BOOST_TEST(line_of(request::remove_collection(pod::resource, "", {}, all)) ==
               "refused: namespace: expected a namespace, got an empty one");
}

BOOST_AUTO_TEST_CASE(an_eviction_sends_its_delete_options) {
    auto const r = request::evict("d", "a", kube::delete_options().with_grace_period_seconds(5));
    BOOST_TEST(line_of(r) == "POST " + pods_path + "/a/eviction");
    BOOST_TEST(r->body == R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"a","namespace":"d"},)"
                          R"("deleteOptions":{"gracePeriodSeconds":5,"kind":"DeleteOptions","apiVersion":"v1"}})");
    BOOST_TEST(request::evict("d", "a")->body ==
               R"({"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"a","namespace":"d"}})");
}

BOOST_AUTO_TEST_CASE(metadata_is_requested_by_the_accept_field) {
    auto const one = request::metadata_only(request::get(pod::resource, "d", "a"), request::metadata_form::object);
    BOOST_TEST(one->fields.get("Accept") == "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1");
    auto const all = request::metadata_only(request::list(pod::resource, "d"), request::metadata_form::list);
    BOOST_TEST(all->fields.get("Accept") == "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");
}

BOOST_AUTO_TEST_CASE(a_watch_can_request_initial_events) {
    BOOST_TEST(line_of(request::watch(pod::resource, "d", kube::watch_options().with_initial_events())) ==
               "GET " + pods_path +
                   "?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan");
}

BOOST_AUTO_TEST_CASE(a_log_can_be_limited_to_one_stream) {
    auto const errors = kube::log_options().with_channel(kube::log_channel::standard_error).with_trust_any_kubelet();
    BOOST_TEST(line_of(request::pod_log("d", "p", errors)) ==
               "GET " + pods_path + "/p/log?stream=Stderr&insecureSkipTLSVerifyBackend=true");
    BOOST_TEST(line_of(request::pod_log("d", "p", kube::log_options(errors).with_tail_lines(3))) ==
               "refused: channel: channel Stderr cannot be combined with tail_lines 3");
}

BOOST_AUTO_TEST_CASE(the_scale_is_read_at_its_subresource) {
    BOOST_TEST(line_of(request::get_scale(pod::resource, "d", "a")) == "GET " + pods_path + "/a/scale");
}

BOOST_AUTO_TEST_SUITE_END()
