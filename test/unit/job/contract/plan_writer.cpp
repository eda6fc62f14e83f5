#include <kftrain/job/plan_writer.hpp>
#include <kftrain/objects/core.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(job_plan_writer)

using namespace kftrain;

namespace {

template <resource K> rules::create creation() { return rules::create(K()); }
rules::remove removal(resource_info const& type) { return rules::remove(rules::target(type, "team", "x")); }

/// `|C C T|` for a step side by side, `[R]` for one after the other: by the first letters of its actions.
std::string outline(std::vector<rules::step> const& steps) {
    std::string text;
    for (auto const& s : steps) {
        text += s.side_by_side ? '|' : '[';
        for (auto const& a : s.actions) text += "CRAPDSMWT"[a.index()];
        text += s.side_by_side ? '|' : ']';
        if (s.refused) text += '!';
    }
    return text;
}

} // namespace

BOOST_AUTO_TEST_CASE(creations_of_one_type_form_one_concurrent_step_and_so_do_deletions) {
    rules::plan_writer w;
    w.create(creation<pod>());
    w.create(creation<pod>());
    w.create(creation<service>());
    w.remove(removal(pod::resource));
    w.remove(removal(service::resource));
    w.create(creation<pod>());
    BOOST_TEST(outline(w.take()) == "|CC||C||DD||C|");
    BOOST_TEST(w.take().empty());
}

BOOST_AUTO_TEST_CASE(other_actions_are_sequential_and_end_a_concurrent_step) {
    rules::plan_writer w;
    w.create(creation<pod>());
    w.add(rules::replace(pod()));
    w.add(rules::write_status(pod()));
    w.create(creation<pod>());
    BOOST_TEST(outline(w.take()) == "|C|[RW]|C|");
}

// An event after the last concurrent action is emitted only if all of them have succeeded.
BOOST_AUTO_TEST_CASE(only_events_between_actions_belong_to_a_step) {
    rules::plan_writer w;
    w.emit("Normal", "R", "first");
    w.create(creation<pod>());
    w.emit("Normal", "R", "between");
    w.create(creation<pod>());
    w.emit("Normal", "R", "after");
    w.remove(removal(pod::resource));
    w.emit("Normal", "R", "last");
    BOOST_TEST(outline(w.take()) == "[T]|CTC|[T]|D|[T]");
}

BOOST_AUTO_TEST_CASE(actions_with_a_fallback_are_separate_steps) {
    rules::plan_writer w;
    w.add(rules::replace(pod()));
    w.emit("Normal", "R", "before");
    w.add(rules::replace(pod()), rules::write_status(pod()));
    w.add(rules::replace(pod()));
    BOOST_TEST(outline(w.take()) == "[RT][R]![R]");
}

BOOST_AUTO_TEST_SUITE_END()
