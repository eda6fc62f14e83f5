#include "unit/facade/explain/explained_job.hpp"

#include "facade/explain/kueue_workload.hpp"

BOOST_AUTO_TEST_SUITE(facade_explain_kueue)

using namespace explained;

namespace {

/// A suspended job of queue `research`.
explained_job queued() {
    return explained_job(2, [](pytorch_job& j) {
        j.spec.run_policy.suspend = true;
        j.metadata.labels.emplace("kueue.x-k8s.io/queue-name", "research");
    });
}

explaining::workload_state& workload(explained_job& w) {
    auto& s = w.evidence.workload.emplace();
    s.name = "pytorchjob-digits-1a2b3";
    return s;
}

void condition(explaining::workload_state& s, std::string type, std::string status, std::string reason,
               std::string message) {
    auto& c = s.conditions.emplace_back();
    c.type = std::move(type);
    c.status = std::move(status);
    c.reason = std::move(reason);
    c.message = std::move(message);
}

/// As the scheduler of kueue v0.10.0 writes it: `pkg/scheduler/flavorassigner/flavorassigner.go`.
std::string const no_room =
    "couldn't assign flavors to pod set worker: insufficient unused quota for nvidia.com/gpu in "
    "flavor default, 4 more needed";

/// Reads an answer of the server as the question for the Workload does.
explaining::job_evidence answered(std::string const& text, std::string const& prebuilt = "") {
    explaining::job_evidence evidence;
    pytorch_job j;
    j.metadata.name = "digits";
    j.metadata.namespace_ = "team-a";
    j.metadata.uid = "u-1";
    j.metadata.labels.emplace("kueue.x-k8s.io/queue-name", "research");
    if (!prebuilt.empty()) j.metadata.labels.emplace("kueue.x-k8s.io/prebuilt-workload-name", prebuilt);
    evidence.job = prepared_job::stored(j);
    auto const q = explaining::workload_query(evidence);
    BOOST_TEST(q.namespace_ == "team-a");
    BOOST_TEST(q.name == prebuilt);
    BOOST_TEST(q.which.label_selector == (prebuilt.empty() ? "kueue.x-k8s.io/job-uid=u-1" : ""));
    BOOST_TEST(q.take(text).has_value());
    return evidence;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_job_that_waits_for_quota_shows_the_message_of_its_workload) {
    auto w = queued();
    condition(workload(w), "QuotaReserved", "False", "Pending", no_room);
    auto const c = w.first();
    BOOST_TEST(w.kinds() == "suspended");
    BOOST_TEST(c.summary == "The job is suspended: it waits in queue research of Kueue: " + no_room);
    BOOST_TEST(has_line(c.evidence, "Workload pytorchjob-digits-1a2b3"));
    BOOST_TEST(has_line(c.evidence, "condition: QuotaReserved=False Pending"));
    BOOST_TEST(contains(c.advice, "when its queue research has room"));
}

BOOST_AUTO_TEST_CASE(a_job_larger_than_the_quota_does_not_wait) {
    auto w = queued();
    condition(
        workload(w), "QuotaReserved", "False", "Pending",
        "couldn't assign flavors to pod set worker: insufficient quota for cpu in flavor default, request > maximum "
        "capacity (8 > 4)");
    BOOST_TEST(contains(w.first().advice, "may ever use"));
}

BOOST_AUTO_TEST_CASE(a_queue_that_does_not_exist_is_named) {
    auto w = queued();
    condition(workload(w), "QuotaReserved", "False", "Inadmissible", "LocalQueue research doesn't exist");
    BOOST_TEST(contains(w.first().summary, "LocalQueue research doesn't exist"));
    BOOST_TEST(contains(w.first().advice, "LocalQueue research or its ClusterQueue"));
}

BOOST_AUTO_TEST_CASE(an_eviction_by_kueue_is_reported) {
    auto w = queued();
    auto& s = workload(w);
    condition(s, "QuotaReserved", "False", "Pending", no_room);
    condition(s, "Evicted", "True", "Preempted", "Preempted to accommodate a workload");
    BOOST_TEST(contains(w.first().summary, "Kueue evicted it (Preempted: Preempted to accommodate a workload)"));
    // The condition stays after the job was admitted again.
    s.conditions.front().status = "True";
    BOOST_TEST(!contains(w.first().summary, "evicted"));
}

BOOST_AUTO_TEST_CASE(admission_checks_that_are_not_ready_are_reported) {
    auto w = queued();
    auto& s = workload(w);
    condition(s, "QuotaReserved", "True", "QuotaReserved", "Quota reserved in ClusterQueue gpus");
    s.checks.emplace_back("admission check provisioning: Pending, no capacity");
    BOOST_TEST(contains(w.first().summary,
                        "waits for admission checks of Kueue: admission check provisioning: Pending, no capacity"));
    condition(s, "Admitted", "True", "Admitted", "The workload is admitted");
    BOOST_TEST(contains(w.first().summary, "Kueue has admitted it"));
}

BOOST_AUTO_TEST_CASE(a_workload_that_is_not_active_is_reported) {
    auto w = queued();
    workload(w).active = false;
    BOOST_TEST(contains(w.first().summary, "its Workload in Kueue is not active"));
    BOOST_TEST(contains(w.first().advice, "pytorchjob-digits-1a2b3"));
}

BOOST_AUTO_TEST_CASE(a_missing_workload_and_a_missing_kueue_are_distinguished) {
    auto w = queued();
    w.evidence.workload.emplace();
    BOOST_TEST(contains(w.first().summary, "Kueue has no Workload for it"));
    w.evidence.workload.reset();
    w.evidence.kueue_served = false;
    BOOST_TEST(contains(w.first().summary, "which this cluster does not have"));
}

BOOST_AUTO_TEST_CASE(the_newest_workload_of_a_list_is_used) {
    auto const evidence = answered(R"({"metadata": {}, "items": [
        {"metadata": {"name": "new", "creationTimestamp": "2026-03-01T11:00:00Z"}, "spec": {"queueName": "research"},
         "status": {"conditions": [{"type": "QuotaReserved", "status": "False", "reason": "Pending", "message": "m"}],
                    "admissionChecks": [{"name": "a", "state": "Ready", "message": ""},
                                        {"name": "b", "state": "Retry", "message": "again"}]}},
        {"metadata": {"name": "old", "creationTimestamp": "2026-03-01T10:00:00Z"}, "spec": {"active": false}}]})");
    BOOST_TEST_REQUIRE(evidence.workload.has_value());
    BOOST_TEST(evidence.workload->name == "new");
    BOOST_TEST(evidence.workload->active);
    BOOST_TEST(evidence.workload->conditions.at(0).message == "m");
    BOOST_TEST(evidence.workload->checks == std::vector<std::string>{"admission check b: Retry, again"},
               boost::test_tools::per_element());
    BOOST_TEST(answered(R"({"items": []})").workload->name.empty());
}

BOOST_AUTO_TEST_CASE(a_prebuilt_workload_is_read_by_name) {
    auto const evidence = answered(R"({"metadata": {"name": "mine"}, "spec": {"active": false}})", "mine");
    BOOST_TEST(evidence.workload->name == "mine");
    BOOST_TEST(!evidence.workload->active);
}

BOOST_AUTO_TEST_CASE(a_forbidden_workload_is_missing_and_an_unserved_kind_is_not) {
    explaining::job_evidence evidence;
    evidence.job = prepared_job::stored(queued().job);
    auto const q = explaining::workload_query(evidence);
    BOOST_TEST_REQUIRE(q.instead != nullptr);
    BOOST_TEST(q.type->version == "v1beta1");
    BOOST_TEST(q.instead->type->version == "v1beta2");
    q.instead->on_missing(reason::not_found, "no such path");
    BOOST_TEST(evidence.missing.empty());
    BOOST_TEST(!evidence.kueue_served);
    q.instead->on_missing(reason::forbidden, "it is forbidden");
    BOOST_TEST(evidence.missing.at(0) == "Workload of Kueue: it is forbidden");
}

BOOST_AUTO_TEST_SUITE_END()
