// The results of the reader of Kubernetes, goyaml.v2 of sigs.k8s.io/yaml v1.4.0, for the same texts.
#include "unit/model/sample.hpp"

#include <boost/test/unit_test.hpp>

#include <initializer_list>

BOOST_AUTO_TEST_SUITE(model_yaml_syntax)

using namespace kftrain;

namespace {

std::string json(std::string_view yaml) {
    auto const r = from_yaml<raw_json>(yaml);
    return r ? r->text : r.error().to_string();
}

struct row {
    std::string_view yaml;
    std::string_view json;
};

void check(std::initializer_list<row> rows) {
    for (auto const& [yaml, expected] : rows)
        BOOST_TEST(json(yaml) == expected, yaml << "\nbecame " << json(yaml) << ", not " << expected);
}

} // namespace

BOOST_AUTO_TEST_CASE(items_with_an_anchor_or_a_tag_keep_all_their_lines) {
    check({{"a:\n- &s |\n  echo\n- *s\n", R"({"a":["echo\n","echo\n"]})"},
           {"a:\n- !!str |\n  x\n- &x >-\n  p\n  q\n- &y a b\n  c\n- *y\n", R"({"a":["x\n","p q","a b c","a b c"]})"},
           {"a:\n- &x |2\n    c\n", R"({"a":["  c\n"]})"},
           {"a: &x !!str |\n  b\n  c\nd: *x\n", R"({"a":"b\nc\n","d":"b\nc\n"})"}});
}

BOOST_AUTO_TEST_CASE(the_indicator_of_a_block_scalar_decides_its_final_breaks) {
    check({{"a: >+\n  x\n\n\n", R"({"a":"x\n\n\n"})"},
           {"a: >+\n  x\n\n", R"({"a":"x\n\n"})"},
           {"a: |+\n  x\n\nb: 1\n", R"({"a":"x\n\n","b":1})"},
           {"a: >2\n   x\n", R"({"a":" x\n"})"},
           {"a: |\n\n\n x\n", R"({"a":"\n\nx\n"})"},
           {"a: |\n   \n x\n",
            "invalid YAML: did not find expected key while parsing a block mapping (line 3, column 2)"}});
}

BOOST_AUTO_TEST_CASE(an_item_that_is_missing_is_refused) {
    for (std::string_view text : {"[a,, b]", "[,]", "[ , ]"}) {
        auto const why = json(text);
        BOOST_TEST((why.find("did not find expected node content") != std::string::npos), text << ": " << why);
    }
    BOOST_TEST(json("a: [b,\n  , c]") ==
               "invalid YAML: did not find expected node content while parsing a flow node (line 2, column 3)");
    check({{"[a, b,]", R"(["a","b"])"}, {"{a: , b: }", R"({"a":null,"b":null})"}, {"[a: 1, b]", R"([{"a":1},"b"])"}});
}

BOOST_AUTO_TEST_CASE(all_line_breaks_of_yaml_1_1_are_recognized) {
    check({{"a: \"x\ry\"", R"({"a":"x y"})"},
           {"a: x\r", R"({"a":"x"})"},
           {"a: |\r  x\r  y\r", R"({"a":"x\ny\n"})"},
           {"a: 1\r\nb: 2\r\n", R"({"a":1,"b":2})"},
           {"a: x\xC2\x85"
            "b: z",
            R"({"a":"x","b":"z"})"},
           {"a: 'x\xC2\x85y'", R"({"a":"x y"})"},
           {"a: x\xE2\x80\xA8"
            "b: z",
            R"({"a":"x","b":"z"})"},
           {"a: \"x\xE2\x80\xA9y\"", "{\"a\":\"x\xE2\x80\xA9y\"}"},
           {"- \xE2\x80\xA8- a", R"([null,"a"])"}});
}

BOOST_AUTO_TEST_CASE(columns_count_characters) {
    BOOST_TEST(why_yaml<core::container>("env: [{name: \xC3\xA9, value: 1}]") ==
               "env[0].value: expected string, got 1 (line 1, column 24)");
    BOOST_TEST(why_yaml<core::container>("env: [{name: \"\xF0\x9F\x98\x80\", value: @}]").find("column 26") !=
               std::string::npos);
    BOOST_TEST(why_yaml<core::container>("{\"env\": [{\"name\": \"\xC3\xA9\", \"value\": 1}]}") ==
               "env[0].value: expected string, got 1 (line 1, column 33)");
    BOOST_TEST(
        from_json<core::container>("{\"env\": [{\"name\": \"\xC3\xA9\", \"value\": 1}]}").error().detail.column == 33U);
    BOOST_TEST(json("a: [\xC3\xA9, \x01]") == "invalid YAML: control character (line 1, column 8)");
    BOOST_TEST(json("a: [\xC3\xA9, \xC2\x81]") ==
               "invalid YAML: control characters are not allowed (line 1, column 8)");
}

BOOST_AUTO_TEST_CASE(merge_and_non_specific_tags_are_read) {
    check({{"!!merge <<: {a: x}", R"({"a":"x"})"},
           {"!!merge \"<<\": {a: x}", R"({"a":"x"})"},
           {"! <<: {a: x}", R"({"a":"x"})"},
           {"\"<<\": {a: x}", R"({"<<":{"a":"x"}})"},
           {"!!str <<: {a: x}", R"({"<<":{"a":"x"}})"},
           {"a: ! 1", R"({"a":"1"})"},
           {"a: !", R"({"a":""})"},
           {"a: &x ! 1\nb: *x", R"({"a":"1","b":"1"})"},
           {"\xC3\xA9: ! # no\n  &x 1\nb: 2", "{\"\xC3\xA9\":\"1\",\"b\":2}"},
           {"a: &x\n! b: 1", R"({"a":null,"b":1})"},
           {"%TAG !e! tag:yaml.org,2002:\n---\na: !e!int '5'", R"({"a":5})"},
           {"a: !<tag:yaml.org,2002:int> '5'", R"({"a":5})"}});
}

BOOST_AUTO_TEST_CASE(directives_are_those_that_yaml_has) {
    check({{"%YAML 1.1\n---\na: 1", R"({"a":1})"},
           {"%FOO bar\n---\na: 1",
            "invalid YAML: found unknown directive name while scanning a directive (line 1, column 5)"},
           {"%YAML 1.3\n---\na: 1", "invalid YAML: found incompatible YAML document (line 1, column 1)"},
           {"a: !e!x 1", "invalid YAML: found undefined tag handle while parsing a node (line 1, column 4)"}});
}

// libyaml follows YAML 1.2 in these, and goyaml.v2 does not.
BOOST_AUTO_TEST_CASE(yaml_1_2_forms_are_read) {
    check({{"%YAML 1.2\n---\na: 1", R"({"a":1})"}, {R"(a: "\/")", R"({"a":"/"})"}, {"[!!str, a]", R"(["","a"])"}});
}

BOOST_AUTO_TEST_CASE(an_alias_refers_to_the_latest_anchor_of_its_name) {
    check({{"a: &x 1\nb: &y [*x]\nc: &x 2\nd: [*y, *x]", R"({"a":1,"b":[1],"c":2,"d":[[1],2]})"},
           {"a: &x {b: &x 1, c: *x}\nd: *x", R"({"a":{"b":1,"c":1},"d":1})"},
           {"a: &x b\n*x : c", R"({"a":"b","b":"c"})"},
           {"a: *nope", "invalid YAML: unknown anchor \"nope\" (line 1, column 4)"},
           {"--- &x\n---\na: *x", "invalid YAML: unknown anchor \"x\" (line 3, column 4)"}});
}

BOOST_AUTO_TEST_SUITE_END()
