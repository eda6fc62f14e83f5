#include "unit/facade/explain/explained_job.hpp"

BOOST_AUTO_TEST_SUITE(facade_explain_placement)

using namespace explained;

BOOST_AUTO_TEST_CASE(missing_node_resources_are_reported_with_the_request_of_the_pod) {
    explained_job w;
    for (auto const* name : {"master-0", "worker-0", "worker-1"})
        w.unplaced(name, "0/5 nodes are available: 1 node(s) had untolerated taint "
                         "{node-role.kubernetes.io/control-plane: }, 4 Insufficient "
                         "nvidia.com/gpu. preemption: 0/5 nodes are available: 1 Preemption is not helpful for "
                         "scheduling, 4 No preemption "
                         "victims found for incoming pod.");
    auto const c = w.first();
    BOOST_TEST(w.kinds() == "unschedulable");
    BOOST_TEST(c.summary == "No node is suitable for Master 0 (rank 0), Worker 0 (rank 1) and Worker 1 (rank 2): "
                            "node(s) had untolerated taint {node-role.kubernetes.io/control-plane: } on 1 of 5 nodes; "
                            "4 of nvidia.com/gpu per pod exceeds the free amount on 4 of 5 nodes");
    BOOST_TEST(c.affected == 3);
    BOOST_TEST(contains(c.advice, "Request less"));
}

BOOST_AUTO_TEST_CASE(without_a_condition_the_event_of_the_scheduler_is_used) {
    explained_job w;
    w.pod("master-0");
    w.event("Pod/digits-master-0", "FailedScheduling", "0/1 nodes are available: 1 Insufficient cpu.");
    BOOST_TEST(w.kinds() == "unschedulable starting");
}

BOOST_AUTO_TEST_CASE(an_explained_volcano_gang_shows_how_many_pods_have_a_node) {
    explained_job w;
    auto const text = "pod group is not ready, 2 Pending, 3 minAvailable; Pending: 1 Unschedulable, 1 Undetermined";
    w.running("master-0");
    w.unplaced("worker-0", text);
    w.unplaced("worker-1", text);
    auto& g = w.evidence.gang.emplace();
    g.name = "digits";
    g.phase = "Inqueue";
    g.queue = "research";
    g.min_member = 3;
    g.reason = "NotEnoughResources";
    g.message = std::string("2/3 tasks in gang unschedulable: ") + text;
    auto const c = w.first();
    BOOST_TEST((c.kind == cause_kind::gang));
    BOOST_TEST(c.summary == "The gang waits: 1 of the 3 replicas that must start together are placed");
    BOOST_TEST(members(c) == "worker-0 worker-1");
    BOOST_TEST(has_line(c.evidence,
                        "PodGroup digits: phase Inqueue, minMember 3, queue research, NotEnoughResources: 2/3 tasks"));
    BOOST_TEST(w.kinds() == "gang rendezvous");
}

BOOST_AUTO_TEST_CASE(a_gang_without_pods_waits_for_its_queue) {
    explained_job w;
    auto& g = w.evidence.gang.emplace();
    g.name = "digits";
    g.phase = "Pending";
    g.queue = "research";
    g.min_member = 3;
    auto const c = w.first();
    BOOST_TEST(w.kinds() == "gang");
    BOOST_TEST(contains(c.advice, "whether queue research has room"));
    BOOST_TEST(c.affected == 3);
    g.queue_state = "Closed, may use cpu=8";
    BOOST_TEST(contains(w.first().advice, "Open queue research"));
    BOOST_TEST(has_line(w.first().evidence, "queue research: Closed, may use cpu=8"));
    g.queue_state.clear();
    g.queue_missing = true;
    BOOST_TEST(contains(w.first().advice, "Create queue research"));
}

BOOST_AUTO_TEST_CASE(the_coscheduling_plugin_reports_siblings) {
    explained_job w;
    w.unplaced("master-0", "0/3 nodes are available: 3 pre-filter pod digits-master-0 cannot find enough sibling pods, "
                           "current pods number: 1, "
                           "minMember of group: 3.");
    BOOST_TEST(w.kinds() == "gang");
}

BOOST_AUTO_TEST_CASE(a_missing_resource_explains_a_waiting_gang) {
    explained_job w;
    w.unplaced("master-0", "0/3 nodes are unavailable: 3 Insufficient cpu.");
    auto& g = w.evidence.gang.emplace();
    g.phase = "Inqueue";
    g.min_member = 3;
    BOOST_TEST(w.kinds() == "unschedulable gang");
}

BOOST_AUTO_TEST_CASE(a_scheduled_gang_is_not_a_cause) {
    explained_job w;
    w.all_run();
    auto& g = w.evidence.gang.emplace();
    g.phase = "Running";
    g.min_member = 3;
    BOOST_TEST(w.kinds() == "healthy");
}

BOOST_AUTO_TEST_CASE(evictions_are_distinguished) {
    for (auto const& [reason, message, words] :
         {std::tuple("Evicted",
                     "The node was low on resource: memory. Threshold quantity: 100Mi, available: 88Mi. Container "
                     "pytorch was using 5Gi.",
                     "ran low"),
          {"NodeLost", "Node node-1 which was running pod digits-worker-0 is unresponsive",
           "was lost: the pod was evicted"},
          {"Preempting", "Preempted in order to admit critical pod", "preempted"},
          {"UnexpectedAdmissionError",
           "Allocate failed due to requested number of devices unavailable for nvidia.com/gpu",
           "was rejected by the node"},
          {"OutOfnvidia.com/gpu", "Node didn't have enough resource: nvidia.com/gpu", "was rejected by the node"}}) {
        explained_job w;
        auto& p = w.ended("worker-0", 137);
        p.status.reason = reason;
        p.status.message = message;
        if (!contains(reason, "Evicted")) p.status.container_statuses.clear();
        w.fail();
        BOOST_TEST((w.first().kind == cause_kind::evicted), reason << ": " << w.kinds());
        BOOST_TEST(contains(w.first().summary, words), w.first().summary);
    }
}

BOOST_AUTO_TEST_CASE(a_disruption_is_found_by_its_condition) {
    explained_job w;
    auto& p = w.ended("worker-0", 143);
    auto& c = p.status.conditions.emplace_back();
    c.type = "DisruptionTarget";
    c.status = "True";
    c.reason = "PreemptionByScheduler";
    c.message = "default-scheduler: preempting to accommodate a higher priority pod";
    w.fail();
    BOOST_TEST(w.kinds() == "evicted");
    BOOST_TEST(contains(w.first().summary, "higher priority"));
}

BOOST_AUTO_TEST_CASE(deleted_pods_are_explained_by_their_events) {
    explained_job w;
    w.running("master-0");
    w.running("worker-0");
    w.event("Pod/digits-worker-1", "Preempted", "Preempted by pod 7 on node node-2", "Normal");
    BOOST_TEST(w.kinds() == "evicted rendezvous");
    BOOST_TEST(members(w.first()) == "worker-1");
}

BOOST_AUTO_TEST_CASE(the_groups_that_use_the_queue_of_a_waiting_gang_are_listed) {
    explained_job w;
    w.unplaced("worker-0", "pod group is not ready, 3 Pending, 3 minAvailable");
    auto& g = w.evidence.gang.emplace();
    g.name = "digits";
    g.phase = "Inqueue";
    g.queue = "research";
    g.min_member = 3;
    g.holders.emplace_back("PodGroup team-b/big uses the queue, too: 8 of its pods run");
    auto const c = w.first();
    BOOST_TEST((c.kind == cause_kind::gang));
    BOOST_TEST(has_line(c.evidence, "team-b/big"));
}

BOOST_AUTO_TEST_SUITE_END()
