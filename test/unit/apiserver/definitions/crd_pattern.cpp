#include "apiserver/definitions/crd_schema.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace kftrain;

namespace {

bool found(std::string_view expression, std::string_view text) {
    return apiserver::compile_pattern(expression).value()(text);
}

} // namespace

BOOST_AUTO_TEST_SUITE(apiserver_crd_pattern)

// Expected answers: Go's regexp.MatchString.
BOOST_AUTO_TEST_CASE(a_pattern_can_match_anywhere_in_the_text) {
    BOOST_TEST(found("b+c", "abbbcd"));
    BOOST_TEST(!found("^b+c", "abbbcd"));
    BOOST_TEST(!found("b+c$", "abbbcd"));
    BOOST_TEST(found("", ""));
    BOOST_TEST(found("^$", ""));
    BOOST_TEST(!found("^$", "a"));
    BOOST_TEST(!found("^a$", "a\n"));
}

BOOST_AUTO_TEST_CASE(the_syntax_is_that_of_re2) {
    BOOST_TEST(found("^(?i)abc$", "aBC"));
    BOOST_TEST(found("^\\p{L}+$", "\xC3\xA9t\xC3\xA9"));
    BOOST_TEST(found("^[[:alpha:]_]\\w*$", "a_1"));
    BOOST_TEST(found("^.$", "\xE2\x82\xAC")); // a character, not a byte
    BOOST_TEST(found("^a{2,3}$", "aaa"));
    BOOST_TEST(!found("^a{2,3}$", "aaaa"));
}

BOOST_AUTO_TEST_CASE(invalid_expressions_are_refused_with_the_reason) {
    for (auto const* s : {"(", ")", "[a", "*a", "a{3,2}", "a{1001}", "\\", "[b-a]", "(a)\\1", "(?=a)"}) {
        auto const p = apiserver::compile_pattern(s);
        BOOST_TEST_REQUIRE(p.has_error(), "accepts " << s);
        BOOST_TEST((p.error().code == errc::invalid_argument));
        BOOST_TEST(!p.error().detail.message.empty());
    }
}

BOOST_AUTO_TEST_CASE(matching_time_is_bounded) {
    BOOST_TEST(!found("^(a|a)*(a*)*b$", std::string(200'000, 'a')));
    BOOST_TEST(
        apiserver::compile_pattern("((a{100}){100}){100}").has_error()); // more memory than an expression may use
}

BOOST_AUTO_TEST_SUITE_END()
