#include "kube/answers/answer_check.hpp"

#include <kftrain/kube/request.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(kube_answer_check)

using namespace kftrain;
using kube::http_request;
using kube::detail::expected_answer;

namespace {

constexpr resource_info pods{"", "v1", "Pod", "pods"};
constexpr resource_info nodes{"", "v1", "Node", "nodes", resource_scope::cluster};
constexpr resource_info namespaces{"", "v1", "Namespace", "namespaces", resource_scope::cluster};

/// The path of what is wrong with an answer; empty if nothing is.
std::string wrong(result<http_request> const& request, std::string const& answer) {
    auto const fits = expected_answer(request.value()).check(answer);
    if (fits) return {};
    BOOST_TEST((fits.error().code == errc::protocol), answer);
    return fits.error().detail.path;
}

std::string named(std::string const& name, std::string const& ns = "d") {
    return R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":")" + name + R"(","namespace":")" + ns + "\"}}";
}

} // namespace

BOOST_AUTO_TEST_CASE(a_list_must_be_a_list) {
    auto const list = kube::request::list(pods, "d", {});
    for (auto const* good :
         {R"({"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]})", R"({"kind":"PodList","items":null})",
          R"({"items":[],"kind":"PodList"})", R"({"items":[ {} ]})", R"({"items":[{}],"broken)", "no JSON"})
        BOOST_TEST(wrong(list, good) == "", good);
    for (auto const& [bad, path] : {std::pair("{}", "kind"), std::pair(R"({"items":[]})", "kind"),
                                    std::pair(R"({"items":null})", "kind"), std::pair(R"({"kind":"PodList"})", "items"),
                                    std::pair(R"({"kind":"PodList","metadata":{"items":[]}})", "items"),
                                    std::pair(R"({"kind":"Status","status":"Success"})", "kind"),
                                    std::pair(R"({"kind":"Status","items":[]})", "kind")})
        BOOST_TEST(wrong(list, bad) == path, bad);
    for (auto const& [bad, missing] :
         {std::pair("{}", "kind and items"), std::pair(R"({"items":[]})", "apiVersion and kind"),
          std::pair(R"({"apiVersion":"v1","items":[]})", "kind")}) {
        auto const fits = expected_answer(list.value()).check(bad);
        BOOST_TEST(fits.error().detail.message ==
                   std::string("expected a list of pods, got an object without ") + missing);
    }
}

BOOST_AUTO_TEST_CASE(answers_must_contain_the_requested_object) {
    kube::patch_body change;
    change.text = "{}";
    for (auto const& request :
         {kube::request::get(pods, "d", "a"), kube::request::replace(pods, "d", "a", named("a")),
          kube::request::replace_status(pods, "d", "a", named("a")), kube::request::patch(pods, "d", "a", change),
          kube::request::get_scale(pods, "d", "a"), kube::request::remove(pods, "d", "a", {}),
          kube::request::create(pods, "d", named("a")), kube::request::create(pods, "d", named("a", ""))}) {
        BOOST_TEST_CONTEXT(request.value().method + " " + request.value().target) {
            BOOST_TEST(wrong(request, named("a")) == "");
            BOOST_TEST(wrong(request, R"({"metadata":{"name":"a"}})") == "");
            BOOST_TEST(wrong(request, R"({"kind":"Status","status":"Success"})") == "");
            BOOST_TEST(wrong(request, named("b")) == "metadata.name");
            BOOST_TEST(wrong(request, "{}") == "");
            BOOST_TEST(wrong(request, named("a", "e")) == "metadata.namespace");
        }
    }
    auto const fits = expected_answer(kube::request::get(pods, "d", "a").value()).check(named("b"));
    BOOST_TEST(fits.error().detail.message == R"(expected "a", the name in the request, got "b")");
}

BOOST_AUTO_TEST_CASE(objects_of_the_cluster_have_no_namespace) {
    auto const object = R"({"kind":"Node","metadata":{"name":"a"}})";
    BOOST_TEST(wrong(kube::request::get(nodes, "", "a"), object) == "");
    BOOST_TEST(wrong(kube::request::get(nodes, "", "b"), object) == "metadata.name");
    BOOST_TEST(wrong(kube::request::get(namespaces, "", "a"), object) == "");
    BOOST_TEST(wrong(kube::request::get(namespaces, "", "b"), object) == "metadata.name");
}

BOOST_AUTO_TEST_CASE(names_are_compared_decoded) {
    BOOST_TEST(wrong(kube::request::get(nodes, "", "system:x"), R"({"metadata":{"name":"system:x"}})") == "");
    auto const get = kube::request::get(pods, "d", "a");
    BOOST_TEST(wrong(get, R"({"metadata":{"name":"\u0061","namespace":"d"}})") == "");
    BOOST_TEST(wrong(get, R"({"metadata":{"name":"\u0062","namespace":"d"}})") == "metadata.name");
    BOOST_TEST(wrong(get, R"({"metadata":{"n\u0061me":"b","namespace":"d"}})") == "metadata.name");
    BOOST_TEST(wrong(get, R"({"metadata":{"namespace":"\u0065","name":"a"}})") == "metadata.namespace");
}

// Of a custom resource the names stand behind all else, and the kind may stand behind them.
BOOST_AUTO_TEST_CASE(names_are_found_anywhere_in_the_response) {
    auto const get = kube::request::get(pods, "d", "a");
    auto const object = [](std::string const& names) {
        return R"({ "apiVersion" : "v1", "metadata" : { "annotations" : {"name":"x","b":"}\\\""},)"
               R"( "managedFields" : [{"namespace":"y"}, 1.5, null, "]"], )" +
               names + R"(} , "spec" : {"metadata":{"name":"z"}}, "kind" : "Pod" })";
    };
    BOOST_TEST(wrong(get, object(R"("name" : "a", "namespace" : "d")")) == "");
    BOOST_TEST(wrong(get, object(R"("name":"b","namespace":"d")")) == "metadata.name");
    BOOST_TEST(wrong(get, object(R"("name":"a","namespace":"e")")) == "metadata.namespace");
    BOOST_TEST(wrong(get, R"({"metadata":{"name":"b"},"kind":"Status"})") == "");
    for (auto const* other : {R"({"metadata":{"name":5}})", R"({"metadata":{"name":null}})", R"({"metadata":null})",
                              R"({"metadata":{"name":"b"})", R"({"metadata":{"name":"b)", R"({"metadata":[]})"})
        BOOST_TEST(wrong(get, other) == "", other); // its decoder finds what is wrong
}

// Upstream keeps 58 characters of generateName and appends five.
BOOST_AUTO_TEST_CASE(a_generated_name_begins_with_its_prefix) {
    auto const create = [](std::string const& prefix) {
        return kube::request::create(pods, "d", R"({"metadata":{"generateName":")" + prefix + "\"}}");
    };
    BOOST_TEST(wrong(create("a-"), named("a-x2z4k")) == "");
    BOOST_TEST(wrong(create("a-"), named("b-x2z4k")) == "metadata.name");
    std::string const longest(63, 'a');
    BOOST_TEST(wrong(create(longest), named(longest.substr(0, 58) + "x2z4k")) == "");
}

BOOST_AUTO_TEST_CASE(other_requests_accept_any_response) {
    for (auto const* target : {"/version", "/apis", "/api/v1", "/api/v1/namespaces/d/pods/a/log",
                               "/api/v1/namespaces/d/pods?watch=true", "/api/v1/namespaces/d/pods/a/proxy/x"}) {
        http_request r;
        r.method = "GET";
        r.target = target;
        BOOST_TEST(expected_answer(r).is_any(), target);
    }
    BOOST_TEST(expected_answer(kube::request::evict("d", "a", {}).value()).is_any());
    auto table = kube::request::get(pods, "d", "a");
    table.value().fields.set("Accept", "application/json;as=Table;g=meta.k8s.io;v=v1");
    BOOST_TEST(expected_answer(table.value()).is_any());
}

BOOST_AUTO_TEST_SUITE_END()
