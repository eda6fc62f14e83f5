#include "unit/apiserver/requests.hpp"

#include <boost/test/unit_test.hpp>

using namespace sample;

// Expected: the Kubernetes API conventions; apiserver pkg/endpoints/handlers; apimachinery pkg/apis/meta/v1, v1.31.
BOOST_FIXTURE_TEST_SUITE(apiserver_handler, served)

BOOST_AUTO_TEST_CASE(objects_are_created_read_updated_patched_and_deleted) {
    auto const made =
        send("POST", pods_path, R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
    BOOST_TEST(made.status == 201u);
    BOOST_TEST(made.fields.get("Content-Type") == "application/json");
    BOOST_TEST(made.body.starts_with(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p",)"));
    auto const got = send("GET", pods_path + "/p");
    BOOST_TEST(got.status == 200u);
    BOOST_TEST(got.body == made.body);
    auto const put =
        send("PUT", pods_path + "/p", R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"j"}]}})");
    BOOST_TEST(put.status == 200u);
    BOOST_TEST(body_of(put).at("spec").at("containers").at(0).at("image") == "j");
    auto const patched =
        send("PATCH", pods_path + "/p", R"({"spec":{"activeDeadlineSeconds":9}})", "application/merge-patch+json");
    BOOST_TEST(patched.status == 200u);
    BOOST_TEST(member(patched, "spec.activeDeadlineSeconds") == "9");
    auto const status = send("PATCH", pods_path + "/p/status", R"({"status":{"phase":"Running"}})",
                             "application/merge-patch+json; charset=utf-8");
    BOOST_TEST(member(status, "status.phase") == "Running");
    auto const gone = send("DELETE", pods_path + "/p", R"({"gracePeriodSeconds":0})");
    BOOST_TEST(gone.status == 200u);
    BOOST_TEST(member(gone, "kind") == "Pod");
    BOOST_TEST(send("GET", pods_path + "/p").status == 404u);
}

BOOST_AUTO_TEST_CASE(custom_resources_are_served_under_their_group) {
    BOOST_TEST(
        send("POST", jobs_path, R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"j"}})")
            .status == 201u);
    auto const gone = send("DELETE", jobs_path + "/j");
    BOOST_TEST(gone.body ==
               R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","details":{"name":"j",)"
               R"("group":"kubeflow.org","kind":"pytorchjobs","uid":"uid-1"}})");
}

BOOST_AUTO_TEST_CASE(lists_name_kind_and_version_and_only_custom_items_repeat_them) {
    make_pod("p");
    make_job("j");
    auto const list = send("GET", pods_path);
    BOOST_TEST(list.body.starts_with(
        R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"3"},"items":[{"metadata":)"));
    BOOST_TEST(body_of(list).at("items").at(0).at("metadata").at("name").as_string() == "p");
    auto const jobs_list = send("GET", "/apis/kubeflow.org/v1/pytorchjobs");
    BOOST_TEST(body_of(jobs_list).at("items").at(0).at("kind").as_string() == "PyTorchJob");
    BOOST_TEST(member(jobs_list, "kind") == "PyTorchJobList");
}

BOOST_AUTO_TEST_CASE(percent_encoded_list_options_are_decoded) {
    make(pods, R"({"metadata":{"name":"a","labels":{"k":"1"}}})");
    make_pod("b");
    auto const list = send("GET", pods_path + "?labelSelector=k%20in%20%281%2C2%29&limit=500");
    BOOST_TEST(body_of(list).at("items").as_array().size() == 1u);
    auto const page = send("GET", "/api/v1/pods?limit=1");
    BOOST_TEST(member(page, "metadata.remainingItemCount") == "1");
    auto const next = send("GET", "/api/v1/pods?limit=1&continue=" + member(page, "metadata.continue"));
    BOOST_TEST(body_of(next).at("items").at(0).at("metadata").at("name").as_string() == "b");
    BOOST_TEST(send("GET", pods_path + "?labelSelector=%zz").status == 400u);
    for (std::string const wrong : {"?fieldManager=%FF", "/%FF%00", "?limit=\xff"}) { // no answer may repeat such bytes
        auto const refused = send("GET", pods_path + wrong);
        BOOST_TEST(refused.status == 400u);
        BOOST_TEST(kftrain::from_json<std::string>(kftrain::to_json(refused.body)).has_value(), wrong);
    }
    BOOST_TEST(send("GET", pods_path + "?limit=x").status == 400u);
    BOOST_TEST(send("GET", pods_path + "?limit=-1").status == 400u);
}

BOOST_AUTO_TEST_CASE(deleting_a_collection_deletes_the_selected_objects) {
    make(pods, R"({"metadata":{"name":"a","labels":{"k":"1"}}})");
    make_pod("b");
    auto const r = send("DELETE", pods_path + "?labelSelector=k%3D1");
    BOOST_TEST(body_of(r).at("items").as_array().size() == 1u);
    BOOST_TEST(!find(pods, "a"));
    BOOST_TEST(find(pods, "b"));
}

BOOST_AUTO_TEST_CASE(delete_options_are_read_from_the_body_or_the_query) {
    make_pod("p", R"(,"nodeName":"n")");
    auto const marked = send("DELETE", pods_path + "/p?gracePeriodSeconds=7");
    BOOST_TEST(member(marked, "metadata.deletionGracePeriodSeconds") == "7");
    BOOST_TEST(send("DELETE", pods_path + "/p", R"({"preconditions":{"uid":"other"}})").status == 409u);
    BOOST_TEST(send("DELETE", pods_path + "/p", R"({"gracePeriodSeconds":"x"})").status == 400u);
    BOOST_TEST(send("DELETE", pods_path + "/p?gracePeriodSeconds=0").status == 200u);
    BOOST_TEST(!find(pods, "p"));
}

BOOST_AUTO_TEST_CASE(missing_objects_are_answered_with_a_status) {
    for (auto const& target :
         {"/", "/nope", "/api/v2", "/api/v1/nope", "/apis/nope/v1", "/apis/kubeflow.org/v1/pods", "/openapi/v1",
          "/openapi/v3/apis/nope/v1", "/api/v1/pods/p", "/api/v1/namespaces/d/pods/p/exec/x"}) {
        auto const r = send("GET", target);
        BOOST_TEST(r.status == 404u, target);
        BOOST_TEST(member(r, "message") == "the server could not find the requested resource", target);
        BOOST_TEST(member(r, "reason") == "NotFound", target);
    }
    make_pod("p");
    BOOST_TEST(send("GET", pods_path + "/p/scale").status == 404u);
    BOOST_TEST(send("GET", "/api/v1/namespaces/default/configmaps/x/status").status == 404u);
}

BOOST_AUTO_TEST_CASE(unsupported_methods_are_405) {
    for (auto const& [method, target] :
         {std::pair("POST", pods_path + "/p"), std::pair("PUT", pods_path),
          std::pair("POST", std::string("/api/v1/pods")), std::pair("HEAD", pods_path),
          std::pair("POST", std::string("/version")), std::pair("DELETE", std::string("/api/v1/pods"))}) {
        auto const r = send(method, target);
        BOOST_TEST(r.status == 405u, method << " " << target);
        BOOST_TEST(member(r, "reason") == "MethodNotAllowed");
    }
}

BOOST_AUTO_TEST_CASE(bodies_must_be_json_objects_of_bounded_size_and_depth) {
    auto const broken = send("POST", pods_path, "{\n  \"metadata\": ,\n}");
    BOOST_TEST(broken.status == 400u);
    BOOST_TEST(member(broken, "reason") == "BadRequest");
    BOOST_TEST(member(broken, "message").ends_with("at line 2, column 15"));
    BOOST_TEST(send("POST", pods_path, "[1]").status == 400u);
    BOOST_TEST(send("POST", pods_path, "").status == 400u);
    BOOST_TEST(send("POST", pods_path, "{} {}").status == 400u);
    BOOST_TEST(send("POST", pods_path, std::string(100000, '[')).status == 400u);
    std::string deep;
    for (int i = 0; i < 100000; ++i) deep += "{\"a\":";
    auto const too_deep = send("POST", pods_path, deep + "1" + std::string(100000, '}'));
    BOOST_TEST(member(too_deep, "message") == "the body is nested deeper than 512 levels");
    auto const large = send("POST", pods_path, std::string((3u << 20) + 1, ' '));
    BOOST_TEST(large.status == 413u);
    BOOST_TEST(member(large, "reason") == "RequestEntityTooLarge");
    BOOST_TEST(member(large, "message") == "Request entity too large: limit is 3145728");
}

BOOST_AUTO_TEST_CASE(other_media_types_are_refused) {
    make_pod("p");
    auto const binary = send("POST", pods_path, "k8s", "application/vnd.kubernetes.protobuf");
    BOOST_TEST(binary.status == 415u);
    BOOST_TEST(member(binary, "message") == "the body of the request was in an unknown format - accepted media types "
                                            "include: application/json, application/yaml");
    for (auto const* type : {"application/apply-patch+cbor", "application/json"}) {
        auto const r = send("PATCH", pods_path + "/p", "{}", type);
        BOOST_TEST(r.status == 415u, type);
        BOOST_TEST(member(r, "reason") == "UnsupportedMediaType");
    }
    auto proto = request("GET", pods_path);
    proto.fields.add("Accept", "application/vnd.kubernetes.protobuf");
    auto const refused = send(proto);
    BOOST_TEST(refused.status == 406u);
    BOOST_TEST(member(refused, "message") == "only the following media types are accepted: application/json");
    proto.fields.set("Accept", "application/vnd.kubernetes.protobuf, application/json;q=0.5");
    BOOST_TEST(send(proto).status == 200u);
}

BOOST_AUTO_TEST_CASE(bodies_may_be_yaml) {
    auto const made = send("POST", pods_path, "metadata: {name: x}\nspec:\n  containers:\n  - {name: c, image: i}\n",
                           "application/yaml");
    BOOST_TEST(made.status == 201u);
    BOOST_TEST(find(pods, "x"));
    BOOST_TEST(send("POST", pods_path, "a: [", "application/yaml").status == 400u);
}

BOOST_AUTO_TEST_CASE(tables_are_returned_on_request) {
    make_pod("p");
    auto r = request("GET", pods_path);
    r.fields.add("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io,application/"
                           "json;as=Table;v=v1beta1;g=meta.k8s.io,application/json");
    auto const table = send(r, 5);
    BOOST_TEST(member(table, "kind") == "Table");
    BOOST_TEST(member(table, "apiVersion") == "meta.k8s.io/v1");
    auto const body = body_of(table);
    std::string headers;
    for (auto const& c : body.at("columnDefinitions").as_array())
        if (c.at("priority").as_int64() == 0) headers += std::string(c.at("name").as_string()) + " ";
    BOOST_TEST(headers == "Name Ready Status Restarts Age ");
    auto const& row = body.at("rows").at(0);
    BOOST_TEST(json::serialize(row.at("cells")).starts_with(R"(["p","0/1","Pending","0","5s")"));
    BOOST_TEST(row.at("object").at("kind").as_string() == "PartialObjectMetadata");
    BOOST_TEST(row.at("object").at("metadata").at("name").as_string() == "p");
    r.fields.set("Accept", "application/json;as=Table;v=v1beta1;g=meta.k8s.io");
    BOOST_TEST(send(r).status == 406u);
    r.fields.set("Accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
    r.target += "/p?includeObject=Object";
    BOOST_TEST(body_of(send(r)).at("rows").at(0).at("object").at("kind").as_string() == "Pod");
}

BOOST_AUTO_TEST_CASE(discovery_lists_what_is_served) {
    BOOST_TEST(send("GET", "/api").body ==
               R"({"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":[]})");
    auto const groups = body_of(send("GET", "/apis"));
    BOOST_TEST(groups.at("kind").as_string() == "APIGroupList");
    bool found = false;
    for (auto const& g : groups.at("groups").as_array())
        if (g.at("name").as_string() == "kubeflow.org") {
            found = true;
            BOOST_TEST(json::serialize(g.at("preferredVersion")) ==
                       R"({"groupVersion":"kubeflow.org/v1","version":"v1"})");
        }
    BOOST_TEST(found);
    auto const core = body_of(send("GET", "/api/v1"));
    BOOST_TEST(core.at("kind").as_string() == "APIResourceList");
    BOOST_TEST(core.at("groupVersion").as_string() == "v1");
    BOOST_TEST(
        json::serialize(core.at("resources").at(0)) ==
        R"({"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod","verbs":["create","delete",)"
        R"("deletecollection","get","list","patch","update","watch"],"shortNames":["po"],"categories":["all"]})");
    BOOST_TEST(member(send("GET", "/apis/kubeflow.org"), "kind") == "APIGroup");
    BOOST_TEST(member(send("GET", "/apis/kubeflow.org/v1"), "groupVersion") == "kubeflow.org/v1");
    BOOST_TEST(member(send("GET", "/version?timeout=32s"), "major") == "1");
    for (auto const* path : {"/healthz", "/livez", "/readyz"}) BOOST_TEST(send("GET", path).body == "ok");
}

BOOST_AUTO_TEST_CASE(namespaces_are_objects_and_path_segments) {
    BOOST_TEST(send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"team"}})").status == 201u);
    BOOST_TEST(member(send("GET", "/api/v1/namespaces/team"), "status.phase") == "Active");
    BOOST_TEST(send("GET", "/api/v1/namespaces/team/status").status == 200u);
    BOOST_TEST(send("GET", "/api/v1/namespaces/team/pods").status == 200u);
    BOOST_TEST(send("GET", "/api/v1/namespaces/team/nodes").status == 404u);
}

BOOST_AUTO_TEST_CASE(admission_warnings_are_header_fields) {
    auto d = job_definition();
    d.admission = [](admission_request const&) {
        admission_verdict v;
        v.warnings = {"the field \"x\" is old"};
        return v;
    };
    store.add(d);
    auto const r =
        send("POST", jobs_path, R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"j"}})");
    BOOST_TEST(r.fields.get("Warning") == R"(299 - "the field \"x\" is old")");
}

BOOST_AUTO_TEST_CASE(watch_options_are_checked) {
    auto const streaming = send("GET", pods_path + "?watch=1&sendInitialEvents=true");
    BOOST_TEST(streaming.status == 422u);
    BOOST_TEST(member(streaming, "message") ==
               "ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires "
               "setting resourceVersionMatch to NotOlderThan");
    BOOST_TEST(send("GET", pods_path + "?watch=1&resourceVersionMatch=NotOlderThan").status == 422u);
    BOOST_TEST(send("GET", pods_path + "?sendInitialEvents=true").status == 422u);
    auto const ahead = send("GET", pods_path + "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                                               "&resourceVersion=99");
    BOOST_TEST(ahead.status == 504u);
    BOOST_TEST(send("GET", pods_path + "?watch=1&resourceVersion=x").status == 400u);
    BOOST_TEST(send("GET", pods_path + "?watch=1&timeoutSeconds=x").status == 400u);
    BOOST_TEST(send("GET", pods_path + "?watch=1&labelSelector=%3D").status == 400u);
    BOOST_TEST(!send("GET", pods_path + "?watch=false").watch.has_value());
    auto const w = send("GET", pods_path + "?watch=true&timeoutSeconds=5&allowWatchBookmarks=true&resourceVersion=7");
    BOOST_REQUIRE(w.watch.has_value());
    BOOST_TEST(w.watch->since == 7u);
    BOOST_TEST(w.watch->bookmarks);
    BOOST_TEST(w.watch->timeout->count() == 5);
}

BOOST_AUTO_TEST_SUITE_END()
