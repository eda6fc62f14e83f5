#include <kftrain/kube/request_report.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(kube_request_report)

using namespace kftrain;
using namespace kftrain::kube;

namespace {

/// `verb group/version namespace resource/subresource name template`, with `-` for what is empty.
std::string reported(std::string_view method, std::string_view target) {
    auto const s = subject_of(method, target);
    auto const shown = [](std::string const& text) { return text.empty() ? std::string("-") : text; };
    return s.verb + " " + shown(s.group) + "/" + shown(s.version) + " " + shown(s.namespace_) + " " +
           shown(s.resource) + "/" + shown(s.subresource) + " " + shown(s.name) + " " + s.path_template;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_target_contains_verb_kind_and_path) {
    struct row {
        char const *method, *target, *expected;
    };
    std::vector<row> const rows{
        {"GET", "/api/v1/namespaces/d/pods/a", "get -/v1 d pods/- a /api/v1/namespaces/{namespace}/pods/{name}"},
        {"GET", "/api/v1/pods?limit=5", "list -/v1 - pods/- - /api/v1/pods"},
        {"GET", "/apis/kubeflow.org/v1/namespaces/d/pytorchjobs?watch=true&resourceVersion=5",
         "watch kubeflow.org/v1 d pytorchjobs/- - /apis/kubeflow.org/v1/namespaces/{namespace}/pytorchjobs"},
        {"GET", "/api/v1/pods?watch=1", "watch -/v1 - pods/- - /api/v1/pods"},
        {"GET", "/api/v1/pods?notwatch=true&watch=false", "list -/v1 - pods/- - /api/v1/pods"},
        {"POST", "/api/v1/namespaces/d/pods", "create -/v1 d pods/- - /api/v1/namespaces/{namespace}/pods"},
        {"POST", "/api/v1/namespaces/d/pods/a/eviction",
         "create -/v1 d pods/eviction a /api/v1/namespaces/{namespace}/pods/{name}/eviction"},
        {"PUT", "/apis/g/v1/namespaces/d/ts/a/status",
         "update g/v1 d ts/status a /apis/g/v1/namespaces/{namespace}/ts/{name}/status"},
        {"PATCH", "/apis/g/v1/ts/a", "patch g/v1 - ts/- a /apis/g/v1/ts/{name}"},
        {"DELETE", "/api/v1/namespaces/d/pods/a", "delete -/v1 d pods/- a /api/v1/namespaces/{namespace}/pods/{name}"},
        {"DELETE", "/api/v1/namespaces/d/pods", "deletecollection -/v1 d pods/- - /api/v1/namespaces/{namespace}/pods"},
        {"GET", "/api/v1/namespaces", "list -/v1 - namespaces/- - /api/v1/namespaces"},
        {"GET", "/api/v1/namespaces/d", "get -/v1 d namespaces/- d /api/v1/namespaces/{name}"},
        {"PUT", "/api/v1/namespaces/d/finalize",
         "update -/v1 d namespaces/finalize d /api/v1/namespaces/{name}/finalize"},
        {"GET", "/api/v1/namespaces/d/pods/a/proxy/x/y",
         "get -/v1 d pods/proxy a /api/v1/namespaces/{namespace}/pods/{name}/proxy/{path}"},
        {"GET", "/version", "get -/- - -/- - /version"},
        {"GET", "/apis", "get -/- - -/- - /apis"},
        {"GET", "/apis/g/v1", "get -/- - -/- - /apis/g/v1"},
        {"GET", "/api/v1", "get -/- - -/- - /api/v1"},
        {"GET", "", "get -/- - -/- - "},
        {"GET", "/", "get -/- - -/- - /"},
        {"GET", "?watch=true", "get -/- - -/- - "},
    };
    for (auto const& [method, target, expected] : rows) BOOST_TEST(reported(method, target) == expected, target);
}

BOOST_AUTO_TEST_CASE(writing_requests_are_recognized) {
    for (auto const* method : {"POST", "PUT", "PATCH", "DELETE"})
        BOOST_TEST(subject_of(method, "/api/v1/namespaces/d/pods/a").mutates(), method);
    for (auto const* target : {"/api/v1/pods", "/api/v1/pods?watch=true", "/api/v1/namespaces/d/pods/a", "/healthz"})
        BOOST_TEST(!subject_of("GET", target).mutates(), target);
}

BOOST_AUTO_TEST_SUITE_END()
