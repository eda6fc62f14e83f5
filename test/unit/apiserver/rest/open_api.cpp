#include "unit/apiserver/requests.hpp"

#include "apiserver/openapi/gnostic.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>

BOOST_AUTO_TEST_SUITE(apiserver_open_api)

using namespace sample;

namespace {

/// The definitions that Kubernetes publishes; test/data/schemas/README.md describes the file.
json::object const& published() {
    static json::object const made = [] {
        std::ifstream file(KFTRAIN_SOURCE_DIR "/test/data/schemas/kubernetes.json");
        std::string const text(std::istreambuf_iterator<char>(file), {});
        return json::parse(text).at("$defs").as_object();
    }();
    return made;
}

json::object definitions_of(served& s) { return body_of(s.send("GET", "/openapi/v2")).at("definitions").as_object(); }

std::string text_without_prefix(json::value const& reference) {
    std::string const text(reference.as_string());
    return text.substr(text.rfind('/') + 1);
}

/// The type that clients read from the schema of a property: `string int64`, `[]Container map name`, `map of string`.
std::string shape_of(json::object const& schema) {
    std::string out;
    auto const* properties = schema.if_contains("items");
    if (auto const* reference = schema.if_contains("$ref")) out = text_without_prefix(*reference);
    if (auto const* type = schema.if_contains("type")) out += std::string(type->as_string());
    if (auto const* format = schema.if_contains("format")) out += " " + std::string(format->as_string());
    if (properties != nullptr) out += " of " + shape_of(properties->as_object());
    if (auto const* values = schema.if_contains("additionalProperties")) out += " to " + shape_of(values->as_object());
    for (auto const* word : {"x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-patch-merge-key",
                             "x-kubernetes-patch-strategy", "x-kubernetes-map-type"})
        if (auto const* rule = schema.if_contains(word))
            out.append(" ").append(word + 13).append(json::serialize(*rule));
    return out;
}

std::string hex(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    for (unsigned char const c : bytes) (out += digits[c >> 4U]) += digits[c & 15U];
    return out;
}

/// A map is granular unless a rule makes it atomic.
std::string without_default(std::string shape) {
    std::string const rule = " map-type\"granular\"";
    if (auto const at = shape.find(rule); at != shape.npos) shape.erase(at, rule.size());
    return shape;
}

} // namespace

BOOST_AUTO_TEST_CASE(built_in_kinds_have_the_schemas_that_kubernetes_publishes) {
    served s;
    auto const made = definitions_of(s);
    std::size_t compared = 0;
    for (auto const& [name, definition] : made) {
        auto const* expected = published().if_contains(name);
        if (expected == nullptr) continue; // of a kind that the file does not have, or newer
        auto const* properties = object_in(definition.as_object(), "properties");
        auto const* known = object_in(expected->as_object(), "properties");
        BOOST_TEST((properties == nullptr) == (known == nullptr), name);
        if (properties == nullptr || known == nullptr) {
            BOOST_TEST(shape_of(definition.as_object()) == shape_of(expected->as_object()), name);
            continue;
        }
        BOOST_TEST(text_in(definition.as_object(), "x-kubernetes-map-type") ==
                       text_in(expected->as_object(), "x-kubernetes-map-type"),
                   name);
        for (auto const& [field, schema] : *known) {
            auto const* ours = properties->if_contains(field);
            auto const at = std::string(name) + "." + std::string(field);
            BOOST_TEST((ours != nullptr), at << " is missing");
            if (ours == nullptr) continue;
            BOOST_TEST(shape_of(ours->as_object()) == without_default(shape_of(schema.as_object())), at);
            ++compared;
        }
        auto const* required = array_in(definition.as_object(), "required");
        auto const* needed = array_in(expected->as_object(), "required");
        if (required == nullptr) continue;
        for (auto const& field : *required)
            BOOST_TEST((needed != nullptr && std::ranges::find(*needed, field) != needed->end()),
                       name << " requires " << field);
    }
    BOOST_TEST(compared > 900u);
}

BOOST_AUTO_TEST_CASE(every_definition_has_the_name_that_kubernetes_gives_it) {
    served s;
    auto const made = definitions_of(s);
    for (auto const& [name, definition] : published())
        if (name.starts_with("io.k8s.api.core.v1.Pod") || name.starts_with("io.k8s.api.batch") ||
            name.ends_with("Action") || name.ends_with("VolumeSource"))
            if (name != "io.k8s.api.core.v1.PodTemplate") BOOST_TEST(made.contains(name), name);
    auto const& pod = made.at("io.k8s.api.core.v1.Pod").as_object();
    BOOST_TEST(json::serialize(pod.at("x-kubernetes-group-version-kind")) ==
               R"([{"group":"","version":"v1","kind":"Pod"}])");
}

// Expected: bytes that gnostic-models v0.6.8 makes of the same document.
BOOST_AUTO_TEST_CASE(the_gnostic_encoding_equals_upstream) {
    auto const document = stored_sample::parse(
        R"({"swagger":"2.0","info":{"title":"T","version":"1"},"paths":{"/a/{name}":{"patch":{"parameters":[{"name":)"
        R"("dryRun","in":"query","type":"string"}],"responses":{"200":{"description":"OK"}}},"parameters":[{"name":)"
        R"("name","in":"path","required":true,"type":"string"}]}},)"
        R"("definitions":{"A":{"type":"object","required":["b"],)"
        R"("properties":{"b":{"type":"array","items":{"$ref":"#/definitions/A"}},"c":{"type":"object",)"
        R"("additionalProperties":{"type":"integer","format":"int32","minimum":1.5,"maxLength":300}}}}}})");
    BOOST_TEST(
        hex(encode_gnostic(document)) ==
        "0a03322e3012060a0154120131425f125d0a092f612f7b6e616d657d12504230421d0a1b12191a1712057175657279220664727952756e"
        "3206737472696e674a0f0a0d0a0332303012060a040a024f4b4a1c0a1a12182216080112047061746822046e616d652a06737472696e67"
        "4a760a740a0141126f9a010162b201080a066f626a656374ca015d0a250a01621220b201070a056172726179ba01130a110a0f232f6465"
        "66696e6974696f6e732f410a340a0163122faa01210a1f1205696e74333249000000000000f83f58ac02b201090a07696e7465676572b2"
        "01080a066f626a656374");
}

BOOST_AUTO_TEST_CASE(the_gnostic_encoding_has_extensions_as_yaml) {
    auto const document = stored_sample::parse(R"({"definitions":{"A":{"x-a":[{"kind":"A"}]}}})");
    std::string const yaml = R"([{"kind":"A"}])"; // a field 2 of 14 bytes in fields of 16 and 23 bytes
    BOOST_TEST(encode_gnostic(document).ends_with("\xfa\x01\x17\n\x03x-a\x12\x10\x12\x0e" + yaml));
}

BOOST_AUTO_TEST_CASE(documents_of_v2_are_not_found_below_v3) {
    served s;
    BOOST_TEST(s.send("GET", "/openapi/v2").status == 200u);
    BOOST_TEST(s.send("GET", "/openapi/v3/v2").status == 404u);
    BOOST_TEST(s.send("GET", "/openapi/v3/api/v1").status == 200u);
}

BOOST_AUTO_TEST_SUITE_END()
