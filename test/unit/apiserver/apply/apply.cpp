#include "unit/apiserver/apply/applied.hpp"

#include <boost/test/unit_test.hpp>

// Expected: structured-merge-diff v4 `merge/`, apimachinery v0.31.3 `pkg/util/managedfields/internal/`; the forms of
// `managedFields` and the messages are those of kube-apiserver.

using namespace sample;

BOOST_FIXTURE_TEST_SUITE(apiserver_apply, applied)

BOOST_AUTO_TEST_CASE(a_configuration_creates_an_object_with_its_manager) {
    auto const made = apply_data("a", R"({"k":"v"})");
    BOOST_TEST_REQUIRE(made.status == 201u);
    auto const entry = body_of(made).at("metadata").at("managedFields").as_array().at(0).as_object();
    BOOST_TEST(json::serialize(entry) ==
               R"({"manager":"a","operation":"Apply","apiVersion":"v1","time":"2026-03-01T10:00:00Z",)"
               R"("fieldsType":"FieldsV1","fieldsV1":{"f:data":{"f:k":{}}}})");
    auto const version = store.version();
    BOOST_TEST(apply_data("a", R"({"k":"v"})").status == 200u);
    BOOST_TEST(store.version() == version); // nothing changed
}

BOOST_AUTO_TEST_CASE(a_field_of_another_manager_is_a_conflict_unless_forced) {
    apply_data("a", R"({"k":"v","l":"v"})");
    auto const refused = apply_data("b", R"({"k":"w"})");
    BOOST_TEST(refused.status == 409u);
    BOOST_TEST(member(refused, "reason") == "Conflict");
    BOOST_TEST(member(refused, "message") == R"(Apply failed with 1 conflict: conflict with "a": .data.k)");
    BOOST_TEST(member(refused, "details.causes") ==
               R"([{"reason":"FieldManagerConflict","message":"conflict with \"a\"","field":".data.k"}])");
    BOOST_TEST(member(apply_data("b", R"({"k":"w","l":"w"})"), "message") ==
               "Apply failed with 2 conflicts: conflicts with \"a\":\n- .data.k\n- .data.l");
    BOOST_TEST(data() == R"({"k":"v","l":"v"})");
    auto const forced = apply_data("b", R"({"k":"w"})", "&force=true");
    BOOST_TEST(forced.status == 200u);
    BOOST_TEST(data() == R"({"k":"w","l":"v"})");
    std::vector<std::string> const expected{R"(a Apply {"f:data":{"f:l":{}}})", R"(b Apply {"f:data":{"f:k":{}}})"};
    BOOST_TEST(managers(forced) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_same_value_has_several_managers) {
    apply_data("a", R"({"k":"v"})");
    BOOST_TEST(apply_data("b", R"({"k":"v"})").status == 200u);
    BOOST_TEST(apply_data("a", R"({"l":"v"})").status == 200u);
    BOOST_TEST(data() == R"({"k":"v","l":"v"})"); // b has k still
    apply_data("b", R"({})");
    BOOST_TEST(data() == R"({"l":"v"})");
}

BOOST_AUTO_TEST_CASE(items_of_lists_are_merged_by_their_keys) {
    auto const made = apply_pod("a", R"({"containers":[{"name":"c","image":"i"},{"name":"d","image":"i"}]})");
    BOOST_TEST_REQUIRE(made.status == 201u, made.body);
    std::vector<std::string> const expected{
        R"(a Apply {"f:spec":{"f:containers":{"k:{\"name\":\"c\"}":{".":{},"f:image":{},"f:name":{}},)"
        R"("k:{\"name\":\"d\"}":{".":{},"f:image":{},"f:name":{}}}}})"};
    BOOST_TEST(managers(made) == expected, boost::test_tools::per_element());
    auto const other = apply_pod("b", R"({"containers":[{"name":"d","image":"j"}]})");
    BOOST_TEST(member(other, "message") ==
               R"(Apply failed with 1 conflict: conflict with "a": .spec.containers[name="d"].image)");
}

BOOST_AUTO_TEST_CASE(fields_written_before_the_first_apply_have_a_separate_manager) {
    BOOST_TEST(send("POST", maps, R"({"metadata":{"name":"m"},"data":{"k":"v"}})").status == 201u);
    BOOST_TEST(member(apply_data("a", R"({"k":"w"})"), "message") ==
               R"(Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.k)");
    BOOST_TEST(apply_data("a", R"({"l":"w"})").status == 200u);
    BOOST_TEST(data() == R"({"k":"v","l":"w"})");
}

BOOST_AUTO_TEST_CASE(other_writes_take_the_fields_that_they_change) {
    apply_data("a", R"({"k":"v"})");
    auto const patched =
        send("PATCH", maps + "/m?fieldManager=kubectl-edit", R"({"data":{"k":"w"}})", "application/merge-patch+json");
    BOOST_TEST_REQUIRE(patched.status == 200u);
    std::vector<std::string> const expected{R"(kubectl-edit Update {"f:data":{"f:k":{}}})"};
    BOOST_TEST(managers(patched) == expected, boost::test_tools::per_element());
    BOOST_TEST(member(apply_data("a", R"({"k":"v"})"), "message") ==
               R"(Apply failed with 1 conflict: conflict with "kubectl-edit" using v1: .data.k)");
}

BOOST_AUTO_TEST_CASE(configurations_are_checked) {
    auto const bogus = apply_pod("a", R"({"bogus":1})");
    BOOST_TEST(bogus.status == 500u);
    BOOST_TEST(member(bogus, "message") == "failed to create typed patch object (/p; /v1, Kind=Pod): "
                                           ".spec.bogus: field not declared in schema");
    auto const nobody = send("PATCH", maps + "/m", "{}", "application/apply-patch+yaml");
    BOOST_TEST(nobody.status == 422u);
    BOOST_TEST(member(nobody, "message") == "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Required value: "
                                            "is required for apply patch");
    auto const managed = apply(
        "a", maps + "/m", R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"m","managedFields":[{}]}})");
    BOOST_TEST(managed.status == 400u);
    BOOST_TEST(member(managed, "message") == "metadata.managedFields must be nil");
}

BOOST_AUTO_TEST_CASE(a_dry_run_applies_nothing) {
    auto const made = apply_data("a", R"({"k":"v"})", "&dryRun=All");
    BOOST_TEST(made.status == 201u);
    BOOST_TEST(send("GET", maps + "/m").status == 404u);
}

BOOST_AUTO_TEST_CASE(configurations_may_be_yaml) {
    auto const made = apply("a", maps + "/m", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n  k: v\n");
    BOOST_TEST(made.status == 201u, made.body);
    BOOST_TEST(data() == R"({"k":"v"})");
}

// apimachinery `pkg/util/managedfields/internal/structuredmerge.go`: fields that an endpoint ignores are not compared.
BOOST_AUTO_TEST_CASE(a_status_in_a_configuration_is_ignored) {
    auto const configuration = [](int ready) {
        return R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"j"},"spec":{"a":1},)"
               R"("status":{"ready":)" +
               std::to_string(ready) + "}}";
    };
    BOOST_TEST_REQUIRE(apply("kubectl", jobs_path + "/j", configuration(1)).status == 201u);
    BOOST_TEST_REQUIRE(send("PATCH", jobs_path + "/j/status?fieldManager=operator", R"({"status":{"ready":2}})",
                            "application/merge-patch+json")
                           .status == 200u);
    std::vector<std::string> const expected{R"(kubectl Apply {"f:spec":{".":{},"f:a":{}}})",
                                            R"(operator Update {"f:status":{".":{},"f:ready":{}}})"};
    for (std::string const force : {"", "&force=true"}) {
        auto const again = apply("kubectl", jobs_path + "/j", configuration(1), force);
        BOOST_TEST_REQUIRE(again.status == 200u, again.body);
        BOOST_TEST(member(again, "status.ready") == "2");
        BOOST_TEST(managers(again) == expected, boost::test_tools::per_element());
    }
}

// apimachinery `pkg/apis/meta/v1/validation/validation.go`, apiserver `pkg/endpoints/handlers/create.go`, v0.31.3.
BOOST_AUTO_TEST_CASE(names_of_field_managers_are_checked) {
    std::string const body = R"({"metadata":{"name":"m"}})", longest(128, 'm');
    auto const too_long = send("POST", maps + "?fieldManager=" + longest + "m", body);
    BOOST_TEST(too_long.status == 422u);
    BOOST_TEST(member(too_long, "message") == "CreateOptions.meta.k8s.io \"\" is invalid: fieldManager: Too long: "
                                              "must have at most 128 bytes");
    BOOST_TEST(send("POST", maps + "?fieldManager=" + longest, body).status == 201u);
    auto const patch = [&](std::string const& manager) {
        return send("PATCH", maps + "/m?fieldManager=" + manager, "{}", "application/merge-patch+json");
    };
    auto const hidden = patch("%C3%A9%01");
    BOOST_TEST(hidden.status == 422u);
    BOOST_TEST(member(hidden, "message") ==
               "PatchOptions.meta.k8s.io \"\" is invalid: fieldManager: Invalid value: \"é\\x01\": "
               "invalid character U+0001 (at position 2)");
    BOOST_TEST(member(hidden, "details.causes").ends_with(R"("field":"fieldManager"}])"));
    std::string many;
    for (int i = 0; i < 1000; ++i) many += "%01";
    auto const refused = patch(many);
    BOOST_TEST(body_of(refused).at("details").at("causes").as_array().size() == 8u);
    BOOST_TEST(patch("%22%5C%20%C3%A9").status == 200u);
    BOOST_TEST(member(apply(longest + "%E2%80%A8", maps + "/m", body), "message") ==
               "PatchOptions.meta.k8s.io \"\" is invalid: [fieldManager: Too long: must have at most 128 bytes, "
               "fieldManager: Invalid value: \"" +
                   longest + "\\u2028\": invalid character U+2028 (at position 128)]");
}

BOOST_AUTO_TEST_CASE(the_default_manager_is_the_program_of_the_client) {
    apply_data("a", R"({"k":"v"})");
    auto changed = request("PATCH", maps + "/m", R"({"data":{"k":"w"}})", "application/merge-patch+json");
    changed.fields.set("User-Agent", "\x01" + std::string(200, 'p') + "/v1 (linux)");
    std::vector<std::string> const expected{std::string(128, 'p') + R"( Update {"f:data":{"f:k":{}}})"};
    BOOST_TEST(managers(send(changed)) == expected, boost::test_tools::per_element());
}

// apimachinery `pkg/util/managedfields/scalehandler.go`.
BOOST_AUTO_TEST_CASE(a_write_through_scale_is_recorded_with_its_subresource) {
    auto scaled = job_definition();
    scaled.plural = "scaledjobs";
    scaled.kind = "ScaledJob";
    scaled.scale.emplace();
    scaled.scale->spec_replicas = ".spec.replicas";
    scaled.scale->status_replicas = ".status.replicas";
    store.add(std::move(scaled));
    std::string const path = "/apis/kubeflow.org/v1/namespaces/default/scaledjobs/j";
    std::string const configuration =
        R"({"apiVersion":"kubeflow.org/v1","kind":"ScaledJob","metadata":{"name":"j"},"spec":{"replicas":1}})";
    BOOST_TEST_REQUIRE(apply("a", path, configuration).status == 201u);
    BOOST_TEST_REQUIRE(
        send("PATCH", path + "/scale?fieldManager=s", R"({"spec":{"replicas":2}})", "application/merge-patch+json")
            .status == 200u);
    BOOST_TEST(member(send("GET", path), "metadata.managedFields") ==
               R"([{"manager":"a","operation":"Apply","apiVersion":"kubeflow.org/v1","time":"2026-03-01T10:00:00Z",)"
               R"("fieldsType":"FieldsV1","fieldsV1":{"f:spec":{}}},)"
               R"({"manager":"s","operation":"Update","apiVersion":"kubeflow.org/v1","fieldsType":"FieldsV1",)"
               R"("fieldsV1":{"f:spec":{"f:replicas":{}}},"subresource":"scale"}])");
    BOOST_TEST(member(apply("a", path, configuration), "message") ==
               R"(Apply failed with 1 conflict: conflict with "s" with subresource "scale" using kubeflow.org/v1: )"
               ".spec.replicas");
}

// apimachinery `pkg/util/managedfields/internal/lastappliedmanager.go`, `lastappliedupdater.go`.
BOOST_AUTO_TEST_CASE(kubectl_takes_over_fields_of_client_side_apply) {
    std::string const annotation = "kubectl.kubernetes.io/last-applied-configuration";
    auto const make = [&](std::string const& name, std::string const& applied) {
        json::object meta{{"name", name}, {"annotations", json::object{{annotation, applied}}}};
        json::object made{{"metadata", std::move(meta)}, {"data", json::object{{"k", "v"}, {"l", "v"}}}};
        BOOST_TEST_REQUIRE(send("POST", maps, json::serialize(made)).status == 201u);
    };
    auto const configuration = [](std::string const& name, std::string const& data) {
        return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":")" + name + R"("},"data":)" + data + "}";
    };
    make("m", configuration("m", R"({"k":"v"})"));
    auto const by_other = apply("other", maps + "/m", configuration("m", R"({"k":"w"})"));
    BOOST_TEST(by_other.status == 409u);
    auto const beyond = apply("kubectl", maps + "/m", configuration("m", R"({"k":"w","l":"w"})"));
    BOOST_TEST(member(beyond, "message") ==
               R"(Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.l)");
    auto const changed = apply("kubectl", maps + "/m", configuration("m", R"({"k":"w"})"));
    BOOST_TEST_REQUIRE(changed.status == 200u, changed.body);
    BOOST_TEST(data() == R"({"k":"w","l":"v"})");
    auto const annotations = body_of(changed).at("metadata").at("annotations").as_object();
    auto const kept = parse(annotations.at(annotation).as_string());
    BOOST_TEST(same_value(kept, parse(configuration("m", R"({"k":"w"})"))));
    // Changes by other clients since then, and fields recorded for another version, do not belong to kubectl.
    make("n", configuration("n", R"({"k":"u"})"));
    BOOST_TEST(apply("kubectl", maps + "/n", configuration("n", R"({"k":"w"})")).status == 409u);
    make("o", R"({"apiVersion":"v2","kind":"ConfigMap","data":{"k":"v"}})");
    BOOST_TEST(apply("kubectl", maps + "/o", configuration("o", R"({"k":"w"})")).status == 409u);
    make("p", "no JSON");
    BOOST_TEST(apply("kubectl", maps + "/p", configuration("p", R"({"k":"w"})")).status == 409u);
}

BOOST_AUTO_TEST_SUITE_END()
