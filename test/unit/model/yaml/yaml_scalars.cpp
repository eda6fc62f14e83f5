#include "unit/model/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_yaml_scalars)

using namespace kftrain;

namespace {

/// The JSON that `a: <text>` becomes.
std::string read(std::string_view text) {
    auto const r = from_yaml<raw_json>(std::string("a: ").append(text));
    if (!r) return r.error().to_string();
    return r->text.substr(5, r->text.size() - 6);
}

} // namespace

BOOST_AUTO_TEST_CASE(booleans_and_null_are_those_of_yaml_1_1) {
    for (std::string_view s : {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})
        BOOST_TEST(read(s) == "true", s);
    for (std::string_view s : {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})
        BOOST_TEST(read(s) == "false", s);
    for (std::string_view s : {"", "~", "null", "Null", "NULL"}) BOOST_TEST(read(s) == "null", s);
    for (std::string_view s : {"yES", "tRUE", "oN", "nO", "oFF", "nULL", "~~", "None", "nil"})
        BOOST_TEST(read(s) == "\"" + std::string(s) + "\"");
}

BOOST_AUTO_TEST_CASE(numbers_are_those_that_kubernetes_reads) {
    struct row {
        std::string_view text;
        std::string_view json;
    };
    for (auto const& [text, json] : std::initializer_list<row>{{"0", "0"},
                                                               {"-1", "-1"},
                                                               {"+1", "1"},
                                                               {"-0", "0"},
                                                               {"010", "8"},
                                                               {"-010", "-8"},
                                                               {"0o17", "15"},
                                                               {"-0o17", "-15"},
                                                               {"0777", "511"},
                                                               {"08", "8"},
                                                               {"0x1F", "31"},
                                                               {"-0x1f", "-31"},
                                                               {"0b101", "5"},
                                                               {"1_000", "1000"},
                                                               {"1__0", "10"},
                                                               {"1_", "1"},
                                                               {"0x_ff", "255"},
                                                               {"1.5", "1.5"},
                                                               {"+1.5", "1.5"},
                                                               {"1.", "1"},
                                                               {".5", "0.5"},
                                                               {"-.5", "-0.5"},
                                                               {".5_0", "0.5"},
                                                               {"1e3", "1000"},
                                                               {"1.e3", "1000"},
                                                               {"1E-3", "0.001"},
                                                               {"12e03", "12000"},
                                                               {"1e-400", "0"},
                                                               {"9223372036854775807", "9223372036854775807"},
                                                               {"18446744073709551615", "18446744073709551615"},
                                                               {"18446744073709551616", "18446744073709552000"},
                                                               {"-9223372036854775808", "-9223372036854775808"},
                                                               {"+9999999999999999999", "10000000000000000000"},
                                                               {"1e20", "100000000000000000000"},
                                                               {"1e21", "1e+21"},
                                                               {"0.0000001", "1e-7"},
                                                               {"2.50", "2.5"}})
        BOOST_TEST(read(text) == json, text << " became " << read(text));
}

BOOST_AUTO_TEST_CASE(whole_numbers_with_a_point_are_integers) {
    for (std::string_view text : {"80", "80.0", "8e1", "0x50"}) {
        auto const port = from_yaml<core::tcp_socket_action>("port: " + std::string(text));
        BOOST_TEST_REQUIRE(port.has_value(), text);
        BOOST_TEST(to_json(*port) == R"({"port":80})", text);
    }
    BOOST_TEST(from_yaml<core::tcp_socket_action>("port: 80.5").error().to_string() ==
               "port: expected an integer of 32 bits or a string, got 80.5 (line 1, column 7)");
    BOOST_TEST(!from_json<core::tcp_socket_action>(R"({"port":80.0})").has_value()); // as in Go
}

BOOST_AUTO_TEST_CASE(number_like_texts_are_strings) {
    for (std::string_view s :
         {"1e",  "1e+",   "0x",    "0xg",    "0b2",  "_1",        "1k",         "500m",
          "1Gi", "1,000", "1.2.3", "+-1",    "-+1",  "+",         "+.",         "._5",
          ".5_", "..",    "1e400", "-1e400", "1:30", "190:20:30", "2001-01-01", "2001-12-14t21:59:43.10-05:00",
          "inf", "nan",   "0x1p4", "1-2",    "12h"})
        BOOST_TEST(read(s) == "\"" + std::string(s) + "\"");
}

BOOST_AUTO_TEST_CASE(quotes_and_tags_decide_the_type) {
    BOOST_TEST(read("\"true\"") == "\"true\"");
    BOOST_TEST(read("'1'") == "\"1\"");
    BOOST_TEST(read("''") == "\"\"");
    BOOST_TEST(read("!!str 1") == "\"1\"");
    BOOST_TEST(read("!!str yes") == "\"yes\"");
    BOOST_TEST(read("!!str") == "\"\"");
    BOOST_TEST(read("! 1") == "\"1\"");
    BOOST_TEST(read("!foo 1") == "\"1\"");
    BOOST_TEST(read("!!int \"5\"") == "5");
    BOOST_TEST(read("!!float 1") == "1");
    BOOST_TEST(read("!!bool \"yes\"") == "true");
    BOOST_TEST(read("!!timestamp 2001-01-01") == "\"2001-01-01\"");
    BOOST_TEST(read("!!int x") == "invalid YAML: \"x\" is not a valid !!int (line 1, column 4)");
    BOOST_TEST(read("!!bool 1") == "invalid YAML: \"1\" is not a valid !!bool (line 1, column 4)");
}

// Expected: what sigs.k8s.io/yaml v1.4.0 YAMLToJSON() makes of them, but for the last one.
BOOST_AUTO_TEST_CASE(binary_is_the_string_of_its_bytes) {
    BOOST_TEST(read("!!binary aGVsbG8=") == "\"hello\"");
    BOOST_TEST(read("!!binary |\n  aGVs\n  bG8=\n") == "\"hello\"");
    BOOST_TEST(read("!!binary") == "\"\"");
    BOOST_TEST(read("!!binary w6k=") == "\"\xC3\xA9\"");
    BOOST_TEST(read("!!binary MTI=") == "\"12\"");
    BOOST_TEST(from_yaml<raw_json>("!!binary aGk=: 1").value().text == "{\"hi\":1}");
    for (std::string_view s : {"aGVsbG8", "'aGVs bG8='", "\"aGVs\\tbG8=\"", "~", "aGVs\n  bG8=", "=="})
        BOOST_TEST(read(std::string("!!binary ").append(s))
                       .ends_with(" is not valid base64, which !!binary requires (line 1, column 4)"),
                   s);
    BOOST_TEST(read("!!binary '?'") ==
               "invalid YAML: \"?\" is not valid base64, which !!binary requires (line 1, column 4)");
    BOOST_TEST(read("!!binary gIGC") == "invalid YAML: the bytes of a !!binary value are not UTF-8 (line 1, column 4)");
}

BOOST_AUTO_TEST_CASE(numbers_that_json_does_not_have_are_refused) {
    for (std::string_view s : {".inf", ".Inf", ".INF", "+.inf", "-.INF", ".nan", ".NaN"})
        BOOST_TEST(read(s) ==
                   "invalid YAML: JSON cannot represent the number " + std::string(s) + " (line 1, column 4)");
}

BOOST_AUTO_TEST_CASE(scalar_keys_become_strings) {
    auto const json = [](std::string_view yaml) {
        auto const r = from_yaml<raw_json>(yaml);
        return r ? r->text : r.error().to_string();
    };
    BOOST_TEST(json("1: a\nyes: b\n0x10: c\n1.5: d\n\"on\": e\nx: f") ==
               R"({"1":"a","true":"b","16":"c","1.5":"d","on":"e","x":"f"})");
    BOOST_TEST(json("a: {~: 1}") == "invalid YAML: null cannot be a key (line 1, column 5)");
    BOOST_TEST(json("[a]: 1") == "invalid YAML: a key must be a scalar (line 1, column 1)");
    BOOST_TEST(json("? {a: b}\n: 1") == "invalid YAML: a key must be a scalar (line 1, column 3)");
    BOOST_TEST(json(".inf: 1") == "invalid YAML: \".inf\" cannot be a key (line 1, column 1)");
}

BOOST_AUTO_TEST_SUITE_END()
