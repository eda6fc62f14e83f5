#include <kftrain/model/schema.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(model_schema)

using namespace kftrain;

// Texts as kube-openapi v0.0.0-20240228 `pkg/validation/errors/schema.go` and apiextensions-apiserver v0.31.3 write
// them.
namespace {

resource_schema compiled(std::string const& schema) {
    return resource_schema::parse(R"({"schema":)" + schema + "}").value();
}

/// The faults of `value` as the field `v`, one per line.
std::string faults(std::string const& schema, std::string const& value, std::string const& old = "") {
    auto const s = compiled(R"({"type":"object","properties":{"v":)" + schema + "}}");
    std::string out;
    for (auto const& f : validate(s, R"({"v":)" + value + "}", old.empty() ? "" : R"({"v":)" + old + "}").value())
        out += f.reason.substr(10) + "|" + f.text() + "\n";
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_value_of_another_type_is_named_by_its_type) {
    BOOST_TEST(faults(R"({"type":"integer"})", "3") == "");
    BOOST_TEST(faults(R"({"type":"integer"})", "3.0") == "");
    BOOST_TEST(faults(R"({"type":"number"})", "3") == "");
    BOOST_TEST(faults(R"({"type":"integer","format":"int32"})", "3000000000") == ""); // int32 is not checked upstream
    BOOST_TEST(faults(R"({"type":"integer","format":"int32"})", "true") ==
               "TypeInvalid|v: Invalid value: \"boolean\": v in body must be of type integer: \"boolean\"\n");
    BOOST_TEST(faults(R"({"type":"string"})", "1.5") ==
               "TypeInvalid|v: Invalid value: \"number\": v in body must be of type string: \"number\"\n");
    BOOST_TEST(faults(R"({"type":"array","items":{"type":"string"}})", R"(["a",null,{}])") ==
               "TypeInvalid|v[1]: Invalid value: \"null\": v[1] in body must be of type string: \"null\"\n"
               "TypeInvalid|v[2]: Invalid value: \"object\": v[2] in body must be of type string: \"object\"\n");
    BOOST_TEST(faults(R"({"type":"string","nullable":true})", "null") == "");
}

BOOST_AUTO_TEST_CASE(times_must_be_of_their_format) {
    std::string const time = R"({"type":"string","format":"date-time"})";
    for (auto const* good : {"2024-02-29T23:59:59Z", "2024-01-01t00:00:00.123456z", "2024-01-01T00:00:00+02:00"})
        BOOST_TEST(faults(time, '"' + std::string(good) + '"') == "", good);
    for (std::string const bad :
         {"2023-02-29T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01", "now", "2024-01-01T00:00:00"})
        BOOST_TEST(faults(time, '"' + bad + '"') == "TypeInvalid|v: Invalid value: \"" + bad +
                                                        "\": v in body must be of type date-time: \"" + bad + "\"\n");
    BOOST_TEST(faults(time, "5") ==
               "TypeInvalid|v: Invalid value: \"int64\": v in body must be of type date-time: \"int64\"\n");
}

BOOST_AUTO_TEST_CASE(numbers_and_texts_have_limits) {
    BOOST_TEST(faults(R"({"type":"integer","minimum":1})", "0") ==
               "Invalid|v: Invalid value: 0: v in body should be greater than or equal to 1\n");
    BOOST_TEST(faults(R"({"type":"number","maximum":2.5,"exclusiveMaximum":true})", "2.5") ==
               "Invalid|v: Invalid value: 2.5: v in body should be less than 2.5\n");
    BOOST_TEST(faults(R"({"type":"integer","multipleOf":5})", "7") ==
               "Invalid|v: Invalid value: 7: v in body should be a multiple of 5\n");
    BOOST_TEST(faults(R"({"type":"string","maxLength":2})", R"("\u00e9\u00e9\u00e9")") ==
               "TooLong|v: Too long: may not be longer than 2\n");
    BOOST_TEST(faults(R"({"type":"string","minLength":1})", R"("")") ==
               "Invalid|v: Invalid value: \"\": v in body should be at least 1 chars long\n");
    BOOST_TEST(
        faults(R"({"type":"string","pattern":"^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"})", R"("b\"")") ==
        "Invalid|v: Invalid value: \"b\\\"\": v in body should match '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$'\n");
    BOOST_TEST(faults(R"({"type":"string","enum":["a","b"]})", R"("c")") ==
               "NotSupported|v: Unsupported value: \"c\": supported values: \"a\", \"b\"\n");
    BOOST_TEST(faults(R"({"type":"array","maxItems":1})", "[1,2]") ==
               "TooMany|v: Too many: 2: must have at most 1 items\n");
    BOOST_TEST(faults(R"({"type":"object","minProperties":1})", "{}") ==
               "Invalid|v: Invalid value: 0: v in body should have at least 1 properties\n");
}

// In doubles, 9223372036854775807 is 2^63, which no number of 64 bits reaches.
BOOST_AUTO_TEST_CASE(bounds_may_be_beyond_what_numbers_hold) {
    for (std::string const type : {"integer", "number"})
        for (std::string const value : {"9223372036854775807", "-9223372036854775808", "0"}) {
            auto const bounded = [&](std::string const& bound) {
                return faults(R"({"type":")" + type + "\"," + bound + "}", value);
            };
            BOOST_TEST(bounded(R"("maximum":1e300,"exclusiveMaximum":true)") == "");
            BOOST_TEST(bounded(R"("minimum":-1e300,"exclusiveMinimum":true)") == "");
            BOOST_TEST(bounded(R"("maximum":9223372036854775807.0)") == "");
            BOOST_TEST(bounded(R"("maximum":9223372036854775807.0,"exclusiveMaximum":true)") == "");
            BOOST_TEST(bounded(R"("minimum":-9223372036854775808.0)") == "");
            BOOST_TEST(bounded(R"("maximum":-1e300)") ==
                       "Invalid|v: Invalid value: " + value + ": v in body should be less than or equal to -1e+300\n");
            BOOST_TEST(bounded(R"("minimum":9223372036854775807.0)") ==
                       "Invalid|v: Invalid value: " + value +
                           ": v in body should be greater than or equal to 9.223372036854776e+18\n");
            BOOST_TEST(bounded(R"("multipleOf":1e300)") ==
                       (value == "0"
                            ? ""
                            : "Invalid|v: Invalid value: " + value + ": v in body should be a multiple of 1e+300\n"));
        }
    BOOST_TEST(faults(R"({"type":"integer","minimum":-9223372036854775808.0,"exclusiveMinimum":true})",
                      "-9223372036854775808") == "Invalid|v: Invalid value: -9223372036854775808: v in body should be "
                                                 "greater than -9223372036854775808\n");
}

BOOST_AUTO_TEST_CASE(items_that_must_differ_are_compared_by_value) {
    std::string const different = R"({"type":"array","uniqueItems":true,"x-kubernetes-preserve-unknown-fields":true})";
    for (std::string const good : {"[]", "[1,2,1.5]", R"([{"a":1},{"a":1,"b":2},[1],["1"]])", R"(["1",1,true,null])"})
        BOOST_TEST(faults(different, good) == "", good);
    for (std::string const bad : {"[1,2,1]", R"([{"a":1,"b":2},0,{"b":2,"a":1}])", "[null,null]", "[[1],[1]]"})
        BOOST_TEST(faults(different, bad) == "Invalid|v: Invalid value: \"\": v in body shouldn't contain duplicates\n",
                   bad);
}

BOOST_AUTO_TEST_CASE(a_quantity_may_be_a_number_or_a_text) {
    std::string const form = R"(^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|)"
                             R"([numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$)";
    auto const q = boost::json::serialize(boost::json::object{{"anyOf", {{{"type", "integer"}}, {{"type", "string"}}}},
                                                              {"pattern", form},
                                                              {"x-kubernetes-int-or-string", true}});
    BOOST_TEST(faults(q, "1") == "");
    BOOST_TEST(faults(q, R"("1m")") == "");
    BOOST_TEST(faults(q, R"("x")") == "Invalid|v: Invalid value: \"x\": v in body should match '" + form + "'\n");
    BOOST_TEST(faults(q, "true") ==
               "TypeInvalid|v: Invalid value: \"boolean\": v in body must be of type integer,string: \"boolean\"\n"
               "Invalid|<nil>: Invalid value: \"\": \"v\" must validate at least one schema (anyOf)\n"
               "TypeInvalid|v: Invalid value: \"boolean\": v in body must be of type integer: \"boolean\"\n");
}

BOOST_AUTO_TEST_CASE(missing_fields_are_reported_after_wrong_ones) {
    BOOST_TEST(
        faults(R"({"type":"object","required":["a","z"],"properties":{"m":{"type":"string"},"b":{"type":"string"}}})",
               R"({"m":1,"b":2,"other":3})") ==
        "TypeInvalid|v.b: Invalid value: \"integer\": v.b in body must be of type string: \"integer\"\n"
        "TypeInvalid|v.m: Invalid value: \"integer\": v.m in body must be of type string: \"integer\"\n"
        "Required|v.a: Required value\nRequired|v.z: Required value\n");
    auto const root = compiled(R"({"type":"object","required":["spec"]})");
    BOOST_TEST(validate(root, "{}").value().at(0).text() == "spec: Required value");
}

BOOST_AUTO_TEST_CASE(alternatives_report_how_many_fit) {
    std::string const s = R"({"type":"integer","oneOf":[{"minimum":5},{"minimum":1}]})";
    BOOST_TEST(faults(s, "2") == "");
    BOOST_TEST(faults(s, "7") == "Invalid|<nil>: Invalid value: \"\": \"v\" must validate one and only one schema "
                                 "(oneOf). Found 2 valid alternatives\n");
    BOOST_TEST(faults(s, "0") == "Invalid|<nil>: Invalid value: \"\": \"v\" must validate one and only one schema "
                                 "(oneOf). Found none valid\n"
                                 "Invalid|v: Invalid value: 0: v in body should be greater than or equal to 5\n");
    BOOST_TEST(faults(R"({"type":"integer","not":{"minimum":5}})", "7") ==
               "Invalid|<nil>: Invalid value: \"\": \"v\" must not validate the schema (not)\n");
    BOOST_TEST(faults(R"({"type":"integer","allOf":[{"minimum":5},{"minimum":1}]})", "2") ==
               "Invalid|v: Invalid value: 2: v in body should be greater than or equal to 5\n"
               "Invalid|<nil>: Invalid value: \"\": \"v\" must validate all the schemas (allOf)\n");
}

BOOST_AUTO_TEST_CASE(duplicate_keys_of_map_and_set_lists_are_rejected) {
    std::string const one = R"({"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],)"
                            R"("items":{"type":"object","properties":{"name":{"type":"string"}}}})";
    BOOST_TEST(faults(one, R"([{"name":"a"},{"name":"b"},{"name":"a"},{"name":"a"}])") ==
               "Duplicate|v[2]: Duplicate value: map[string]interface {}{\"name\":\"a\"}\n");
    BOOST_TEST(faults(one, "[{},{}]") == "Duplicate|v[1]: Duplicate value: map[string]interface {}{}\n");
    BOOST_TEST(faults(one, R"([{"name":"a"},{"name":"a"}])", R"([{"name":"b"},{"name":"b"}])") == "");
    std::string const two =
        R"({"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["port","p"],)"
        R"("items":{"type":"object"}})";
    BOOST_TEST(faults(two, R"([{"port":1,"p":"TCP"},{"port":1,"p":"UDP"},{"port":1,"p":"TCP"}])") ==
               "Duplicate|v[2]: Duplicate value: map[string]interface {}{\"p\":\"TCP\", \"port\":1}\n");
    BOOST_TEST(faults(R"({"type":"object","additionalProperties":{"type":"array","x-kubernetes-list-type":"set",)"
                      R"("items":{"type":"string"}}})",
                      R"({"k":["a","a"]})") == "Duplicate|v[k][1]: Duplicate value: \"a\"\n");
}

BOOST_AUTO_TEST_CASE(immutable_fields_are_compared_only_if_they_were_set) {
    std::string const s =
        R"({"type":"object","required":["r"],"properties":{"q":{"type":"string","x-kubernetes-validations":)"
        R"([{"rule":"self == oldSelf","message":"q is immutable"}]}}})";
    BOOST_TEST(faults(s, R"({"r":1,"q":"b"})") == "");
    BOOST_TEST(faults(s, R"({"r":1,"q":"b"})", R"({"r":1})") == "");
    BOOST_TEST(faults(s, R"({"r":1,"q":"a"})", R"({"r":2,"q":"a"})") == "");
    BOOST_TEST(faults(s, R"({"r":1})", R"({"r":1,"q":"a"})") == "");
    BOOST_TEST(faults(s, R"({"r":1,"q":"b"})", R"({"r":1,"q":"a"})") ==
               "Invalid|v.q: Invalid value: \"string\": q is immutable\n");
    BOOST_TEST(faults(s, R"({"q":"b"})", R"({"r":1,"q":"a"})") ==
               "Required|v.r: Required value\n"
               "Invalid|<nil>: Invalid value: \"null\": some validation rules were not checked because the object was "
               "invalid; correct the existing errors to complete validation\n");
}

BOOST_AUTO_TEST_CASE(unchanged_faults_of_stored_objects_are_accepted) {
    std::string const s =
        R"({"type":"object","properties":{"a":{"type":"integer","minimum":1},"b":{"type":"integer"}}})";
    BOOST_TEST(faults(s, R"({"a":0,"b":2})", R"({"a":0,"b":1})") == "");
    BOOST_TEST(faults(s, R"({"a":-1,"b":1})", R"({"a":0,"b":1})") ==
               "Invalid|v.a: Invalid value: -1: v.a in body should be greater than or equal to 1\n");
}

BOOST_AUTO_TEST_CASE(pruning_returns_the_removed_paths) {
    auto const s =
        compiled(R"({"type":"object","properties":{"metadata":{"type":"object"},"spec":{"type":"object","properties":{)"
                 R"("list":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}}},)"
                 R"("map":{"type":"object","additionalProperties":{"type":"object"}},)"
                 R"("free":{"type":"object","x-kubernetes-preserve-unknown-fields":true,)"
                 R"("properties":{"tight":{"type":"object"}}},)"
                 R"("scalar":{"type":"string"}}}}})");
    auto const p =
        prune(s, R"({"apiVersion":"v1","kind":"K","metadata":{"x":1},"extra":1,"spec":{"z":1,"list":[{"a":"x"},)"
                 R"({"b":1}],"map":{"k":{"gone":1}},"free":{"any":{"deep":[1]},"tight":{"gone":1}},)"
                 R"("scalar":{"o":1}}})")
            .value();
    BOOST_TEST(p.json == R"({"apiVersion":"v1","kind":"K","metadata":{"x":1},"spec":{"list":[{"a":"x"},{}],)"
                         R"("map":{"k":{}},"free":{"any":{"deep":[1]},"tight":{}},"scalar":{}}})");
    std::vector<std::string> const gone{"extra",           "spec.free.tight.gone", "spec.list[1].b",
                                        "spec.map.k.gone", "spec.scalar.o",        "spec.z"};
    BOOST_TEST(p.unknown_fields == gone, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(nulls_are_removed_and_defaults_are_set) {
    auto const s = compiled(
        R"({"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"object"}},)"
        R"("d":{"type":"string","default":"x"},"n":{"type":"string","nullable":true},)"
        R"("o":{"type":"object","properties":{"p":{"type":"integer","default":7}}},)"
        R"("l":{"type":"array","items":{"type":"object","properties":{"p":{"type":"string","default":"TCP"}}}}}})");
    auto const filled = [&](std::string_view text) { return set_schema_defaults(s, text).value(); };
    BOOST_TEST(filled("{}") == R"({"d":"x"})");
    BOOST_TEST(filled(R"({"m":{"a":null,"b":{}},"d":null,"n":null,"o":null})") == R"({"m":{"b":{}},"d":"x","n":null})");
    BOOST_TEST(filled(R"({"d":"y","o":{},"l":[{},null,{"p":"UDP"}]})") ==
               R"({"d":"y","o":{"p":7},"l":[{"p":"TCP"},null,{"p":"UDP"}]})");
}

BOOST_AUTO_TEST_CASE(references_reach_other_files) {
    schema_file const files[] = {{"f.json", R"({"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"type":"string"}}})"}};
    auto const text =
        R"({"schema":{"type":"object","properties":{"x":{"$ref":"f.json#/$defs/a"},"y":{"$ref":"#/$defs/i"}}},)"
        R"("$defs":{"i":{"type":"integer"}}})";
    auto const s = resource_schema::parse(text, files).value();
    BOOST_TEST(validate(s, R"({"x":"t","y":1})").value().empty());
    BOOST_TEST(validate(s, R"({"x":1,"y":"t"})").value().size() == 2u);
    auto const lost = resource_schema::parse(text);
    BOOST_TEST_REQUIRE(lost.has_error());
    BOOST_TEST(lost.error().to_string() == "schema.x: no such definition: f.json#/$defs/a");
}

BOOST_AUTO_TEST_CASE(unsupported_keywords_are_refused_when_the_schema_is_compiled) {
    auto const why = [](std::string const& schema) {
        auto const r = resource_schema::parse(R"({"schema":{"type":"object","properties":{"p":)" + schema + "}}}");
        return r ? "compiles" : r.error().to_string();
    };
    BOOST_TEST(why(R"({"type":"string","x-kubernetes-validations":[{"rule":"self == 'a'"}]})") ==
               R"(schema.p: unsupported rule {"rule":"self == 'a'"})");
    BOOST_TEST(
        why(R"({"type":"string","x-kubernetes-validations":[{"rule":"self == oldSelf","reason":"Forbidden"}]})") !=
        "compiles");
    BOOST_TEST(why(R"({"type":"string","format":"ipv4"})") == "schema.p: unsupported format ipv4");
    BOOST_TEST(why(R"({"type":"string","pattern":"\\p{L}"})") == "schema.p: unsupported pattern '\\p{L}'");
    BOOST_TEST(why(R"({"type":"object","x-kubernetes-embedded-resource":true})") ==
               "schema.p: unsupported keyword x-kubernetes-embedded-resource");
    BOOST_TEST(why(R"({"$ref":"#/$defs/none"})") == "schema.p: no such definition: #/$defs/none");
    BOOST_TEST(resource_schema::parse("[").has_error());
    BOOST_TEST(resource_schema::parse("{}").has_error());
    BOOST_TEST(resource_schema::parse(R"({"schema":{"$ref":"#/$defs/a"},"$defs":{"a":{"items":{"$ref":"#/$defs/a"}}}})")
                   .has_error());
}

BOOST_AUTO_TEST_CASE(unknown_patterns_are_evaluated_by_the_caller) {
    std::string const of_letters = "^a+$";
    auto const document = [](std::string const& pattern) {
        return R"({"schema":{"type":"object","properties":{"p":{"type":"string","pattern":")" + pattern + R"("}}}})";
    };
    BOOST_TEST(resource_schema::parse(document(of_letters)).error().to_string() ==
               "schema.p: unsupported pattern '^a+$'");
    std::vector<std::string> patterns;
    auto const judge = [&](std::string_view pattern) -> text_predicate {
        patterns.emplace_back(pattern);
        if (pattern != of_letters) return {};
        return [](std::string_view text) { return !text.empty() && text.find_first_not_of('a') == text.npos; };
    };
    auto const s = resource_schema::parse(document(of_letters), {}, judge).value();
    BOOST_TEST(validate(s, R"({"p":"aa"})").value().empty());
    BOOST_TEST(validate(s, R"({"p":"ab"})").value().at(0).text() ==
               "p: Invalid value: \"ab\": p in body should match '^a+$'");
    BOOST_TEST(resource_schema::parse(document("^b+$"), {}, judge).error().to_string() ==
               "schema.p: unsupported pattern '^b+$'");
    BOOST_TEST(patterns.size() == 2U);
    BOOST_TEST(resource_schema::parse(document("^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"), {}, judge).has_value());
    BOOST_TEST(patterns.size() == 2U);
}

BOOST_AUTO_TEST_CASE(bad_documents_are_refused_and_an_empty_schema_passes_everything) {
    resource_schema const none;
    BOOST_TEST(none.empty());
    BOOST_TEST(validate(none, R"({"a":1})").value().empty());
    BOOST_TEST(prune(none, R"({"a":1})").value().json == R"({"a":1})");
    BOOST_TEST((validate(none, "{").error().code == errc::syntax));
    BOOST_TEST((validate(none, "[]").error().code == errc::type_mismatch));
    BOOST_TEST(
        (prune(none, R"({"a":)" + std::string(600, '[') + std::string(600, ']') + "}").error().code == errc::too_deep));
}

// The texts of the CRDs of Kubeflow Trainer v2.3.0 and JobSet v0.12.0, and those of kube-apiserver v1.36.2.
BOOST_AUTO_TEST_CASE(expressions_of_the_table_are_evaluated) {
    auto const with = [](std::string const& type, std::string const& rule, std::string const& more = "") {
        return R"({"type":")" + type + R"(",)" + more + R"("x-kubernetes-validations":[{"rule":")" + rule +
               R"(","message":"M"}]})";
    };
    std::string const any = R"("x-kubernetes-preserve-unknown-fields":true,)";
    auto const uri = with("string", "self == '' || self.matches('^[A-Za-z][A-Za-z0-9+.-]*://.+$')");
    for (std::string const good : {"", "hf://a", "s3+x.y-z://b"}) BOOST_TEST(faults(uri, '"' + good + '"') == "", good);
    for (std::string const bad : {"nouri", "3s://a", "://a", "hf:/a", "hf://"})
        BOOST_TEST(faults(uri, '"' + bad + '"') == "Invalid|v: Invalid value: \"string\": M\n", bad);
    auto const one = with("object",
                          "[has(self.torch), has(self.mpi), has(self.jax), has(self.xgboost),has(self.flux)]"
                          ".filter(x, x).size() <= 1",
                          any);
    BOOST_TEST(faults(one, R"({"torch":{},"numNodes":1})") == "");
    BOOST_TEST(faults(one, R"({"torch":{},"jax":{}})") != "");
    auto const number = with("integer", "self >= 1");
    BOOST_TEST(faults(number, "1") == "");
    BOOST_TEST(faults(number, "0") != "");
    auto const names = with("array", "!self.exists(c, c == 'node')", R"("items":{"type":"string"},)");
    BOOST_TEST(faults(names, R"(["a"])") == "");
    BOOST_TEST(faults(names, R"(["a","node"])") != "");
    auto const start = with("object",
                            "!(has(self.startupPolicy) && self.startupPolicy.startupPolicyOrder == 'InOrder' "
                            "&& self.replicatedJobs.exists(x, has(x.dependsOn)))",
                            any);
    BOOST_TEST(faults(start, R"({"startupPolicy":{"startupPolicyOrder":"InOrder"},"replicatedJobs":[{}]})") == "");
    BOOST_TEST(
        faults(start, R"({"startupPolicy":{"startupPolicyOrder":"InOrder"},"replicatedJobs":[{"dependsOn":[]}]})") !=
        "");
    auto const claims =
        with("object", "self.templates.all(t, !has(t.metadata.namespace) || size(t.metadata.namespace) == 0)", any);
    BOOST_TEST(faults(claims, R"({"templates":[{"metadata":{"name":"a"}}]})") == "");
    BOOST_TEST(faults(claims, R"({"templates":[{"metadata":{"namespace":"a"}}]})") != "");
    BOOST_TEST(faults(with("object", "has(self.lastUpdatedTime)", any), "{}") != "");
}

BOOST_AUTO_TEST_CASE(expressions_of_newer_servers_show_the_value_unless_it_has_members) {
    auto const refused = [](std::string const& type, std::string const& value, std::string const& old) {
        auto const s =
            resource_schema::parse(R"({"server":"v1.36","schema":{"type":"object","properties":{"v":{"type":")" + type +
                                   R"(","x-kubernetes-preserve-unknown-fields":true,)"
                                   R"("x-kubernetes-validations":[{"rule":"self == oldSelf","message":"M"}]}}}})");
        auto const found = validate(s.value(), R"({"v":)" + value + "}", R"({"v":)" + old + "}").value();
        return found.empty() ? std::string() : found.front().text();
    };
    BOOST_TEST(refused("string", R"("a")", R"("b")") == R"(v: Invalid value: "a": M)");
    BOOST_TEST(refused("object", R"({"a":1})", "{}") == "v: Invalid value: M");
    BOOST_TEST(refused("object", "{}", "{}") == "");
}

BOOST_AUTO_TEST_CASE(names_are_checked_by_expressions_of_the_whole_object) {
    auto const s = resource_schema::parse(
        R"({"server":"v1.36","schema":{"type":"object","x-kubernetes-validations":[)"
        R"~({"rule":"self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')","message":"form"},)~"
        R"({"rule":"size(self.metadata.name) <= 63","message":"length"}],)"
        R"("properties":{"metadata":{"type":"object"}}}})");
    auto const faults_of = [&](std::string const& name) {
        std::string all;
        for (auto const& f : validate(s.value(), R"({"metadata":{"name":")" + name + R"("}})").value())
            all += f.text() + "\n";
        return all;
    };
    BOOST_TEST(faults_of("a-1") == "");
    for (std::string const bad : {"1abc", "abc-", "a.b", "Upper"})
        BOOST_TEST(faults_of(bad) == "<nil>: Invalid value: form\n", bad);
    BOOST_TEST(faults_of(std::string(63, 'a')) == "");
    BOOST_TEST(faults_of(std::string(64, 'a')) == "<nil>: Invalid value: length\n");
}

BOOST_AUTO_TEST_SUITE_END()
