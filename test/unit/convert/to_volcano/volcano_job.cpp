#include "unit/convert/to_volcano/volcano_change_lines.hpp"

#include <kftrain/convert/registry.hpp>
#include <kftrain/convert/volcano_job.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(convert_volcano_job)

using namespace convert_sample;

namespace {

using made_job = result<convert::converted<volcano_job>>;

std::string const torch_pod = "template: {spec: {containers: [{name: pytorch, image: 'i:1'}]}}";
std::string const tf_pod = "template: {spec: {containers: [{name: tensorflow, image: 'i:1'}]}}";

/// A job `mnist` with these lines of its spec, each indented by two.
pytorch_job torch_job(std::string const& spec, std::string const& first = "replicas: 1, " + torch_pod,
                      std::string const& others = "replicas: 2, " + torch_pod) {
    return from_yaml<pytorch_job>("metadata: {name: mnist, namespace: team}\nspec:\n" + spec +
                                  "  pytorchReplicaSpecs:\n    Master: {" + first + "}\n    Worker: {" + others + "}\n")
        .value();
}

tf_job tf_of(std::string const& replicas, std::string const& spec = "") {
    return from_yaml<tf_job>("metadata: {name: mnist, namespace: team}\nspec:\n" + spec + "  tfReplicaSpecs:\n" +
                             replicas)
        .value();
}

} // namespace

BOOST_AUTO_TEST_CASE(a_pytorch_job_keeps_its_pods_and_ranks) {
    auto const source = torch_job("");
    auto const made = convert::to_volcano(source).value();
    BOOST_TEST(faults_of(made.job) == "");
    std::map<std::string, std::string> const expected{{"mnist-master-0", "rank 0 WORLD_SIZE=3 RANK=0"},
                                                      {"mnist-worker-0", "rank 1 WORLD_SIZE=3 RANK=1"},
                                                      {"mnist-worker-1", "rank 2 WORLD_SIZE=3 RANK=2"}};
    BOOST_TEST((pod_environments(any_job(source), {"WORLD_SIZE", "RANK"}) == expected));
    BOOST_TEST((pod_environments(any_job(made.job), {"WORLD_SIZE", "RANK"}) == expected));
    BOOST_TEST(member_lookup(any_job(source)).layout().world_size.value_or(0) == 3);
    BOOST_TEST(member_lookup(any_job(made.job)).layout().world_size.value_or(0) == 3);
    auto const address = pod_environments(any_job(made.job), {"MASTER_ADDR", "MASTER_PORT", "PYTHONUNBUFFERED"});
    BOOST_TEST(address.at("mnist-worker-1") ==
               "rank 2 PYTHONUNBUFFERED=1 MASTER_ADDR=mnist-master-0.mnist MASTER_PORT=23456");
    BOOST_TEST(any_job(made.job).render().size() >= 3U);
}

BOOST_AUTO_TEST_CASE(the_port_of_a_pytorch_job_is_that_of_its_master) {
    std::string const pod = "template: {spec: {containers: [{name: pytorch, image: 'i:1', ports: [{name: "
                            "pytorchjob-port, containerPort: ";
    auto const made =
        convert::to_volcano(torch_job("", "replicas: 1, " + pod + "29500}]}]}}", "replicas: 1, " + pod + "1234}]}]}}"))
            .value();
    BOOST_TEST(made.job.spec.plugins.at("pytorch") == (lines{"--master=master", "--worker=worker", "--port=29500"}),
               boost::test_tools::per_element());
    BOOST_TEST(made.job.spec.plugins.at("svc") == (lines{"--disable-network-policy=true"}),
               boost::test_tools::per_element());
    BOOST_TEST(has(change_lines(made.changes),
                   "dropped spec.pytorchReplicaSpecs[Worker].template.spec.containers[0].ports[0]"
                   ".name \"pytorchjob-port\""));
    BOOST_TEST(faults_of(made.job) == "");
}

BOOST_AUTO_TEST_CASE(restart_policies_become_task_policies) {
    auto const policies = [](std::string const& policy, std::string const& limit) {
        auto const made =
            convert::to_volcano(torch_job(limit, policy + "replicas: 1, " + torch_pod, policy + torch_pod)).value();
        BOOST_TEST(faults_of(made.job) == "");
        auto const& tasks = made.job.spec.tasks;
        BOOST_TEST(policies_of(tasks.at(0)) == "TaskCompleted CompleteJob, " + policies_of(tasks.at(1)));
        return tasks.at(1).template_.spec.restart_policy + ": " + policies_of(tasks.at(1));
    };
    BOOST_TEST(policies("restartPolicy: Never, ", "") == "Never: PodFailed TerminateJob");
    BOOST_TEST(policies("", "") == "OnFailure: PodFailed RestartJob");
    BOOST_TEST(policies("restartPolicy: Always, ", "  runPolicy: {backoffLimit: 2}\n") ==
               "Always: PodFailed RestartJob, TaskFailed TerminateJob");
    BOOST_TEST(policies("restartPolicy: ExitCode, ", "") ==
               "Never: 130 RestartJob, 134 RestartJob, 137 RestartJob, 138 RestartJob, 139 RestartJob, 143 RestartJob, "
               "PodFailed TerminateJob");
}

BOOST_AUTO_TEST_CASE(the_backoff_limit_becomes_max_retry) {
    auto const retries = [](std::string const& spec) {
        return convert::to_volcano(torch_job(spec)).value().job.spec.max_retry;
    };
    BOOST_TEST(retries("") == 2147483647);
    BOOST_TEST(retries("  runPolicy: {backoffLimit: 0}\n") == 1);
    BOOST_TEST(retries("  runPolicy: {backoffLimit: 4}\n") == 4);
}

BOOST_AUTO_TEST_CASE(fields_without_a_counterpart_are_reported) {
    auto const made = convert::to_volcano(torch_job(
        "  nprocPerNode: '2'\n  elasticPolicy: {minReplicas: 1}\n  runPolicy: {activeDeadlineSeconds: 60, "
        "cleanPodPolicy: All, suspend: true, managedBy: kubeflow.org/training-operator, ttlSecondsAfterFinished: 9, "
        "schedulingPolicy: {minAvailable: 2, queue: q, priorityClass: high, minResources: {cpu: 2}, "
        "scheduleTimeoutSeconds: 5}}\n",
        "replicas: 1, template: {spec: {hostname: h, containers: [{name: pytorch, image: 'i:1'}]}}", torch_pod));
    BOOST_TEST_REQUIRE(made.has_value());
    auto const& spec = made->job.spec;
    BOOST_TEST(spec.ttl_seconds_after_finished.value_or(0) == 9);
    BOOST_TEST(spec.min_available == 2);
    BOOST_TEST(spec.queue == "q");
    BOOST_TEST(spec.priority_class_name == "high");
    BOOST_TEST(spec.tasks.at(1).replicas == 1);
    BOOST_TEST(spec.tasks.at(0).template_.spec.hostname == "");
    BOOST_TEST(faults_of(made->job) == "");
    std::string const policy = " spec.runPolicy.", gang = policy + "schedulingPolicy.",
                      leading = " spec.pytorchReplicaSpecs[Master].";
    auto const all = change_lines(made->changes);
    for (std::string const& line :
         {"dropped" + policy + "activeDeadlineSeconds 60", "approximated" + policy + "cleanPodPolicy \"All\"",
          "dropped" + policy + "suspend true", "dropped" + policy + "managedBy \"kubeflow.org/training-operator\"",
          "changed" + policy + "ttlSecondsAfterFinished 9 -> spec.ttlSecondsAfterFinished",
          "changed" + gang + "minAvailable 2 -> spec.minAvailable", "changed" + gang + "queue \"q\" -> spec.queue",
          "changed" + gang + "priorityClass \"high\" -> spec.priorityClassName",
          "dropped" + gang + "minResources {\"cpu\":\"2\"}", "dropped" + gang + "scheduleTimeoutSeconds 5",
          "dropped" + leading + "template.spec.hostname \"h\"",
          std::string("changed spec.pytorchReplicaSpecs[Worker].replicas - -> spec.tasks[1].replicas"),
          "approximated" + leading + "restartPolicy - -> spec.tasks[0].template.spec.restartPolicy",
          std::string("dropped spec.nprocPerNode \"2\""), std::string("dropped spec.elasticPolicy {\"minReplicas\":1}"),
          "changed" + policy + "backoffLimit - -> spec.maxRetry"})
        BOOST_TEST(has(all, line), line);
    BOOST_TEST(made->changes.front().path == "apiVersion");
}

BOOST_AUTO_TEST_CASE(jobs_without_a_counterpart_are_refused) {
    auto named = torch_job("");
    named.metadata.name = "1st";
    BOOST_TEST(refusal(convert::to_volcano(named)).find("metadata.name") != std::string::npos);
    auto many = torch_job("  runPolicy: {schedulingPolicy: {minAvailable: 4}}\n");
    BOOST_TEST(refusal(convert::to_volcano(many))
                   .find("spec.runPolicy.schedulingPolicy.minAvailable: Job of "
                         "batch.volcano.sh/v1alpha1 rejects the result") != std::string::npos);
    auto headless = torch_job("");
    headless.spec.pytorch_replica_specs.erase("Master");
    BOOST_TEST(refusal(convert::to_volcano(headless)) ==
               "invalid job | spec.pytorchReplicaSpecs: has no Master, expected one: the plugin pytorch sets no "
               "variables without it");
}

BOOST_AUTO_TEST_CASE(a_tf_job_keeps_its_cluster) {
    auto const made = convert::to_volcano(tf_of("    Chief: {" + tf_pod + "}\n    PS: {replicas: 1, " + tf_pod +
                                                "}\n    Worker: {replicas: 2, " + tf_pod +
                                                "}\n    Evaluator: {replicas: 0, " + tf_pod + "}\n"))
                          .value();
    BOOST_TEST(faults_of(made.job) == "");
    BOOST_TEST_REQUIRE(made.job.spec.tasks.size() == 3U);
    BOOST_TEST(policies_of(made.job.spec.tasks[0]) == "TaskCompleted CompleteJob, PodFailed TerminateJob");
    BOOST_TEST(policies_of(made.job.spec.tasks[2]) == "PodFailed TerminateJob");
    auto const pods = pod_environments(any_job(made.job), {"TF_CONFIG"});
    BOOST_TEST(pods.at("mnist-worker-1") ==
               "rank - TF_CONFIG={\"cluster\":{\"ps\":[\"mnist-ps-0.mnist:2222\"],\"worker\":[\"mnist-worker-0.mnist:"
               "2222\",\"mnist-worker-1.mnist:2222\"],\"chief\":[\"mnist-chief-0.mnist:2222\"]},\"task\":{\"type\":"
               "\"worker\",\"index\":1}}");
}

BOOST_AUTO_TEST_CASE(a_tensorflow_master_becomes_the_chief) {
    auto const made =
        convert::to_volcano(tf_of("    Master: {" + tf_pod + "}\n    Worker: {replicas: 1, " + tf_pod + "}\n")).value();
    BOOST_TEST(has(made.job.spec.plugins.at("tensorflow"), "--chief=master"));
    auto const pods = pod_environments(any_job(made.job), {"TF_CONFIG"});
    BOOST_TEST(pods.at("mnist-master-0").find("\"task\":{\"type\":\"chief\",\"index\":0}") != std::string::npos);
    BOOST_TEST(policies_of(made.job.spec.tasks.at(0)).starts_with("TaskCompleted CompleteJob"));
}

BOOST_AUTO_TEST_CASE(a_tf_job_without_chief_ends_with_its_workers) {
    std::string const workers = "    Worker: {replicas: 2, " + tf_pod + "}\n";
    auto const made = convert::to_volcano(tf_of(workers)).value();
    BOOST_TEST(policies_of(made.job.spec.tasks.at(0)).starts_with("TaskCompleted CompleteJob"));
    BOOST_TEST(has(change_lines(made.changes), "approximated spec.successPolicy -"));
    auto const all = convert::to_volcano(tf_of(workers, "  successPolicy: AllWorkers\n")).value();
    BOOST_TEST(has(change_lines(all.changes), "changed spec.successPolicy \"AllWorkers\""));
}

BOOST_AUTO_TEST_CASE(an_xgboost_job_keeps_its_ranks_and_workers) {
    auto const source =
        from_yaml<xgboost_job>(
            "metadata: {name: boost, namespace: team}\nspec:\n  xgbReplicaSpecs:\n    Master: {replicas: "
            "1, template: {spec: {containers: [{name: xgboost, image: 'i:1'}]}}}\n    Worker: {replicas: "
            "2, template: {spec: {containers: [{name: xgboost, image: 'i:1'}]}}}\n")
            .value();
    auto const made = convert::to_volcano(source).value();
    BOOST_TEST(faults_of(made.job) == "");
    lines const alike{"RANK", "WORLD_SIZE", "MASTER_PORT", "WORKER_PORT"};
    auto const before = pod_environments(any_job(source), {"RANK"});
    BOOST_TEST(before.at("boost-worker-1") == "rank 2 RANK=2");
    BOOST_TEST((pod_environments(any_job(made.job), {"RANK"}) == before));
    auto const pods = pod_environments(any_job(made.job), alike);
    BOOST_TEST(pods.at("boost-worker-1") == "rank 2 WORKER_PORT=9999 MASTER_PORT=9999 WORLD_SIZE=3 RANK=2");
    BOOST_TEST(pod_environments(any_job(made.job), {"WORKER_ADDRS"}).at("boost-master-0") ==
               "rank 0 WORKER_ADDRS=boost-worker-0.boost,boost-worker-1.boost");
}

BOOST_AUTO_TEST_CASE(jax_workers_get_their_index_from_a_label) {
    auto source =
        from_yaml<jax_job>("metadata: {name: jx, namespace: team}\nspec:\n  jaxReplicaSpecs:\n    Worker: {replicas: "
                           "3, template: {spec: {containers: [{name: jax, image: 'i:1'}]}}}\n")
            .value();
    auto const made = convert::to_volcano(source).value();
    BOOST_TEST(faults_of(made.job) == "");
    BOOST_TEST(pod_environments(any_job(made.job), {"COORDINATOR_ADDRESS", "COORDINATOR_PORT", "NUM_PROCESSES"})
                   .at("jx-worker-2") ==
               "rank - COORDINATOR_PORT=6666 COORDINATOR_ADDRESS=jx-worker-0.jx NUM_PROCESSES=3");
    auto const& index = made.job.spec.tasks.at(0).template_.spec.containers.at(0).env.back();
    BOOST_TEST(index.name == "PROCESS_ID");
    BOOST_TEST(index.value_from->field_ref->field_path == "metadata.labels['volcano.sh/task-index']");
    source.metadata.name.clear();
    source.metadata.generate_name = "jx-";
    BOOST_TEST(refusal(convert::to_volcano(source)).find("metadata.generateName") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(volcano_conversions_are_found_by_name) {
    auto const made =
        convert::convert_job(yaml_document(any_job(torch_job("")).to_yaml(), 1), convert::kind_name("Job"));
    BOOST_TEST(made.value().job.is<volcano_job>());
}

BOOST_AUTO_TEST_SUITE_END()
