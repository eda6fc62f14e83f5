#include "model/yaml_flow.hpp"
#include "unit/model/sample.hpp"

#include <kftrain/model/config_map.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

using namespace kftrain;

namespace {

std::string repeat(std::string_view s, std::size_t n) {
    std::string text;
    while (n-- != 0) text += s;
    return text;
}

/// The offset, with `!` for brackets that nest too deeply.
std::string fault(std::string_view text, std::size_t max_depth = 3) {
    auto const f = detail::find_flow_fault(text, max_depth);
    return f ? std::to_string(f->offset) + (f->too_deep ? "!" : "") : "";
}

} // namespace

BOOST_AUTO_TEST_SUITE(model_yaml_flow)

BOOST_AUTO_TEST_CASE(brackets_that_begin_a_value_count_and_others_do_not) {
    struct row {
        std::string_view text;
        std::string_view fault;
    };
    for (auto const& [text, expected] :
         {row{"a: [b, {c: [d]}]", ""}, row{"[[[[1]]]]", "3!"}, row{"a: [b, c\n", "3"}, row{"- [a\n- b", "2"},
          row{"a: {b: [c}", "3"}, row{"--- [[[[", "7!"}, row{"? [[[[", "5!"}, row{"- - !tag &x [[[[", "15!"},
          row{"[ [\n\n[ # ]\n [", "12!"}, // over lines, past comments
          row{"a[: b[c [d\ne: f [", ""}, row{"a: \"[[[[\"\nb: '[[[[ '' ['", ""}, row{"# [[[[\na: b # [[[[", ""},
          row{"[\"a]\", 'b]', \"\\\"]\"]", ""}, row{"[it's, a 'b, \"]\"", "0"},
          row{"a: |\n  [[[[\n   {\n\n  [\nb: [", "25"}, row{"a: >- # x\n [[[[\nb: c", ""},
          row{"- a: |\n    x\n  b: [[[[", "21!"}, row{"a: |\nb: [[[[", "11!"}, row{"a: b - [c\n- d ? {", ""}})
        BOOST_TEST(fault(text) == expected, text << ": " << fault(text));
}

BOOST_AUTO_TEST_CASE(deep_nesting_is_refused_before_the_parser_takes_memory_for_it) {
    for (std::string_view open : {"[", "{a: ", "[a,{b: "}) {
        auto const r = from_yaml<config_map>("data:\n  a: " + repeat(open, 2'000'000));
        BOOST_TEST_REQUIRE(r.has_error(), open);
        BOOST_TEST((r.error().code == errc::too_deep), r.error().to_string());
        BOOST_TEST(r.error().detail.line == 2U);
    }
    decode_options shallow;
    shallow.max_depth = 4;
    BOOST_TEST(from_yaml<config_map>("x: [[[[[1]]]]]", shallow).error().to_string() ==
               "nested deeper than 4 levels (line 1, column 8)");
}

BOOST_AUTO_TEST_CASE(a_list_that_never_ends_is_named_where_it_begins) {
    BOOST_TEST(from_yaml<config_map>("metadata:\n  name: a\nx: [a, b\n").error().to_string() ==
               "invalid YAML: the list that begins here never ends (line 3, column 4)");
    BOOST_TEST(from_yaml<config_map>("x: {a: [b], c\n").error().to_string() ==
               "invalid YAML: the map that begins here never ends (line 1, column 4)");
}

BOOST_AUTO_TEST_SUITE_END()
