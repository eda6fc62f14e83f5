#include "model/scalars/base64.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_base64)

using namespace kftrain;

BOOST_AUTO_TEST_CASE(the_test_vectors_of_rfc_4648_pass) {
    constexpr std::pair<std::string_view, std::string_view> vectors[] = {{"", ""},
                                                                         {"f", "Zg=="},
                                                                         {"fo", "Zm8="},
                                                                         {"foo", "Zm9v"},
                                                                         {"foob", "Zm9vYg=="},
                                                                         {"fooba", "Zm9vYmE="},
                                                                         {"foobar", "Zm9vYmFy"}};
    for (auto const& [plain, coded] : vectors) {
        BOOST_TEST(base64_encode(plain) == coded);
        BOOST_TEST(base64_decode(coded).value() == plain);
    }
}

BOOST_AUTO_TEST_CASE(white_space_is_ignored) { BOOST_TEST(base64_decode("Zm9v\nYg==\n").value_or("?") == "foob"); }

BOOST_AUTO_TEST_CASE(invalid_base64_decodes_to_nothing) {
    for (std::string_view const s : {"Z", "Zg", "Zg=", "Zg===", "Z===", "Z?==", "====", "=Zg=", "Zg==Zg==", "Zm9vYg=a"})
        BOOST_TEST(!base64_decode(s).has_value(), s);
}

BOOST_AUTO_TEST_SUITE_END()
