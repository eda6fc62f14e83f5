#include "control/change_list.hpp"

#include <kftrain/objects/core.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(control_change_list)

using namespace kftrain;
using control::change_list;

namespace {

any_object state(std::string name, std::string version, std::string uid = {}) {
    pod p;
    p.metadata.uid = uid.empty() ? "uid-of-" + name : std::move(uid);
    p.metadata.name = std::move(name);
    p.metadata.resource_version = std::move(version);
    return p;
}

std::string reported(std::vector<rules::change> const& changes) {
    auto const version = [](any_object const& o) {
        return o.empty() ? std::string("-") : o.metadata().resource_version;
    };
    std::string text;
    for (auto const& c : changes)
        text += std::to_string(c.watched) + (c.after.empty() ? c.before : c.after).metadata().name + version(c.before) +
                ">" + version(c.after) + " ";
    return text;
}

/// So many changes of one object that it takes one more to merge them.
void fill(change_list& list) {
    for (std::size_t i = 0; i < change_list::limit; ++i)
        list.add(rules::change(0, state("x", std::to_string(i)), state("x", std::to_string(i + 1))));
}

} // namespace

BOOST_AUTO_TEST_CASE(changes_are_taken_in_order_and_once) {
    change_list list;
    BOOST_TEST(!list.add(rules::change(0, any_object(), state("a", "1"))));
    BOOST_TEST(!list.add(rules::change(1, state("a", "1"), state("a", "2"))));
    BOOST_TEST(!list.add(rules::change(0, state("a", "2"), any_object())));
    BOOST_TEST(reported(list.take()) == "0a->1 1a1>2 0a2>- ");
    BOOST_TEST(list.take().empty());
}

BOOST_AUTO_TEST_CASE(repeated_names_keep_their_first_position) {
    change_list list;
    list.add(rules::change(0, any_object(), state("a", "1")));
    auto taken = list.take();
    list.add(rules::change(0, state("a", "1"), state("a", "2")));
    list.give_back(std::move(taken));
    BOOST_TEST(reported(list.take()) == "0a->1 0a1>2 ");
}

BOOST_AUTO_TEST_CASE(excess_changes_of_one_object_are_merged) {
    change_list list;
    list.add(rules::change(0, state("a", "1"), state("a", "2")));
    fill(list);
    BOOST_TEST(list.size() <= 2U);
    list.add(rules::change(0, any_object(), state("b", "1")));
    list.add(rules::change(0, state("b", "1"), any_object()));
    list.add(rules::change(0, state("a", "2"), any_object()));
    list.add(rules::change(0, any_object(), state("a", "9", "another")));
    auto taken = list.take();
    fill(list);
    BOOST_TEST(list.give_back(std::move(taken)));
    // b came and went, and the second a is another than the first.
    BOOST_TEST(reported(list.take()) == "0a1>- 0a->9 0x0>1000 ");
}

// However many come, there are no more than twice as many as there are objects, or the limit.
BOOST_AUTO_TEST_CASE(an_unread_change_list_is_bounded) {
    change_list list;
    constexpr int objects = 3000;
    for (int round = 0; round < 5; ++round)
        for (int i = 0; i < objects; ++i)
            list.add(rules::change(0, state(std::to_string(i), "1"), state(std::to_string(i), "2")));
    BOOST_TEST(list.size() <= 2U * objects);
    BOOST_TEST(list.size() >= std::size_t{objects});
}

BOOST_AUTO_TEST_SUITE_END()
