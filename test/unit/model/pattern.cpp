#include "model/pattern.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace kftrain;

namespace {

bool found(std::string_view expression, std::string_view text) {
    return pattern::parse(expression).value().found_in(text);
}

// Of resource quantities, as all CRDs have it.
constexpr std::string_view of_quantities =
    "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)"
    "?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

} // namespace

BOOST_AUTO_TEST_SUITE(model_pattern)

BOOST_AUTO_TEST_CASE(the_pattern_of_quantities_tells_them) {
    for (auto const* s : {"1", "-1.5", "+.5", "100m", "1Gi", "1e3", "1E-3", "12.", "0.5k"})
        BOOST_TEST(found(of_quantities, s), "refuses " << s);
    for (auto const* s : {"", "1gi", "1 Gi", "x1", "1e", "--1", ".", "1Gi\n", "1m1"})
        BOOST_TEST(!found(of_quantities, s), "accepts " << s);
}

BOOST_AUTO_TEST_CASE(a_pattern_without_anchors_is_looked_for_anywhere) {
    BOOST_TEST(found("b+c", "abbbcd"));
    BOOST_TEST(!found("^b+c", "abbbcd"));
    BOOST_TEST(!found("b+c$", "abbbcd"));
    BOOST_TEST(found("", ""));
    BOOST_TEST(found("^$", ""));
    BOOST_TEST(!found("^$", "a"));
}

BOOST_AUTO_TEST_CASE(each_construct_means_what_it_means) {
    BOOST_TEST(found("^(ab|cd)*$", "abcdab"));
    BOOST_TEST(!found("^(ab|cd)*$", "abc"));
    BOOST_TEST(found("^(?:a?b){2}$", "bab"));
    BOOST_TEST(!found("^(?:a?b){2}$", "babb"));
    BOOST_TEST(found("^a{2,3}$", "aaa"));
    BOOST_TEST(!found("^a{2,3}$", "a"));
    BOOST_TEST(!found("^a{2,3}$", "aaaa"));
    BOOST_TEST(found("^a{2,}$", "aaaaa"));
    BOOST_TEST(found("^[^a-c]$", "\xc3\xa9")); // one letter of two bytes
    BOOST_TEST(!found("^[^a-c]$", "b"));
    BOOST_TEST(found("^[-a\\]]+$", "a-]"));
    BOOST_TEST(found("^[]a]$", "]"));
    BOOST_TEST(found("^.$", "\xe2\x82\xac"));
    BOOST_TEST(!found("^.$", "\n"));
    BOOST_TEST(found("^\\d\\w\\s$", "1_ "));
    BOOST_TEST(!found("^\\d$", "x"));
}

BOOST_AUTO_TEST_CASE(what_is_not_understood_is_refused_by_name) {
    for (auto const* s :
         {"(", ")", "[a", "a**(", "*a", "\\p{L}", "(?i)a", "[[:alpha:]]", "a{3,2}", "a{1001}", "\\", "[b-a]"}) {
        auto const p = pattern::parse(s);
        BOOST_TEST_REQUIRE(p.has_error(), "accepts " << s);
        BOOST_TEST((p.error().code == errc::not_supported));
        BOOST_TEST(p.error().detail.message == "cannot match the pattern '" + std::string(s) + "'");
    }
}

BOOST_AUTO_TEST_CASE(long_texts_take_linear_time_and_no_stack) {
    std::string const long_text(2'000'000, '1');
    BOOST_TEST(found(of_quantities, long_text));
    BOOST_TEST(!found(of_quantities, long_text + "!"));
    BOOST_TEST(!found("^(a|a)*(a*)*b$", std::string(50'000, 'a')));
}

BOOST_AUTO_TEST_SUITE_END()
