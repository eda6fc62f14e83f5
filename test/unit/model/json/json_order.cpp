#include "model/json/json_order.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

#include <vector>

BOOST_AUTO_TEST_SUITE(model_json_order)

using namespace kftrain::detail;

namespace json = boost::json;

BOOST_AUTO_TEST_CASE(the_order_is_total_and_agrees_with_equality) {
    std::vector<json::value> all{json::value(std::uint64_t{1}), json::value(std::int64_t{1})};
    for (auto const* text : {"null",
                             "true",
                             "false",
                             "0",
                             "1",
                             "-1",
                             "9223372036854775807",
                             "9223372036854775808",
                             "-9223372036854775808",
                             "1.0",
                             "1.5",
                             "-0.0",
                             "0.0",
                             R"("")",
                             R"("a")",
                             R"("b")",
                             "[]",
                             "[1]",
                             "[1,2]",
                             "[2,1]",
                             "{}",
                             R"({"a":1})",
                             R"({"a":1,"b":2})",
                             R"({"b":2,"a":1})",
                             R"({"a":[1]})",
                             R"({"b":1})"})
        all.push_back(json::parse(text));
    for (auto const& a : all)
        for (auto const& b : all) {
            int const c = json_order::compare(a, b);
            BOOST_TEST((c == 0) == (a == b), a << " and " << b);
            BOOST_TEST((c < 0) == (json_order::compare(b, a) > 0), a << " and " << b);
            for (auto const& d : all)
                if (c < 0 && json_order::compare(b, d) < 0)
                    BOOST_TEST(json_order::compare(a, d) < 0, a << ", " << b << ", " << d);
        }
}

BOOST_AUTO_TEST_CASE(removing_members_and_items_keeps_the_order) {
    auto o = json::parse(R"({"z":1,"b":null,"a":2,"c":null})").as_object();
    erase_members(o, [](json::key_value_pair const& m) { return m.value().is_null(); });
    BOOST_TEST(json::serialize(o) == R"({"z":1,"a":2})");
    auto list = json::parse("[0,1,2,3,4]").as_array();
    erase_items(list, [](json::value const& v) { return v.as_int64() % 2 == 0; });
    BOOST_TEST(json::serialize(list) == "[1,3]");
    erase_items(list, [](json::value const&) { return true; });
    BOOST_TEST(list.empty());
    erase_items(list, [](json::value const&) { return true; });
    BOOST_TEST(list.empty());
}

BOOST_AUTO_TEST_SUITE_END()
