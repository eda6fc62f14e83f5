#include "unit/model/sample.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

using namespace kftrain;

namespace {

std::string repeat(std::string_view s, std::size_t n) {
    std::string text;
    text.reserve(s.size() * n);
    while (n-- != 0) text += s;
    return text;
}

} // namespace

BOOST_AUTO_TEST_SUITE(model_robustness)

BOOST_AUTO_TEST_CASE(depth_bombs_are_refused) {
    for (std::size_t levels : {10'000U, 1'000'000U})
        for (std::string_view open : {"[", "{\"a\":", "[{\"a\":"}) {
            std::string const bomb = repeat(open, levels);
            for (auto const& text : {bomb, "{\"spec\":{\"x\":" + bomb, "{\"anything\":" + bomb}) {
                decode_options deepest;
                deepest.max_depth = std::numeric_limits<std::size_t>::max();
                auto const kept = from_json<raw_json>(text);
                BOOST_TEST((!kept && kept.error().code == make_error_code(errc::too_deep)));
                auto const deep = from_json<raw_json>(text, deepest);
                BOOST_TEST((!deep && deep.error().code == make_error_code(errc::too_deep)));
                if (levels > 10'000U) continue;
                auto const yaml = from_yaml<raw_json>(text, deepest);
                BOOST_TEST(!yaml.has_value());
            }
        }
    auto const r = from_json<pod>("{\"spec\":{\"x\":" + repeat("[", 10'000));
    BOOST_TEST(r.error().to_string() == "spec.x: nested deeper than 512 levels (line 1, column 524)");
    auto const flow = from_yaml<raw_json>(repeat("[", 10'000) + repeat("]", 10'000));
    BOOST_TEST((!flow && flow.error().code == make_error_code(errc::too_deep)));
    auto const maps = from_yaml<pod>("spec: {x: " + repeat("{a: ", 10'000) + repeat("}", 10'001));
    BOOST_TEST((!maps && maps.error().code == make_error_code(errc::too_deep)));
    auto const block = from_yaml<raw_json>(repeat("- ", 10'000));
    BOOST_TEST((!block && block.error().code == make_error_code(errc::too_deep)));
}

BOOST_AUTO_TEST_CASE(the_depth_limit_is_exact) {
    decode_options three;
    three.max_depth = 3;
    BOOST_TEST(from_json<raw_json>("[[[]]]", three).has_value());
    BOOST_TEST(!from_json<raw_json>("[[[[]]]]", three).has_value());
    BOOST_TEST(from_yaml<raw_json>("- - - 1", three).has_value());
    BOOST_TEST(!from_yaml<raw_json>("- - - - 1", three).has_value());
    BOOST_TEST(from_json<sample_values>(R"({"rows":[["a"]]})", three).has_value());
    three.max_depth = 2;
    BOOST_TEST(from_json<sample_values>(R"({"rows":[["a"]]})", three).error().to_string() ==
               "rows[0]: nested deeper than 2 levels (line 1, column 10)");
}

BOOST_AUTO_TEST_CASE(anchor_bombs_are_refused_in_bounded_time) {
    auto const start = std::chrono::steady_clock::now();
    std::string laughs = "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n";
    std::string merges = "a0: &a0 {k: v, l: w}\n";
    std::string chain = "a0: &a0 {k: v}\n";
    for (int i = 1; i < 30; ++i) {
        std::string const n = std::to_string(i);
        std::string const p = std::to_string(i - 1);
        laughs += "a" + n + ": &a" + n + " [" + repeat("*a" + p + ", ", 9) + "]\n";
        merges += "a" + n + ": &a" + n + " {<<: [" + repeat("*a" + p + ", ", 9) + "]}\n";
    }
    for (int i = 1; i < 2000; ++i)
        chain += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " {<<: *a" + std::to_string(i - 1) + "}\n";
    for (auto const& text : {laughs, merges}) {
        auto const r = from_yaml<raw_json>(text);
        BOOST_TEST_REQUIRE(!r.has_value());
        BOOST_TEST(r.error().code == make_error_code(errc::too_large));
        BOOST_TEST(r.error().detail.message == "aliases expand to more than is allowed");
        BOOST_TEST(!from_yaml<sample_narrow>(text).has_value());
    }
    BOOST_TEST(!from_yaml<raw_json>(chain).has_value());
    decode_options shallow;
    shallow.max_depth = 20;
    BOOST_TEST(from_yaml<raw_json>(chain, shallow).error().detail.message == "nested deeper than 20 levels");
    BOOST_TEST((std::chrono::steady_clock::now() - start < std::chrono::seconds(20)));
}

BOOST_AUTO_TEST_CASE(an_honest_share_of_aliases_is_taken) {
    std::string text = "x: &env [{name: A, value: b}, {name: C, value: d}]\nbyName:\n";
    for (int i = 0; i < 2000; ++i) text += "  k" + std::to_string(i) + ": {name: k, more: *env}\n";
    BOOST_TEST(from_yaml<sample_values>(text).value().by_name.size() == 2000U);
}

BOOST_AUTO_TEST_CASE(many_unknown_fields_take_no_quadratic_time) {
    std::string text = "{";
    for (int round = 0; round < 2; ++round)
        for (int i = 0; i < 100'000; ++i) text += "\"k" + std::to_string(i) + "\":" + std::to_string(round) + ",";
    text.back() = '}';
    auto const v = from_json<env_var>(text).value();
    BOOST_TEST(v.unknown.end() - v.unknown.begin() == 100'000);
    BOOST_TEST((v.unknown.begin()->first == "k0" && v.unknown.begin()->second.text == "1"));
    auto reversed = text;
    auto const w = from_json<env_var>(reversed).value();
    BOOST_TEST(equal(descriptor_of<env_var>(), &v, &w));
}

BOOST_AUTO_TEST_CASE(json_cut_at_any_byte_is_refused_without_a_crash) {
    BOOST_TEST_REQUIRE(from_json<pod>(sample_pod_json).has_value());
    for (std::size_t n = 0; n < sample_pod_json.size(); ++n) {
        std::string const cut(sample_pod_json.substr(0, n)); // of its own, so that a sanitizer sees a read beyond
        auto const r = from_json<pod>(cut);
        BOOST_TEST_REQUIRE(!r.has_value(), cut);
        BOOST_TEST_REQUIRE(r.error().code == make_error_code(errc::syntax), r.error().to_string());
        BOOST_TEST_REQUIRE(r.error().detail.line > 0U);
        BOOST_TEST_REQUIRE(!from_yaml<pod>(cut).has_value(), cut);
    }
}

BOOST_AUTO_TEST_CASE(yaml_cut_or_damaged_at_any_byte_does_not_crash) {
    std::string const text =
        to_yaml(from_json<pod>(sample_pod_json).value()) + "x: &a {b: [*a0, 'q', \"e\\n\"]}\n? k\n: !!str |\n  t\n";
    for (std::size_t n = 0; n < text.size(); ++n) {
        (void)from_yaml<pod>(text.substr(0, n));
        for (char c : {'\0', ':', '-', '{', '[', '"', '\'', '&', '*', '\n', '\t', ' ', '\x04', '\xFF'}) {
            std::string damaged = text;
            damaged[n] = c;
            auto const r = from_yaml<pod>(damaged);
            if (!r) BOOST_TEST_REQUIRE(!r.error().to_string().empty());
        }
    }
}

BOOST_AUTO_TEST_CASE(json_damaged_at_any_byte_is_refused_or_reads_back) {
    for (std::size_t n = 0; n < sample_pod_json.size(); ++n)
        for (char c : {'\0', '"', '\\', '{', ']', ',', ':', '0', 'e', 't', '\n', '\x80', '\xFF'}) {
            std::string damaged(sample_pod_json);
            damaged[n] = c;
            auto const r = from_json<pod>(damaged);
            if (!r) continue;
            auto const again = from_json<pod>(to_json(*r));
            BOOST_TEST_REQUIRE(again.has_value(), damaged);
            BOOST_TEST_REQUIRE(equal(descriptor_of<pod>(), &*r, &*again), damaged);
        }
}

BOOST_AUTO_TEST_SUITE_END()
