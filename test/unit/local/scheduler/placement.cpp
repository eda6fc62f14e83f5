#include "unit/local/scheduler/placed_cluster.hpp"

#include "local/scheduler/node_fit.hpp"
#include "local/scheduler/scheduler.hpp"
#include "support/temporary_directory.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

BOOST_AUTO_TEST_SUITE(local_placement)

using namespace placement_tests;

namespace {

std::string const room = R"({"cpu":"2","memory":"4Gi","pods":"10"})";

} // namespace

BOOST_AUTO_TEST_CASE(pods_spread_over_the_nodes_with_most_free_resources) {
    placed_cluster w;
    w.node("n0", room).node("n1", room);
    w.pod("p0", R"({"cpu":"1"})").pod("p1", R"({"cpu":"1"})").pod("p2", R"({"cpu":"1"})").pod("p3", R"({"cpu":"1"})");
    expect(w.placed(), {"p0 on n0", "p1 on n1", "p2 on n0", "p3 on n1"});
}

BOOST_AUTO_TEST_CASE(messages_count_the_nodes_by_reason_as_the_scheduler_does) {
    placed_cluster w;
    w.node("n0", room)
        .node("n1", room, R"({"unschedulable":true})")
        .node("n2", room, R"({"taints":[{"key":"gpu","value":"yes","effect":"NoSchedule"}]})")
        .node("n3", room, "{}", R"({"disk":"ssd"})");
    w.pod("p", R"({"cpu":"3","nvidia.com/gpu":"1"})", R"(,"nodeSelector":{"disk":"ssd"})");
    expect(w.waiting(), {"p: 0/4 nodes are available: 1 Insufficient cpu, 1 Insufficient nvidia.com/gpu, "
                         "1 node(s) didn't match Pod's node affinity/selector, "
                         "1 node(s) had untolerated taint {gpu: yes}, 1 node(s) were unschedulable."});
    placed_cluster empty;
    empty.pod("p", "{}");
    expect(empty.waiting(), {"p: no nodes available to schedule pods"});
}

BOOST_AUTO_TEST_CASE(bound_pods_use_resources_until_they_finish) {
    placed_cluster w;
    w.node("n0", room);
    w.pod("old", R"({"cpu":"2"})", R"(,"nodeName":"n0")").pod("new", R"({"cpu":"1"})");
    expect(w.placed(), {});
    auto done = *w.objects.pods.front();
    done.status.phase = "Succeeded";
    w.objects.pods.front() = std::make_shared<core::pod const>(done);
    expect(w.placed(), {"new on n0"});
    w.objects.pods.front() = placed_cluster::made<core::pod>(
        R"({"metadata":{"name":"old","uid":"u"},
            "spec":{"containers":[{"name":"c","resources":{"limits":{"cpu":"2"}}}]}})");
    w.objects.bound["u"] = "n0"; // the informers do not show it yet
    expect(w.placed(), {});
}

BOOST_AUTO_TEST_CASE(a_gang_waits_as_a_whole_and_starts_as_a_whole) {
    placed_cluster w;
    w.node("n0", room).node("n1", room).gang("g", 5).gang("h", 3);
    for (auto const* name : {"g0", "g1", "g2", "g3", "g4"}) w.in_gang(name, R"({"cpu":"1"})", "g");
    for (auto const* name : {"h0", "h1", "h2"}) w.in_gang(name, R"({"cpu":"1"})", "h");
    expect(w.placed(), {"h0 on n0", "h1 on n1", "h2 on n0"});
    auto const why = std::string("5/5 tasks in gang unschedulable: pod group is not ready, 5 Pending, 5 minAvailable; "
                                 "Pending: 4 Schedulable, 1 Unschedulable. Origin reason is g4: "
                                 "0/2 nodes are available: 2 Insufficient cpu.");
    BOOST_TEST(w.waiting().front() == "g0: " + why);
    BOOST_TEST(w.waiting().size() == 5U);
    w.node("n2", room).node("n3", room);
    BOOST_TEST(w.placed().size() == 8U);
    BOOST_TEST(w.waiting().empty());
}

BOOST_AUTO_TEST_CASE(a_gang_waits_for_all_of_its_pods_to_exist) {
    placed_cluster w;
    w.node("n0", room).gang("g", 3);
    w.in_gang("g0", "{}", "g").in_gang("g1", "{}", "g");
    expect(w.waiting(), {"g0: pod group is not ready, 2 Pending, 3 minAvailable",
                         "g1: pod group is not ready, 2 Pending, 3 minAvailable"});
    w.in_gang("g2", "{}", "g", R"(,"nodeName":"n0")");
    BOOST_TEST(w.placed().size() == 2U);
    placed_cluster absent;
    absent.node("n0", room).in_gang("g0", "{}", "g");
    expect(absent.waiting(), {"g0: PodGroup g does not exist"});
    placed_cluster closed;
    closed.node("n0", room).gang("g", 1, R"(,"queue":"q")", "Pending").in_gang("g0", "{}", "g");
    expect(closed.waiting(), {"g0: PodGroup g is Pending: its queue q does not exist or is not open"});
}

BOOST_AUTO_TEST_CASE(tasks_of_a_gang_have_their_own_minimums) {
    placed_cluster w;
    w.node("n0", R"({"cpu":"2","pods":"10"})").gang("g", 2, R"(,"minTaskMember":{"ps":1,"worker":1})");
    auto const task = [&](std::string const& name, std::string const& of) {
        w.pod(name, R"({"cpu":"1"})", "",
              R"(,"annotations":{"scheduling.k8s.io/group-name":"g","volcano.sh/task-spec":")" + of + "\"}");
    };
    task("a", "worker");
    task("b", "worker");
    task("c", "ps");
    expect(w.placed(), {}); // both places go to workers
    w.node("n1", R"({"cpu":"1","pods":"10"})");
    BOOST_TEST(w.placed().size() == 3U);
}

BOOST_AUTO_TEST_CASE(volcano_queues_are_limited_by_their_capability) {
    placed_cluster w;
    w.node("n0", room).gang("g", 1, R"(,"queue":"q")");
    w.objects.queues.push_back(
        placed_cluster::made<volcano::queue>(R"({"metadata":{"name":"q"},"spec":{"capability":{"cpu":"1"}}})"));
    w.in_gang("g0", R"({"cpu":"1"})", "g").in_gang("g1", R"({"cpu":"1"})", "g");
    expect(w.placed(), {"g0 on n0"});
    expect(w.waiting(), {"g1: queue q has no capability left: insufficient cpu"});
}

BOOST_AUTO_TEST_CASE(priority_comes_before_age) {
    placed_cluster w;
    w.node("n0", R"({"cpu":"1","pods":"10"})");
    w.pod("old", R"({"cpu":"1"})", "", R"(,"creationTimestamp":"2024-01-01T00:00:00Z")");
    w.pod("urgent", R"({"cpu":"1"})", R"(,"priority":5)", R"(,"creationTimestamp":"2024-01-02T00:00:00Z")");
    expect(w.placed(), {"urgent on n0"});
}

BOOST_AUTO_TEST_CASE(affinity_and_tolerations_select_nodes) {
    placed_cluster w;
    w.node("n0", room, R"({"taints":[{"key":"gpu","effect":"NoSchedule"}]})", R"({"size":"8"})");
    w.node("n1", room, "{}", R"({"size":"2"})");
    w.pod("p", "{}",
          R"(,"tolerations":[{"key":"gpu","operator":"Exists"}],"affinity":{"nodeAffinity":{
             "requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
             {"matchExpressions":[{"key":"size","operator":"Gt","values":["4"]}]}]}}})");
    expect(w.placed(), {"p on n0"});
}

// Expected: kubernetes v1.31 pkg/scheduler/framework/plugins/interpodaffinity and podtopologyspread.
namespace {

/// `what` is `podAffinity` or `podAntiAffinity`; the term selects pods with the label `app: web`.
std::string rule(std::string const& what, std::string const& key, std::string const& more = "") {
    return R"(,"affinity":{")" + what + R"(":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":")" +
           key + R"(","labelSelector":{"matchLabels":{"app":"web"}})" + more + "}]}}";
}

std::string const web = R"(,"labels":{"app":"web"})";

/// Two nodes in zone a, one in zone b, and a node without a zone.
placed_cluster zones() {
    placed_cluster w;
    w.node("a0", room, "{}", R"({"zone":"a","host":"a0"})").node("a1", room, "{}", R"({"zone":"a","host":"a1"})");
    w.node("b0", room, "{}", R"({"zone":"b","host":"b0"})").node("n", R"({"cpu":"9","memory":"9Gi","pods":"10"})");
    return w;
}

} // namespace

BOOST_AUTO_TEST_CASE(pod_affinity_needs_a_matching_pod_in_the_same_domain) {
    auto w = zones();
    w.pod("web", "{}", R"(,"nodeName":"b0")", web).pod("p", "{}", rule("podAffinity", "zone"));
    expect(w.placed(), {"p on b0"});
    auto none = zones();
    none.pod("p", "{}", rule("podAffinity", "zone"));
    expect(none.waiting(), {"p: 0/4 nodes are available: 4 node(s) didn't match pod affinity rules."});
    auto first = zones(); // a pod that matches its own terms may be the first
    first.pod("p", "{}", rule("podAffinity", "zone") + R"(,"nodeSelector":{"zone":"b"})", web);
    first.pod("q", "{}", rule("podAffinity", "zone"), web);
    expect(first.placed(), {"p on b0", "q on b0"});
    auto other = zones(); // pods of other namespaces count only if the term names these
    other.pod("web", "{}", R"(,"nodeName":"b0")", web);
    other.pod("p", "{}", rule("podAffinity", "zone", R"(,"namespaces":["b"])"));
    other.pod("q", "{}", rule("podAffinity", "zone", R"(,"namespaces":["b"],"namespaceSelector":{})"));
    expect(other.placed(), {"q on b0"});
}

BOOST_AUTO_TEST_CASE(namespaces_are_selected_by_their_names_only) {
    auto const selector = [](std::string const& key, std::string const& relation) {
        return R"(,"namespaceSelector":{"matchExpressions":[{"key":")" + key + R"(","operator":")" + relation +
               R"(","values":["a"]}]})";
    };
    auto const name = "kubernetes.io/metadata.name";
    auto w = zones();
    w.pod("web", "{}", R"(,"nodeName":"b0")", web);
    w.pod("in", "{}", rule("podAffinity", "zone", selector(name, "In")));
    w.pod("out", "{}", rule("podAffinity", "zone", selector(name, "NotIn")));
    w.pod("team", "{}", rule("podAntiAffinity", "zone", selector("team", "In")));
    expect(w.placed(), {"in on b0"});
    expect(w.waiting(), {"out: 0/4 nodes are available: 4 node(s) didn't match pod affinity rules.",
                         "team: namespaceSelector of a required affinity to pods: expected the label "
                         "kubernetes.io/metadata.name only, got team"});
}

BOOST_AUTO_TEST_CASE(pods_of_many_templates_keep_apart) {
    // More templates than rules are kept for, in turn, and pods that differ in a label that no term uses.
    placed_cluster w;
    for (int i = 0; i < 40; ++i)
        w.node("n" + std::to_string(i), room, "{}", R"({"host":")" + std::to_string(i) + R"("})");
    for (int i = 0; i < 80; ++i) {
        auto const app = std::to_string(i % 20);
        w.pod("p" + std::to_string(i), "{}",
              R"(,"affinity":{"podAntiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":)"
              R"("host","labelSelector":{"matchLabels":{"app":")" +
                  app + R"("}}}]}})",
              R"(,"labels":{"app":")" + app + R"(","index":")" + std::to_string(i) + R"("})");
    }
    std::set<std::string> places;
    for (auto const& p : place_pods(w.objects).placed)
        places.insert(p.pod->metadata.labels.at("app") + " on " + p.node);
    BOOST_TEST(places.size() == 80U);
}

BOOST_AUTO_TEST_CASE(pod_anti_affinity_keeps_pods_apart_on_both_sides) {
    auto w = zones();
    w.pod("w0", "{}", rule("podAntiAffinity", "zone"), web).pod("w1", "{}", rule("podAntiAffinity", "zone"), web);
    w.pod("w2", "{}", rule("podAntiAffinity", "zone"), web).pod("w3", "{}", rule("podAntiAffinity", "host"), web);
    w.objects.nodes.pop_back();
    expect(w.placed(), {"w0 on a0", "w1 on b0"});
    expect(w.waiting(), {"w2: 0/3 nodes are available: 3 node(s) didn't match pod anti-affinity rules.",
                         "w3: 0/3 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules, "
                         "2 node(s) didn't match pod anti-affinity rules."});
    auto gone = zones();
    gone.pod("web", "{}", R"(,"nodeName":"n")" + rule("podAntiAffinity", "zone"), web); // a node without the label
    gone.pod("p", R"({"cpu":"3"})", "", web);
    expect(gone.placed(), {"p on n"});
}

BOOST_AUTO_TEST_CASE(a_gang_that_cannot_start_holds_no_domain) {
    auto w = zones();
    w.gang("g", 3);
    for (auto const* name : {"g0", "g1", "g2"})
        w.pod(name, "{}", rule("podAntiAffinity", "zone") + R"(,"nodeSelector":{"zone":"b"})",
              web + R"(,"annotations":{"scheduling.k8s.io/group-name":"g"})");
    w.pod("x", "{}", R"(,"nodeSelector":{"zone":"b"})", web);
    expect(w.placed(), {"x on b0"});
}

BOOST_AUTO_TEST_CASE(topology_spread_limits_the_difference_of_domains) {
    auto const spread = [](std::string const& more) {
        return R"(,"topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"zone",
                  "labelSelector":{"matchLabels":{"app":"web"}},"whenUnsatisfiable":)" +
               more + "}]";
    };
    auto w = zones();
    w.pod("w0", "{}", R"(,"nodeName":"a0")", web).pod("w1", "{}", R"(,"nodeName":"a1")", web);
    w.pod("p", "{}", spread(R"("DoNotSchedule")"), web);
    expect(w.placed(), {"p on b0"});
    auto full = zones(); // zone b counts as a domain, and has no room
    full.objects.nodes[2] = placed_cluster().node("b0", R"({"pods":"0"})", "{}", R"({"zone":"b"})").objects.nodes[0];
    full.pod("w0", "{}", R"(,"nodeName":"a0")", web).pod("p", "{}", spread(R"("DoNotSchedule")"), web);
    expect(full.waiting(), {"p: 0/4 nodes are available: 1 Too many pods, "
                            "1 node(s) didn't match pod topology spread constraints (missing required label), "
                            "2 node(s) didn't match pod topology spread constraints."});
    auto few = zones(); // fewer domains than demanded
    few.pod("w0", "{}", R"(,"nodeName":"a0")", web).pod("w1", "{}", R"(,"nodeName":"b0")", web);
    few.pod("p", "{}", spread(R"("DoNotSchedule","minDomains":3)"), web);
    expect(few.placed(), {});
    auto soft = zones();
    soft.objects.nodes.pop_back();
    soft.pod("w0", "{}", R"(,"nodeName":"a0")", web).pod("p", R"({"cpu":"1"})", spread(R"("ScheduleAnyway")"), web);
    soft.pod("q", R"({"cpu":"1"})", R"(,"nodeName":"b0")");
    expect(soft.placed(), {"p on b0"});
}

BOOST_AUTO_TEST_CASE(preferences_count_more_than_free_resources) {
    auto const preferred = [](std::string const& what) {
        return R"(,"affinity":{")" + what + R"(":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,
            "podAffinityTerm":{"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"web"}}}}]}})";
    };
    auto w = zones();
    w.objects.nodes.pop_back();
    w.pod("web", R"({"cpu":"1"})", R"(,"nodeName":"b0")", web).pod("p", "{}", preferred("podAffinity"));
    expect(w.placed(), {"p on b0"});
    auto away = zones();
    away.objects.nodes.pop_back();
    away.pod("web", "{}", R"(,"nodeName":"a0")", web).pod("used", R"({"cpu":"1"})", R"(,"nodeName":"b0")");
    away.pod("p", "{}", preferred("podAntiAffinity"));
    expect(away.placed(), {"p on b0"});
    auto node = zones();
    node.pod("p", "{}", R"(,"affinity":{"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,
        "preference":{"matchExpressions":[{"key":"host","operator":"In","values":["a1"]}]}}]}})");
    expect(node.placed(), {"p on a1"});
    auto const drawn = [&](std::string const& affinity) { // by the preference of a pod that runs
        auto w = zones();
        w.objects.nodes.pop_back();
        w.pod("fan", R"({"cpu":"1"})", R"(,"nodeName":"b0")" + affinity);
        w.pod("p", "{}", "", web);
        return w.placed();
    };
    expect(drawn(""), {"p on a0"});
    expect(drawn(preferred("podAffinity")), {"p on b0"});
    expect(drawn(preferred("podAntiAffinity")), {"p on a0"});
    expect(drawn(R"(,"affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[
        {"topologyKey":"zone","labelSelector":{"matchLabels":{"app":"web"}}}]}})"),
           {"p on b0"});
}

BOOST_AUTO_TEST_CASE(pods_of_deleted_nodes_and_of_nodes_with_a_taint_are_evicted) {
    placed_cluster w;
    w.node("n0", room, R"({"taints":[{"key":"down","effect":"NoExecute"}]})");
    w.pod("a", "{}", R"(,"nodeName":"gone")").pod("b", "{}", R"(,"nodeName":"n0")");
    w.pod("c", "{}", R"(,"nodeName":"n0","tolerations":[{"operator":"Exists"}])");
    expect(w.evicted(), {"a", "b"});
}

BOOST_AUTO_TEST_CASE(sums_of_huge_requests_are_capped) {
    auto const spec = from_json<core::pod_spec>(
        R"({"containers":[{"name":"a","resources":{"requests":{"memory":"8E"}}},
                          {"name":"b","resources":{"requests":{"memory":"8E"}}}]})");
    BOOST_TEST_REQUIRE(spec.has_value());
    BOOST_TEST(requests_of(*spec).at("memory") == std::numeric_limits<std::int64_t>::max());
    placed_cluster w;
    w.node("n0", room).gang("g", 1, R"(,"queue":"q")");
    w.objects.queues.push_back(
        placed_cluster::made<volcano::queue>(R"({"metadata":{"name":"q"},"spec":{"capability":{"memory":"1Gi"}}})"));
    w.in_gang("g0", R"({"memory":"8E"})", "g");
    expect(w.placed(), {});
}

BOOST_AUTO_TEST_CASE(nodes_have_the_gpus_of_the_machine) {
    test::temporary_directory const machine;
    auto const& devices = machine.path;
    auto const gpus = [&](resource_list const& resources) {
        auto const nodes = make_nodes(2, resources, {}, devices);
        auto const& all = nodes.at(1).status.allocatable;
        auto const it = all.find("nvidia.com/gpu");
        return it == all.end() ? std::string("none") : it->second.text();
    };
    BOOST_TEST(gpus({}) == "none");
    for (auto const* name : {"nvidia0", "nvidia11", "nvidiactl", "nvidia-uvm", "nvidia", "tty0"})
        std::ofstream(devices / name) << "";
    BOOST_TEST(gpus({}) == "2");
    BOOST_TEST(gpus({{"nvidia.com/gpu", quantity("8")}}) == "8");
    std::filesystem::remove_all(devices);
    BOOST_TEST(gpus({}) == "none");
}

BOOST_AUTO_TEST_CASE(sidecars_and_init_containers_count_as_upstream) {
    auto const spec = from_json<core::pod_spec>(
        R"({"containers":[{"name":"a","resources":{"requests":{"cpu":"500m"}}}],"initContainers":[
            {"name":"s","restartPolicy":"Always","resources":{"requests":{"cpu":"250m"}}},
            {"name":"i","resources":{"limits":{"cpu":"1"}}}],"overhead":{"memory":"1Ki"}})");
    auto const needs = requests_of(spec.value());
    BOOST_TEST(needs.at("cpu") == 1250); // the init container beside the sidecar needs more than both containers
    BOOST_TEST(needs.at("memory") == 1024);
    BOOST_TEST(needs.at("pods") == 1);
}

BOOST_AUTO_TEST_SUITE_END()
