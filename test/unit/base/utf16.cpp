#include "base/utf8.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(base_utf16)

using kftrain::detail::decode_utf16;

namespace {

std::string encoded(std::u16string_view text, bool little) {
    std::string out;
    for (unsigned const unit : text) {
        out += static_cast<char>(little ? unit & 255U : unit >> 8U);
        out += static_cast<char>(little ? unit >> 8U : unit & 255U);
    }
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(text_behind_a_byte_order_mark_is_decoded) {
    for (bool const little : {true, false}) {
        BOOST_TEST(decode_utf16(encoded(u"\ufeffa: 1\r\n", little)) == "a: 1\r\n");
        BOOST_TEST(decode_utf16(encoded(u"\ufeff", little)) == "");
        BOOST_TEST(decode_utf16(encoded(u"\ufeff\u00e9\u07ff\u0800\u20ac\uffff\U0001f600\U0010ffff", little)) ==
                   "\xc3\xa9\xdf\xbf\xe0\xa0\x80\xe2\x82\xac\xef\xbf\xbf\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf");
    }
}

BOOST_AUTO_TEST_CASE(every_other_text_stays_as_it_is) {
    std::string const half = encoded(u"\ufeffa", true);
    for (auto const& text :
         {std::string(), std::string("a: 1"), std::string("\xef\xbb\xbf") + "a: 1", encoded(u"a: 1", true), half + "b",
          half + encoded(std::u16string_view(u"\U0001f600").substr(0, 1), true),
          half + encoded(std::u16string_view(u"\U0001f600").substr(1), true),
          half + encoded(std::u16string_view(u"\U0001f600").substr(0, 1), true) + encoded(u"a", true)})
        BOOST_TEST(decode_utf16(text) == text);
}

BOOST_AUTO_TEST_SUITE_END()
