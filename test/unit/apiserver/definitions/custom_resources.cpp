#include "unit/apiserver/definitions/served_definitions.hpp"

#include "apiserver/rest/watch_feed.hpp"

using namespace sample;

BOOST_FIXTURE_TEST_SUITE(apiserver_custom_resources, served_definitions)

// Expected: apiextensions-apiserver v0.31 `pkg/controller/status/naming_controller.go`,
// `pkg/controller/establish/establishing_controller.go`, `pkg/registry/customresourcedefinition/strategy.go`.
BOOST_AUTO_TEST_CASE(a_definition_is_established_when_it_is_created) {
    auto const made = define();
    BOOST_TEST_REQUIRE(made.status == 201u, made.body);
    BOOST_TEST(member(made, "status.acceptedNames") ==
               R"({"plural":"widgets","singular":"widget","shortNames":["wd"],"kind":"Widget","listKind":"WidgetList",)"
               R"("categories":["all"]})");
    BOOST_TEST(member(made, "status.storedVersions") == R"(["v1"])");
    BOOST_TEST(member(made, "spec.conversion") == R"({"strategy":"None"})");
    BOOST_TEST(member(made, "status.conditions") ==
               R"([{"type":"NamesAccepted","status":"True","lastTransitionTime":"2026-03-01T10:00:00Z",)"
               R"("reason":"NoConflicts","message":"no conflicts found"},)"
               R"({"type":"Established","status":"True","lastTransitionTime":"2026-03-01T10:00:00Z",)"
               R"("reason":"InitialNamesAccepted","message":"the initial names have been accepted"}])");
    BOOST_TEST(define().status == 409u);
    BOOST_TEST(send("GET", crds_path).body.find("\"kind\":\"CustomResourceDefinitionList\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(objects_are_pruned_defaulted_and_validated) {
    BOOST_TEST(make_widget(R"({"size":2})").status == 404u);
    define();
    auto const made = make_widget(R"({"size":2,"odd":1})");
    BOOST_TEST_REQUIRE(made.status == 201u, made.body);
    BOOST_TEST(member(made, "spec") == R"({"size":2,"colour":"red"})");
    BOOST_TEST((warnings(made) == std::vector<std::string>{R"(299 - "unknown field \"spec.odd\"")"}));
    BOOST_TEST(member(make_widget(R"({"size":0,"colour":"Red"})", "v1", "bad"), "message") ==
               R"(Widget.acme.example.com "bad" is invalid: [spec.colour: Invalid value: "Red": spec.colour in body )"
               R"(should match '^[a-z]+$', )"
               R"(spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1])");
    BOOST_TEST(member(make_widget("{}", "v1", "bad"), "message") ==
               R"(Widget.acme.example.com "bad" is invalid: spec.size: Required value)");
    BOOST_TEST(member(send("GET", widgets_path), "kind") == "WidgetList");
    BOOST_TEST(send("GET", "/apis/acme.example.com/v1/widgets").status == 200u);
    auto const status =
        send("PATCH", widgets_path + "/w/status", R"({"status":{"ready":1}})", "application/merge-patch+json");
    BOOST_TEST(member(status, "status.ready") == "1");
    BOOST_TEST(send("GET", widgets_path + "/w/scale").status == 404u);
}

BOOST_AUTO_TEST_CASE(a_resource_of_the_cluster_has_no_namespace) {
    crd_text crd;
    crd.scope = R"("scope":"Cluster",)";
    define(crd);
    auto const path = "/apis/acme.example.com/v1/widgets";
    auto const body =
        R"({"apiVersion":"acme.example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"size":1}})";
    BOOST_TEST(send("POST", path, body).status == 201u);
    BOOST_TEST(send("GET", std::string(path) + "/w").status == 200u);
    BOOST_TEST(send("GET", widgets_path).status == 404u);
}

BOOST_AUTO_TEST_CASE(scale_is_served_at_the_paths_of_the_definition) {
    crd_text crd;
    crd.versions = version_text("v1", true, widget_schema,
                                R"(,"subresources":{"status":{},"scale":{"specReplicasPath":".spec.size",)"
                                R"("statusReplicasPath":".status.ready"}})");
    define(crd);
    make_widget(R"({"size":2})");
    BOOST_TEST(member(send("GET", widgets_path + "/w/scale"), "spec.replicas") == "2");
    send("PATCH", widgets_path + "/w/scale", R"({"spec":{"replicas":5}})", "application/merge-patch+json");
    BOOST_TEST(member(send("GET", widgets_path + "/w"), "spec.size") == "5");
}

BOOST_AUTO_TEST_CASE(columns_of_the_definition_are_printed) {
    crd_text crd;
    crd.versions =
        version_text("v1", true, widget_schema,
                     R"(,"additionalPrinterColumns":[{"name":"Size","type":"integer","jsonPath":".spec.size"},)"
                     R"({"name":"Wide","type":"string","jsonPath":".spec.colour","priority":1,"description":"d"}])");
    define(crd);
    make_widget(R"({"size":2})");
    auto r = request("GET", widgets_path);
    r.fields.add("accept", "application/json;as=Table;v=v1;g=meta.k8s.io");
    auto const table = body_of(send(r));
    BOOST_TEST(json::serialize(table.at("rows").as_array().at(0).as_object().at("cells")) == R"(["w",2,"red"])");
    auto const& wide = table.at("columnDefinitions").as_array().at(2).as_object();
    BOOST_TEST(json::serialize(wide.at("priority")) == "1");
    BOOST_TEST(json::serialize(wide.at("description")) == "\"d\"");
}

BOOST_AUTO_TEST_CASE(a_changed_schema_applies_at_once) {
    define();
    make_widget(R"({"size":2})");
    crd_text crd;
    crd.versions = version_text(
        "v1", true,
        R"({"type":"object","properties":{"spec":{"type":"object","properties":{"weight":{"type":"integer"}}}}})");
    auto const changed = redefine(crd);
    BOOST_TEST_REQUIRE(changed.status == 200u, changed.body);
    BOOST_TEST(member(changed, "metadata.generation") == "2");
    BOOST_TEST(member(make_widget(R"({"size":1,"weight":3})", "v1", "x"), "spec") == R"({"weight":3})");
    BOOST_TEST(member(send("GET", widgets_path + "/w"), "spec") == "{}"); // stored with a size
}

BOOST_AUTO_TEST_CASE(tolerated_faults_are_warnings) {
    crd_text crd;
    crd.versions = version_text(
        "v1", true,
        R"({"type":"object","properties":{"spec":{"type":"object","x-kubernetes-validations":[{"rule":"self.a < 3"}],)"
        R"("properties":{"a":{"type":"string","format":"ipv4"},"b":{"type":"string",)"
        R"("x-kubernetes-validations":[{"rule":"self == oldSelf"}]}}}}})",
        R"(,"additionalPrinterColumns":[{"name":"A","type":"string","jsonPath":".spec[?(@.x>3)]"}])");
    auto const made = define(crd);
    BOOST_TEST_REQUIRE(made.status == 201u, made.body);
    std::vector<std::string> const expected{
        R"(299 - "spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[0]: this )"
        R"(server does not check the rule \"self.a < 3\"")",
        R"(299 - "spec.versions[0].schema.openAPIV3Schema.properties[spec].properties[a].format: this server )"
        R"(does not check the format \"ipv4\"")",
        R"(299 - "spec.versions[0].additionalPrinterColumns[0].jsonPath: this server does not evaluate )"
        R"(\".spec[?(@.x>3)]\"; the column stays empty")"};
    BOOST_TEST(warnings(made) == expected, boost::test_tools::per_element());
    make_widget(R"({"a":"x","b":"y"})");
    auto const moved = send("PATCH", widgets_path + "/w", R"({"spec":{"b":"z"}})", "application/merge-patch+json");
    BOOST_TEST(
        member(moved, "message") ==
        R"(Widget.acme.example.com "w" is invalid: spec.b: Invalid value: "string": failed rule: self == oldSelf)");
}

BOOST_AUTO_TEST_CASE(names_that_conflict_with_another_resource_are_not_accepted) {
    define();
    crd_text other;
    other.name = "gadgets.acme.example.com";
    other.names = R"("names":{"kind":"Gadget","plural":"gadgets","shortNames":["wd"]},)";
    auto const made = define(other);
    BOOST_TEST(made.status == 201u);
    auto const conditions = member(made, "status.conditions");
    BOOST_TEST(
        conditions.find(R"("status":"False","lastTransitionTime":"2026-03-01T10:00:00Z","reason":"ShortNamesConflict",)"
                        R"("message":"\"wd\" is already in use")") != conditions.npos,
        conditions);
    BOOST_TEST(conditions.find(R"("reason":"NotAccepted","message":"not all names are accepted")") != conditions.npos);
    BOOST_TEST(send("GET", "/apis/acme.example.com/v1/gadgets").status == 404u);
    send("DELETE", crds_path + "/widgets.acme.example.com");
    settle();
    BOOST_TEST(send("GET", "/apis/acme.example.com/v1/gadgets").status == 200u);
    auto const later = member(send("GET", crds_path + "/gadgets.acme.example.com"), "status.conditions");
    BOOST_TEST(later.find("ShortNamesConflict") == later.npos, later);
}

// Expected: apiextensions-apiserver v0.31 `pkg/registry/customresourcedefinition/etcd.go`,
// `pkg/controller/finalizer/crd_finalizer.go`, `pkg/apiserver/customresource_handler.go`.
BOOST_AUTO_TEST_CASE(deletion_of_a_definition_removes_its_objects_first) {
    define();
    make_widget(R"({"size":2})");
    send("POST", widgets_path,
         R"({"apiVersion":"acme.example.com/v1","kind":"Widget","metadata":{"name":"kept",)"
         R"("finalizers":["a.b/c"]},"spec":{"size":1}})");
    auto const path = crds_path + "/widgets.acme.example.com";
    auto const deleted = send("DELETE", path);
    BOOST_TEST(deleted.status == 200u);
    BOOST_TEST(member(deleted, "metadata.finalizers") == R"(["customresourcecleanup.apiextensions.k8s.io"])");
    BOOST_TEST(deleted.body.find("\"InstanceDeletionPending\"") != std::string::npos);
    auto const refused = make_widget(R"({"size":1})", "v1", "late");
    BOOST_TEST(refused.status == 405u);
    BOOST_TEST(member(refused, "message") == "create not allowed while custom resource definition is terminating");
    settle();
    BOOST_TEST(send("GET", widgets_path + "/w").status == 404u);
    BOOST_TEST(send("GET", widgets_path + "/kept").status == 200u);
    BOOST_TEST(send("GET", path).body.find("\"InstanceDeletionInProgress\"") != std::string::npos);
    send("PATCH", widgets_path + "/kept", R"({"metadata":{"finalizers":null}})", "application/merge-patch+json");
    settle();
    BOOST_TEST(send("GET", path).status == 404u);
    BOOST_TEST(send("GET", widgets_path).status == 404u);
    BOOST_TEST(send("GET", "/apis/acme.example.com").status == 404u);
    BOOST_TEST(define().status == 201u);
    BOOST_TEST(member(send("GET", widgets_path), "items") == "[]");
}

BOOST_AUTO_TEST_CASE(deleting_a_definition_deletes_dependents_of_its_objects) {
    define();
    crd_text other;
    other.name = "gadgets.acme.example.com";
    other.names = R"("names":{"kind":"Gadget","plural":"gadgets"},)";
    define(other);
    auto const owner = member(make_widget(R"({"size":2})"), "metadata.uid");
    auto const gadgets = "/apis/acme.example.com/v1/namespaces/default/gadgets";
    auto const made =
        send("POST", gadgets,
             R"({"apiVersion":"acme.example.com/v1","kind":"Gadget","metadata":{"name":"g","ownerReferences":)"
             R"([{"apiVersion":"acme.example.com/v1","kind":"Widget","name":"w","uid":")" +
                 owner + R"("}]},"spec":{"size":1}})");
    BOOST_TEST_REQUIRE(made.status == 201u, made.body);
    send("DELETE", crds_path + "/widgets.acme.example.com");
    settle();
    BOOST_TEST(member(send("GET", gadgets), "items") == "[]");
}

BOOST_AUTO_TEST_CASE(removing_the_finalizer_of_a_definition_leaves_no_objects) {
    define();
    make_widget(R"({"size":2})");
    auto const path = crds_path + "/widgets.acme.example.com";
    send("DELETE", path);
    send("PATCH", path, R"({"metadata":{"finalizers":null}})", "application/merge-patch+json");
    settle();
    BOOST_TEST(send("GET", path).status == 404u);
    define();
    BOOST_TEST(member(send("GET", widgets_path), "items") == "[]");
}

BOOST_AUTO_TEST_CASE(a_watch_ends_with_its_resource) {
    define();
    auto const opened = send("GET", widgets_path + "?watch=1");
    BOOST_REQUIRE(opened.watch.has_value());
    watch_feed feed(*opened.watch);
    make_widget(R"({"size":2})");
    BOOST_TEST(feed.pull(store, at(0)).starts_with(R"({"type":"ADDED")"));
    auto const before = store.version();
    send("DELETE", crds_path + "/widgets.acme.example.com");
    settle();
    BOOST_TEST(send("GET", widgets_path + "?watch=1").status == 404u);
    crd_text other; // may take the place of the first
    other.name = "gadgets.acme.example.com";
    other.names = R"("names":{"kind":"Gadget","plural":"gadgets"},)";
    define(other);
    BOOST_TEST(store.version(feed.kind()) > before);                         // the server looks at the watch
    BOOST_TEST(feed.pull(store, at(0)).starts_with(R"({"type":"DELETED")")); // controllers need this event
    BOOST_TEST(feed.ended());
    BOOST_TEST(feed.bookmark(store) == "");
}

BOOST_AUTO_TEST_CASE(slots_of_removed_resources_are_reused) {
    define();
    auto const early = send("GET", widgets_path + "?watch=1");
    auto const kinds = store.kinds();
    for (int i = 0; i < 70; ++i) {
        make_widget(R"({"size":2})");
        send("DELETE", crds_path + "/widgets.acme.example.com");
        settle();
        define();
    }
    BOOST_TEST(store.kinds() == kinds + 63);
    BOOST_TEST(store.usage().log_events < 1000u);
    watch_feed unread(*early.watch); // whose place another kind has
    BOOST_TEST(unread.pull(store, at(0)) == "");
    BOOST_TEST(unread.ended());
    auto const old = send("GET", widgets_path + "?watch=1&resourceVersion=1");
    watch_feed feed(*old.watch);
    BOOST_TEST(feed.pull(store, at(0)).find("\"code\":410") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_definition_does_not_replace_a_built_in_kind) {
    crd_text crd;
    crd.name = "pytorchjobs.kubeflow.org";
    crd.group = R"("group":"kubeflow.org",)";
    crd.names = R"("names":{"kind":"PyTorchJob","plural":"pytorchjobs"},)";
    make_job("j");
    auto const made = define(crd);
    BOOST_TEST_REQUIRE(made.status == 201u, made.body);
    BOOST_TEST(member(made, "status.conditions").find(R"("type":"Established","status":"True")") != std::string::npos);
    BOOST_TEST(
        (warnings(made) ==
         std::vector<std::string>{
             R"(299 - "this server has pytorchjobs.kubeflow.org built in: it keeps its own versions, schemas and )"
             R"(columns")"}));
    BOOST_TEST(member(send("GET", jobs_path + "/j"), "spec.a") == "1"); // which the schema of the definition lacks
    send("DELETE", crds_path + "/" + crd.name);
    settle();
    BOOST_TEST(send("GET", crds_path + "/" + crd.name).status == 404u);
    BOOST_TEST(member(send("GET", jobs_path), "items") == "[]"); // as on a cluster
    make_job("k");
}

BOOST_AUTO_TEST_CASE(built_in_objects_are_not_deleted_with_a_definition) {
    send("POST", "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies", R"({"metadata":{"name":"p"}})");
    crd_text crd;
    crd.name = "networkpolicies.networking.k8s.io";
    crd.group = R"("group":"networking.k8s.io",)";
    crd.names = R"("names":{"kind":"NetworkPolicy","plural":"networkpolicies"},)";
    crd.metadata = R"(,"annotations":{"api-approved.kubernetes.io":"unapproved"})";
    BOOST_TEST(define(crd).status == 201u);
    send("DELETE", crds_path + "/" + crd.name);
    settle();
    BOOST_TEST(send("GET", "/apis/networking.k8s.io/v1/namespaces/default/networkpolicies/p").status == 200u);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_CASE(definitions_are_limited_in_number) {
    auto options = numbered_uids();
    options.definition_limit = 1;
    stored_sample w(options);
    w.store.add(crd_resource());
    auto const crds = *w.store.find("apiextensions.k8s.io", "v1", "customresourcedefinitions");
    BOOST_TEST(w.store.create(crds, "", stored_sample::parse(crd_text().text()), at(0)).has_value());
    crd_text other;
    other.name = "gadgets.acme.example.com";
    other.names = R"("names":{"kind":"Gadget","plural":"gadgets"},)";
    auto const refused = w.store.create(crds, "", stored_sample::parse(other.text()), at(0));
    BOOST_TEST_REQUIRE(refused.has_error());
    BOOST_TEST(refused.error().code == 403u);
    BOOST_TEST(refused.error().message ==
               "customresourcedefinitions.apiextensions.k8s.io \"gadgets.acme.example.com\" is "
               "forbidden: this server keeps at most 1 custom resource definitions");
}
