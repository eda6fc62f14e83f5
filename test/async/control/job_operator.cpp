#include "async/control/running_job.hpp"

#include <kftrain/kube/resource_version.hpp>

#include <boost/asio/error.hpp>

BOOST_AUTO_TEST_SUITE(async_job_operator)

using namespace operator_tests;

BOOST_AUTO_TEST_CASE(a_job_gets_its_children_and_runs) {
    running_job w;
    expect(w.names_of(w.pods), three);
    expect(w.names_of(w.services), three);
    expect(w.creations(), created_three);
    BOOST_TEST(w.message_of("Created") == "PyTorchJob pt is created.");
    BOOST_TEST(w.message_of("Running") == "PyTorchJob pt is running.");
    auto const j = w.job();
    BOOST_TEST(j.status.replica_statuses.at("Worker").active == 2);
    BOOST_TEST(j.status.start_time.has_value());
    for (auto const& p : w.all(w.pods)) {
        BOOST_REQUIRE(p.metadata.owner_references.size() == 1);
        BOOST_TEST(p.metadata.owner_references[0].uid == j.metadata.uid);
    }
}

// client-go v0.31 tools/reference/ref.go
BOOST_AUTO_TEST_CASE(events_refer_to_the_state_of_the_job) {
    running_job w;
    w.set("pt-master-0", "Succeeded");
    w.until_conditions("Created=True Running=False Succeeded=True");
    auto const j = w.job();
    for (auto const& e : w.all(w.events)) {
        auto const& about = e.involved_object;
        BOOST_TEST(about.uid == j.metadata.uid);
        BOOST_TEST(!about.resource_version.empty(), e.message);
        BOOST_TEST((kube::compare_resource_versions(about.resource_version, j.metadata.resource_version) < 0),
                   e.message);
    }
}

BOOST_AUTO_TEST_CASE(the_operator_requests_only_metadata_in_responses_to_writes) {
    operator_cluster w;
    int writes = 0;
    w.op->link->before = [&](kube::http_request const& r) {
        if (r.method == "GET") return;
        ++writes;
        auto const accepted = r.fields.get("Accept");
        BOOST_TEST(accepted == "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json");
    };
    w.submit(sample(1));
    w.until_conditions("Created=True");
    BOOST_TEST(writes == 9); // two pods, two services, four events, one status
}

BOOST_AUTO_TEST_CASE(a_job_succeeds_with_its_master) {
    running_job w;
    w.set("pt-worker-0", "Succeeded");
    w.calm();
    w.set("pt-worker-1", "Succeeded");
    w.calm();
    w.set("pt-master-0", "Succeeded");
    w.until_conditions("Created=True Running=False Succeeded=True");
    BOOST_TEST(w.message_of("Succeeded") == "PyTorchJob pt is successfully completed.");
    expect(w.happenings(), {"Normal ExitedWithCode Pod: corpus.pt-master-0 exited with code 0",
                            "Normal ExitedWithCode Pod: corpus.pt-worker-0 exited with code 0",
                            "Normal ExitedWithCode Pod: corpus.pt-worker-1 exited with code 0",
                            "Normal PyTorchJobSucceeded PyTorchJob pt is successfully completed."});
    expect(w.names_of(w.pods), three);
    BOOST_TEST(w.job().status.completion_time.has_value());
}

BOOST_AUTO_TEST_CASE(a_job_fails_with_a_worker_that_is_not_restarted) {
    running_job w;
    w.set("pt-worker-1", "Failed", 1);
    w.until_conditions("Created=True Running=False Failed=True");
    BOOST_TEST(w.message_of("Failed") == "PyTorchJob pt is failed because 1 Worker replica(s) failed.");
    expect(w.happenings(), {"Normal ExitedWithCode Pod: corpus.pt-worker-1 exited with code 1",
                            "Normal PyTorchJobFailed PyTorchJob pt is failed because 1 Worker replica(s) failed."});
    BOOST_TEST(w.job().status.replica_statuses.at("Worker").failed == 1);
    // Nothing revives it.
    auto const version = w.job().metadata.resource_version;
    w.set("pt-master-0", "Succeeded");
    w.calm();
    BOOST_TEST(w.conditions() == "Created=True Running=False Failed=True");
    BOOST_TEST(w.job().metadata.resource_version == version);
}

BOOST_AUTO_TEST_CASE(a_retryable_exit_code_creates_a_new_pod) {
    running_job w("ExitCode");
    auto const uid = [&] {
        return w.ask<pod>([&](auto h) { w.pods.async_get("pt-worker-1", std::move(h)); }).metadata.uid;
    };
    auto const first = uid();
    w.set("pt-worker-1", "Failed", 137);
    w.until([&] { return w.happenings().size() == 4 && w.names_of(w.pods) == three; });
    w.calm();
    BOOST_TEST(uid() != first);
    expect(w.happenings(),
           {"Normal ExitedWithCode Pod: corpus.pt-worker-1 exited with code 137",
            "Normal SuccessfulDeletePod Deleted pod: pt-worker-1",
            "Warning PyTorchJobRestarting PyTorchJob pt is restarting because 1 Worker replica(s) failed.",
            "Warning PyTorchJobRestarting job pt is restarting because Worker replica(s) failed."});
    auto created = created_three;
    created[2] += " x2";
    expect(w.creations(), created);
    w.set("pt-worker-1", "Running");
    w.until_conditions("Created=True Running=True");
    w.set("pt-master-0", "Succeeded");
    w.until_conditions("Created=True Running=False Succeeded=True");
}

BOOST_AUTO_TEST_CASE(a_permanent_exit_code_fails_the_job) {
    running_job w("ExitCode");
    w.set("pt-worker-1", "Failed", 1);
    w.until_conditions("Created=True Running=False Failed=True");
    expect(w.names_of(w.pods), three);
}

BOOST_AUTO_TEST_CASE(a_suspended_job_has_no_pods_until_it_is_resumed) {
    running_job w;
    w.change_job([](pytorch_job& j) { j.spec.run_policy.suspend = true; });
    w.until_conditions("Created=True Running=False Suspended=True");
    BOOST_TEST(w.message_of("Suspended") == "PyTorchJob pt is suspended.");
    expect(w.names_of(w.pods), {});
    w.change_job([](pytorch_job& j) { j.spec.run_policy.suspend = false; });
    w.until([&] { return w.names_of(w.pods) == three; });
    for (auto const& p : three) w.set(p, "Running");
    w.until_conditions("Created=True Suspended=False Running=True");
    BOOST_TEST(w.message_of("Suspended") == "PyTorchJob pt is resumed.");
    BOOST_TEST(w.job().status.start_time.has_value());
}

BOOST_AUTO_TEST_CASE(clean_pod_policy_all_removes_every_child) {
    running_job w("Never", [](pytorch_job& j) { j.spec.run_policy.clean_pod_policy = "All"; });
    w.set("pt-master-0", "Succeeded");
    w.until_conditions("Created=True Running=False Succeeded=True");
    w.until([&] { return w.names_of(w.pods).empty() && w.names_of(w.services).empty(); });
    w.calm();
    expect(w.happenings(), {"Normal ExitedWithCode Pod: corpus.pt-master-0 exited with code 0",
                            "Normal PyTorchJobSucceeded PyTorchJob pt is successfully completed.",
                            "Normal SuccessfulDeletePod Deleted pod: pt-master-0",
                            "Normal SuccessfulDeletePod Deleted pod: pt-worker-0",
                            "Normal SuccessfulDeletePod Deleted pod: pt-worker-1",
                            "Normal SuccessfulDeleteService Deleted service: pt-master-0",
                            "Normal SuccessfulDeleteService Deleted service: pt-worker-0",
                            "Normal SuccessfulDeleteService Deleted service: pt-worker-1"});
}

BOOST_AUTO_TEST_CASE(a_job_deleted_while_its_children_are_created_leaves_none) {
    operator_cluster w;
    int seen = 0;
    w.op->link->before = [&](kube::http_request const& r) {
        // Ahead of the second child, and answered before it.
        if (is_create_of(r, "/services") && ++seen == 1) w.jobs.async_delete("pt", [](error_code) {});
    };
    w.submit(sample(2));
    w.until([&] { return seen != 0 && w.all(w.jobs).empty(); });
    w.calm();
    expect(w.names_of(w.pods), {});
    expect(w.names_of(w.services), {});
    // The operator goes on, also with a job of the same name.
    w.op->link->before = {};
    w.submit(sample(2));
    w.until_conditions("Created=True");
    expect(w.names_of(w.pods), three);
}

BOOST_AUTO_TEST_CASE(deleting_a_running_job_deletes_its_children) {
    running_job w;
    w.delete_stored_job();
    w.until([&] { return w.names_of(w.pods).empty() && w.names_of(w.services).empty(); });
    w.calm();
    expect(w.happenings(), {});
}

BOOST_AUTO_TEST_CASE(a_job_of_another_operator_is_left_alone) {
    operator_cluster w;
    auto j = sample(2);
    j.spec.run_policy.managed_by = "kueue.x-k8s.io/multikueue";
    w.submit(j);
    w.calm();
    BOOST_TEST(w.conditions() == "");
    expect(w.names_of(w.pods), {});
}

BOOST_AUTO_TEST_CASE(existing_jobs_are_reconciled_at_the_start) {
    operator_cluster w;
    w.op.reset();
    w.calm();
    w.submit(sample(2));
    w.calm();
    BOOST_TEST(w.conditions() == "");
    w.start_operator();
    w.until_conditions("Created=True");
    expect(w.names_of(w.pods), three);
}

BOOST_AUTO_TEST_CASE(a_cancelled_operator_writes_nothing_afterwards) {
    running_job w;
    w.op->stop->emit(asio::cancellation_type::terminal);
    w.until([&] { return w.op->ended->has_value(); });
    BOOST_TEST(**w.op->ended == asio::error::operation_aborted);
    w.set("pt-worker-1", "Failed", 1);
    w.calm();
    BOOST_TEST(w.conditions() == "Created=True Running=True");
}

BOOST_AUTO_TEST_CASE(an_invalid_stored_job_is_reported_and_left_alone) {
    operator_cluster w;
    // A server without the admission hook, as a cluster whose webhook is not installed.
    BOOST_REQUIRE(w.server.register_resource(apiserver::resource_definition(pytorch_job::resource)).has_value());
    auto j = sample(2, "Never");
    j.spec.pytorch_replica_specs.at("Master").replicas = 2;
    w.submit(j);
    w.calm();
    expect(w.names_of(w.pods), {});
    expect(w.happenings(), {"Warning PyTorchJobFailedValidation PyTorchJob failed validation because "
                            "spec.pytorchReplicaSpecs[Master].replicas: Forbidden: must be 1"});
}

BOOST_AUTO_TEST_CASE(a_service_of_another_owner_is_not_a_child) {
    operator_cluster w;
    service stranger;
    stranger.metadata.name = "stranger";
    stranger.metadata.namespace_ = "corpus";
    stranger.spec.cluster_ip = "None";
    stranger.metadata.labels = {{"training.kubeflow.org/job-name", "pt"},
                                {"training.kubeflow.org/operator-name", "pytorchjob-controller"},
                                {"training.kubeflow.org/replica-type", "worker"},
                                {"training.kubeflow.org/replica-index", "0"}};
    w.ask<service>([&](auto h) { w.services.async_create(stranger, std::move(h)); });
    w.submit(sample(2, "Never"));
    w.until_conditions("Created=True");
    w.calm();
    expect(w.names_of(w.services), {"pt-master-0", "pt-worker-0", "pt-worker-1", "stranger"});
}

BOOST_AUTO_TEST_SUITE_END()
