#include "unit/local/scheduler/placed_cluster.hpp"

BOOST_AUTO_TEST_SUITE(local_preemption)

using namespace placement_tests;

// Expected: kubernetes pkg/scheduler/framework/preemption/preemption.go,
// pkg/scheduler/framework/plugins/defaultpreemption, v1.31.
namespace {

std::string const room = R"({"cpu":"4","pods":"10"})";

/// A pod that runs on a node, with further members of its specification and its metadata.
struct running_cluster : placed_cluster {
    running_cluster& on(std::string const& node, std::string const& name, int priority, std::string const& cpu,
                        std::string const& spec = "", std::string const& meta = "") {
        pod(name, R"({"cpu":")" + cpu + "\"}",
            R"(,"nodeName":")" + node + R"(","priority":)" + std::to_string(priority) + spec, meta);
        return *this;
    }
    running_cluster& waits(std::string const& name, int priority, std::string const& cpu,
                           std::string const& spec = "") {
        pod(name, R"({"cpu":")" + cpu + "\"}", R"(,"priority":)" + std::to_string(priority) + spec);
        return *this;
    }
    void start(std::string const& when) {
        auto p = *objects.pods.back();
        p.status.start_time = from_json<core::pod>(R"({"status":{"startTime":")" + when + "\"}}")->status.start_time;
        objects.pods.back() = std::make_shared<core::pod const>(p);
    }
};

std::string const leaving = R"(,"deletionTimestamp":"2024-01-01T00:00:00Z")";

} // namespace

BOOST_AUTO_TEST_CASE(a_pod_preempts_as_few_pods_as_possible_the_lowest_priorities_first) {
    running_cluster w;
    w.node("n0", room);
    w.on("n0", "low", 1, "1").on("n0", "lower", 0, "1").on("n0", "middle", 2, "1").on("n0", "equal", 5, "1");
    w.waits("p", 5, "1");
    expect(w.preemptions(), {"p on n0: lower"});
    expect(w.placed(), {});
    expect(w.waiting(), {"p: 0/1 nodes are available: 1 Insufficient cpu."});
    w.objects.pods.pop_back();
    w.waits("p", 5, "2");
    expect(w.preemptions(), {"p on n0: low lower"});
    w.objects.pods.pop_back();
    w.waits("p", 5, "4"); // not even without all others
    expect(w.preemptions(), {});
    w.objects.pods.pop_back();
    w.waits("p", 0, "1");
    expect(w.preemptions(), {});
}

BOOST_AUTO_TEST_CASE(a_policy_or_a_reason_that_evictions_do_not_change_prevents_preemption) {
    running_cluster w;
    w.node("n0", room).node("n1", room, R"({"unschedulable":true})");
    w.on("n0", "a", 0, "4").on("n1", "b", 0, "1");
    w.waits("never", 9, "1", R"(,"preemptionPolicy":"Never")");
    expect(w.preemptions(), {});
    w.waits("elsewhere", 8, "1", R"(,"nodeSelector":{"disk":"ssd"})");
    expect(w.preemptions(), {});
    w.waits("other", 7, "1", R"(,"preemptionPolicy":"PreemptLowerPriority")");
    expect(w.preemptions(), {"other on n0: a"});
}

BOOST_AUTO_TEST_CASE(the_node_with_the_least_important_victims_is_chosen) {
    auto const chosen = [](running_cluster w) {
        w.waits("p", 9, "4");
        return w.preemptions();
    };
    running_cluster two;
    two.node("n0", room).node("n1", room);
    auto w = two; // the lowest highest priority, though there are more victims
    w.on("n0", "a", 2, "4").on("n1", "b", 1, "2").on("n1", "c", 1, "2");
    expect(chosen(w), {"p on n1: b c"});
    w = two; // the lowest sum
    w.on("n0", "a", 2, "2").on("n0", "b", 2, "2").on("n1", "c", 2, "2").on("n1", "d", 1, "2");
    expect(chosen(w), {"p on n1: c d"});
    w = two; // fewer victims
    w.on("n0", "a", 2, "2").on("n0", "b", 0, "2").on("n1", "c", 2, "4");
    expect(chosen(w), {"p on n1: c"});
    w = two; // the latest start
    w.on("n0", "a", 2, "4").start("2024-01-01T00:00:00Z");
    w.on("n1", "b", 2, "4").start("2024-01-02T00:00:00Z");
    expect(chosen(w), {"p on n1: b"});
}

BOOST_AUTO_TEST_CASE(of_equal_pods_the_one_that_started_later_is_the_victim) {
    running_cluster w;
    w.node("n0", room);
    w.on("n0", "late", 0, "2").start("2024-01-02T00:00:00Z");
    w.on("n0", "early", 0, "2").start("2024-01-01T00:00:00Z");
    w.waits("p", 1, "2");
    expect(w.preemptions(), {"p on n0: late"});
}

BOOST_AUTO_TEST_CASE(a_pod_waits_for_pods_that_leave_and_keeps_their_room) {
    running_cluster w;
    w.node("n0", room).node("n1", room);
    w.on("n0", "a", 0, "4").on("n1", "b", 0, "4", "", leaving);
    w.waits("p", 5, "2");
    expect(w.preemptions(), {"p on n1"});
    w.objects.pods.erase(w.objects.pods.begin()); // half of n0 becomes free
    w.on("n0", "a", 0, "3");
    w.objects.evicted = {"a"};
    w.objects.nominated = {{"p", "n0"}};
    w.waits("late", 0, "1");
    expect(w.preemptions(), {"p on n0"}); // not n1: it was nominated for n0
    expect(w.placed(), {});               // the rest of n0 is kept for p
    w.waits("second", 4, "2");
    expect(w.preemptions(), {"p on n0", "second on n0"});
    w.waits("third", 3, "4");
    expect(w.preemptions(), {"p on n0", "second on n0", "third on n1"});
}

BOOST_AUTO_TEST_CASE(the_nominated_node_counts_once_among_the_candidates) {
    running_cluster w;
    for (int i = 0; i < 100; ++i) {
        auto const n = std::to_string(i);
        w.node("n" + n, room);
        w.on("n" + n, "a" + n, i == 99 ? 1 : 2, "4");
    }
    w.objects.nominated = {{"p", "n0"}};
    w.waits("p", 5, "1");
    expect(w.preemptions(), {"p on n99: a99"});
}

BOOST_AUTO_TEST_CASE(two_pods_do_not_preempt_the_same_pod_twice) {
    running_cluster w;
    w.node("n0", room);
    w.on("n0", "a", 0, "2").on("n0", "b", 0, "2");
    w.waits("p", 5, "1").waits("q", 5, "1").waits("r", 4, "2");
    expect(w.preemptions(), {"p on n0: b", "r on n0: a", "q on n0"});
}

BOOST_AUTO_TEST_CASE(a_pod_preempts_the_pods_that_keep_it_away) {
    running_cluster w;
    w.node("n0", room, "{}", R"({"host":"n0"})");
    std::string const apart = R"(,"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
        {"topologyKey":"host","labelSelector":{"matchLabels":{"app":"web"}}}]}})";
    w.on("n0", "other", 0, "1").on("n0", "web", 1, "1", "", R"(,"labels":{"app":"web"})");
    w.waits("p", 5, "1", apart);
    expect(w.preemptions(), {"p on n0: web"});
    expect(w.waiting(), {"p: 0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules."});
}

BOOST_AUTO_TEST_CASE(replicas_that_must_not_share_a_node_preempt_on_different_nodes) {
    running_cluster w;
    w.node("n0", room, "{}", R"({"host":"n0"})").node("n1", room, "{}", R"({"host":"n1"})");
    w.on("n0", "a", 0, "2").on("n0", "b", 0, "2").on("n1", "c", 0, "4");
    std::string const apart = R"(,"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
        {"topologyKey":"host","labelSelector":{"matchLabels":{"app":"web"}}}]}})";
    for (auto const* name : {"p", "q", "r"})
        w.pod(name, R"({"cpu":"2"})", R"(,"priority":5)" + apart, R"(,"labels":{"app":"web"})");
    expect(w.preemptions(), {"p on n0: b", "q on n1: c"});
}

BOOST_AUTO_TEST_CASE(gangs_preempt_nothing_but_are_preempted) {
    running_cluster w;
    w.node("n0", room).gang("g", 1);
    w.on("n0", "a", 0, "4");
    w.in_gang("g0", R"({"cpu":"1"})", "g", R"(,"priority":9)");
    expect(w.preemptions(), {});
    running_cluster other;
    other.node("n0", room).gang("g", 1);
    other.in_gang("g0", R"({"cpu":"4"})", "g", R"(,"nodeName":"n0")");
    other.waits("p", 5, "4");
    expect(other.preemptions(), {"p on n0: g0"});
}

BOOST_AUTO_TEST_SUITE_END()
