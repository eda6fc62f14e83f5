#include "model/codec/document_reader.hpp"
#include "support/sanitized.hpp"

#include <kftrain/model/meta.hpp>
#include <kftrain/model/position.hpp>
#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <boost/test/unit_test.hpp>

#include <malloc.h>

BOOST_AUTO_TEST_SUITE(model_document_reader)

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
        detail::document_reader reader(yaml_document(text, 7));
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
                BOOST_TEST((reader.find(path) == position_finder(text, 7).find(path)), in << path);
        }
    }
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
    detail::document_reader reader(yaml_document(text, 1));
    for (int i = 0; i < 2; ++i) {
        auto const read = reader.decode<pod>();
        BOOST_TEST(read.error().to_string() == "spec.hostname: expected string, got 5 (line 3, column 18)");
        BOOST_TEST(in_use() - before < text.size());
    }
}

BOOST_AUTO_TEST_SUITE_END()
