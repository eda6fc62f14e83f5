#include "model/json/list_items.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(model_list_items)

using namespace kftrain;

BOOST_AUTO_TEST_CASE(paths_of_items_and_their_fields_are_joined) {
    BOOST_TEST(item_path(2) == "items[2]");
    BOOST_TEST(path_within("items[2]", "spec.x") == "items[2].spec.x");
    BOOST_TEST(path_within("items[0]", "[1].a") == "items[0][1].a");
    BOOST_TEST(path_within("items[0]", "") == "items[0]");
    BOOST_TEST(path_within("", "spec") == "spec");
    failure f(errc::type_mismatch, {});
    f.detail.path = "[0]";
    f.detail.line = f.detail.column = 7;
    place_in_list(f, 3);
    BOOST_TEST(f.to_string() == "items[3][0]: " + f.code.message());
}

BOOST_AUTO_TEST_SUITE_END()
