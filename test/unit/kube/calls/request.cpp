#include <kftrain/kube/request.hpp>
#include <kftrain/objects/core.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kube_request)

namespace kube = kftrain::kube;
namespace request = kftrain::kube::request;
using kftrain::errc;
using kftrain::patch_type;

namespace {

constexpr kftrain::resource_info jobs{"kubeflow.org", "v1", "PyTorchJob", "pytorchjobs"};
constexpr kftrain::resource_info nodes{"", "v1", "Node", "nodes", kftrain::resource_scope::cluster};
auto const& pods = kftrain::pod::resource;

std::string line(kftrain::result<kube::http_request> const& r) {
    return r ? r->method + " " + r->target : "refused: " + r.error().to_string();
}

} // namespace

BOOST_AUTO_TEST_CASE(paths_follow_group_scope_and_verb) {
    BOOST_TEST(line(request::create(pods, "default", "{}")) == "POST /api/v1/namespaces/default/pods");
    BOOST_TEST(line(request::get(jobs, "team-a", "mnist")) ==
               "GET /apis/kubeflow.org/v1/namespaces/team-a/pytorchjobs/mnist");
    BOOST_TEST(line(request::replace(jobs, "team-a", "mnist", "{}")) ==
               "PUT /apis/kubeflow.org/v1/namespaces/team-a/pytorchjobs/mnist");
    BOOST_TEST(line(request::replace_status(jobs, "team-a", "mnist", "{}")) ==
               "PUT /apis/kubeflow.org/v1/namespaces/team-a/pytorchjobs/mnist/status");
    BOOST_TEST(line(request::patch(jobs, "team-a", "mnist", {patch_type::merge, "{}"})) ==
               "PATCH /apis/kubeflow.org/v1/namespaces/team-a/pytorchjobs/mnist");
    BOOST_TEST(line(request::patch_status(jobs, "team-a", "mnist", {patch_type::json, "[]"})) ==
               "PATCH /apis/kubeflow.org/v1/namespaces/team-a/pytorchjobs/mnist/status");
    BOOST_TEST(line(request::remove(pods, "default", "a")) == "DELETE /api/v1/namespaces/default/pods/a");
    BOOST_TEST(line(request::get(nodes, "ignored", "n1")) == "GET /api/v1/nodes/n1");
}

BOOST_AUTO_TEST_CASE(list_and_watch_without_a_namespace_mean_all_namespaces) {
    BOOST_TEST(line(request::list(pods, "")) == "GET /api/v1/pods");
    BOOST_TEST(line(request::watch(jobs, "")) ==
               "GET /apis/kubeflow.org/v1/pytorchjobs?watch=true&allowWatchBookmarks=true");
}

BOOST_AUTO_TEST_CASE(patches_have_their_content_type) {
    for (auto const& [type, text] : {std::pair(patch_type::json, "application/json-patch+json"),
                                     std::pair(patch_type::merge, "application/merge-patch+json"),
                                     std::pair(patch_type::strategic, "application/strategic-merge-patch+json")}) {
        auto const r = request::patch(pods, "d", "a", {type, "{\"x\":1}"}).value();
        BOOST_TEST(r.fields.get("Content-Type") == text);
        BOOST_TEST(r.body == "{\"x\":1}");
    }
    auto const scale = request::patch_scale(jobs, "d", "a", {patch_type::merge, "{}"});
    BOOST_TEST(line(scale) == "PATCH /apis/kubeflow.org/v1/namespaces/d/pytorchjobs/a/scale");
    auto const applied =
        request::apply(pods, "d", "a", "{}", kube::apply_options().with_field_manager("a b").with_force());
    BOOST_TEST(line(applied) == "PATCH /api/v1/namespaces/d/pods/a?fieldManager=a%20b&force=true");
    BOOST_TEST(applied->fields.get("Content-Type") == "application/apply-patch+yaml");
    BOOST_TEST(line(request::apply(pods, "d", "a", "{}", {})) ==
               "refused: field_manager: expected a field manager, got an empty one");
    BOOST_TEST(line(request::patch(pods, "d", "a", {})) == "refused: patch: expected a patch, got an empty one");
    BOOST_TEST(line(request::patch(pods, "d", "..", {patch_type::json, "[]"})) ==
               "refused: name: name \"..\" cannot be \".\" or \"..\"");
}

BOOST_AUTO_TEST_CASE(all_verbs_except_list_and_watch_require_a_namespace) {
    for (auto const& r :
         {request::create(pods, "", "{}"), request::get(pods, "", "a"), request::replace(pods, "", "a", ""),
          request::replace_status(pods, "", "a", ""), request::remove(pods, "", "a"), request::pod_log("", "a")}) {
        BOOST_TEST(r.has_error());
        BOOST_TEST((r.error().code == errc::invalid_argument));
        BOOST_TEST(r.error().to_string() == "namespace: expected a namespace, got an empty one");
    }
}

BOOST_AUTO_TEST_CASE(names_that_would_change_the_path_are_refused) {
    BOOST_TEST(line(request::get(pods, "d", "")) == "refused: name: expected a name, got an empty one");
    BOOST_TEST(line(request::get(pods, "d", "..")) == "refused: name: name \"..\" cannot be \".\" or \"..\"");
    BOOST_TEST(line(request::get(pods, ".", "a")) == "refused: namespace: namespace \".\" cannot be \".\" or \"..\"");
    BOOST_TEST(line(request::get(pods, "d", "a/status")) ==
               "refused: name: name \"a/status\" cannot contain \"/\" or \"%\"");
    BOOST_TEST(line(request::get(pods, "d", "a%2f")) == "refused: name: name \"a%2f\" cannot contain \"/\" or \"%\"");
}

BOOST_AUTO_TEST_CASE(everything_else_is_percent_encoded) {
    BOOST_TEST(line(request::get(pods, "d", "a b:c?d#e")) == "GET /api/v1/namespaces/d/pods/a%20b%3Ac%3Fd%23e");
    auto const p =
        kube::list_options().with_label_selector("app in (a, b),x!=y&z").with_field_selector("metadata.name=a");
    BOOST_TEST(line(request::list(pods, "d", p)) ==
               "GET /api/v1/namespaces/d/pods?labelSelector=app%20in%20%28a%2C%20b%29%2Cx%21%3Dy%26z"
               "&fieldSelector=metadata.name%3Da");
}

BOOST_AUTO_TEST_CASE(list_options_become_query_parameters) {
    BOOST_TEST(line(request::list(pods, "d", kube::list_options().with_limit(500).with_resource_version("0"))) ==
               "GET /api/v1/namespaces/d/pods?limit=500&resourceVersion=0");
    BOOST_TEST(line(request::list(pods, "d", kube::list_options().with_limit(500).with_continue("abc=="))) ==
               "GET /api/v1/namespaces/d/pods?limit=500&continue=abc%3D%3D");
    auto const both = request::list(pods, "d", kube::list_options().with_continue("t").with_resource_version("5"));
    BOOST_TEST(line(both) == "refused: resource_version: resource_version \"5\" cannot be combined with continue_");
}

BOOST_AUTO_TEST_CASE(watch_options_become_query_parameters) {
    auto p = kube::watch_options().with_resource_version("77").with_timeout_seconds(300).with_label_selector("a=b");
    BOOST_TEST(line(request::watch(pods, "d", p)) ==
               "GET /api/v1/namespaces/d/pods?watch=true&labelSelector=a%3Db&resourceVersion=77&timeoutSeconds=300"
               "&allowWatchBookmarks=true");
    p.allow_bookmarks = false;
    p.label_selector.clear();
    BOOST_TEST(line(request::watch(pods, "d", p)) ==
               "GET /api/v1/namespaces/d/pods?watch=true&resourceVersion=77&timeoutSeconds=300");
}

BOOST_AUTO_TEST_CASE(a_deletion_carries_its_options_in_the_body) {
    BOOST_TEST(request::remove(pods, "d", "a")->body == "");
    auto const r = request::remove(pods, "d", "a",
                                   kube::delete_options()
                                       .with_grace_period_seconds(0)
                                       .with_propagation_policy(kube::propagation::background)
                                       .with_precondition_uid("u\"1")
                                       .with_precondition_resource_version("7"));
    BOOST_TEST(r->body == R"({"gracePeriodSeconds":0,"propagationPolicy":"Background","preconditions":{"uid":"u\"1",)"
                          R"("resourceVersion":"7"},"kind":"DeleteOptions","apiVersion":"v1"})");
    BOOST_TEST(r->fields.get("content-type") == "application/json");
}

BOOST_AUTO_TEST_CASE(a_body_has_content_type_json) {
    auto const r = request::create(pods, "d", R"({"a":1})");
    BOOST_TEST(r->body == R"({"a":1})");
    BOOST_TEST(r->fields.get("Content-Type") == "application/json");
    BOOST_TEST(request::get(pods, "d", "a")->fields.get("Content-Type") == "");
}

BOOST_AUTO_TEST_CASE(log_options_become_query_parameters) {
    BOOST_TEST(line(request::pod_log("d", "p")) == "GET /api/v1/namespaces/d/pods/p/log");
    auto const p = kube::log_options().with_container("pytorch").with_follow().with_timestamps().with_tail_lines(0);
    BOOST_TEST(line(request::pod_log("d", "p", p)) ==
               "GET /api/v1/namespaces/d/pods/p/log?container=pytorch&follow=true&timestamps=true&tailLines=0");
    auto const since = kube::log_options().with_since_time("2026-03-01T10:11:12Z").with_limit_bytes(9);
    BOOST_TEST(line(request::pod_log("d", "p", since)) ==
               "GET /api/v1/namespaces/d/pods/p/log?sinceTime=2026-03-01T10%3A11%3A12Z&limitBytes=9");
    BOOST_TEST(request::pod_log("d", "p", kube::log_options(since).with_since_seconds(3)).has_error());
}

BOOST_AUTO_TEST_SUITE_END()
