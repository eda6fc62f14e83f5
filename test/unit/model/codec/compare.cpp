#include "unit/model/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_compare)

using namespace kftrain;

namespace {

std::string changes(sample_values const& a, sample_values const& b) {
    std::string text;
    for (auto const& d : diff(a, b)) text += d.path + ": " + d.before + " -> " + d.after + "\n";
    return text;
}

sample_values values(std::string_view json) { return from_json<sample_values>(json).value(); }

} // namespace

BOOST_AUTO_TEST_CASE(every_member_counts_for_equality) {
    sample_values const base;
    for (std::string_view json :
         {R"({"flag":true})", R"({"small":1})", R"({"large":1})", R"({"ratio":1})", R"({"text":"x"})",
          R"({"maybeFlag":false})", R"({"maybeSmall":0})", R"({"when":"2026-03-01T10:11:12Z"})",
          R"({"exactly":"1970-01-01T00:00:00Z"})", R"({"amount":"1"})", R"({"anything":{}})", R"({"things":[null]})",
          R"({"numbers":[0]})", R"({"rows":[[]]})", R"({"labels":{"":""}})", R"({"byName":{"x":{}}})",
          R"({"maybeObject":{}})", R"({"alwaysThere":1})", R"({"u":null})"}) {
        auto const v = values(json);
        BOOST_TEST(!(v == base), json);
        BOOST_TEST(v == values(json), json);
        BOOST_TEST(diff(base, v).size() == 1U, json);
        BOOST_TEST(diff(v, v).empty(), json);
    }
    BOOST_TEST(values(R"({"numbers":[1,2]})") != values(R"({"numbers":[2,1]})"));
    BOOST_TEST(values(R"({"labels":{"a":"1","b":"2"}})") == values(R"({"labels":{"b":"2","a":"1"}})"));
    BOOST_TEST(values(R"({"labels":{"a":"1"}})") != values(R"({"labels":{"b":"1"}})"));
}

BOOST_AUTO_TEST_CASE(absent_and_empty_are_the_same) {
    BOOST_TEST(
        values("{}") ==
        values(R"({"text":"","numbers":[],"labels":{},"small":0,"flag":false,"anything":null,"maybeFlag":null})"));
    BOOST_TEST(from_json<pod>("{}").value() ==
               from_json<pod>(R"({"spec":{},"status":{"conditions":[]},"kind":"Pod"})").value());
}

BOOST_AUTO_TEST_CASE(unknown_fields_are_compared_as_json) {
    BOOST_TEST(values(R"({"a":{"x":1,"y":[2,"z"]}})") == values(R"({"a":{"y":[2,"z"],"x":1}})"));
    BOOST_TEST(values(R"({"a":{"x":1,"y":[2,"z"]}})") != values(R"({"a":{"x":1,"y":["z",2]}})"));
    BOOST_TEST(values(R"({"anything":{"x":"\u0041","y":2}})") == values(R"({"anything":{"y":2,"x":"A"}})"));
    BOOST_TEST(changes(values(R"({"a":{"x":1,"y":2},"b":1})"), values(R"({"a":{"y":2,"x":1},"b":2})")) ==
               "b: 1 -> 2\n");
    BOOST_TEST(values(R"({"a":1,"b":2})") == values(R"({"b":2,"a":1})"));
    BOOST_TEST(values(R"({"a":1,"b":2})") != values(R"({"a":1,"b":3})"));
    BOOST_TEST(values(R"({"a":1})") != values(R"({"b":1})"));
}

BOOST_AUTO_TEST_CASE(a_difference_names_path_and_both_values) {
    BOOST_TEST(
        changes(
            values(R"({"small":1,"text":"a","numbers":[1,2,3],"labels":{"a.b":"x","gone":"1"},"maybeSmall":0,"u":1,)"
                   R"("w":2})"),
            values(R"({"text":"b","numbers":[1,5],"labels":{"a.b":"y","new":""},"maybeObject":{},"u":1,"w":[],)"
                   R"("z":{}})")) == "small: 1 -> \n"
                                     "text: \"a\" -> \"b\"\n"
                                     "maybeSmall: 0 -> \n"
                                     "numbers[1]: 2 -> 5\n"
                                     "numbers[2]: 3 -> \n"
                                     "labels[\"a.b\"]: \"x\" -> \"y\"\n"
                                     "labels.gone: \"1\" -> \n"
                                     "labels.new:  -> \"\"\n"
                                     "maybeObject:  -> {\"name\":\"\"}\n"
                                     "w: 2 -> []\n"
                                     "z:  -> {}\n");
    BOOST_TEST(changes(values(R"({"alwaysThere":0,"numbers":[0],"rows":[["a"]]})"),
                       values(R"({"alwaysThere":1,"numbers":[1],"rows":[["b"],[]]})")) ==
               "numbers[0]: 0 -> 1\nrows[0][0]: \"a\" -> \"b\"\nrows[1]:  -> []\nalwaysThere: 0 -> 1\n");
    BOOST_TEST(changes(values(R"({"byName":{"x":{"name":"a","k":1}},"maybeObject":{"value":"v"}})"),
                       values(R"({"byName":{"x":{"name":"b"},"y":{}},"maybeObject":{}})")) ==
               "byName.x.name: \"a\" -> \"b\"\nbyName.x.k: 1 -> \nbyName.y:  -> {\"name\":\"\"}\nmaybeObject.value: "
               "\"v\" -> \n");
}

BOOST_AUTO_TEST_CASE(paths_of_a_difference_name_items_by_their_keys) {
    auto const before = from_json<pod>(sample_pod_json).value();
    auto after = before;
    after.spec.containers[0].command[1] = "-m";
    after.metadata.labels["training.kubeflow.org/job-name"] = "other";
    after.spec.containers[0].env[1].value_from.reset();
    auto const found = diff(before, after);
    BOOST_TEST_REQUIRE(found.size() == 3U);
    BOOST_TEST(found[0].path == "metadata.labels[\"training.kubeflow.org/job-name\"]");
    BOOST_TEST(found[1].path == "spec.containers[name=pytorch].command[1]");
    BOOST_TEST(found[2].path == "spec.containers[name=pytorch].env[name=POD_IP].valueFrom");
    BOOST_TEST(found[2].after.empty());
}

BOOST_AUTO_TEST_SUITE_END()
