#include "unit/model/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_json_encode)

using namespace kftrain;

BOOST_AUTO_TEST_CASE(empty_values_are_omitted) {
    BOOST_TEST(to_json(pod()) == R"({"apiVersion":"v1","kind":"Pod"})");
    BOOST_TEST(to_json(sample_values()) == R"({"alwaysThere":0})");
    BOOST_TEST(to_json(object_list<sample_job>()) == R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJobList"})");
    BOOST_TEST(to_json(sample_narrow()) == "{}");
}

BOOST_AUTO_TEST_CASE(required_fields_are_written_empty_but_bring_no_empty_object_to_life) {
    pod p;
    p.status.container_statuses.emplace_back();
    BOOST_TEST(
        to_json(p) ==
        R"({"apiVersion":"v1","kind":"Pod","status":{"containerStatuses":[{"name":"","ready":false,"restartCount":0,)"
        R"("image":"","imageID":""}]}})");
    auto const probe =
        from_json<core::http_get_action>(R"({"port":0,"httpHeaders":[{"name":"a","value":""}]})").value();
    BOOST_TEST(to_json(probe) == R"({"port":0,"httpHeaders":[{"name":"a","value":""}]})");
    auto const preferred = from_json<core::preferred_scheduling_term>(R"({"weight":1,"preference":{}})").value();
    BOOST_TEST(to_json(preferred) == R"({"weight":1,"preference":{}})");
    core::container_state s;
    s.terminated.emplace();
    BOOST_TEST(to_json(s) == R"({"terminated":{"exitCode":0}})");
}

BOOST_AUTO_TEST_CASE(engaged_optionals_items_and_map_values_are_written_even_when_empty) {
    sample_values v;
    v.maybe_flag = false;
    v.maybe_small = 0;
    v.maybe_object.emplace();
    v.things = {raw_json(), raw_json("1")};
    v.rows = {{}, {""}};
    v.labels[""];
    v.by_name["x"];
    v.numbers = {0};
    BOOST_TEST(to_json(v) ==
               R"({"maybeFlag":false,"maybeSmall":0,"things":[null,1],"numbers":[0],"rows":[[],[""]],"labels":{"":""},)"
               R"("byName":{"x":{"name":""}},"maybeObject":{"name":""},"alwaysThere":0})");
}

BOOST_AUTO_TEST_CASE(unknown_fields_come_after_the_known_ones) {
    auto const v = from_json<core::env_var>(R"({"z":{"k":[1]},"name":"n","a":1.50})").value();
    BOOST_TEST(to_json(v) == R"({"name":"n","z":{"k":[1]},"a":1.50})");
    pod p;
    p.spec.unknown.set("ofTheFuture", raw_json("true"));
    BOOST_TEST(to_json(p) == R"({"apiVersion":"v1","kind":"Pod","spec":{"ofTheFuture":true}})");
}

BOOST_AUTO_TEST_CASE(only_quotes_backslashes_and_control_characters_are_escaped) {
    sample_narrow n;
    n.name = std::string("\"\\/\n\r\t\x01\x1f<>&\x7f\xC3\xA9") + '\0';
    BOOST_TEST(to_json(n) == "{\"name\":\"\\\"\\\\/\\n\\r\\t\\u0001\\u001f<>&\x7f\xC3\xA9\\u0000\"}");
}

BOOST_AUTO_TEST_CASE(numbers_are_spelled_as_go_spells_them) {
    auto const number = [](double d) {
        sample_values v;
        v.ratio = d;
        std::string const text = to_json(v);
        return text.substr(9, text.find(',') - 9);
    };
    BOOST_TEST(number(1) == "1");
    BOOST_TEST(number(0.1) == "0.1");
    BOOST_TEST(number(-2.5) == "-2.5");
    BOOST_TEST(number(1e20) == "100000000000000000000");
    BOOST_TEST(number(1e21) == "1e+21");
    BOOST_TEST(number(18446744073709551616.0) == "18446744073709552000");
    BOOST_TEST(number(1234567890123456.7) == "1234567890123456.8");
    BOOST_TEST(number(-9007199254740993.0) == "-9007199254740992");
    BOOST_TEST(number(0.000001) == "0.000001");
    BOOST_TEST(number(1e-7) == "1e-7");
    BOOST_TEST(number(1.5e-10) == "1.5e-10");
    sample_values v;
    v.large = std::numeric_limits<std::int64_t>::min();
    BOOST_TEST(to_json(v) == R"({"large":-9223372036854775808,"alwaysThere":0})");
}

BOOST_AUTO_TEST_CASE(decoding_what_was_encoded_gives_the_same_value_and_text) {
    auto const p = from_json<pod>(sample_pod_json).value();
    std::string const text = to_json(p);
    auto const again = from_json<pod>(text).value();
    BOOST_TEST(equal(descriptor_of<pod>(), &p, &again));
    BOOST_TEST(to_json(again) == text);
    BOOST_TEST(text.find("managedFields") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(an_unset_quantity_reads_back_as_such) {
    auto const r = from_json<core::resource_requirements>(R"({"limits":{"cpu":null}})").value();
    BOOST_TEST(to_json(r) == R"({"limits":{"cpu":null}})");
    BOOST_TEST(from_json<core::resource_requirements>(to_json(r)).value() == r);
}

BOOST_AUTO_TEST_CASE(text_is_appended) {
    std::string out = "{";
    sample_narrow n;
    n.name = "x";
    encode_json(descriptor_of<sample_narrow>(), &n, out);
    BOOST_TEST(out == R"({{"name":"x"})");
}

BOOST_AUTO_TEST_SUITE_END()
