#include "unit/apiserver/definitions/served_definitions.hpp"

using namespace sample;

// Expected: apiextensions-apiserver v0.31 `pkg/apis/apiextensions/validation/validation.go`,
// `pkg/apiserver/schema/validation.go`. Fields that all versions have in common are reported at `spec`.
namespace {

struct validated : served_definitions {
    /// The message of the refusal behind its beginning; empty if the definition is accepted.
    std::string fault(crd_text const& crd) {
        auto const r = define(crd);
        if (r.status == 201u) {
            send("DELETE", crds_path + "/" + crd.name);
            settle();
            return {};
        }
        BOOST_TEST(r.status == 422u, r.body);
        std::string const before = "CustomResourceDefinition.apiextensions.k8s.io \"" + crd.name + "\" is invalid: ";
        auto const text = member(r, "message");
        BOOST_TEST(text.starts_with(before), text);
        return text.substr(std::min(before.size(), text.size()));
    }
    std::string schema_fault(std::string const& schema, std::string const& more = "") {
        crd_text crd;
        crd.versions = version_text("v1", true, schema, more);
        return fault(crd);
    }
    /// Of the schema of `spec`.
    std::string spec_fault(std::string const& schema) {
        auto text = schema_fault(R"({"type":"object","properties":{"spec":)" + schema + "}}");
        std::string const path = "spec.validation.openAPIV3Schema.properties[spec]";
        for (auto at = text.find(path); at != text.npos; at = text.find(path)) text.replace(at, path.size(), "*");
        return text;
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(apiserver_crd_validation, validated)

BOOST_AUTO_TEST_CASE(a_definition_is_named_after_its_resource) {
    crd_text crd;
    crd.name = "widget.acme.example.com";
    BOOST_TEST(fault(crd) == R"(metadata.name: Invalid value: "widget.acme.example.com": must be )"
                             R"(spec.names.plural+"."+spec.group)");
}

BOOST_AUTO_TEST_CASE(a_group_must_be_a_domain) {
    crd_text crd;
    crd.name = "widgets.acme";
    crd.group = R"("group":"acme",)";
    BOOST_TEST(fault(crd) == R"(spec.group: Invalid value: "acme": should be a domain with at least one dot)");
    crd.name = "widgets.";
    crd.group = "";
    BOOST_TEST(fault(crd).find("spec.group: Required value") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_scope_is_required) {
    crd_text crd;
    crd.scope = "";
    BOOST_TEST(fault(crd) == "spec.scope: Required value");
    crd.scope = R"("scope":"Global",)";
    BOOST_TEST(fault(crd) == R"(spec.scope: Unsupported value: "Global": supported values: "Cluster", "Namespaced")");
}

BOOST_AUTO_TEST_CASE(exactly_one_version_is_stored) {
    crd_text crd;
    crd.versions = version_text("v1", false);
    auto const why = "must have exactly one version marked as storage version";
    BOOST_TEST(fault(crd).ends_with(why));
    BOOST_TEST(fault(crd).starts_with("spec.versions: Invalid value: "
                                      "[]apiextensions.CustomResourceDefinitionVersion{"
                                      "apiextensions.CustomResourceDefinitionVersion{Name:\"v1\", Served:true, "
                                      "Storage:false, "));
    crd.versions = version_text("v1", true) + "," + version_text("v2", true);
    BOOST_TEST(fault(crd).ends_with(why));
    crd.versions = version_text("v1", true) + "," + version_text("v1", false);
    BOOST_TEST(fault(crd).ends_with("must contain unique version names"));
    crd.versions = "";
    BOOST_TEST(fault(crd).ends_with(why));
    crd.versions = version_text("1", true);
    BOOST_TEST(fault(crd).starts_with(R"(spec.versions[0].name: Invalid value: "1": a DNS-1035 label must consist)"));
}

BOOST_AUTO_TEST_CASE(names_are_required_and_must_be_labels) {
    crd_text crd;
    crd.name = "widgets.acme.example.com";
    crd.names = R"("names":{"plural":"widgets"},)";
    BOOST_TEST(fault(crd) == "[spec.names.singular: Required value, spec.names.kind: Required value, "
                             "spec.names.listKind: Required value]");
    crd.names = R"("names":{"plural":"widgets","kind":"Widget","listKind":"Widget"},)";
    BOOST_TEST(fault(crd) == R"(spec.names.listKind: Invalid value: "Widget": kind and listKind may not be the same)");
    crd.names = R"("names":{"plural":"widgets","kind":"My_Widget","shortNames":["W"]},)";
    auto const text = fault(crd);
    BOOST_TEST(text.find(R"(spec.names.kind: Invalid value: "My_Widget": may have mixed case, but should otherwise )"
                         "match: a DNS-1035 label must consist of") != text.npos);
    BOOST_TEST(text.find(R"(spec.names.shortNames[0]: Invalid value: "W": a DNS-1035 label must)") != text.npos);
}

BOOST_AUTO_TEST_CASE(every_version_needs_a_schema) {
    crd_text crd;
    crd.versions = R"({"name":"v1","served":true,"storage":true})";
    BOOST_TEST(fault(crd) == "spec.versions[0].schema.openAPIV3Schema: Required value");
}

BOOST_AUTO_TEST_CASE(a_schema_must_be_structural) {
    BOOST_TEST(schema_fault("{}") ==
               "spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root");
    BOOST_TEST(schema_fault(R"({"type":"string"})") ==
               R"(spec.validation.openAPIV3Schema.type: Invalid value: "string": must be object at the root)");
    BOOST_TEST(spec_fault("{}") == "*.type: Required value: must not be empty for specified object fields");
    BOOST_TEST(spec_fault(R"({"type":"array"})") == "*.items: Required value: must be specified");
    BOOST_TEST(spec_fault(R"({"type":"array","items":{}})") ==
               "*.items.type: Required value: must not be empty for specified array items");
    BOOST_TEST(spec_fault(R"({"type":"object","anyOf":[{"type":"object"}]})") ==
               "*.anyOf[0].type: Forbidden: must be empty to be structural");
    BOOST_TEST(schema_fault(R"({"type":"object","allOf":[{"properties":{"spec":{"minimum":1}}}]})") ==
               "spec.validation.openAPIV3Schema.properties[spec]: Required value: because it is defined in "
               "spec.validation.openAPIV3Schema.allOf[0].properties[spec]");
    BOOST_TEST(schema_fault(R"({"type":"object","properties":{"metadata":{"type":"object",)"
                            R"("properties":{"labels":{"type":"object"}}}}})") ==
               "spec.validation.openAPIV3Schema.properties[metadata]: Forbidden: must not specify anything other than "
               "name and generateName, but metadata is implicitly specified");
    BOOST_TEST(spec_fault(R"({"type":"text"})") ==
               R"(*.type: Unsupported value: "text": supported values: "array", "boolean", "integer", "number", )"
               R"("object", "string")");
    BOOST_TEST(spec_fault(R"({"type":"object","$ref":"#/x"})") == "*.$ref: Forbidden: $ref is not supported");
    BOOST_TEST(
        spec_fault(
            R"({"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"string"}})") ==
        "*.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive");
    BOOST_TEST(
        spec_fault(R"({"type":"array","items":{"type":"string"},"x-kubernetes-list-type":"map"})") ==
        R"([*.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map, )"
        R"(*.items.type: Invalid value: "string": must be object if parent array's x-kubernetes-list-type is map])");
    BOOST_TEST(spec_fault(R"({"type":"string","pattern":"("})")
                   .starts_with(R"(*.pattern: Invalid value: "(": must be a valid regular expression, but isn't: )"));
}

BOOST_AUTO_TEST_CASE(a_schema_has_at_most_a_thousand_patterns) {
    auto const with = [](int patterns) {
        std::string text = R"({"type":"object","properties":{)";
        for (int i = 0; i < patterns; ++i)
            text += (i == 0 ? "\"p" : ",\"p") + std::to_string(i) + R"(":{"type":"string","pattern":"^a$"})";
        return text + "}}";
    };
    BOOST_TEST(spec_fault(with(1000)) == "");
    BOOST_TEST(spec_fault(with(1001)).find("at most 1000 patterns") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(int_or_string_and_preserved_fields_are_structural) {
    BOOST_TEST(spec_fault(R"({"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]})") ==
               "");
    BOOST_TEST(spec_fault(R"({"x-kubernetes-preserve-unknown-fields":true})") == "");
    BOOST_TEST(
        spec_fault(
            R"({"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true})") ==
        "");
    BOOST_TEST(spec_fault(R"({"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}],)"
                          R"("properties":{"a":{"type":"string"},"b":{"type":"string"}}})") == "");
}

BOOST_AUTO_TEST_CASE(a_default_must_match_its_schema) {
    BOOST_TEST(spec_fault(R"({"type":"object","properties":{"a":{"type":"integer","maximum":3,"default":4}}})")
                   .starts_with("*.properties[a].default: Invalid value: 4: "));
    BOOST_TEST(spec_fault(R"({"type":"object","properties":{"a":{"type":"integer","maximum":3,"default":3}}})") == "");
}

BOOST_AUTO_TEST_CASE(columns_and_scale_paths_are_checked) {
    BOOST_TEST(schema_fault(R"({"type":"object"})",
                            R"(,"additionalPrinterColumns":[{"name":"A","type":"text","jsonPath":"spec.a"}])") ==
               R"([spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,)"
               R"(number,string, )"
               R"(spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec.a": must be a simple json path )"
               R"(starting with .])");
    BOOST_TEST(
        schema_fault(R"({"type":"object"})", R"(,"subresources":{"scale":{"specReplicasPath":".status.n"}})") ==
        R"([spec.subresources.scale.specReplicasPath: Invalid value: ".status.n": should be a json path under .spec, )"
        "spec.subresources.scale.statusReplicasPath: Required value]");
}

BOOST_AUTO_TEST_CASE(conversion_webhooks_are_refused) {
    crd_text crd;
    crd.more = R"("conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"]}},)";
    BOOST_TEST(fault(crd) == "spec.conversion.strategy: Forbidden: this server does not call conversion webhooks; it "
                             "supports the strategy None");
    crd.more = R"("conversion":{"strategy":"Other"},)";
    BOOST_TEST(fault(crd) ==
               R"(spec.conversion.strategy: Unsupported value: "Other": supported values: "None", "Webhook")");
    crd.more = R"("preserveUnknownFields":true,)";
    BOOST_TEST(fault(crd).starts_with("spec.preserveUnknownFields: Invalid value: true: cannot set to true"));
}

BOOST_AUTO_TEST_CASE(groups_of_kubernetes_need_an_approval) {
    crd_text crd;
    crd.name = "widgets.acme.k8s.io";
    crd.group = R"("group":"acme.k8s.io",)";
    BOOST_TEST(fault(crd).starts_with("metadata.annotations[api-approved.kubernetes.io]: Required value: protected "
                                      "groups must have approval annotation \"api-approved.kubernetes.io\""));
    crd.metadata = R"(,"annotations":{"api-approved.kubernetes.io":"unapproved, a test"})";
    BOOST_TEST(fault(crd) == "");
}

BOOST_AUTO_TEST_CASE(scope_and_kind_of_a_definition_are_immutable) {
    crd_text crd;
    BOOST_TEST_REQUIRE(define(crd).status == 201u);
    crd.scope = R"("scope":"Cluster",)";
    crd.names = R"("names":{"kind":"Gadget","plural":"widgets"},)";
    auto const text = member(redefine(crd), "message");
    BOOST_TEST(text.find(R"(spec.scope: Invalid value: "Cluster": field is immutable)") != text.npos, text);
    BOOST_TEST(text.find(R"(spec.names.kind: Invalid value: "Gadget": field is immutable)") != text.npos, text);
}

BOOST_AUTO_TEST_CASE(a_stored_version_cannot_be_removed) {
    crd_text crd;
    BOOST_TEST_REQUIRE(define(crd).status == 201u);
    crd.versions = version_text("v2", true);
    auto const text = member(redefine(crd), "message");
    BOOST_TEST(
        text.ends_with(R"(is invalid: status.storedVersions[0]: Invalid value: "v1": must appear in spec.versions)"),
        text);
}

BOOST_AUTO_TEST_CASE(unknown_keywords_of_a_schema_are_reported_and_removed) {
    crd_text crd;
    crd.versions = version_text("v1", true, R"({"type":"object","properties":{"spec":{"type":"object","colour":1}}})");
    auto const strict = send("POST", crds_path + "?fieldValidation=Strict", crd.text());
    BOOST_TEST(strict.status == 400u);
    BOOST_TEST(member(strict, "message")
                   .ends_with("strict decoding error: unknown field "
                              "\"spec.versions[0].schema.openAPIV3Schema.properties.spec.colour\""));
    auto const made = define(crd);
    BOOST_TEST(made.status == 201u);
    BOOST_TEST(made.body.find("\"colour\"") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
