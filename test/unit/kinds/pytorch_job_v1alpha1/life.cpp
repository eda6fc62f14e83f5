#include "unit/kinds/pytorch_job_v1alpha1/sample.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/model/codec.hpp>

BOOST_AUTO_TEST_SUITE(kinds_pytorch_job_v1alpha1_life)

using namespace pytorch_v1alpha1;

// Expected: requests, events and statuses recorded from pytorch-operator v0.3.0 in the case that is named.
namespace {

std::string const id = v1alpha1::pytorch::runtime_id_of(job("pt", 0));

std::string master(int attempt) { return "pt-master-" + id + "-0-0000" + std::to_string(attempt); }
std::string worker(int rank, int attempt) {
    return "pt-worker-" + id + "-" + std::to_string(rank) + "-0000" + std::to_string(attempt);
}
lines created_pods(rules::plan const& plan) {
    lines names;
    for (auto const& step : plan.steps)
        for (auto const& action : step.actions)
            if (auto const* create = std::get_if<rules::create>(&action);
                create != nullptr && create->object.get_if<core::pod>() != nullptr)
                names.push_back(create->object.metadata().name);
    return names;
}
std::string new_service(std::string const& type, int index) {
    return "create Service pt-" + type + "-" + id + "-" + std::to_string(index);
}

} // namespace

// With defaults-none: the job is written with its defaults first, and once more with what its pods do.
BOOST_AUTO_TEST_CASE(a_job_is_set_up_and_its_children_are_created) {
    cluster c(job("pt", 2));
    BOOST_TEST(c.pass() ==
                   (lines{"set up", new_service("master", 0), "create Pod " + master(0), new_service("worker", 0),
                          new_service("worker", 1), "create Pod " + worker(1, 0), "create Pod " + worker(2, 0),
                          "Creating/Running MASTER=Unknown,Unknown:1 WORKER=Running,Running:1,Unknown:1"}),
               boost::test_tools::per_element());
    BOOST_TEST(c.job.spec.runtime_id == id);
    BOOST_TEST(c.job.spec.pytorch_image == "pytorch/pytorch:v0.2");
    BOOST_TEST(c.job.spec.termination_policy->master->replica_name == "MASTER");
    BOOST_TEST(c.job.spec.replica_specs[1].master_port.value() == 23456);
    BOOST_TEST(c.pass() == lines{});
    auto const& pod = c.pod_of("pt-worker-" + id + "-1");
    BOOST_TEST(pod.metadata.labels.at("task_index") == "1");
    BOOST_TEST(c.services.at("pt-worker-" + id + "-0").spec.selector.at("task_index") == "0");
}

// life-succeed, after-end-pod-deleted
BOOST_AUTO_TEST_CASE(the_job_ends_with_its_master) {
    cluster c(job("pt", 1));
    c.pass();
    c.run(c.pod_of("pt-master"));
    BOOST_TEST(c.pass() == lines{"Creating/Running MASTER=Running,Running:1 WORKER=Running,Running:1"});
    BOOST_TEST((any_job(c.job).phase() == job_phase::running));
    c.end(c.pod_of("pt-worker"), 0); // a pod without labels is ignored
    BOOST_TEST(c.pass() == lines{});
    c.end(c.pod_of("pt-master"), 0);
    BOOST_TEST(c.pass() == lines{"Done/Succeeded MASTER=Succeeded,Succeeded:1 WORKER=Running,Running:1"});
    BOOST_TEST((any_job(c.job).phase() == job_phase::succeeded));
    c.pods.clear();
    c.services.clear();
    BOOST_TEST(c.pass() == lines{});
}

BOOST_AUTO_TEST_CASE(only_a_failed_master_ends_the_job_and_a_lost_one_is_replaced) {
    cluster c(job("pt", 0));
    c.pass();
    c.pods.clear();
    c.services.clear();
    BOOST_TEST(c.pass() == (lines{new_service("master", 0), "create Pod " + master(0)}));
    c.end(c.pod_of("pt-master"), 1);
    BOOST_TEST(c.pass() == (lines{"create Pod " + master(1), "Done/Failed MASTER=Failed,Failed:1"}));
    BOOST_TEST((any_job(c.job).phase() == job_phase::failed));
}

BOOST_AUTO_TEST_CASE(failed_workers_are_created_again_and_the_newest_with_a_state_counts) {
    cluster c(job("pt", 2));
    c.pass();
    c.end(c.pod_of("pt-worker-" + id + "-1"), 1);
    BOOST_TEST(c.pass() == (lines{"create Pod " + worker(1, 1),
                                  "Creating/Running MASTER=Unknown,Unknown:1 WORKER=Failed,Failed:1,Running:1"}));
    c.run(c.pods.at(worker(1, 1)));
    BOOST_TEST(c.pass() == lines{"Creating/Running MASTER=Unknown,Unknown:1 WORKER=Running,Running:2"});
}

// termination-worker-1, termination-worker-0
BOOST_AUTO_TEST_CASE(the_termination_policy_can_name_a_worker) {
    for (int const rank : {0, 1}) { // upstream never ends with rank 0
        first_job j = job("pt", 2);
        auto& policy = j.spec.termination_policy.emplace().master.emplace();
        policy.replica_name = "WORKER";
        policy.replica_rank = rank;
        cluster c(j);
        c.pass();
        c.end(c.pod_of("pt-worker-" + id + "-1"), 0);
        BOOST_TEST(c.pass().back().starts_with("Done/Succeeded "), rank);
    }
}

// edit-replicas, edit-add-spec, edit-remove-spec
BOOST_AUTO_TEST_CASE(edited_sets_apply_when_their_number_changes_or_the_operator_restarts) {
    cluster c(job("pt", 1));
    c.pass();
    c.job.spec.replica_specs[1].replicas = 2;
    BOOST_TEST(c.pass() == lines{});
    c.restart_operator();
    BOOST_TEST(c.pass() == (lines{new_service("worker", 1), "create Pod " + worker(2, 0),
                                  "Creating/Running MASTER=Unknown,Unknown:1 WORKER=Running,Running:1,Unknown:1"}));
    c.job.spec.replica_specs.pop_back();
    BOOST_TEST(c.pass() == lines{"Creating/Running MASTER=Unknown,Unknown:1"});
    c.job.spec.replica_specs.push_back(replicas("WORKER", 1)); // defaults are filled in only once
    BOOST_TEST(c.pass() == lines{"Creating/Running MASTER=Unknown,Unknown:1"});
    BOOST_TEST(c.job.status.reason ==
               "Could not create in memory datastructures; tfReplicaSpec.MasterPort can't be nil.");
    BOOST_TEST(c.pass() == lines{});
}

BOOST_AUTO_TEST_CASE(edits_of_the_status_are_reverted) {
    cluster c(job("pt", 0));
    c.pass();
    auto const was = c.job.status;
    c.job.status = {};
    BOOST_TEST(c.pass() == lines{reported(was)});
    c.job.status = {};
    c.restart_operator();
    BOOST_TEST(c.pass().front() == "set up");
}

BOOST_AUTO_TEST_CASE(invalid_jobs_stay_failed) {
    first_job j = job("pt", 0);
    j.spec.replica_specs[0].template_->spec.containers[0].name = "torch"; // container-missing
    cluster c(j);
    BOOST_TEST(c.pass() == lines{"set up"});
    BOOST_TEST(reported(c.job.status) == "Failed/Failed");
    BOOST_TEST(c.job.status.reason == "invalid job spec: Replica type MASTER is missing a container named pytorch");
    BOOST_TEST(c.job.spec.runtime_id == "");
    BOOST_TEST(c.pass() == lines{});
}

// Upstream: pytorch-operator v0.3.0 `pkg/apis/pytorch/v1alpha1/defaults.go`, which fills in a policy only where there
// is none.
BOOST_AUTO_TEST_CASE(an_empty_policy_is_invalid) {
    first_job j = job("pt", 0);
    j.spec.termination_policy.emplace();
    cluster c(j);
    BOOST_TEST(c.pass() == lines{"set up"});
    BOOST_TEST(reported(c.job.status) == "Failed/Failed");
    BOOST_TEST(c.job.status.reason == "invalid job spec: invalid termination policy: &{<nil>}");
}

// seed-03
BOOST_AUTO_TEST_CASE(a_set_without_replicas_has_an_empty_map_of_states) {
    first_job j = job("pt", 0);
    j.spec.replica_specs.push_back(replicas("WORKER", 0));
    cluster c(j);
    c.pass();
    BOOST_TEST(reported(c.job.status) == "Creating/Running MASTER=Unknown,Unknown:1 WORKER=Unknown");
    auto const text = to_json(c.job);
    BOOST_TEST(text.find(R"("replica_type":"WORKER","state":"Unknown","ReplicasStates":{})") != std::string::npos,
               text);
}

BOOST_AUTO_TEST_CASE(rejections_are_part_of_the_status_reason) {
    cluster c(job("pt", 0));
    auto const plan = c.look();
    lines reasons;
    for (auto const& step : plan.steps)
        if (step.refused) {
            auto const filled = step.refused->filled(step.refused->object, "no");
            reasons.push_back(filled.get_if<first_job>()->status.reason);
        }
    BOOST_TEST(reasons == (lines{"Could not create job resources; [Creating Service  returned error., no]",
                                 "Could not create job resources; [Creating pod  returned error., no]"}),
               boost::test_tools::per_element());
}

// Upstream draws a name with each try: an answer that is lost makes a second pod of the rank there.
BOOST_AUTO_TEST_CASE(a_creation_is_repeated_with_the_same_name_until_its_pod_appears) {
    cluster c(job("pt", 1));
    c.pass();
    auto const made = c.pods;
    c.pods.clear(); // as long as they are not seen
    auto const first = c.look(), second = c.look();
    BOOST_TEST(created_pods(first) == (lines{master(0), worker(1, 0)}), boost::test_tools::per_element());
    BOOST_TEST(created_pods(second) == created_pods(first), boost::test_tools::per_element());
    c.restart_operator();
    BOOST_TEST(created_pods(c.look()) == created_pods(first), boost::test_tools::per_element());
    c.pods = made;
    BOOST_TEST(created_pods(c.look()) == lines{}, boost::test_tools::per_element());
    c.end(c.pods.at(worker(1, 0)), 1);
    BOOST_TEST(created_pods(c.look()) == lines{worker(1, 1)}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_pod_that_lost_its_labels_keeps_its_name_from_the_next_one) {
    cluster c(job("pt", 0));
    c.pass();
    c.pods.begin()->second.metadata.labels.clear();
    BOOST_TEST(created_pods(c.look()) == lines{master(1)}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_deleted_v1alpha1_job_is_not_reconciled) {
    first_job j = job("pt", 1);
    j.metadata.deletion_timestamp = time_point();
    BOOST_TEST(cluster(j).pass() == lines{});
}

BOOST_AUTO_TEST_SUITE_END()
