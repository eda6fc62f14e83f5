#include "unit/apiserver/definitions/served_definitions.hpp"

using namespace sample;

namespace {

struct discovered : served_definitions {
    reply get(std::string const& path, std::string const& accept) {
        auto r = request("GET", path);
        r.fields.add("accept", accept);
        return send(r);
    }
};

std::string const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
std::string const aggregated_beta = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

} // namespace

BOOST_FIXTURE_TEST_SUITE(apiserver_discovery, discovered)

BOOST_AUTO_TEST_CASE(a_defined_resource_is_discovered) {
    define();
    BOOST_TEST(member(send("GET", "/apis/acme.example.com/v1"), "resources") ==
               R"([{"name":"widgets","singularName":"widget","namespaced":true,"kind":"Widget","verbs":["create",)"
               R"("delete","deletecollection","get","list","patch","update","watch"],"shortNames":["wd"],)"
               R"("categories":["all"]},)"
               R"({"name":"widgets/status","singularName":"","namespaced":true,"kind":"Widget","verbs":["get","patch",)"
               R"("update"]}])");
}

// Expected: apimachinery v0.31 pkg/version/helpers_test.go.
BOOST_AUTO_TEST_CASE(the_most_stable_version_of_a_group_is_preferred) {
    crd_text crd;
    crd.versions = version_text("v1alpha1", false) + "," + version_text("v1beta2", false) + "," +
                   version_text("v1", true) + "," + version_text("v10beta3", false) + "," + version_text("v2", false) +
                   "," + version_text("foo1", false);
    define(crd);
    auto const group = body_of(send("GET", "/apis/acme.example.com"));
    std::string order;
    for (auto const& v : group.at("versions").as_array())
        order += std::string(v.as_object().at("version").as_string()) + " ";
    BOOST_TEST(order == "v2 v1 v10beta3 v1beta2 v1alpha1 foo1 ");
    BOOST_TEST(member(send("GET", "/apis/acme.example.com"), "preferredVersion.version") == "v2");
}

// Expected: apiserver v0.31 pkg/endpoints/discovery/aggregated; api v0.31 apidiscovery/v2/types.go.
BOOST_AUTO_TEST_CASE(aggregated_discovery_is_served_to_clients_that_prefer_it) {
    define();
    auto const found = get("/apis", aggregated + "," + aggregated_beta + ",application/json");
    BOOST_TEST(found.fields.get("Content-Type") == aggregated);
    BOOST_TEST(member(found, "kind") == "APIGroupDiscoveryList");
    BOOST_TEST(member(found, "apiVersion") == "apidiscovery.k8s.io/v2");
    auto const items = body_of(found).at("items").as_array();
    auto const group = std::ranges::find_if(
        items, [](json::value const& i) { return i.at("metadata").at("name") == "acme.example.com"; });
    BOOST_REQUIRE(group != items.end());
    BOOST_TEST(
        json::serialize(*group) ==
        R"({"metadata":{"name":"acme.example.com","creationTimestamp":null},"versions":[{"version":"v1","resources":[)"
        R"({"resource":"widgets","responseKind":{"group":"acme.example.com","version":"v1","kind":"Widget"},)"
        R"("scope":"Namespaced",)"
        R"("singularResource":"widget","verbs":["create","delete","deletecollection","get","list","patch",)"
        R"("update","watch"],)"
        R"("shortNames":["wd"],"categories":["all"],"subresources":[{"subresource":"status","responseKind":)"
        R"({"group":"acme.example.com","version":"v1","kind":"Widget"},"verbs":["get","patch","update"]}]}],)"
        R"("freshness":"Current"}]})");
    auto const core = get("/api", aggregated_beta + ",application/json");
    BOOST_TEST(member(core, "apiVersion") == "apidiscovery.k8s.io/v2beta1");
    BOOST_TEST(body_of(core).at("items").as_array().size() == 1u);
    BOOST_TEST(member(get("/apis", "application/json," + aggregated), "kind") == "APIGroupList");
    BOOST_TEST(member(get("/apis", "application/json"), "kind") == "APIGroupList");
    BOOST_TEST(member(get("/apis/acme.example.com", aggregated + ",application/json"), "kind") == "APIGroup");
}

// Expected: what cli-runtime v0.31 pkg/resource/query_param_verifier_v3.go looks for.
BOOST_AUTO_TEST_CASE(open_api_lists_the_patches_that_validate_fields) {
    define();
    auto const index = body_of(send("GET", "/openapi/v3"));
    auto const& paths = index.at("paths").as_object();
    BOOST_TEST(paths.contains("api/v1"));
    auto const where =
        std::string(paths.at("apis/acme.example.com/v1").as_object().at("serverRelativeURL").as_string());
    BOOST_TEST(where.starts_with("/openapi/v3/apis/acme.example.com/v1?hash="));
    auto const document = body_of(send("GET", where));
    auto const& patch = document.at("paths")
                            .as_object()
                            .at("/apis/acme.example.com/v1/namespaces/{namespace}/widgets/{name}")
                            .at("patch");
    BOOST_TEST(json::serialize(patch.at("x-kubernetes-group-version-kind")) ==
               R"({"group":"acme.example.com","version":"v1","kind":"Widget"})");
    std::string names;
    for (auto const& p : patch.at("parameters").as_array()) names.append(p.at("name").as_string()).append(" ");
    BOOST_TEST(names == "dryRun fieldManager fieldValidation force ");
    BOOST_TEST(send("GET", "/openapi/v3/apis/nobody/v1").status == 404u);
    BOOST_TEST(member(send("GET", "/openapi/v2"), "swagger") == "2.0");
    auto const binary = get("/openapi/v2", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf");
    BOOST_TEST(binary.status == 200u);
    BOOST_TEST(binary.body.starts_with("\n\x03"
                                       "2.0"));
    BOOST_TEST(binary.fields.get("Content-Type") == "application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
    BOOST_TEST(send("POST", "/openapi/v3", "{}").status == 405u);
}

BOOST_AUTO_TEST_SUITE_END()
