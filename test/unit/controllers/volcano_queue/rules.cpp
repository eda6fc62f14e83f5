#include <kftrain/controllers/volcano_queue.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(controllers_volcano_queue)

using namespace kftrain;

namespace {

volcano::pod_group gang(std::string queue, std::string phase) {
    volcano::pod_group g;
    g.metadata.name = "g";
    g.metadata.namespace_ = "team";
    g.spec.queue = std::move(queue);
    g.status.phase = std::move(phase);
    return g;
}

/// The phase that the gang gets beside these queues; `-` if it is left alone.
std::string next(volcano::pod_group const& g, std::vector<volcano::queue> const& queues) {
    rules::world world;
    world.add("queue", std::vector<any_object>(queues.begin(), queues.end()));
    auto const plan =
        controllers::volcano_gang_rules().make_plan(rules::look<volcano::pod_group>(g, world, nullptr, time_point()));
    if (plan.steps.empty()) return "-";
    auto const& write = std::get<rules::write_status>(plan.steps.front().actions.front());
    return write.object.get_if<volcano::pod_group>()->status.phase;
}

} // namespace

BOOST_AUTO_TEST_CASE(pod_groups_of_an_open_queue_are_enqueued) {
    auto const open = controllers::default_volcano_queue();
    BOOST_TEST(next(gang("", ""), {open}) == "Inqueue");
    BOOST_TEST(next(gang("default", "Pending"), {open}) == "Inqueue");
    BOOST_TEST(next(gang("default", "Running"), {open}) == "-");
    BOOST_TEST(next(gang("default", ""), {}) == "-");
    auto closed = open;
    closed.status.state = "Closed";
    BOOST_TEST(next(gang("default", ""), {closed}) == "-");
}

BOOST_AUTO_TEST_CASE(a_new_queue_is_opened) {
    volcano::queue q;
    q.metadata.name = "gold";
    auto const look = [&] {
        return controllers::volcano_queue_rules::make_plan(
            rules::look<volcano::queue>(q, rules::world(), nullptr, time_point()));
    };
    auto const plan = look();
    BOOST_TEST_REQUIRE(plan.steps.size() == 1U);
    auto const& write = std::get<rules::write_status>(plan.steps.front().actions.front());
    BOOST_TEST(write.object.get_if<volcano::queue>()->status.state == "Open");
    q.status.state = "Closing";
    BOOST_TEST(look().steps.empty());
}

BOOST_AUTO_TEST_SUITE_END()
