#include <kftrain/model/meta.hpp>

#include <boost/test/unit_test.hpp>

#include <stdexcept>

BOOST_AUTO_TEST_SUITE(model_name_map)

using kftrain::string_map;

BOOST_AUTO_TEST_CASE(entries_are_sorted_whatever_their_order) {
    string_map m{{"b", "2"}, {"a", "1"}};
    m["c"] = "3";
    m.emplace("aa", "1.5");
    std::string all;
    for (auto const& [name, value] : m) all += name + "=" + value + " ";
    BOOST_TEST(all == "a=1 aa=1.5 b=2 c=3 ");
    BOOST_TEST((m == string_map{{"c", "3"}, {"aa", "1.5"}, {"b", "2"}, {"a", "1"}}));
}

BOOST_AUTO_TEST_CASE(the_first_of_equal_names_is_kept_unless_assigned) {
    string_map m{{"a", "1"}, {"a", "2"}};
    BOOST_TEST(m.size() == 1U);
    BOOST_TEST(!m.emplace("a", "3").second);
    BOOST_TEST(!m.insert({"a", "3"}).second);
    BOOST_TEST(!m.try_emplace("a", "3").second);
    BOOST_TEST(m.at("a") == "1");
    BOOST_TEST(!m.insert_or_assign("a", "3").second);
    BOOST_TEST(m.insert_or_assign("0", "zero").second);
    BOOST_TEST(m.at("a") == "3");
    BOOST_TEST(m.begin()->second == "zero");
}

BOOST_AUTO_TEST_CASE(missing_objects_are_not_found) {
    string_map m{{"b", "1"}, {"d", "2"}};
    for (auto const* name : {"", "a", "c", "e"}) {
        BOOST_TEST_CONTEXT(name) {
            BOOST_TEST((m.find(name) == m.end()));
            BOOST_TEST(!m.contains(name));
            BOOST_TEST(m.erase(name) == 0U);
            BOOST_CHECK_THROW(m.at(name), std::out_of_range);
        }
    }
    BOOST_TEST(m.lower_bound("c")->first == "d");
    BOOST_TEST((string_map().find("a") == string_map().end()));
}

BOOST_AUTO_TEST_CASE(erasing_keeps_the_others) {
    string_map m{{"a", "1"}, {"b", "2"}, {"c", "3"}};
    BOOST_TEST(m.erase(m.find("b"))->first == "c");
    BOOST_TEST(m.erase("a") == 1U);
    BOOST_TEST((m == string_map{{"c", "3"}}));
    m.clear();
    BOOST_TEST(m.empty());
}

BOOST_AUTO_TEST_CASE(copies_are_independent) {
    string_map const m{{"a", "1"}};
    string_map copy = m;
    copy["a"] = "2";
    BOOST_TEST(m.at("a") == "1");
    string_map const moved = std::move(copy);
    BOOST_TEST(moved.at("a") == "2");
}

BOOST_AUTO_TEST_SUITE_END()
