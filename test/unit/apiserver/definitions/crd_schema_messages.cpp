#include "apiserver/definitions/crd_schema.hpp"

#include <boost/json/parse.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

/// The messages about the schema of a CustomResourceDefinition.
/// Expected: apiextensions-apiserver v0.31 `pkg/apiserver/schema/validation.go`,
/// `pkg/apis/apiextensions/validation/validation.go`.
BOOST_AUTO_TEST_SUITE(apiserver_crd_schema_messages)

using namespace kftrain;
using namespace kftrain::apiserver;
using lines = std::vector<std::string>;

namespace {

lines faults_of(std::string const& schema, bool has_status = false) {
    field_faults found;
    check_crd_schema(boost::json::parse(schema), has_status, "", found);
    lines all;
    for (auto const& v : found.take()) all.push_back(v.text());
    return all;
}

/// Of the field `a`.
lines faults_of_field(std::string const& schema) {
    auto all = faults_of(R"({"type":"object","properties":{"a":)" + schema + "}}");
    for (auto& line : all)
        for (std::string const path = ".properties[a]"; line.find(path) != line.npos;)
            line.replace(line.find(path), path.size(), "a");
    return all;
}

struct row {
    std::string schema;
    lines expected;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_schema_root_is_restricted) {
    row const rows[] = {
        {R"({"type":"object","additionalProperties":true})",
         {".additionalProperties: Forbidden: must not be used at the root"}},
        {R"({"type":"object","nullable":true})", {".nullable: Forbidden: nullable cannot be true at the root"}},
        {R"({"type":"object","properties":{"kind":{"type":"integer"}}})",
         {R"(.properties[kind].type: Invalid value: "integer": must be string)"}},
        {R"({"type":"object","properties":{"metadata":{"type":"string"}}})",
         {R"(.properties[metadata].type: Invalid value: "string": must be object)"}},
        {R"({"type":"object","properties":{"kind":{"type":"string","default":"a"}}})",
         {".properties[kind].default: Forbidden: must not be set in top-level kind"}},
        {R"({"type":"object","allOf":[{"properties":{"metadata":{}}}],"properties":{"metadata":{"type":"object"}}})",
         {".allOf[0].properties[metadata]: Forbidden: must not be specified in a nested context"}},
    };
    for (auto const& r : rows) BOOST_TEST(faults_of(r.schema) == r.expected, boost::test_tools::per_element());
    BOOST_TEST(faults_of(R"({"type":"object","nullable":false})", true) ==
                   lines{".nullable: Forbidden: must not be at the root of the schema if the status subresource is "
                         "enabled"},
               boost::test_tools::per_element());
    BOOST_TEST(
        faults_of(R"({"type":"array","items":{"type":"string"}})", true).front() ==
        R"(.type: Invalid value: "array": only "object" is allowed as the type at the root of the schema if the )"
        "status subresource is enabled");
}

BOOST_AUTO_TEST_CASE(types_and_list_types_are_restricted) {
    std::string const key = "a.items.properties[k]";
    std::string const in_keys = ": this property is in x-kubernetes-list-map-keys, so it ";
    auto const map = [](std::string const& keys, std::string const& properties) {
        return R"({"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":[)" + keys +
               R"(],"items":{"type":"object","properties":{)" + properties + "}}}";
    };
    row const rows[] = {
        {"7", {"a: Invalid value: 7: must be a schema"}},
        {R"({"type":"null"})",
         {R"(a.type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "object", )"
          R"("string")",
          "a.type: Forbidden: type cannot be set to null, use nullable as an alternative"}},
        {R"({"type":"array","items":[{"type":"string"}]})",
         {"a.items: Forbidden: items must be a schema object and not an array"}},
        {R"({"type":"array","items":{"type":"string"},"uniqueItems":true})",
         {"a.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes "
          "quadratic"}},
        {R"({"type":"object","x-kubernetes-preserve-unknown-fields":false})",
         {"a.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined"}},
        {R"({"type":"string","x-kubernetes-map-type":"atomic"})",
         {R"(a.type: Invalid value: "string": must be object if x-kubernetes-map-type is specified)"}},
        {R"({"type":"string","x-kubernetes-list-type":"atomic"})",
         {R"(a.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified)"}},
        {R"({"type":"array","x-kubernetes-list-type":"set","items":{"type":"object"}})",
         {"a.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with "
          "x-kubernetes-list-type=set"}},
        {R"({"type":"array","x-kubernetes-list-type":"set","items":{"type":"string","nullable":true}})",
         {"a.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is set"}},
        {R"({"type":"array","items":{"type":"object"},"x-kubernetes-list-map-keys":["k"]})",
         {"a.x-kubernetes-list-type: Required value: must be map if x-kubernetes-list-map-keys is non-empty"}},
        {R"({"type":"array","x-kubernetes-list-type":"map"})",
         {"a.items: Required value: must be specified",
          "a.x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map",
          "a.items: Required value: must have a schema if x-kubernetes-list-type is map"}},
        {map(R"("k")", R"("k":{"type":"string","nullable":true,"default":""})"),
         {key + ".nullable: Forbidden" + in_keys + "cannot be nullable"}},
        {map(R"("k")", R"("k":{"type":"string"})"),
         {key + ".default: Required value" + in_keys + "must have a default or be a required property"}},
        {map(R"("k")", R"("k":{"type":"object","default":{}})"),
         {key + R"(.type: Invalid value: "object": must be a scalar type if parent array's x-kubernetes-list-type is )"
                "map"}},
        {map(R"("k")", ""),
         {R"(a.x-kubernetes-list-map-keys: Invalid value: []string{"k"}: entries must all be names of item )"
          "properties"}},
        {map(R"("k","k")", R"("k":{"type":"string","default":""})"),
         {R"(a.x-kubernetes-list-map-keys: Invalid value: []string{"k", "k"}: must not contain duplicate entries)"}},
        {R"({"type":"object","x-kubernetes-validations":[{"rule":" "}]})",
         {"a.x-kubernetes-validations[0].rule: Required value: rule is not specified"}},
    };
    for (auto const& r : rows) BOOST_TEST(faults_of_field(r.schema) == r.expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(embedded_resources_are_restricted) {
    std::string const both = "must be false if x-kubernetes-int-or-string is true";
    row const rows[] = {
        {R"({"type":"object","x-kubernetes-embedded-resource":true})",
         {"a.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true without "
          "x-kubernetes-preserve-unknown-fields"}},
        {R"({"x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true})",
         {"a.type: Required value: must be object if x-kubernetes-embedded-resource is true"}},
        {R"({"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true,)"
         R"("additionalProperties":{"type":"string"}})",
         {"a.additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set"}},
        {R"({"x-kubernetes-int-or-string":true,"x-kubernetes-preserve-unknown-fields":true})",
         {"a.x-kubernetes-preserve-unknown-fields: Invalid value: true: " + both}},
    };
    for (auto const& r : rows) BOOST_TEST(faults_of_field(r.schema) == r.expected, boost::test_tools::per_element());
}

/// Below `anyOf`, `allOf`, `oneOf` and `not`.
BOOST_AUTO_TEST_CASE(keywords_below_any_of_are_restricted) {
    auto const fault = [](std::string const& word) {
        auto const all = faults_of_field(R"({"type":"object","anyOf":[{)" + word + "}]}");
        return all.empty() ? std::string() : all.front();
    };
    struct {
        std::string word, expected;
    } const rows[] = {
        {R"("type":"object")", "type: Forbidden: must be empty to be structural"},
        {R"("additionalProperties":true)", "additionalProperties: Forbidden: must be undefined to be structural"},
        {R"("default":1)", "default: Forbidden: must be undefined to be structural"},
        {R"("title":"t")", "title: Forbidden: must be empty to be structural"},
        {R"("description":"t")", "description: Forbidden: must be empty to be structural"},
        {R"("nullable":true)", "nullable: Forbidden: must be false to be structural"},
        {R"("x-kubernetes-preserve-unknown-fields":true)",
         "x-kubernetes-preserve-unknown-fields: Forbidden: must be false to be structural"},
        {R"("x-kubernetes-embedded-resource":true)",
         "x-kubernetes-embedded-resource: Forbidden: must be false to be structural"},
        {R"("x-kubernetes-int-or-string":true)",
         "x-kubernetes-int-or-string: Forbidden: must be false to be structural"},
        {R"("x-kubernetes-list-map-keys":["k"])",
         "x-kubernetes-list-map-keys: Forbidden: must be empty to be structural"},
        {R"("x-kubernetes-list-type":"map")", "x-kubernetes-list-type: Forbidden: must be undefined to be structural"},
        {R"("x-kubernetes-map-type":"atomic")", "x-kubernetes-map-type: Forbidden: must be undefined to be structural"},
        {R"("x-kubernetes-validations":[{"rule":"true"}])",
         "x-kubernetes-validations: Forbidden: must be empty to be structural"},
    };
    for (auto const& r : rows) BOOST_TEST(fault(r.word) == "a.anyOf[0]." + r.expected);
}

BOOST_AUTO_TEST_SUITE_END()
