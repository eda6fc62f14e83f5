#include "model/json/go_text.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_go_text)

using namespace kftrain;
namespace json = boost::json;

// Expected: what Go 1.22 prints with %q, %v, %#v and %T for values decoded from JSON.

BOOST_AUTO_TEST_CASE(strings_are_quoted_with_escapes) {
    BOOST_TEST(go_text::quoted("plain") == R"("plain")");
    BOOST_TEST(go_text::quoted("a\"b\\c\n\t\a") == R"("a\"b\\c\n\t\a")");
    BOOST_TEST(go_text::quoted(std::string_view("\0\x1f\x7f", 3)) == R"("\x00\x1f\x7f")");
    BOOST_TEST(go_text::quoted("\xff-\xc3\xa9-\xe2\x82\xac") == "\"\\xff-\xc3\xa9-\xe2\x82\xac\"");
    BOOST_TEST(go_text::quoted("\xe2\x80\x8b\xef\xbb\xbf") == R"("\u200b\ufeff")");
    BOOST_TEST(go_text::quoted("\xf0\x9f\x98\x80\xf3\xa0\x80\x81") == "\"\xf0\x9f\x98\x80\\U000e0001\"");
}

BOOST_AUTO_TEST_CASE(floats_change_to_exponents_at_six_digits) {
    BOOST_TEST(go_text::number(1.5) == "1.5");
    BOOST_TEST(go_text::number(2) == "2");
    BOOST_TEST(go_text::number(100000) == "100000");
    BOOST_TEST(go_text::number(1000000) == "1e+06");
    BOOST_TEST(go_text::number(1234567.5) == "1.2345675e+06");
    BOOST_TEST(go_text::number(0.0001) == "0.0001");
    BOOST_TEST(go_text::number(0.00001) == "1e-05");
    BOOST_TEST(go_text::number(-0.25) == "-0.25");
}

BOOST_AUTO_TEST_CASE(containers_are_printed_with_their_keys_in_order) {
    auto const v = json::parse(R"({"b":[1,"x",null,{}],"a":{"t":true,"f":1.5}})");
    BOOST_TEST(go_text::plain(v) == "map[a:map[f:1.5 t:true] b:[1 x <nil> map[]]]");
    BOOST_TEST(go_text::syntax(v) == R"(map[string]interface {}{"a":map[string]interface {}{"f":1.5, "t":true}, )"
                                     R"("b":[]interface {}{1, "x", interface {}(nil), map[string]interface {}{}}})");
    BOOST_TEST(go_text::type(v) == "map[string]interface {}");
    BOOST_TEST(go_text::type(json::parse("18446744073709551615")) == "float64");
    BOOST_TEST(go_text::type(json::parse("-1")) == "int64");
}

BOOST_AUTO_TEST_SUITE_END()
