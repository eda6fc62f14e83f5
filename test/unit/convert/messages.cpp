#include "support/annotated_documents.hpp"

#include <kftrain/convert/registry.hpp>
#include <kftrain/model/codec.hpp>

#include <boost/test/unit_test.hpp>

/// The reasons that conversions report, in full. The comments in front of each job of test/data/conversions are the
/// target kind, as `to: KIND`, and then `PATH: REASON` of each change in order, or the failure.
BOOST_AUTO_TEST_SUITE(convert_messages)

using namespace kftrain;
using lines = std::vector<std::string>;

namespace {

lines reasons_of(std::string const& text, std::string const& to) {
    auto const made = convert::convert_job(yaml_document(text, 1), convert::kind_name(to));
    if (!made) {
        auto why = made.error();
        why.detail.line = why.detail.column = 0;
        return {why.to_string()};
    }
    lines all;
    for (auto const& c : made->changes) all.push_back(c.path + ": " + c.why);
    return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(each_change_has_its_reason) {
    auto const documents = test::annotated_documents("conversions");
    BOOST_TEST(documents.size() > 40U);
    for (auto const& document : documents) {
        constexpr std::string_view key = "to: ";
        BOOST_TEST_REQUIRE((!document.comments.empty() && document.comments.front().starts_with(key)), document.text);
        lines const expected(document.comments.begin() + 1, document.comments.end());
        BOOST_TEST_CONTEXT(document.file << ": " << document.text)
        BOOST_TEST(reasons_of(document.text, document.comments.front().substr(key.size())) == expected,
                   boost::test_tools::per_element());
    }
}

BOOST_AUTO_TEST_SUITE_END()
