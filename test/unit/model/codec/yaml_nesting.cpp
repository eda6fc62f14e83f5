#include "support/sanitized.hpp"
#include "unit/model/sample.hpp"

#include <kftrain/objects/core/config_map.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <string>

BOOST_AUTO_TEST_SUITE(model_yaml_nesting)

using namespace kftrain;

namespace {

std::string repeat(std::string_view s, std::size_t n) {
    std::string text;
    while (n-- != 0) text += s;
    return text;
}

} // namespace

// Ten megabytes of each, of which no more is read than the first levels.
BOOST_AUTO_TEST_CASE(deep_nesting_is_refused_before_the_parser_takes_memory_for_it,
                     *boost::unit_test::enable_if<!kftrain::test::sanitized>()) {
    for (std::string_view open : {"[", "{a: ", "[a,{b: ", "[\n", "[? ", "- ", "? ", "- ? "}) {
        auto const r = from_yaml<raw_json>(repeat(open, 10'000'000 / open.size()));
        BOOST_TEST_REQUIRE(r.has_error(), open);
        // A key that is no scalar is refused at once.
        bool const of_keys = open.find('?') != std::string_view::npos;
        BOOST_TEST((of_keys || r.error().code == errc::too_deep), r.error().to_string());
        BOOST_TEST(r.error().detail.line <= 513U);
    }
    for (std::string_view text : {"a: &x ", "<<: ", "a: &x\n - ", "<<: [*x, "}) {
        auto const r = from_yaml<raw_json>(std::string(text) + repeat("[", 10'000'000));
        BOOST_TEST_REQUIRE(r.has_error(), text);
        BOOST_TEST(r.error().detail.message.find("is not closed") == std::string::npos, r.error().to_string());
    }
    BOOST_TEST((from_yaml<core::config_map>("data:\n  a: " + repeat("[", 2'000)).error().code == errc::type_mismatch));
    decode_options shallow;
    shallow.max_depth = 4;
    for (std::string_view text : {"x: [[[[[1]]]]]", "<<: [[[[[1]]]]]"}) {
        auto const f = from_yaml<core::config_map>(text, shallow).error();
        BOOST_TEST((f.code == errc::too_deep));
        BOOST_TEST(f.detail.message == "nested deeper than 4 levels");
        BOOST_TEST(f.detail.line == 1U);
    }
}

// libyaml compares each directive with all before it and writes its prefix out at each use.
BOOST_AUTO_TEST_CASE(directives_that_take_too_much_are_refused) {
    auto const tags = [](std::size_t n) {
        std::string text;
        for (std::size_t i = 0; i < n; ++i) text += "%TAG !a" + std::to_string(i) + "! tag:x\n";
        return text + "---\na: !a7!x 1\n";
    };
    BOOST_TEST(from_yaml<raw_json>(tags(100)).value().text == R"({"a":"1"})");
    BOOST_TEST(from_yaml<raw_json>(tags(101)).error().to_string() ==
               "invalid YAML: too many or too long %TAG directives (line 101, column 1)");
    BOOST_TEST(from_yaml<raw_json>(tags(500'000)).error().detail.line == 101U);
    auto const prefix = [](std::size_t n) { return "%TAG !a! " + std::string(n, 'x') + "\n---\n&x [!a!y b, *x"; };
    BOOST_TEST(from_yaml<raw_json>(prefix(1000) + "]").error().detail.message ==
               "invalid YAML: an anchor contains itself");
    BOOST_TEST(from_yaml<raw_json>(prefix(1016)).error().detail.line == 1U);
}

// libyaml looks at all open brackets for each value: at a million within 500 of them, 500,000,000 times and more.
BOOST_AUTO_TEST_CASE(much_text_within_many_brackets_is_refused) {
    auto const within = [](std::size_t brackets, std::size_t values) {
        return "x: " + repeat("[", brackets) + "\n" + repeat("1,\n", values) + repeat("]", brackets);
    };
    auto const refused = from_yaml<raw_json>(within(500, 1'000'000)).error();
    BOOST_TEST(refused.code == make_error_code(errc::syntax));
    BOOST_TEST(refused.detail.message == "invalid YAML: too much text in brackets that are nested 500 levels deep");
    BOOST_TEST(refused.detail.line > 60'000U);
    BOOST_TEST(refused.detail.line < 600'000U);
    auto const items = [](std::string const& json) { return std::ranges::count(json, '1'); };
    BOOST_TEST(items(from_yaml<raw_json>(within(500, 50'000)).value().text) == 50'000);
    BOOST_TEST(items(from_yaml<raw_json>(within(30, 300'000)).value().text) == 300'000);
    BOOST_TEST(from_json<raw_json>(repeat("[", 500) + "1" + repeat(",1", 300'000) + repeat("]", 500)).has_value());
}

BOOST_AUTO_TEST_CASE(a_list_that_never_ends_is_named_where_it_begins) {
    auto const why = [](std::string_view text) { return from_yaml<raw_json>(text).error().to_string(); };
    BOOST_TEST(why("metadata:\n  name: a\nx: [a, b\n") ==
               "invalid YAML: the list that begins here is not closed (line 3, column 4)");
    BOOST_TEST(why("x: {a: [b], c\n") == "invalid YAML: the map that begins here is not closed (line 1, column 4)");
    BOOST_TEST(why("args: [a, b\nimage: x\n") ==
               "invalid YAML: the list that begins here is not closed (line 1, column 7)");
    BOOST_TEST(why("x: [") == "invalid YAML: the list that begins here is not closed (line 1, column 4)");
    BOOST_TEST(why("x: [é, {a: [b],\n") == "invalid YAML: the map that begins here is not closed (line 1, column 8)");
    BOOST_TEST(why("x: {a: [b}") == "invalid YAML: the list that begins here is not closed (line 1, column 8)");
    BOOST_TEST(why("x: [a, b\n---\ny: ]\n") ==
               "invalid YAML: did not find expected ',' or ']' while parsing a flow sequence (line 2, column 1)");
    BOOST_TEST(why("x: [a, \"b\" c]\n") ==
               "invalid YAML: did not find expected ',' or ']' while parsing a flow sequence (line 1, column 12)");
}

BOOST_AUTO_TEST_SUITE_END()
