#include "unit/model/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_json_errors)

using namespace kftrain;

BOOST_AUTO_TEST_CASE(an_error_names_path_value_expectation_line_and_column) {
    BOOST_TEST(why_json<sample_job>("{\"spec\": {\"pytorchReplicaSpecs\": {\n  \"Master\": {\"replicas\": 1},\n"
                                    "  \"Worker\": {\"replicas\": \"three\"}\n}}}") ==
               "spec.pytorchReplicaSpecs.Worker.replicas: expected int32, got \"three\" (line 3, column 26)");
    BOOST_TEST(why_json<pod>(R"({"spec":{"containers":[{"command":["a", 7]}]}})") ==
               "spec.containers[0].command[1]: expected string, got 7 (line 1, column 41)");
    BOOST_TEST(why_json<pod>(R"({"metadata":{"labels":{"ok":"x","a.b/c":true}}})") ==
               "metadata.labels[\"a.b/c\"]: expected string, got true (line 1, column 41)");
}

BOOST_AUTO_TEST_CASE(each_mismatch_reports_the_expected_and_the_actual_value) {
    auto const why = [](std::string_view field, std::string_view value) {
        return why_json<sample_values>(std::string("{\"").append(field).append("\":").append(value).append("}"));
    };
    BOOST_TEST(why("flag", "1") == "flag: expected bool, got 1 (line 1, column 9)");
    BOOST_TEST(why("small", "3000000000") == "small: expected int32, got 3000000000 (line 1, column 10)");
    BOOST_TEST(why("small", "1.5") == "small: expected int32, got 1.5 (line 1, column 10)");
    BOOST_TEST(why("small", "1e99") == "small: expected int32, got 1e99 (line 1, column 10)");
    BOOST_TEST(why("small", "true") == "small: expected int32, got true (line 1, column 10)");
    BOOST_TEST(why("small", "{}") == "small: expected int32, got an object (line 1, column 10)");
    BOOST_TEST(why("small", "[]") == "small: expected int32, got a list (line 1, column 10)");
    BOOST_TEST(why("large", "9223372036854775808") ==
               "large: expected int64, got 9223372036854775808 (line 1, column 10)");
    BOOST_TEST(why("large", "1e400") == "large: expected int64, got 1e400 (line 1, column 10)");
    BOOST_TEST(why("ratio", "\"x\"") == "ratio: expected number, got \"x\" (line 1, column 10)");
    BOOST_TEST(why("ratio", "1e400") == "ratio: expected number, got 1e400 (line 1, column 10)");
    BOOST_TEST(why("text", "false") == "text: expected string, got false (line 1, column 9)");
    BOOST_TEST(why("maybeSmall", "\"0\"") == "maybeSmall: expected int32, got \"0\" (line 1, column 15)");
    BOOST_TEST(why("when", "\"yesterday\"") == "when: expected RFC 3339 time, got \"yesterday\" (line 1, column 9)");
    BOOST_TEST(why("when", "5") == "when: expected RFC 3339 time, got 5 (line 1, column 9)");
    BOOST_TEST(why("amount", "\"5 Gi\"") == "amount: expected quantity, got \"5 Gi\" (line 1, column 11)");
    BOOST_TEST(why("amount", "true") == "amount: expected quantity, got true (line 1, column 11)");
    BOOST_TEST(why("numbers", "\"x\"") == "numbers: expected a list, got \"x\" (line 1, column 12)");
    BOOST_TEST(why("numbers", "[1,null,{}]") == "numbers[2]: expected int32, got an object (line 1, column 20)");
    BOOST_TEST(why("rows", "[[\"a\"],[\"b\",1]]") == "rows[1][1]: expected string, got 1 (line 1, column 21)");
    BOOST_TEST(why("labels", "[]") == "labels: expected an object, got a list (line 1, column 11)");
    BOOST_TEST(why("labels", "{\"\":1}") == "labels[\"\"]: expected string, got 1 (line 1, column 15)");
    BOOST_TEST(why("labels", R"({"a\nb":1})") == "labels[\"a\\nb\"]: expected string, got 1 (line 1, column 19)");
    BOOST_TEST(why("byName", "{\"x\":{\"name\":1}}") == "byName.x.name: expected string, got 1 (line 1, column 24)");
    BOOST_TEST(why("maybeObject", "3") == "maybeObject: expected an object, got 3 (line 1, column 16)");
}

BOOST_AUTO_TEST_CASE(the_code_classifies_the_error) {
    auto const code = [](std::string_view text, bool strict = false) {
        decode_options options;
        options.strict = strict;
        return from_json<sample_values>(text, options).error().code;
    };
    BOOST_TEST(code("{\"small\":\"x\"}") == make_error_code(errc::type_mismatch));
    BOOST_TEST(code("{\"small\":1.5}") == make_error_code(errc::type_mismatch));
    BOOST_TEST(code("{\"small\":3000000000}") == make_error_code(errc::out_of_range));
    BOOST_TEST(code("{\"small\":3e9}") == make_error_code(errc::out_of_range));
    BOOST_TEST(code("{\"large\":18446744073709551615}") == make_error_code(errc::out_of_range));
    BOOST_TEST(code("{\"smal\":1}", true) == make_error_code(errc::unknown_field));
    BOOST_TEST(code("{\"small\":1,\"small\":1}", true) == make_error_code(errc::duplicate_field));
    BOOST_TEST(code("{") == make_error_code(errc::syntax));
    BOOST_TEST(code("") == make_error_code(errc::syntax));
}

BOOST_AUTO_TEST_CASE(a_position_is_exact_behind_escapes_nesting_and_repeated_keys) {
    BOOST_TEST(
        why_json<sample_values>(
            "{\"te\\u0078t\": \"a\\\"]}\\\\\", \"u\": [1, {\"small\": [\"}\"]}],\n\n \"small\"\t:\r\n   true}") ==
        "small: expected int32, got true (line 4, column 4)");
    BOOST_TEST(why_json<sample_values>("{\"small\":1,\"small\":2,\"small\":\"x\"}") ==
               "small: expected int32, got \"x\" (line 1, column 30)");
    BOOST_TEST(why_json<sample_values>("{\"labels\":{\"\xC3\xA9\":\"\xC3\xA9\"},\"small\":\"\xC3\xA9\"}") ==
               "small: expected int32, got \"\xC3\xA9\" (line 1, column 29)");
    BOOST_TEST(why_json<sample_values>("[1]") == "expected an object, got a list (line 1, column 1)");
    BOOST_TEST(why_json<sample_values>("\n  \"x\"") == "expected an object, got \"x\" (line 2, column 3)");
    BOOST_TEST(why_json<sample_values>("null") == "expected an object, got null (line 1, column 1)");
}

BOOST_AUTO_TEST_CASE(long_values_are_cut_between_characters) {
    std::string text(63, 'a');
    text += "\xC3\xA9tail";
    BOOST_TEST(why_json<sample_values>("{\"small\":\"" + text + "\"}") ==
               "small: expected int32, got \"" + std::string(63, 'a') + "...\" (line 1, column 10)");
    BOOST_TEST(why_json<sample_values>("{\"flag\":" + std::string(100, '1') + "}") ==
               "flag: expected bool, got " + std::string(64, '1') + "... (line 1, column 9)");
    BOOST_TEST(why_json<sample_values>("{\"small\":\"" + std::string(64, 'a') + "\"}") ==
               "small: expected int32, got \"" + std::string(64, 'a') + "\" (line 1, column 10)");
}

BOOST_AUTO_TEST_CASE(strings_cut_by_escapes_are_whole_in_values_keys_and_messages) {
    auto const v =
        from_json<sample_values>(R"({"te\u0078t":"\u0061b\n\u0063","labels":{"\ta\u0062":"\\"},"w\u0068":"\u0000x"})")
            .value();
    BOOST_TEST(v.text == "ab\nc");
    BOOST_TEST(v.labels.at("\tab") == "\\");
    BOOST_TEST(v.unknown.find("wh")->text == R"("\u0000x")");
    BOOST_TEST(why_json<sample_values>(R"({"small":"a\nb\u0063"})") ==
               "small: expected int32, got \"a\\nbc\" (line 1, column 10)");
    std::string const longer(100000, 'x');
    BOOST_TEST(from_json<sample_values>("{\"text\":\"" + longer + "\\n" + longer + "\"}").value().text ==
               longer + "\n" + longer);
}

BOOST_AUTO_TEST_CASE(another_kind_is_refused_by_name) {
    BOOST_TEST(why_json<sample_job>(R"({"apiVersion":"kubeflow.org/v1","kind":"TFJob"})") ==
               "kind: expected PyTorchJob of kubeflow.org/v1, got \"TFJob\" (line 1, column 40)");
    BOOST_TEST(why_json<sample_job>(R"({"apiVersion":"v1"})") ==
               "apiVersion: expected kubeflow.org/v1 of PyTorchJob, got \"v1\" (line 1, column 15)");
    BOOST_TEST(why_json<object_list<pod>>(R"({"kind":"Pod"})") ==
               "kind: expected PodList of v1, got \"Pod\" (line 1, column 9)");
    BOOST_TEST(why_json<object_list<pod>>(R"({"items":[{},{"kind":"Service"}]})") ==
               "items[1].kind: expected Pod of v1, got \"Service\" (line 1, column 22)");
    BOOST_TEST(why_json<pod>(R"({"kind":5})") == "kind: expected string, got 5 (line 1, column 9)");
    BOOST_TEST(from_json<pod>(R"({"kind":"Service"})").error().code == make_error_code(errc::wrong_kind));
}

BOOST_AUTO_TEST_CASE(strict_decoding_refuses_unknown_and_repeated_fields_where_their_key_stands) {
    BOOST_TEST(why_json<pod>("{\"spec\":{\n \"containres\":[]}}", true) ==
               "spec.containres: unknown field \"containres\"; did you mean \"containers\"? (line 2, column 2)");
    BOOST_TEST(why_json<pod>(R"({"spec":{"a.b":1}})", true) ==
               "spec[\"a.b\"]: unknown field \"a.b\" (line 1, column 10)");
    BOOST_TEST(why_json<pod>(R"({"spec":{"hostname":"a", "hostname":"b"}})", true) ==
               "spec.hostname: duplicate field \"hostname\" (line 1, column 26)");
    BOOST_TEST(why_json<pod>(R"({"metadata":{"labels":{"a":"1","a":"1"}}})", true) ==
               "metadata.labels.a: duplicate field \"a\" (line 1, column 32)");
    BOOST_TEST(why_json<pod>(R"({"kind":"Pod","kind":"Pod"})", true) ==
               "kind: duplicate field \"kind\" (line 1, column 15)");
    BOOST_TEST(why_json<core::env_var>(R"({"kind":"Pod"})", true) == "kind: unknown field \"kind\" (line 1, column 2)");
    BOOST_TEST(why_json<pod>(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"}})", true) == "");
}

BOOST_AUTO_TEST_CASE(invalid_json_is_a_syntax_error_with_its_position) {
    BOOST_TEST(why_json<pod>("") == "expected JSON, got an empty text (line 1, column 1)");
    BOOST_TEST(why_json<pod>(" \n ") == "expected JSON, got an empty text (line 2, column 2)");
    BOOST_TEST(why_json<pod>("{\n  \"a\" 1}") == "invalid JSON: syntax error at \"1}\" (line 2, column 7)");
    BOOST_TEST(why_json<pod>("{\"a\":tru}") == "invalid JSON: syntax error at \"tru}\" (line 1, column 6)");
    BOOST_TEST(why_json<pod>("{\"a\":1} x") == "invalid JSON: more text after the value: \"x\" (line 1, column 9)");
    BOOST_TEST(why_json<pod>("{} {}") == "invalid JSON: more text after the value: \"{}\" (line 1, column 4)");
    BOOST_TEST(why_json<pod>("{\"a\":[1,") == "invalid JSON: unexpected end of the text (line 1, column 9)");
    BOOST_TEST(why_json<pod>("{\"a\":\"b\xFF\"}") == "invalid JSON: not UTF-8 (line 1, column 8)");
    BOOST_TEST(why_json<pod>("{\"a\":\"b\xED\xA0\x80\"}") == "invalid JSON: not UTF-8 (line 1, column 8)");
    BOOST_TEST(why_json<pod>("{\"a\":\"\xC3") == "invalid JSON: not UTF-8 (line 1, column 7)");
    for (std::string_view text :
         {"{'a':1}", "{a:1}", "{\"a\":01}", "{\"a\":+1}", "{\"a\":.5}", "{\"a\":1,}", "{\"a\":[1,]}", "{\"a\":NaN}",
          "{\"a\":\"\\x\"}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\n\"}", "// c\n{}", "{\"a\":1}}", "\xEF\xBB\xBF{}"}) {
        auto const r = from_json<pod>(text);
        BOOST_TEST_REQUIRE(!r.has_value(), text << " was taken");
        BOOST_TEST(r.error().code == make_error_code(errc::syntax), text);
        BOOST_TEST(r.error().detail.message.find(".hpp") == std::string::npos,
                   r.error().to_string()); // no source paths
    }
}

BOOST_AUTO_TEST_SUITE_END()
