#include "unit/apiserver/definitions/served_definitions.hpp"

#include "apiserver/rest/watch_feed.hpp"

using namespace sample;

// Several versions of one resource without a conversion webhook: expected, apiextensions-apiserver v0.31
// `pkg/apiserver/conversion/nop_converter.go` and `customresource_handler.go`, `schemaCoercingConverter`.
namespace {

std::string const v2_schema =
    R"({"type":"object","properties":{"spec":{"type":"object","properties":{"size":{"type":"integer"},)"
    R"("shape":{"type":"string"}}}}})";
std::string const v2_path = "/apis/acme.example.com/v2/namespaces/default/widgets";

struct versions : served_definitions {
    versions() {
        crd.versions = version_text("v1", true) + "," + version_text("v2", false, v2_schema);
        auto const made = define(crd);
        BOOST_TEST_REQUIRE(made.status == 201u, made.body);
    }

    crd_text crd;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(apiserver_custom_versions, versions)

BOOST_AUTO_TEST_CASE(an_object_can_be_read_in_every_served_version) {
    auto const made = make_widget(R"({"size":2,"colour":"blue"})");
    auto const read = send("GET", v2_path + "/w");
    BOOST_TEST(member(read, "apiVersion") == "acme.example.com/v2");
    BOOST_TEST(member(read, "metadata.uid") == member(made, "metadata.uid"));
    BOOST_TEST(member(read, "metadata.resourceVersion") == member(made, "metadata.resourceVersion"));
    BOOST_TEST(member(read, "spec") == R"({"size":2})"); // which has no colour
    auto const list = send("GET", v2_path);
    BOOST_TEST(list.body.find(R"("apiVersion":"acme.example.com/v2","kind":"Widget")") != std::string::npos, list.body);
    BOOST_TEST(list.body.find("acme.example.com/v1\"") == std::string::npos);
    BOOST_TEST(member(send("GET", widgets_path + "/w"), "spec.colour") == "blue");
}

BOOST_AUTO_TEST_CASE(an_object_can_be_written_in_every_served_version) {
    auto const made = make_widget(R"({"size":2,"shape":"round"})", "v2");
    BOOST_TEST(member(made, "apiVersion") == "acme.example.com/v2");
    BOOST_TEST(member(made, "spec") == R"({"size":2,"shape":"round"})"); // no default: v2 has none
    BOOST_TEST(member(send("GET", widgets_path + "/w"), "spec") == R"({"size":2,"colour":"red"})"); // the default of v1
    auto const patched = send("PATCH", v2_path + "/w", R"({"spec":{"size":3}})", "application/merge-patch+json");
    BOOST_TEST(member(patched, "apiVersion") == "acme.example.com/v2");
    BOOST_TEST(member(patched, "spec") == R"({"size":3,"shape":"round"})");
    auto const wrong = send("PUT", widgets_path + "/w", patched.body);
    BOOST_TEST(wrong.status == 400u);
    BOOST_TEST(member(wrong, "message") ==
               "the API version in the data (acme.example.com/v2) does not match the expected "
               "API version (acme.example.com/v1)");
    BOOST_TEST(send("DELETE", v2_path + "/w").status == 200u);
    BOOST_TEST(send("GET", widgets_path + "/w").status == 404u);
}

BOOST_AUTO_TEST_CASE(an_unchanged_write_in_another_version_stores_nothing) {
    make_widget(R"({"size":2,"shape":"round"})", "v2");
    auto const before = store.version();
    auto const same = send("PATCH", v2_path + "/w", R"({"spec":{"size":2}})", "application/merge-patch+json");
    BOOST_TEST(same.status == 200u);
    BOOST_TEST(store.version() == before);
}

BOOST_AUTO_TEST_CASE(a_watch_delivers_the_version_in_which_it_was_opened) {
    auto const opened = send("GET", v2_path + "?watch=1");
    watch_feed feed(*opened.watch);
    make_widget(R"({"size":2,"colour":"blue"})");
    auto const lines = feed.pull(store, at(0));
    BOOST_TEST(lines.starts_with(R"({"type":"ADDED","object":{"apiVersion":"acme.example.com/v2",)"), lines);
    BOOST_TEST(lines.find("blue") == lines.npos);
}

BOOST_AUTO_TEST_CASE(the_storage_version_can_change) {
    make_widget(R"({"size":2,"colour":"blue"})");
    crd.versions = version_text("v1", false) + "," + version_text("v2", true, v2_schema);
    auto const changed = redefine(crd);
    BOOST_TEST_REQUIRE(changed.status == 200u, changed.body);
    BOOST_TEST(member(changed, "status.storedVersions") == R"(["v1","v2"])");
    make_widget(R"({"size":1,"shape":"flat"})", "v2", "x");
    BOOST_TEST(member(send("GET", v2_path + "/x"), "spec.shape") == "flat");
    BOOST_TEST(member(send("GET", widgets_path + "/w"), "spec.colour") == "blue");
    // As after a migration of what is stored.
    send("PATCH", crds_path + "/" + crd.name + "/status", R"({"status":{"storedVersions":["v2"]}})",
         "application/merge-patch+json");
    crd.versions = version_text("v2", true, v2_schema);
    BOOST_TEST(redefine(crd).status == 200u);
    BOOST_TEST(send("GET", widgets_path).status == 404u);
    BOOST_TEST(member(send("GET", v2_path + "/w"), "spec") == R"({"size":2})");
    BOOST_TEST(member(send("GET", v2_path + "/x"), "spec.shape") == "flat");
}

BOOST_AUTO_TEST_CASE(requests_of_a_deprecated_version_get_a_warning) {
    crd.versions = version_text("v1", true, widget_schema, R"(,"deprecated":true)") + "," +
                   version_text("v2", false, v2_schema) + "," +
                   version_text("v3", false, v2_schema, R"(,"deprecated":true,"deprecationWarning":"too new")");
    BOOST_TEST_REQUIRE(redefine(crd).status == 200u);
    std::string const text = R"(299 - "acme.example.com/v1 Widget is deprecated; use acme.example.com/v2 Widget")";
    BOOST_TEST((warnings(send("GET", widgets_path)) == std::vector<std::string>{text}));
    BOOST_TEST((warnings(send("GET", widgets_path + "/none")) == std::vector<std::string>{text}));
    BOOST_TEST(warnings(send("GET", v2_path)).empty());
    BOOST_TEST(
        (warnings(send("GET", "/apis/acme.example.com/v3/widgets")) == std::vector<std::string>{R"(299 - "too new")"}));
}

BOOST_AUTO_TEST_CASE(a_version_that_is_not_served_is_not_found) {
    crd.versions = version_text("v1", true) +
                   R"(,{"name":"v2","served":false,"storage":false,"schema":{"openAPIV3Schema":)" + v2_schema + "}}";
    BOOST_TEST(redefine(crd).status == 200u);
    BOOST_TEST(send("GET", v2_path).status == 404u);
    BOOST_TEST(send("GET", "/apis/acme.example.com/v2").status == 404u);
}

BOOST_AUTO_TEST_SUITE_END()
