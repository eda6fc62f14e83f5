#include "support/sanitized.hpp"

#include <kftrain/model/document.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <boost/test/unit_test.hpp>

#include <malloc.h>

BOOST_AUTO_TEST_SUITE(model_document)

using namespace kftrain;

namespace {

template <class T> std::string reported(result<T> const& r) { return r ? to_json(*r) : r.error().to_string(); }

/// Strictly, with all that is found.
template <class Decode> std::string all_of(Decode decode) {
    std::vector<failure> found;
    decode_options options;
    options.strict = true;
    options.found = &found;
    std::string text = reported(decode(options));
    for (auto const& f : found) text += "\n" + f.to_string();
    return text;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_results_do_not_depend_on_earlier_calls) {
    for (std::string_view text :
         {"metadata: {name: a, labels: &l {x: 'y'}}\nspec:\n  nodeSelector: *l\n  containers:\n  - {name: b, <<: *l}\n",
          "spec: {hostname: !!str 5, priority: !!int \"7\", nodeName: ! 8}\n",
          "spce: 1\nspec: {hostname: [1]}\nspec: 2\n", "a: [1, 2\nb: 3\n", "a: {b: *c}\n", "a: 1\n---\nb: 2\n",
          "{\"metadata\": {\"name\": \"a\"}, \"spec\": 5}", "{metadata: {name: a}, spec: {hostname: b,}}",
          "{\"metadata\": {\"name\": }", "", "# nothing\n", "null\n---\na: 1",
          "\xEF\xBB\xBF"
          "a: {}\nspec: 1\n",
          "a: \xFF", "a: !!binary aGk=\n? [b]\n: 1\n", "%TAG ! tag:x\n---\na: !y 1\n"}) {
        std::string const in = "\n" + std::string(text);
        document reader(yaml_document(text, 7));
        for (int i = 0; i < 2; ++i) {
            decode_options later;
            later.first_line = 7;
            BOOST_TEST(reported(reader.decode<raw_json>()) == reported(from_yaml<raw_json>(text, later)), in);
            BOOST_TEST(reported(reader.decode<pod>()) == reported(from_yaml<pod>(text, later)), in);
            BOOST_TEST(all_of([&](auto const& options) { return reader.decode<pod>(options); }) ==
                           all_of([&](auto options) {
                               options.first_line = 7;
                               return from_yaml<pod>(text, options);
                           }),
                       in);
            for (auto const* path : {"spec", "spec.containers[0].name", "metadata.labels.x", "nowhere"})
                BOOST_TEST((reader.find(path) == document(text, 7).find(path)), in << path);
        }
    }
}

BOOST_AUTO_TEST_CASE(a_repeated_kind_is_no_wrong_kind) {
    document text("{\"apiVersion\": \"v1\",\n\"kind\": \"Pod\",\n\"kind\": \"Service\"}", 5);
    pod p;
    decode_options strict;
    strict.strict = true;
    BOOST_TEST(text.decode<pod>(strict).error().to_string() == "kind: duplicate field \"kind\" (line 7, column 1)");
    BOOST_TEST((text.decode_losslessly(descriptor_of<pod>(), &p).error().code == errc::duplicate_field));
    BOOST_TEST((document("kind: Service").decode<pod>().error().code == errc::wrong_kind));
}

BOOST_AUTO_TEST_CASE(an_item_that_is_null_has_no_type) {
    auto items = document("kind: List\nitems:\n- null\n").items().value();
    BOOST_TEST_REQUIRE(items.size() == 1U);
    BOOST_TEST(items[0].type().error().to_string() == "expected an object, got null (line 3, column 3)");
}

BOOST_AUTO_TEST_CASE(items_of_a_list_have_paths_and_positions_in_the_whole_text) {
    document whole("kind: List\nitems:\n- kind: Pod\n  metadata: {name: a}\n- kind: List\n  items:\n"
                   "  - {kind: Pod, metadata: {name: b, namespace: team}, spec: {hostname: 5}}\n",
                   11);
    auto items = whole.items().value();
    BOOST_TEST_REQUIRE(items.size() == 2U);
    BOOST_TEST(whole.path() == "");
    BOOST_TEST(whole.path_of("items[0]") == "items[0]");
    BOOST_TEST(items[0].path() == "items[0]");
    BOOST_TEST(items[0].path_of("metadata.name") == "items[0].metadata.name");
    BOOST_TEST(items[0].path_of("[1]") == "items[0][1]");
    BOOST_TEST(items[0].text() == R"({"kind":"Pod","metadata":{"name":"a"}})");
    BOOST_TEST(items[0].find("metadata.name").line == 14U);
    auto inner = items[1].items().value();
    BOOST_TEST_REQUIRE(inner.size() == 1U);
    BOOST_TEST(inner[0].path() == "items[1].items[0]");
    BOOST_TEST(inner[0].first_line() == 11U);
    BOOST_TEST(inner[0].type().value().kind == "Pod");
    BOOST_TEST(inner[0].names().name == "b");
    BOOST_TEST(inner[0].names().namespace_ == "team");
    BOOST_TEST(reported(inner[0].decode<pod>()) == "spec.hostname: expected string, got 5 (line 17, column 72)");
    BOOST_TEST(all_of([&](auto const& options) { return inner[0].decode<pod>(options); }) ==
               "spec.hostname: expected string, got 5 (line 17, column 72)\n"
               "spec.hostname: expected string, got 5 (line 17, column 72)");
}

BOOST_AUTO_TEST_CASE(items_outlive_the_list) {
    auto const first = [] { return document("items: [{kind: Pod}]").items().value().front(); };
    auto item = first();
    BOOST_TEST(item.type().value().kind == "Pod");
    BOOST_TEST(item.find("kind").column == 16U);
}

BOOST_AUTO_TEST_CASE(items_of_a_list_of_one_type_have_that_type) {
    document pods("apiVersion: v1\nkind: PodList\nitems: [{metadata: {name: a}}, {kind: Node}, null]");
    auto items = pods.items().value();
    BOOST_TEST_REQUIRE(items.size() == 3U);
    BOOST_TEST(items[0].type().value().api_version == "v1");
    BOOST_TEST(items[0].type().value().kind == "Pod");
    BOOST_TEST(items[1].type().value().kind == "Node");
    BOOST_TEST(items[2].text() == "null");
    document mixed("apiVersion: v1\nkind: List\nitems: [{metadata: {name: a}}]");
    BOOST_TEST(mixed.items().value().at(0).type().value().kind == "");
    BOOST_TEST(document("kind: List").items().value().empty());
    BOOST_TEST((document("items: 1").items().error().code == errc::type_mismatch));
}

BOOST_AUTO_TEST_CASE(lossless_decoding_keeps_unknown_fields_and_rejects_duplicates) {
    pod p;
    BOOST_TEST(document("a: 1\nspec: {b: 2}").decode_losslessly(descriptor_of<pod>(), &p).has_value());
    BOOST_TEST(to_json(p) == R"({"apiVersion":"v1","kind":"Pod","spec":{"b":2},"a":1})");
    pod q;
    auto const r = document("a: 1\nspec: {}\nspec: {}").decode_losslessly(descriptor_of<pod>(), &q);
    BOOST_TEST((r.error().code == errc::duplicate_field));
}

// Its events would take twenty times as much memory as the text.
BOOST_AUTO_TEST_CASE(a_text_of_too_many_values_is_not_kept, *boost::unit_test::enable_if<!kftrain::test::sanitized>()) {
    std::string text = "metadata: {name: a}\nmore: [";
    for (int i = 0; i < 4'500'000; ++i) text += "0,";
    text += "0]\nspec: {hostname: 5}\n";
    auto const in_use = [] {
        auto const m = ::mallinfo2();
        return m.uordblks + m.hblkhd;
    };
    auto const before = in_use();
    document reader(yaml_document(text, 1));
    for (int i = 0; i < 2; ++i) {
        auto const read = reader.decode<pod>();
        BOOST_TEST(read.error().to_string() == "spec.hostname: expected string, got 5 (line 3, column 18)");
        BOOST_TEST(in_use() - before < text.size());
    }
}

BOOST_AUTO_TEST_SUITE_END()
