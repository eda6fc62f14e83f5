#include "unit/model/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_yaml_documents)

using namespace kftrain;

namespace {

/// Line and text of each document.
std::string split(std::string_view text) {
    std::string out;
    for (auto const& d : split_yaml(text)) out += std::to_string(d.first_line) + ":" + std::string(d.text) + "|";
    return out;
}

} // namespace

// Expected: YAML 1.2.2, chapter 9, document markers.

BOOST_AUTO_TEST_CASE(a_text_is_cut_at_its_markers) {
    BOOST_TEST(split("") == "");
    BOOST_TEST(split("# x\n---\n\n--- # y\n...\n") == "");
    BOOST_TEST(split("a: 1") == "1:a: 1|");
    BOOST_TEST(split("a: 1\n---\nb: 2\n") == "1:a: 1\n|3:b: 2\n|");
    BOOST_TEST(split("---\na: 1\n---\n---\r\nb: 2") == "2:a: 1\n|5:b: 2|");
    BOOST_TEST(split("--- {a: 1}\n--- # c\nb: 2") == "1:--- {a: 1}\n|3:b: 2|");
    BOOST_TEST(split("a: 1\n...\nb: 2\n...  \n") == "1:a: 1\n|3:b: 2\n|");
    BOOST_TEST(split("%YAML 1.1\n---\na: 1\n") == "1:%YAML 1.1\n---\na: 1\n|");
    BOOST_TEST(split("a: |\n  ---\n  x\nb: ---x\n---x: 1\n ---: 2\n") ==
               "1:a: |\n  ---\n  x\nb: ---x\n---x: 1\n ---: 2\n|");
    BOOST_TEST(split("\xEF\xBB\xBF---\na: 1") == "2:a: 1|");
    BOOST_TEST(split("a: 1\n...\n\xEF\xBB\xBF%YAML 1.1\n---\nb: 2") == "1:a: 1\n|3:%YAML 1.1\n---\nb: 2|");
    BOOST_TEST(split("\xEF\xBB\xBF\xEF\xBB\xBF\n---\n\xEF\xBB\xBF") == "");
}

// Expected: k8s.io/cli-runtime v0.31.3, `pkg/resource/visitor.go`, `StreamVisitor`, which skips null.
BOOST_AUTO_TEST_CASE(a_document_that_is_null_is_omitted) {
    BOOST_TEST(split("a: 1\n---\nnull\n") == "1:a: 1\n|");
    BOOST_TEST(split("--- null # c\n---\n~\n---\nb: 2") == "5:b: 2|");
    BOOST_TEST(split("null") == "1:null|"); // so that its reader reports it
    BOOST_TEST(split("~\n---\n~") == "1:~\n|");
    BOOST_TEST(split("null\nx") == "1:null\nx|");
    BOOST_TEST(split("null: 1\n---\n'null'") == "1:null: 1\n|3:'null'|");
    BOOST_TEST(split("# c\nnull\n...\na: 1") == "4:a: 1|");
}

BOOST_AUTO_TEST_CASE(all_documents_are_read_with_their_positions_in_the_whole_text) {
    auto const all = from_yaml_all<sample_narrow>("name: a\n---\nname: b\n---\n{\"name\": \"c\"}\n").value();
    BOOST_TEST_REQUIRE(all.size() == 3U);
    BOOST_TEST((all[0].name == "a" && all[1].name == "b" && all[2].name == "c"));
    BOOST_TEST(from_yaml_all<sample_narrow>("# none\n").value().empty());
    BOOST_TEST(from_yaml_all<sample_narrow>("name: a\n---\n\nname: [b]\n").error().to_string() ==
               "name: expected string, got a list (line 4, column 7)");
    BOOST_TEST(from_yaml_all<sample_narrow>("name: a\n--- {name: [b]}\n").error().to_string() ==
               "name: expected string, got a list (line 2, column 12)");
    BOOST_TEST(from_yaml_all<sample_narrow>("---\nname: a\n---\n{\"name\": 1}").error().to_string() ==
               "name: expected string, got 1 (line 4, column 10)");
}

BOOST_AUTO_TEST_SUITE_END()
