#include "unit/kinds/volcano_job/scene.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

BOOST_AUTO_TEST_SUITE(kinds_volcano_job_plan)

using namespace volcano_sample;

// Cases that recordings do not have: times, memory, and objects of other owners.

BOOST_AUTO_TEST_CASE(a_new_job_is_pending_before_anything_is_made) {
    scene s(complete(job_of("j", {task("a", 1)})));
    BOOST_TEST(s.look() == lines{"status Pending"});
    BOOST_TEST(s.look() == lines{"POST PodGroup j-uid-1"});
    BOOST_TEST(s.last.requeue_at.has_value()); // its own phase brought it back
}

// Expected: what the webhooks of v1.9.0 write and refuse, on a server without them.
BOOST_AUTO_TEST_CASE(a_new_job_gets_defaults_for_absent_fields) {
    auto raw = job_of("j", {task("", 2), task("b", 1)});
    raw.spec.plugins["mpi"] = {"--master=default0", "--worker=b"};
    scene s(raw);
    BOOST_TEST(s.look() == lines{"PUT Job j"});
    BOOST_TEST((s.job.spec == complete(raw).spec));
    BOOST_TEST(s.job.spec.queue == "default");
    BOOST_TEST(s.job.spec.tasks[0].name == "default0");
    BOOST_TEST(s.job.spec.min_available == 3);
    BOOST_TEST(s.job.spec.plugins.count("ssh") == 1U);
    BOOST_TEST(s.look() == lines{"status Pending"});
    s.job.spec.max_retry = 0; // an edit stays as it is
    s.job.metadata.generation = 2;
    auto const later = s.look();
    BOOST_TEST(std::ranges::count(later, "PUT Job j") == 0);
}

BOOST_AUTO_TEST_CASE(an_invalid_new_job_is_reported_and_ignored_until_it_is_fixed) {
    auto const faulty = [](auto change) {
        auto j = job_of("j", {task("a", 1), task("b", 1)});
        change(j);
        return j;
    };
    std::vector<std::pair<std::string, volcano_job>> const cases{
        {"spec.tasks[1].name: duplicated task name a", faulty([](auto& j) { j.spec.tasks[1].name = "a"; })},
        {"spec.plugins.nope: unable to find job plugin: nope", faulty([](auto& j) { j.spec.plugins["nope"]; })},
        {"spec.tasks: No task specified in job spec", faulty([](auto& j) { j.spec.tasks.clear(); })},
        {"spec.tasks[0].replicas: 'replicas' < 0 in task: a, job: j; spec.tasks[0].minAvailable: 'minAvailable' is "
         "greater "
         "than 'replicas' in task: a, job: j; spec.minAvailable: job 'minAvailable' should not be greater than total "
         "replicas in tasks",
         faulty([](auto& j) {
             j.spec.tasks[0].replicas = -1;
             j.spec.tasks[0].min_available = 0;
             j.spec.min_available = 0;
         })}};
    for (auto const& [text, job] : cases) {
        scene s(job);
        BOOST_TEST(s.look() == (lines{"event JobFailedValidation", "status Pending"}), text);
        BOOST_TEST(s.reported.type == "Warning");
        BOOST_TEST(s.reported.message == "Job failed validation because " + text);
        BOOST_TEST(s.job.status.state.reason == "FailedValidation");
        BOOST_TEST(s.job.status.state.message == text);
        BOOST_TEST((s.job.spec == job.spec), text);
        auto const reported = any_job(s.job).conditions();
        BOOST_TEST_REQUIRE(reported.size() == 1U);
        BOOST_TEST(reported[0].message == text);
        BOOST_TEST(s.look() == lines{}, text);
        s.job.spec = complete(job_of("j", {task("a", 1)})).spec;
        s.job.metadata.generation = 2;
        BOOST_TEST(s.look() == lines{"status "}, text);
        BOOST_TEST(s.look() == lines{"status Pending"}, text);
        BOOST_TEST(s.job.status.state.reason == "");
        BOOST_TEST(s.look() == lines{"POST PodGroup j-uid-1"}, text);
    }
}

BOOST_AUTO_TEST_CASE(a_job_without_its_queue_waits) {
    auto j = complete(job_of("j", {task("a", 1)}));
    j.spec.queue = "gone";
    scene s(std::move(j));
    BOOST_TEST(s.look() == lines{"event QueueNotFound"});
    BOOST_TEST(s.reported.message == "the job waits for queue \"gone\", which does not exist");
    BOOST_TEST(!s.last.requeue_at); // the queue brings it back
    s.job.spec.queue = "default";
    BOOST_TEST(s.look() == lines{"status Pending"});
}

BOOST_AUTO_TEST_CASE(a_pod_waits_until_its_name_is_free) {
    scene s(job_of("j", {task("a", 2)}));
    s.start("Running");
    s.pods = {s.pod("j-a-0", "Running"), s.pod("j-a-1", "Running")};
    s.pods[0].metadata.deletion_timestamp = at(0);
    BOOST_TEST(s.look() == lines{"status Running"});
    BOOST_TEST(s.job.status.unknown_count == 1);
    BOOST_TEST(s.job.status.task_status_count.at("a").phase.at("Unknown") == 1);
    BOOST_TEST(s.job.status.running == 1);
    s.changes.emplace_back(0U, s.pods[0], any_object());
    s.pods.erase(s.pods.begin());
    BOOST_TEST(s.look() == (lines{"POST Pod j-a-0", "status Pending"}));
}

BOOST_AUTO_TEST_CASE(a_command_is_deleted_before_it_is_carried_out) {
    scene s(job_of("j", {task("a", 1)}));
    s.start("Running");
    s.pods = {s.pod("j-a-0", "Running")};
    s.look();
    command c;
    c.metadata.name = "stop";
    c.action = "AbortJob";
    s.commands = {c};
    BOOST_TEST(s.look() == (lines{"DELETE Command stop", "event CommandIssued"}));
    s.commands.clear();
    BOOST_TEST(s.look() ==
               (lines{"event ExecuteAction", "DELETE Pod j-a-0", "status Aborting", "DELETE PodGroup j-uid-1"}));
}

BOOST_AUTO_TEST_CASE(requests_are_carried_out_one_by_one) {
    auto j = job_of("j", {task("a", 2)});
    j.spec.policies = {on("PodFailed", "RestartJob")};
    scene s(std::move(j));
    s.start("Running");
    s.pods = {s.pod("j-a-0", "Running"), s.pod("j-a-1", "Running")};
    s.look();
    auto failed = s.pods[0];
    failed.status.phase = "Failed";
    s.changes.emplace_back(0U, s.pods[0], failed);
    s.pods[0] = failed;
    BOOST_TEST(s.look() == (lines{"event ExecuteAction", "DELETE Pod j-a-0", "DELETE Pod j-a-1", "status Restarting",
                                  "DELETE PodGroup j-uid-1"}));
    BOOST_TEST(s.job.status.version == 1);
    for (auto const& p : s.pods) s.changes.emplace_back(0U, p, any_object());
    s.pods.clear();
    s.group.reset();
    BOOST_TEST(s.look() == lines{"status Pending"}); // both evictions are one request
    BOOST_TEST(s.job.status.version == 2);
    BOOST_TEST(s.look() == lines{"POST PodGroup j-uid-1"});
    BOOST_TEST(!s.last.requeue_at);
}

BOOST_AUTO_TEST_CASE(a_repeated_request_waits_until_the_phase_was_handled) {
    auto j = job_of("j", {task("a", 2)});
    j.spec.policies = {on("PodEvicted", "RestartJob")};
    scene s(std::move(j));
    s.start("Running");
    s.pods = {s.pod("j-a-0", "Running"), s.pod("j-a-1", "Running")};
    s.look();
    s.changes.emplace_back(0U, s.pods[0], any_object());
    s.pods.erase(s.pods.begin());
    BOOST_TEST(s.look() ==
               (lines{"event ExecuteAction", "DELETE Pod j-a-1", "status Restarting", "DELETE PodGroup j-uid-1"}));
    s.changes.emplace_back(0U, s.pods[0], any_object());
    s.pods.clear();
    s.group.reset();
    BOOST_TEST(s.look() == lines{"status Pending"});        // for the phase
    BOOST_TEST(s.look() == lines{"POST PodGroup j-uid-1"}); // for the pod that went
    BOOST_TEST((s.last.requeue_at == at(1)));               // the phase has changed again
}

BOOST_AUTO_TEST_CASE(without_changes_the_plan_is_empty) {
    scene s(job_of("j", {task("a", 1)}));
    s.start("Running");
    s.pods = {s.pod("j-a-0", "Running")};
    s.look();
    BOOST_TEST(s.look() == lines{});
    s.job.metadata.generation = 2; // a user changed the spec
    BOOST_TEST(!s.last.requeue_at);
    s.job.spec.tasks[0].replicas = 2;
    BOOST_TEST(s.look() == (lines{"POST Pod j-a-1", "status Running"}));
}

BOOST_AUTO_TEST_CASE(a_task_is_restarted_alone_since_v1_11) {
    auto j = job_of("j", {task("a", 1), task("b", 1)});
    j.spec.policies = {on("PodFailed", "RestartTask")};
    j.spec.policies[0].timeout = std::chrono::seconds(30);
    scene s(std::move(j), volcano_release::v1_11_0);
    s.start("Running");
    s.pods = {s.pod("j-a-0", "Running"), s.pod("j-b-0", "Running")};
    s.pods[1].metadata.annotations["volcano.sh/task-spec"] = "b";
    s.look();
    auto failed = s.pods[0];
    failed.status.phase = "Failed";
    s.changes.emplace_back(0U, s.pods[0], failed);
    s.pods[0] = failed;
    BOOST_TEST(s.look(10) == lines{"event ExecuteAction"});
    BOOST_TEST((s.last.requeue_at == at(40)));
    BOOST_TEST(s.look(40) == (lines{"DELETE Pod j-a-0", "status Restarting"}));
    BOOST_TEST(s.job.status.version == 0);
    BOOST_TEST(s.job.status.retry_count == 1);
}

BOOST_AUTO_TEST_CASE(container_restarts_count_towards_max_retry) {
    auto j = job_of("j", {task("a", 1)});
    j.spec.tasks[0].max_retry = 2;
    j.spec.policies = {on("TaskFailed", "TerminateJob")};
    scene s(std::move(j), volcano_release::v1_11_0);
    s.start("Running");
    s.pods = {s.pod("j-a-0", "Running")};
    s.look();
    auto worn = s.pods[0];
    worn.status.container_statuses.emplace_back().restart_count = 2;
    s.changes.emplace_back(0U, s.pods[0], worn);
    s.pods[0] = worn;
    BOOST_TEST(s.look() ==
               (lines{"event ExecuteAction", "DELETE Pod j-a-0", "status Terminating", "DELETE PodGroup j-uid-1"}));
}

BOOST_AUTO_TEST_CASE(a_finished_job_is_deleted_after_its_time) {
    auto j = job_of("j", {task("a", 1)});
    j.spec.ttl_seconds_after_finished = 10;
    scene s(std::move(j));
    s.start("Completed");
    s.job.status.state.last_transition_time = at(5);
    s.look(6);
    s.look(6);
    BOOST_TEST((s.last.requeue_at == at(15)));
    BOOST_TEST(s.look(15) == lines{"DELETE Job j"});
    auto const& gone = std::get<rules::remove>(s.last.steps.back().actions.back());
    BOOST_TEST((gone.how == rules::propagation::foreground));
    BOOST_TEST(gone.of.uid == "uid-1");
}

BOOST_AUTO_TEST_CASE(volume_claims_are_named_before_they_are_created) {
    auto j = complete(job_of("j", {task("a", 1)}));
    auto& v = j.spec.volumes.emplace_back();
    v.mount_path = "/x";
    v.volume_claim.emplace();
    j.status.state.phase = "Pending";
    scene s(std::move(j));
    BOOST_TEST(s.look() == lines{"other"});
    s.job.spec.volumes[0].volume_claim_name = "j-pvc-abc";
    s.job.metadata.generation = 2;
    BOOST_TEST(s.look() == (lines{"POST PersistentVolumeClaim j-pvc-abc", "POST PodGroup j-uid-1", "status Pending"}));
    BOOST_TEST(s.job.status.controlled_resources.at("volume-pvc-j-pvc-abc") == "j-pvc-abc");
}

BOOST_AUTO_TEST_CASE(keys_are_replaced_if_the_hosts_change) {
    auto j = complete(job_of("j", {task("a", 1)}));
    j.spec.plugins["ssh"];
    j.status.state.phase = "Pending";
    scene s(std::move(j), volcano_release::v1_10_0); // which keeps no marker while it waits
    BOOST_TEST(s.look() == (lines{"POST Secret j-ssh", "POST PodGroup j-uid-1"}));
    s.secret = render_secret(s.job);
    s.job.metadata.generation = 2;
    BOOST_TEST(s.look() == lines{"POST PodGroup j-uid-1"});
    s.job.spec.tasks[0].replicas = 2;
    s.job.metadata.generation = 3;
    BOOST_TEST(s.look() == (lines{"PUT Secret j-ssh", "POST PodGroup j-uid-1"}));
    s.memory.reset();
    BOOST_TEST(s.look() == lines{"POST PodGroup j-uid-1"});
}

BOOST_AUTO_TEST_CASE(a_job_waits_for_a_claim_that_it_does_not_create) {
    auto j = complete(job_of("j", {task("a", 1)}));
    auto& v = j.spec.volumes.emplace_back();
    v.mount_path = "/x";
    v.volume_claim_name = "shared";
    j.status.state.phase = "Pending";
    scene s(std::move(j));
    BOOST_TEST(s.look() == lines{"event PVCError"});
    BOOST_TEST(s.look() == lines{"event PVCError"});
}

BOOST_AUTO_TEST_SUITE_END()
