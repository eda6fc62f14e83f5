#include "unit/kinds/train_job/sample.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/kinds/train_job_builder.hpp>

BOOST_AUTO_TEST_SUITE(kinds_train_job_builder)

using namespace train_job_sample;

namespace {

/// Path and text of the failure.
std::string fault_of(result<train_job> const& built) {
    return built ? std::string("none") : built.error().detail.path + ": " + built.error().detail.message;
}

std::string const pod_path = "spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0].template.spec"
                             ".template.spec";

} // namespace

// The worked example of the operator's specification: PyTorch on 4 nodes with 8 GPUs each.
BOOST_AUTO_TEST_CASE(settings_of_the_container_become_the_trainer) {
    auto const made = train_job_builder("bert-ft", "torch-distributed")
                          .in("team-a")
                          .label("kueue.x-k8s.io/queue-name", "research")
                          .image("registry.example.com/bert:1.4")
                          .command({"torchrun", "/opt/app/train.py"})
                          .args({"--epochs", "3"})
                          .env("NCCL_DEBUG", "INFO")
                          .gpus(8)
                          .cpu("32")
                          .nodes(4)
                          .deadline(std::chrono::hours(1))
                          .suspended()
                          .managed_by("kueue.x-k8s.io/multikueue")
                          .build();
    BOOST_TEST_REQUIRE(made.has_value(), fault_of(made));
    BOOST_TEST(
        to_json(*made) ==
        R"({"apiVersion":"trainer.kubeflow.org/v1alpha1","kind":"TrainJob","metadata":{"name":"bert-ft",)"
        R"("namespace":"team-a","labels":{"kueue.x-k8s.io/queue-name":"research"}},"spec":{"runtimeRef":{"name":)"
        R"("torch-distributed"},"trainer":{"image":"registry.example.com/bert:1.4","command":["torchrun",)"
        R"("/opt/app/train.py"],"args":["--epochs","3"],"env":[{"name":"NCCL_DEBUG","value":"INFO"}],"numNodes":4,)"
        R"("resourcesPerNode":{"limits":{"cpu":"32","nvidia.com/gpu":"8"},"requests":{"cpu":"32",)"
        R"("nvidia.com/gpu":"8"}}},"suspend":true,"activeDeadlineSeconds":3600,"managedBy":)"
        R"("kueue.x-k8s.io/multikueue"}})");
    auto const members = any_job(*made).members();
    BOOST_TEST(members.members.size() == 4U);
    BOOST_TEST(members.members.back().rank.value_or(-1) == 3);
}

BOOST_AUTO_TEST_CASE(settings_of_the_pods_become_patches_of_the_jobs_of_the_runtime) {
    auto const made =
        train_job_builder("ds", "deepspeed-distributed")
            .command({"mpirun", "train"})
            .nodes(3)
            .nproc_per_node(4)
            .mount_claim("data", "/data")
            .node_selector("pool", "gpu")
            .job("launcher", [](pod_settings& pod) { pod.pod_label("team", "a").service_account("runner"); })
            .build();
    BOOST_TEST_REQUIRE(made.has_value(), fault_of(made));
    auto const rendered = child<jobset::job_set>(*made, *made->runtime);
    auto const& node = rendered.spec.replicated_jobs.at(0).template_.spec.template_;
    auto const& launcher = rendered.spec.replicated_jobs.at(1).template_.spec.template_;
    BOOST_TEST(node.spec.node_selector.at("pool") == "gpu");
    BOOST_TEST(node.spec.volumes.at(0).persistent_volume_claim->claim_name == "data");
    BOOST_TEST(node.spec.containers.at(0).volume_mounts.at(0).mount_path == "/data");
    BOOST_TEST(node.spec.service_account_name == "");
    BOOST_TEST(launcher.metadata.labels.at("team") == "a");
    BOOST_TEST(launcher.spec.service_account_name == "runner");
    BOOST_TEST(launcher.spec.node_selector.empty());
    BOOST_TEST(made->spec.runtime_patches.size() == 1U);
    BOOST_TEST(made->spec.runtime_patches[0].manager == "kftrain.io/kftrain");
}

BOOST_AUTO_TEST_CASE(initializers_need_a_runtime_that_has_them) {
    auto const plain = train_job_builder("tt", "torch-distributed").dataset("hf://org/data").build();
    BOOST_TEST(fault_of(plain).starts_with("spec.runtimeRef: Invalid value"), fault_of(plain));
    trainer::storage_source from;
    from.storage_uri = "s3://bucket/model";
    from.secret_ref.emplace().name = "keys";
    auto const own = train_job_builder("tt", "mine").namespaced_runtime().model(from).dataset("hf://org/data").build();
    BOOST_TEST_REQUIRE(own.has_value(), fault_of(own)); // nothing is known of the runtime
    BOOST_TEST(own->spec.runtime_ref.kind.value_or("") == "TrainingRuntime");
    BOOST_TEST(own->spec.initializer->model->secret_ref->name == "keys");
    BOOST_TEST(own->spec.initializer->dataset->storage_uri == "hf://org/data");
    BOOST_TEST(!own->runtime.has_value());
    auto const checked = train_job_builder("tt", "r").checked_with(runtime("{torch: {}}")).model(from).build();
    BOOST_TEST(fault_of(checked).starts_with("spec.runtimeRef: "), fault_of(checked));
}

BOOST_AUTO_TEST_CASE(faults_of_a_train_job_name_the_field) {
    auto const torch = [] { return train_job_builder("j", "torch-distributed"); };
    BOOST_TEST(fault_of(torch().nodes(0).build()) == "spec.trainer.numNodes: 0, expected at least 1");
    BOOST_TEST(fault_of(torch().nodes(5'000'000'000).build()).starts_with("spec.trainer.numNodes: 5000000000, "));
    BOOST_TEST(fault_of(torch().nproc_per_node(0).build()) == "spec.trainer.numProcPerNode: 0, expected at least 1");
    BOOST_TEST(fault_of(torch().memory("lots").build())
                   .starts_with("spec.trainer.resourcesPerNode.limits[memory]: \"lots\", expected a quantity"));
    BOOST_TEST(
        fault_of(torch().shared_memory("much").build()).starts_with(pod_path + ".volumes[0].emptyDir.sizeLimit"));
    BOOST_TEST(fault_of(torch().env("PET_NNODES", "2").build()).starts_with("spec.trainer.env"));
    BOOST_TEST(fault_of(torch().deadline(std::chrono::seconds(0)).build()).starts_with("spec.activeDeadlineSeconds: "));
    BOOST_TEST(fault_of(torch().managed_by("me").build()).starts_with("spec.managedBy: "));
    BOOST_TEST(fault_of(torch().dataset("nowhere").build()).find("storageUri") != std::string::npos);
    BOOST_TEST(fault_of(torch().working_dir("/src").build()) ==
               "spec.runtimeRef: spec.containers[0].workingDir of the Job node is \"/src\", expected in the runtime: a "
               "TrainJob cannot set it");
    BOOST_TEST(fault_of(torch().restart_policy(restart::never).build()).find("restartPolicy of the Job node") !=
               std::string::npos);
    BOOST_TEST(fault_of(torch().job("launcher", [](pod_settings& pod) { pod.image("i:2"); }).build()) ==
               "spec.trainer.image: \"i:2\" for the Job launcher, expected only for the Job that trains");
}

// From the operator's specification: the longest names by the pods of a runtime.
BOOST_AUTO_TEST_CASE(names_whose_pods_would_be_too_long_are_errors) {
    auto const fits = [](std::string const& runtime, std::size_t size, int nodes) {
        return train_job_builder(std::string(size, 'a'), runtime).nodes(nodes).build().has_value();
    };
    BOOST_TEST(fits("torch-distributed", 48, 10));
    BOOST_TEST(!fits("torch-distributed", 49, 10));
    BOOST_TEST(!fits("torch-distributed", 48, 11));
    BOOST_TEST(fits("torch-distributed", 47, 100));
    BOOST_TEST(fits("deepspeed-distributed", 44, 3));
    BOOST_TEST(!fits("deepspeed-distributed", 45, 3));
    auto const why = train_job_builder(std::string(49, 'a'), "torch-distributed").build();
    BOOST_TEST(fault_of(why) ==
               "metadata.name: 49 characters, expected at most 48 for the pods of the entry \"node\" of "
               "the runtime");
}

BOOST_AUTO_TEST_SUITE_END()
