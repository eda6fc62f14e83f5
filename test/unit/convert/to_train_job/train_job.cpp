#include "unit/convert/change_lines.hpp"

#include <kftrain/convert/registry.hpp>
#include <kftrain/convert/train_job.hpp>
#include <kftrain/job/any_job.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>

BOOST_AUTO_TEST_SUITE(convert_train_job)

using namespace convert_sample;

namespace {

std::string const torch_pod = "template: {spec: {containers: [{name: pytorch, image: 'i:1', command: [torchrun, t.py], "
                              "resources: {limits: {nvidia.com/gpu: 2}}}]}}";

/// A job `mnist` with these lines of its spec, each indented by two, and these fields of its replicas.
pytorch_job torch_job(std::string const& spec, std::string const& master = "replicas: 1, " + torch_pod,
                      std::string const& worker = "replicas: 2, " + torch_pod) {
    return from_yaml<pytorch_job>("metadata: {name: mnist, namespace: team}\nspec:\n" + spec +
                                  "  pytorchReplicaSpecs:\n    Master: {" + master + "}\n" +
                                  (worker.empty() ? "" : "    Worker: {" + worker + "}\n"))
        .value();
}

std::string trainer_of(train_job const& job) { return to_json(*job.spec.trainer); }

std::string const pod_patch = "spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].template.spec"
                              ".template";

} // namespace

// The example of the guide "Migrating to Kubeflow Trainer v2".
BOOST_AUTO_TEST_CASE(the_pytorch_job_of_the_migration_guide_becomes_its_train_job) {
    std::string const replica = "replicas: 1, restartPolicy: OnFailure, template: {spec: {containers: [{name: pytorch, "
                                "image: 'mnist:1', command: [python3, mnist.py, --epochs=1]}]}}";
    auto const made = convert::to_train_job(torch_job("", replica, replica)).value();
    BOOST_TEST(made.job.spec.runtime_ref.name == "torch-distributed");
    BOOST_TEST(trainer_of(made.job) ==
               R"({"image":"mnist:1","command":["python3","mnist.py","--epochs=1"],"numNodes":2})");
    lines const expected{
        "changed spec.pytorchReplicaSpecs[Master].replicas 1 -> spec.trainer.numNodes",
        "changed spec.pytorchReplicaSpecs[Worker].replicas 1 -> spec.trainer.numNodes",
        R"(changed spec.pytorchReplicaSpecs[Master].template.spec.containers[0].name "pytorch")",
        R"(changed spec.pytorchReplicaSpecs[Master].template.spec.containers[0].image "mnist:1" -> spec.trainer.image)",
        "changed spec.pytorchReplicaSpecs[Master].template.spec.containers[0].command "
        R"(["python3","mnist.py","--epochs=1"] -> spec.trainer.command)",
        R"(changed spec.pytorchReplicaSpecs[Master].restartPolicy "OnFailure")",
        R"(changed spec.pytorchReplicaSpecs[Worker].restartPolicy "OnFailure")",
        R"(changed spec.pytorchReplicaSpecs[Worker].template.spec.containers[0].name "pytorch")",
        R"(changed spec.pytorchReplicaSpecs[Worker].template.spec.containers[0].image "mnist:1")",
        "changed spec.pytorchReplicaSpecs[Worker].template.spec.containers[0].command "
        R"(["python3","mnist.py","--epochs=1"])",
        "approximated spec.nprocPerNode -",
        "approximated spec.pytorchReplicaSpecs[Master].template.spec.containers[0].command "
        R"(["python3","mnist.py","--epochs=1"] -> spec.trainer.command)"};
    BOOST_TEST(change_lines(made.changes) == expected, boost::test_tools::per_element());
    BOOST_TEST(any_job(made.job).members().members.size() == 2U);
}

BOOST_AUTO_TEST_CASE(pods_of_a_pytorch_job_become_patches_of_the_runtime) {
    std::string const pod =
        "replicas: 1, template: {metadata: {labels: {team: a}, name: x}, spec: {nodeSelector: {pool: gpu}, "
        "priorityClassName: high, volumes: [{name: data, emptyDir: {}}], containers: [{name: logs, image: 'l:1'}, "
        "{name: "
        "pytorch, image: 'i:1', command: [torchrun, t.py], workingDir: /src, volumeMounts: [{name: data, mountPath: "
        "/data}]}]}}";
    auto const made = convert::to_train_job(torch_job("", pod, "")).value();
    auto const all = change_lines(made.changes);
    std::string const from = "spec.pytorchReplicaSpecs[Master].template";
    BOOST_TEST(has(all, "changed " + from + R"(.metadata.labels {"team":"a"} -> )" + pod_patch + ".metadata.labels"));
    BOOST_TEST(has(all, "dropped " + from + R"(.metadata.name "x")"));
    BOOST_TEST(
        has(all, "changed " + from + R"(.spec.nodeSelector {"pool":"gpu"} -> )" + pod_patch + ".spec.nodeSelector"));
    BOOST_TEST(has(all, "dropped " + from + R"(.spec.priorityClassName "high")"));
    BOOST_TEST(has(all, "dropped " + from + R"(.spec.containers[0] {"name":"logs","image":"l:1"})"));
    BOOST_TEST(has(all, "dropped " + from + R"(.spec.containers[1].workingDir "/src")"));
    BOOST_TEST(has(all, "changed " + from +
                            R"(.spec.containers[1].volumeMounts [{"name":"data","mountPath":"/data"}] -> )" +
                            pod_patch + ".spec.containers[0].volumeMounts"));
    BOOST_TEST(made.job.spec.trainer->num_nodes.value_or(0) == 1);
}

BOOST_AUTO_TEST_CASE(differences_of_the_workers_are_reported) {
    auto const all = change_lines(convert::to_train_job(torch_job(
        "", "replicas: 1, " + torch_pod,
        "replicas: 2, restartPolicy: Never, template: {spec: {hostNetwork: true, containers: [{name: pytorch, image: "
        "'other:1', command: [torchrun, t.py]}]}}")));
    std::string const from = "spec.pytorchReplicaSpecs[Worker]";
    BOOST_TEST(has(all, "dropped " + from + R"(.restartPolicy "Never")"));
    BOOST_TEST(has(all, "dropped " + from + ".template.spec.hostNetwork true"));
    BOOST_TEST(has(all, "dropped " + from + R"(.template.spec.containers[0].image "other:1")"));
    BOOST_TEST(has(all, "approximated " + from +
                            ".template.spec.containers[0].resources - -> "
                            "spec.trainer.resourcesPerNode"));
}

BOOST_AUTO_TEST_CASE(the_policy_of_a_pytorch_job_is_reported) {
    auto const made = convert::to_train_job(torch_job(
        "  runPolicy: {cleanPodPolicy: All, ttlSecondsAfterFinished: 60, activeDeadlineSeconds: 3600, "
        "backoffLimit: 3, suspend: true, managedBy: kubeflow.org/training-operator, schedulingPolicy: {queue: "
        "q}}\n  elasticPolicy: {maxReplicas: 4}\n  nprocPerNode: '2'\n"));
    auto const all = change_lines(made);
    auto const& spec = made->job.spec;
    BOOST_TEST(spec.suspend.value_or(false));
    BOOST_TEST(spec.active_deadline_seconds.value_or(0) == 3600);
    BOOST_TEST(spec.managed_by.value_or("") == "trainer.kubeflow.org/trainjob-controller");
    BOOST_TEST(spec.trainer->num_proc_per_node.value_or(0) == 2);
    BOOST_TEST(spec.trainer->num_nodes.value_or(0) == 3);
    for (std::string const line :
         {R"(dropped spec.runPolicy.schedulingPolicy {"queue":"q"})",
          R"(approximated spec.runPolicy.cleanPodPolicy "All")", "dropped spec.runPolicy.ttlSecondsAfterFinished 60",
          "dropped spec.runPolicy.backoffLimit 3", "changed spec.runPolicy.suspend true -> spec.suspend",
          R"(changed spec.runPolicy.managedBy "kubeflow.org/training-operator" -> spec.managedBy)",
          "approximated spec.runPolicy.activeDeadlineSeconds 3600 -> spec.activeDeadlineSeconds",
          R"(dropped spec.elasticPolicy {"maxReplicas":4})",
          R"(changed spec.nprocPerNode "2" -> spec.trainer.numProcPerNode)"})
        BOOST_TEST(has(all, line), line);
    auto const never = convert::to_train_job(torch_job("  runPolicy: {activeDeadlineSeconds: 0}\n"));
    BOOST_TEST_REQUIRE(never.has_error());
    BOOST_TEST(never.error().detail.path == "spec.runPolicy.activeDeadlineSeconds");
}

BOOST_AUTO_TEST_CASE(variables_that_a_train_job_rejects_or_does_not_set_are_reported) {
    auto const all = change_lines(convert::to_train_job(
        torch_job("",
                  "replicas: 1, template: {spec: {containers: [{name: pytorch, image: 'i:1', command: [torchrun, "
                  "'--node_rank=$(RANK)', t.py], env: [{name: PET_NNODES, value: '1'}, {name: A, value: x}, {name: A, "
                  "value: z}]}]}}",
                  "")));
    std::string const from = "spec.pytorchReplicaSpecs[Master].template.spec.containers[0]";
    BOOST_TEST(has(all, "dropped " + from + R"(.env[0] {"name":"PET_NNODES","value":"1"})"));
    BOOST_TEST(has(all, "dropped " + from + R"(.env[1] {"name":"A","value":"x"})"));
    BOOST_TEST(has(all, "approximated " + from +
                            R"x(.command ["torchrun","--node_rank=$(RANK)","t.py"] -> )x"
                            "spec.trainer.command"));
}

BOOST_AUTO_TEST_CASE(lists_of_a_train_job_have_each_name_once) {
    auto const made = convert::to_train_job(
        torch_job("",
                  "replicas: 1, template: {spec: {imagePullSecrets: [{name: a}, {name: a}], schedulingGates: [{name: "
                  "g}, {name: g}], "
                  "volumes: [{name: v, emptyDir: {}}], containers: [{name: pytorch, image: 'i:1', command: [torchrun], "
                  "volumeMounts: [{name: v, mountPath: /a}, {name: v, mountPath: /b}]}]}}",
                  ""));
    BOOST_TEST_REQUIRE(made.has_value(), refusal(made));
    auto const all = change_lines(made);
    std::string const from = "spec.pytorchReplicaSpecs[Master].template.spec.";
    BOOST_TEST(has(all, "dropped " + from + R"(imagePullSecrets[1] {"name":"a"})"));
    BOOST_TEST(has(all, "dropped " + from + R"(schedulingGates[1] {"name":"g"})"));
    BOOST_TEST(has(all, "dropped " + from + R"(containers[0].volumeMounts[1] {"name":"v","mountPath":"/b"})"));
    BOOST_TEST(to_json(made->job).find(R"("volumeMounts":[{"name":"v","mountPath":"/a"}])") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(claims_of_a_container_are_dropped_with_those_of_its_pod) {
    auto const pod_with = [](std::string const& resources) {
        return "replicas: 1, template: {spec: {resourceClaims: [{name: c, resourceClaimName: d}], containers: [{name: "
               "pytorch, "
               "image: "
               "'i:1', command: [torchrun], resources: {" +
               resources + "claims: [{name: c}]}}]}}";
    };
    std::string const from = "spec.pytorchReplicaSpecs[Master].template.spec.";
    auto const made = convert::to_train_job(torch_job("", pod_with("limits: {cpu: 1}, "), ""));
    BOOST_TEST(has(change_lines(made), "dropped " + from + R"(containers[0].resources.claims [{"name":"c"}])"));
    BOOST_TEST(to_json(*made->job.spec.trainer->resources_per_node) == R"({"limits":{"cpu":"1"}})");
    auto const none = convert::to_train_job(torch_job("", pod_with(""), ""));
    BOOST_TEST(has(change_lines(none), "dropped " + from + R"(containers[0].resources.claims [{"name":"c"}])"));
    BOOST_TEST(!none->job.spec.trainer->resources_per_node.has_value());
}

// The limits are those of the CRD of kubeflow/trainer v2.3.0.
BOOST_AUTO_TEST_CASE(lists_that_are_too_long_for_a_train_job_are_refused) {
    auto const items = [](std::string const& item, int count) {
        std::string text;
        for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + item + std::to_string(i) + "'}";
        return text;
    };
    auto const converted = [&](std::string const& of_pod, std::string const& of_container) {
        return convert::to_train_job(torch_job("",
                                               "replicas: 1, template: {spec: {" + of_pod +
                                                   "containers: [{name: pytorch, image: 'i:1', command: [torchrun]" +
                                                   of_container + "}]}}",
                                               ""));
    };
    std::string const from = "spec.pytorchReplicaSpecs[Master].template.spec.";
    std::string const rejects = "TrainJob of trainer.kubeflow.org/v1alpha1 rejects the result: Too many: ";
    BOOST_TEST(converted("", ", env: [" + items("{value: x, name: 'E", 128) + "]").has_value());
    auto const env = converted("", ", env: [" + items("{value: x, name: 'E", 129) + "]");
    BOOST_TEST_REQUIRE(env.has_error());
    BOOST_TEST(env.error().detail.path == from + "containers[0].env");
    BOOST_TEST(env.error().detail.message == rejects + "129: must have at most 128 items");
    auto const volumes = converted("volumes: [" + items("{emptyDir: {}, name: 'v", 200) + "], ", "");
    BOOST_TEST_REQUIRE(volumes.has_error());
    BOOST_TEST(volumes.error().detail.path == from + "volumes");
    BOOST_TEST(volumes.error().detail.message == rejects + "200: must have at most 128 items");
}

BOOST_AUTO_TEST_CASE(values_of_variables_with_old_variables_are_reported) {
    auto const all =
        change_lines(convert::to_train_job(torch_job("",
                                                     "replicas: 1, template: {spec: {containers: [{name: pytorch, "
                                                     "image: 'i:1', command: [torchrun], env: [{name: A, "
                                                     "value: x}, {name: B, value: 'tcp://$(MASTER_ADDR):1'}]}]}}",
                                                     "")));
    std::string const from = "spec.pytorchReplicaSpecs[Master].template.spec.containers[0].env";
    BOOST_TEST(has(all, "approximated " + from +
                            R"x([1] {"name":"B","value":"tcp://$(MASTER_ADDR):1"} -> )x"
                            "spec.trainer.env"));
    BOOST_TEST(
        std::ranges::none_of(all, [&](auto const& line) { return line.starts_with("approximated " + from + "[0]"); }));
}

BOOST_AUTO_TEST_CASE(the_deprecated_name_of_the_service_account_is_an_alias) {
    auto const converted = [](std::string const& fields) {
        return convert::to_train_job(
            torch_job("",
                      "replicas: 1, template: {spec: {" + fields +
                          ", containers: [{name: pytorch, image: 'i:1', command: [torchrun]}]}}",
                      ""));
    };
    std::string const from = "spec.pytorchReplicaSpecs[Master].template.spec.serviceAccount";
    std::string const to = R"( "a" -> )" + pod_patch + ".spec.serviceAccountName";
    auto const both = change_lines(converted("serviceAccountName: a, serviceAccount: a"));
    BOOST_TEST(has(both, "changed " + from + to));
    BOOST_TEST(has(both, "changed " + from + "Name" + to));
    auto const alone = converted("serviceAccount: a");
    BOOST_TEST(has(change_lines(alone), "changed " + from + to));
    BOOST_TEST(to_json(alone->job).find(R"("serviceAccountName":"a")") != std::string::npos);
    BOOST_TEST(has(change_lines(converted("serviceAccountName: a, serviceAccount: b")), "dropped " + from + R"( "b")"));
}

// The example of the guide, whose runtime has the launcher as a node: two workers and a launcher are three nodes.
BOOST_AUTO_TEST_CASE(the_mpi_job_of_the_migration_guide_becomes_its_train_job) {
    auto const made = convert::to_train_job(
        v2beta1_job("  slotsPerWorker: 1\n  runPolicy: {cleanPodPolicy: Running}\n",
                    "replicas: 1, template: {spec: {containers: [{name: launcher, image: 'mpi:1', command: [mpirun, "
                    "-np, '2', python3, "
                    "train.py]}]}}",
                    "replicas: 2, template: {spec: {containers: [{name: worker, image: 'mpi:1'}]}}"));
    BOOST_TEST_REQUIRE(made.has_value(), refusal(made));
    BOOST_TEST(made->job.spec.runtime_ref.name == "deepspeed-distributed");
    BOOST_TEST(trainer_of(made->job) == R"({"image":"mpi:1","command":["mpirun","-np","2","python3","train.py"],)"
                                        R"("numNodes":3,"numProcPerNode":1})");
    std::string const launcher = "spec.mpiReplicaSpecs[Launcher]", worker = "spec.mpiReplicaSpecs[Worker]";
    lines const expected{R"(changed spec.runPolicy.cleanPodPolicy "Running")",
                         "approximated " + worker + ".replicas 2 -> spec.trainer.numNodes",
                         "changed spec.slotsPerWorker 1 -> spec.trainer.numProcPerNode",
                         "changed " + launcher + ".replicas 1",
                         "changed " + launcher + R"(.template.spec.containers[0].name "launcher")",
                         "changed " + launcher + R"(.template.spec.containers[0].image "mpi:1" -> spec.trainer.image)",
                         "changed " + launcher +
                             R"(.template.spec.containers[0].command ["mpirun","-np","2","python3","train.py"] -> )"
                             "spec.trainer.command",
                         "changed " + worker + R"(.template.spec.containers[0].name "worker")",
                         "dropped " + worker + R"(.template.spec.containers[0].image "mpi:1")"};
    BOOST_TEST(change_lines(made) == expected, boost::test_tools::per_element());
    BOOST_TEST(any_job(made->job).members().members.size() == 3U);
}

BOOST_AUTO_TEST_CASE(hosts_of_an_mpi_job_have_the_resources_of_the_workers) {
    auto const made = convert::to_train_job(v2beta1_job(
        "  runLauncherAsWorker: true\n  sshAuthMountPath: /keys\n  launcherCreationPolicy: WaitForWorkersReady\n",
        "template: {spec: {containers: [{name: a, image: 'i:1', command: [mpirun], env: [{name: A, value: x}], "
        "resources: "
        "{limits: {cpu: 1}}}]}}",
        "replicas: 2, template: {spec: {tolerations: [{key: gpu}], containers: [{name: b, image: 'i:1', command: "
        "[/usr/sbin/sshd, -De], env: [{name: A, value: x}, {name: B, value: z}], resources: {limits: {nvidia.com/gpu: "
        "2}}}]}}"));
    BOOST_TEST_REQUIRE(made.has_value(), refusal(made));
    auto const all = change_lines(made);
    std::string const from = "spec.mpiReplicaSpecs[Worker]", c = from + ".template.spec.containers[0]";
    BOOST_TEST(to_json(*made->job.spec.trainer->resources_per_node) == R"({"limits":{"nvidia.com/gpu":"2"}})");
    BOOST_TEST(made->job.spec.trainer->num_proc_per_node.value_or(0) == 1); // not the number of GPUs
    for (std::string const& line : lines{
             "changed " + from + ".replicas 2 -> spec.trainer.numNodes", "changed spec.runLauncherAsWorker true",
             "changed spec.slotsPerWorker - -> spec.trainer.numProcPerNode",
             R"(dropped spec.mpiReplicaSpecs[Launcher].template.spec.containers[0].resources {"limits":{"cpu":"1"}})",
             "changed " + from + R"(.template.spec.tolerations [{"key":"gpu"}] -> )" + pod_patch + ".spec.tolerations",
             "changed " + c + R"(.command ["/usr/sbin/sshd","-De"])",
             "changed " + c + R"(.env[0] {"name":"A","value":"x"} -> spec.trainer.env)",
             "dropped " + c + R"(.env[1] {"name":"B","value":"z"})",
             "changed " + c + R"(.resources {"limits":{"nvidia.com/gpu":"2"}} -> spec.trainer.resourcesPerNode)",
             R"(dropped spec.sshAuthMountPath "/keys")",
             R"(changed spec.launcherCreationPolicy "WaitForWorkersReady")"})
        BOOST_TEST(has(all, line), line);
}

BOOST_AUTO_TEST_CASE(jobs_without_a_counterpart_in_trainer_are_rejected) {
    auto const intel = convert::to_train_job(v2beta1_job("  mpiImplementation: Intel\n"));
    BOOST_TEST_REQUIRE(intel.has_error());
    BOOST_TEST(intel.error().detail.path == "spec.mpiImplementation");
    auto long_name = torch_job("");
    long_name.metadata.name = std::string(50, 'a');
    auto const refused = convert::to_train_job(long_name);
    BOOST_TEST_REQUIRE(refused.has_error());
    BOOST_TEST(refused.error().detail.path == "metadata.name");
}

BOOST_AUTO_TEST_CASE(train_jobs_are_found_by_name) {
    auto const made =
        convert::convert_job(yaml_document(any_job(torch_job("")).to_yaml(), 1), convert::kind_name("TrainJob"));
    BOOST_TEST_REQUIRE(made.has_value(), (made ? "" : made.error().to_string()));
    BOOST_TEST(made->job.resource().kind == "TrainJob");
    BOOST_TEST(made->job.to_yaml().find("runtime:") == std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
