#include "apiserver/json/json_access.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_json_path)

using namespace kftrain::apiserver;

BOOST_AUTO_TEST_CASE(json_paths_of_printer_columns_are_evaluated) {
    auto const o =
        parse_object(R"({"a":{"b":"v","x.y/z":"w"},"list":[{"type":"One","s":1},{"type":"Two","s":2}]})").value();
    auto const at = [&](std::string_view path) {
        auto const* v = find_path(o, path);
        return v != nullptr ? json::serialize(*v) : std::string("none");
    };
    BOOST_TEST(at(".a.b") == "\"v\"");
    BOOST_TEST(at(".a.x\\.y/z") == "\"w\"");
    BOOST_TEST(at(".a['b']") == "\"v\"");
    BOOST_TEST(at(".list[0].type") == "\"One\"");
    BOOST_TEST(at(".list[-1:].type") == "\"Two\"");
    BOOST_TEST(at(".list[?(@.type==\"One\")].s") == "1");
    BOOST_TEST(at(".list[?(@.type=='Two')].s") == "2");
    BOOST_TEST(at(".list[*].type") == "\"One\""); // only the first result is printed
    BOOST_TEST(at(".list[7].s") == "none");
    BOOST_TEST(at(".a.c") == "none");
    BOOST_TEST(at(".a.b.c") == "none");
    BOOST_TEST(at(".list.type") == "none");
    BOOST_TEST(at("") == "none");
}

BOOST_AUTO_TEST_CASE(paths_of_another_form_are_recognised) {
    for (std::string_view const good : {".a", ".a[-1:].b", ".a[0]", ".a[*]", ".a[?(@.b==\"c\")].d"})
        BOOST_TEST(is_path(good), good);
    for (std::string_view const bad :
         {"", "a", ".", ".a..b", ".a[", ".a[x]", "..a", ".a[?(@.b)]", ".a[99999999999999999999]"})
        BOOST_TEST(!is_path(bad), bad);
}

BOOST_AUTO_TEST_SUITE_END()
