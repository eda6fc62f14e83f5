#include "support/sanitized.hpp"
#include "unit/model/sample.hpp"

#include <kftrain/kinds/pytorch_job.hpp>

#include <boost/test/unit_test.hpp>

#include <limits>

BOOST_AUTO_TEST_SUITE(model_robustness)

using namespace kftrain;

namespace {

std::string repeat(std::string_view s, std::size_t n) {
    std::string text;
    text.reserve(s.size() * n);
    while (n-- != 0) text += s;
    return text;
}

} // namespace

BOOST_AUTO_TEST_CASE(deeply_nested_documents_are_rejected) {
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

BOOST_AUTO_TEST_CASE(exponential_aliases_are_rejected) {
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
        BOOST_TEST(r.error().detail.message == "the expansion of aliases exceeds the limit");
        BOOST_TEST(!from_yaml<sample_narrow>(text).has_value());
    }
    BOOST_TEST(!from_yaml<raw_json>(chain).has_value());
    decode_options shallow;
    shallow.max_depth = 20;
    BOOST_TEST(from_yaml<raw_json>(chain, shallow).error().detail.message == "nested deeper than 20 levels");
}

BOOST_AUTO_TEST_CASE(many_ordinary_aliases_are_accepted) {
    std::string text = "x: &env [{name: A, value: b}, {name: C, value: d}]\nbyName:\n";
    for (int i = 0; i < 2000; ++i) text += "  k" + std::to_string(i) + ": {name: k, more: *env}\n";
    BOOST_TEST(from_yaml<sample_values>(text).value().by_name.size() == 2000U);
}

BOOST_AUTO_TEST_CASE(many_unknown_fields_take_no_quadratic_time) {
    std::string text = "{";
    for (int round = 0; round < 2; ++round)
        for (int i = 0; i < 100'000; ++i) text += "\"k" + std::to_string(i) + "\":" + std::to_string(round) + ",";
    text.back() = '}';
    auto const v = from_json<core::env_var>(text).value();
    BOOST_TEST(v.unknown.end() - v.unknown.begin() == 100'000);
    BOOST_TEST((v.unknown.begin()->first == "k0" && v.unknown.begin()->second.text == "1"));
    auto reversed = text;
    auto const w = from_json<core::env_var>(reversed).value();
    BOOST_TEST(equal(descriptor_of<core::env_var>(), &v, &w));
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

BOOST_AUTO_TEST_CASE(a_text_of_100_megabytes_is_read_or_refused_by_name,
                     *boost::unit_test::enable_if<!kftrain::test::sanitized>()) {
    constexpr std::size_t large = 100'000'000;
    std::string const spaces = "{\"metadata\":" + std::string(large, ' ');
    BOOST_TEST(from_json<pod>(spaces).error().detail.message == "invalid JSON: unexpected end of the text");
    BOOST_TEST(from_json<pod>(spaces + "{\"name\":\"a\"}}").value().metadata.name == "a");

    std::string const name = "{\"metadata\":{\"name\":\"" + std::string(large, 'x');
    BOOST_TEST(from_json<pod>(name + "\"}}").value().metadata.name.size() == large);
    auto const torn = from_json<pod>(name + "\xC3\"}}").error();
    BOOST_TEST(torn.to_string() == "invalid JSON: not UTF-8 (line 1, column 100000022)");
    auto const wrong =
        from_json<pod>("{\"spec\":{\"containers\":{\"name\":\"" + std::string(large, 'x') + "\"}}}").error();
    BOOST_TEST(wrong.to_string() == "spec.containers: expected a list, got an object (line 1, column 23)");
    auto const control = from_yaml<pod>("a: " + std::string(large, 'x') + "\x01").error();
    BOOST_TEST(control.to_string() == "invalid YAML: control character (line 1, column 100000004)");
}

// A list of empty pods is three bytes for more than a kilobyte each.
BOOST_AUTO_TEST_CASE(a_text_that_becomes_too_much_in_memory_is_refused,
                     *boost::unit_test::enable_if<!kftrain::test::sanitized>()) {
    std::string const many = repeat("{},", 300'000);
    std::string const nulls = repeat("null,", 300'000);
    std::string entries;
    for (int i = 0; i < 300'000; ++i) entries += "\"k" + std::to_string(i) + "\":{},";
    auto const closed = [](std::string text, std::string_view end) {
        text.back() = ' ';
        return text.append(end);
    };
    std::string const message =
        "expected at most 67108864 bytes in memory (max_memory) and 32 more for each byte of the text, got more";
    for (auto const& text : {closed("{\"items\":[" + many, "]}"), closed("{\"items\":[" + nulls, "]}")}) {
        for (auto const& f : {from_json<object_list<pod>>(text).error(), from_yaml<object_list<pod>>(text).error()}) {
            BOOST_TEST(f.code == make_error_code(errc::too_large));
            BOOST_TEST(f.detail.message == message);
            BOOST_TEST(f.detail.path.starts_with("items["), f.detail.path);
            BOOST_TEST(f.detail.column > 100'000U);
        }
        BOOST_TEST(from_json<raw_json>(text).has_value());
    }
    auto const specs = from_json<pytorch_job>(closed("{\"spec\":{\"pytorchReplicaSpecs\":{" + entries, "}}}")).error();
    BOOST_TEST(specs.detail.message == message);
    BOOST_TEST(specs.detail.path.starts_with("spec.pytorchReplicaSpecs.k"), specs.detail.path);
    // As many as a cluster may have, short as they are.
    std::string const honest =
        repeat(R"({"metadata":{"name":"llm-worker-0","namespace":"team-a","uid":"7"}},)", 30'000);
    BOOST_TEST(from_json<object_list<pod>>(closed("{\"items\":[" + honest, "]}")).value().items.size() == 30'000U);
}

BOOST_AUTO_TEST_CASE(the_memory_limit_is_an_option, *boost::unit_test::enable_if<!kftrain::test::sanitized>()) {
    auto const pods = [](std::size_t count) {
        std::string text = "{\"items\":[" + repeat("{},", count);
        text.back() = ']';
        return text + "}";
    };
    decode_options options;
    BOOST_TEST(options.max_memory == std::size_t{64} << 20U);
    options.max_memory = 100'000;
    BOOST_TEST(from_json<object_list<pod>>(pods(10), options).value().items.size() == 10U);
    for (auto const& f : {from_json<object_list<pod>>(pods(1000), options).error(),
                          from_yaml<object_list<pod>>(pods(1000), options).error()}) {
        BOOST_TEST(f.code == make_error_code(errc::too_large));
        BOOST_TEST(
            f.detail.message ==
            "expected at most 100000 bytes in memory (max_memory) and 32 more for each byte of the text, got more");
    }
    BOOST_TEST(from_json<object_list<pod>>(pods(1000)).value().items.size() == 1000U);
    // A text may be trusted.
    auto const many = pods(100'000);
    BOOST_TEST(from_json<object_list<pod>>(many).error().code == make_error_code(errc::too_large));
    options.max_memory = 0;
    BOOST_TEST(from_json<object_list<pod>>(many, options).value().items.size() == 100'000U);
    options.max_memory = std::numeric_limits<std::size_t>::max();
    BOOST_TEST(from_json<object_list<pod>>(many, options).value().items.size() == 100'000U);
}

BOOST_AUTO_TEST_CASE(contradictory_options_are_named) {
    decode_options strict;
    strict.strict = true;
    auto const twice = R"({"spec":{"nodeName":"a","nodeName":"b"}})";
    BOOST_TEST(from_json<pod>(twice).value().spec.node_name == "b");
    BOOST_TEST(from_json<pod>(twice, strict).error().to_string() ==
               "spec.nodeName: duplicate field \"nodeName\" (line 1, column 25)");
    BOOST_TEST(from_yaml<pod>("spec:\n  nodeName: a\n  nodeName: b\n", strict).error().to_string() ==
               "spec.nodeName: duplicate field \"nodeName\" (line 3, column 3)");
    BOOST_TEST(from_json<pod>(R"({"apiVersion":"v1","kind":"Service"})").error().to_string() ==
               "kind: expected Pod of v1, got \"Service\" (line 1, column 27)");
    BOOST_TEST(from_json<pod>(R"({"apiVersion":"v2","kind":"Pod"})").error().to_string() ==
               "apiVersion: expected v1 of Pod, got \"v2\" (line 1, column 15)");
    BOOST_TEST(from_json<pod>(R"({"kind":"Pod","kind":"Service"})").error().code == make_error_code(errc::wrong_kind));
}

BOOST_AUTO_TEST_CASE(text_that_is_not_utf8_is_refused_at_its_place) {
    for (std::string_view bad : {"\xFF", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80"}) {
        std::string const text = "{\"metadata\":\n{\"name\":\"" + std::string(bad) + "\"}}";
        BOOST_TEST(from_json<pod>(text).error().to_string() == "invalid JSON: not UTF-8 (line 2, column 10)");
        BOOST_TEST(from_json<raw_json>(text).error().to_string() == "invalid JSON: not UTF-8 (line 2, column 10)");
        std::string const yaml = "metadata:\n  name: " + std::string(bad) + "\n";
        BOOST_TEST(from_yaml<pod>(yaml).error().to_string() == "invalid YAML: not UTF-8 (line 2, column 9)");
    }
}

BOOST_AUTO_TEST_SUITE_END()
