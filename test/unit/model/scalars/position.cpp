#include "support/sanitized.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/document.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(model_position)

using namespace kftrain;

namespace {

constexpr std::string_view text = R"(# a comment
apiVersion: v1
metadata:
  labels:
    a.b/c: d
spec:
  specs:
    Worker:
      containers:
      - name: one
        image: x
      - {name: two, image: y}
  "quoted key": 7
)";

std::string at(std::string_view path, std::string_view in = text, std::size_t first_line = 1) {
    auto const p = document(in, first_line).find(path);
    return std::to_string(p.line) + ":" + std::to_string(p.column);
}

} // namespace

BOOST_AUTO_TEST_CASE(values_are_found_by_their_path) {
    BOOST_TEST(at("apiVersion") == "2:13");
    BOOST_TEST(at("spec.specs[Worker].containers[0].image") == "11:16");
    BOOST_TEST(at("spec.specs.Worker.containers[1].image") == "12:28");
    BOOST_TEST(at("metadata.labels[a.b/c]") == "5:12");
    BOOST_TEST(at("spec[quoted key]") == "13:17");
}

BOOST_AUTO_TEST_CASE(keys_that_hold_dots_need_no_brackets) {
    BOOST_TEST(at("metadata.labels.a.b/c") == "5:12");
    std::string const text_of_keys = "a: 1\na.b:\n  c: 2\n  c.d: [3, {e.f: 4}]\n";
    BOOST_TEST(at("a", text_of_keys) == "1:4");
    BOOST_TEST(at("a.b.c", text_of_keys) == "3:6");
    BOOST_TEST(at("a.b.c.d[1].e.f", text_of_keys) == "4:18");
    BOOST_TEST(at("a.b[c.d][0]", text_of_keys) == "4:9");
}

// As json_decode and yaml_decode write the path of a fault.
BOOST_AUTO_TEST_CASE(keys_may_be_json_strings) {
    BOOST_TEST(at(R"(metadata.labels["a.b/c"])") == "5:12");
    BOOST_TEST(at(R"(spec["quoted key"])") == "13:17");
    std::string const of_json = R"({"a":{"b\"]c":[1],"x\ny":2,"\\":3,"plain":4,"\"":5}})";
    BOOST_TEST(at(R"(a["b\"]c"][0])", of_json) == "1:16");
    BOOST_TEST(at(R"(a["x\ny"])", of_json) == "1:26");
    BOOST_TEST(at(R"(a["\\"])", of_json) == "1:33");
    BOOST_TEST(at(R"(a["\""])", of_json) == "1:50");
    BOOST_TEST(at(R"(a["plain"])", of_json) == "1:43");
    BOOST_TEST(at(R"(a["none"])", of_json) == at("a", of_json));
    auto const refused = from_yaml<pod>("spec:\n  nodeSelector:\n    a.b/c: [1]\n").error().detail;
    BOOST_TEST(refused.path == R"(spec.nodeSelector["a.b/c"])");
    BOOST_TEST(at(refused.path, "spec:\n  nodeSelector:\n    a.b/c: [1]\n") == "3:12");
}

BOOST_AUTO_TEST_CASE(missing_fields_have_the_position_of_their_parent) {
    BOOST_TEST(at("spec.specs[Worker].containers[0].env[3].name") == at("spec.specs[Worker].containers[0]"));
    BOOST_TEST(at("spec.specs[Worker].containers[9]") == at("spec.specs[Worker].containers"));
    BOOST_TEST(at("") == "2:1");
}

BOOST_AUTO_TEST_CASE(lines_count_from_the_first) { BOOST_TEST(at("apiVersion", text, 100) == "101:13"); }

BOOST_AUTO_TEST_CASE(positions_are_found_in_json) { BOOST_TEST(at("a[0].b", "{\"a\": [{\"b\": 1}]}") == "1:14"); }

BOOST_AUTO_TEST_CASE(the_first_duplicate_key_and_the_longest_matching_key_are_found) {
    BOOST_TEST(at("a.b", "a: {b: 1, b.c: 2, b: 3}") == "1:8");
    BOOST_TEST(at("a.b.c", "a: {b: {c: 1}, b.c: 2, b.c: 3}") == "1:21");
    BOOST_TEST(at("a[b.c]", "a: {b: {c: 1}, b.c: 2}") == "1:21");
    BOOST_TEST(at("a[b].c", "a: {b: {c: 1}, b.c: 2}") == "1:12");
    BOOST_TEST(at(R"(a["b"])", R"(a: {'"b"': 1, b: 2})") == "1:18"); // a string is what decoders write
    BOOST_TEST(at(R"(a["b"])", R"(a: {'"b"': 1})") == "1:12");
    BOOST_TEST(at(R"(a["b)", "a: {b: 2}") == "1:4");
    BOOST_TEST(at(R"(a["b\)", "a: {b: 2}") == "1:4");
}

// Going through all for each would be 90,000,000,000 comparisons.
BOOST_AUTO_TEST_CASE(many_positions_are_found_in_linear_time,
                     *boost::unit_test::enable_if<!kftrain::test::sanitized>()) {
    constexpr std::size_t n = 200'000;
    std::string members = "m:\n";
    std::string items = "m:\n";
    for (std::size_t i = 0; i < n; ++i) members += "  k." + std::to_string(i) + ": 1\n";
    for (std::size_t i = 0; i < n; ++i) items += "  - {a: 1}\n";
    document of_members(members), of_items(items);
    std::size_t right = 0;
    for (std::size_t i = 0; i < n; ++i) {
        auto const number = std::to_string(i);
        for (auto const& path : {"m.k." + number, "m[k." + number + "]", "m[\"k." + number + "\"]"})
            right += of_members.find(path).line == i + 2 ? 1U : 0U;
        right += of_items.find("m[" + number + "].a").line == i + 2 ? 1U : 0U;
    }
    BOOST_TEST(right == 4 * n);
}

BOOST_AUTO_TEST_CASE(unreadable_texts_have_no_positions) {
    for (auto const* bad : {"", "- 1", "a: [", "a: *b", "just text"}) BOOST_TEST(at("a", bad) == "0:0", bad);
    BOOST_TEST(at("a", "a: 1\n" + std::string(5 << 20, '#')) == "0:0");
}

BOOST_AUTO_TEST_CASE(positions_of_aliases_are_those_of_their_anchor) {
    BOOST_TEST(at("b.c", "a: &x {c: 1}\nb: *x\n") == "1:11");
    BOOST_TEST(at("b[1].d", "a: &x {d: 1}\nb: [2, *x]\n") == "1:11");
    BOOST_TEST(at("k.c", "a: &x k\n*x : {c: 1}\n") == "2:10");
    BOOST_TEST(at("a.a.a.b", "&x\na: *x\nb: 1\n") == "3:4");
    BOOST_TEST(at("b", "a: *x\nb: &x 1\n") == "0:0");
}

BOOST_AUTO_TEST_CASE(places_count_characters_behind_a_byte_order_mark) {
    BOOST_TEST(at("b", "\xEF\xBB\xBF{a: \xC3\xA9, b: 1}") == "1:11");
    BOOST_TEST(document(std::string_view()).find("a").line == 0U);
}

BOOST_AUTO_TEST_CASE(deeply_nested_texts_have_no_positions) {
    std::string const deep(10'000'000, '[');
    BOOST_TEST(at("a", "a: " + deep.substr(0, 513) + std::string(513, ']')) == "0:0");
    BOOST_TEST(at("a", "a: " + deep.substr(0, 500) + std::string(500, ']')) == "1:4");
    BOOST_TEST(at("a", "a: " + deep.substr(0, 4'000'000)) == "0:0");
}

BOOST_AUTO_TEST_CASE(paths_of_any_form_are_handled) {
    for (auto const* path :
         {"[", "]", ".", "..", "spec[", "spec.specs[Worker", "a[]", "[]", "spec[\"", "spec[\"\"]", "[\"spec\""})
        BOOST_TEST(at(path) != "0:0", path);
}

BOOST_AUTO_TEST_SUITE_END()
