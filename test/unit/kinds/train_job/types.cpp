#include "support/filled_value.hpp"

#include <kftrain/kinds/train_job.hpp>
#include <kftrain/model/codec.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_train_job)

using namespace kftrain;

namespace {

constexpr std::string_view written = R"(
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: bert-ft, namespace: team-a}
spec:
  runtimeRef: {name: torch-distributed}
  initializer:
    model: {storageUri: "hf://org/model", secretRef: {name: token}}
  trainer:
    image: registry.example.com/bert:1.4
    command: [torchrun, /opt/app/train.py]
    args: [--epochs, "3"]
    numNodes: 4
    env: [{name: NCCL_DEBUG, value: INFO}]
    resourcesPerNode:
      requests: {cpu: "32", memory: 256Gi}
      limits: {nvidia.com/gpu: "8"}
  runtimePatches:
  - manager: acme.io/platform
    trainingRuntimeSpec:
      template:
        metadata: {labels: {team: a}}
        spec:
          replicatedJobs:
          - name: node
            template:
              spec:
                template:
                  spec:
                    nodeSelector: {zone: z1}
                    containers: [{name: side, env: [{name: S, value: "1"}]}]
  suspend: false
status:
  conditions:
  - {type: Suspended, status: "False", reason: Resumed, message: TrainJob is resumed}
  jobsStatus: [{name: node, ready: 1, succeeded: 0, failed: 0, active: 1, suspended: 0}]
  trainerStatus: {progressPercentage: 45, metrics: [{name: loss, value: "0.2347"}]}
)";

decode_options strict() {
    decode_options options;
    options.strict = true;
    return options;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_job_is_the_same_after_encoding_and_decoding) {
    auto const job = from_yaml<train_job>(written, strict()).value();
    BOOST_TEST(job.spec.runtime_ref.name == "torch-distributed");
    BOOST_TEST(!job.spec.runtime_ref.kind.has_value());
    BOOST_TEST(job.spec.initializer->model->secret_ref->name == "token");
    BOOST_TEST(*job.spec.trainer->num_nodes == 4);
    BOOST_TEST(job.spec.trainer->resources_per_node->limits.at("nvidia.com/gpu").text() == "8");
    auto const& patch = *job.spec.runtime_patches.at(0).training_runtime_spec->template_;
    auto const& pods = *patch.spec->replicated_jobs.at(0).template_->spec->template_->spec;
    BOOST_TEST(pods.node_selector.at("zone") == "z1");
    BOOST_TEST(pods.containers.at(0).env.at(0).value == "1");
    BOOST_TEST(job.status.jobs_status.at(0).ready == 1);
    BOOST_TEST(*job.status.trainer_status->progress_percentage == 45);
    BOOST_TEST((from_json<train_job>(to_json(job), strict()).value() == job));
    BOOST_TEST((from_yaml<train_job>(to_yaml(job), strict()).value() == job));
}

// The presence of a policy without settings selects its framework.
BOOST_AUTO_TEST_CASE(an_empty_policy_of_a_runtime_is_kept) {
    constexpr std::string_view text =
        R"({"apiVersion":"trainer.kubeflow.org/v1alpha1","kind":"ClusterTrainingRuntime","metadata":{"name":"jax"},)"
        R"("spec":{"mlPolicy":{"numNodes":2,"jax":{}}}})";
    auto const runtime = from_json<trainer::cluster_training_runtime>(text, strict()).value();
    BOOST_TEST(runtime.spec.ml_policy->jax.has_value());
    BOOST_TEST(!runtime.spec.ml_policy->torch.has_value());
    BOOST_TEST((from_json<trainer::cluster_training_runtime>(to_json(runtime), strict()).value() == runtime));
    BOOST_TEST(to_json(runtime).find(R"("jax":{})") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(every_member_of_the_types_is_written_and_read) {
    using namespace kftrain::test;
    for (auto const* const type :
         {&object_type_of<train_job>, &object_type_of<trainer::training_runtime>,
          &object_type_of<trainer::cluster_training_runtime>, &object_type_of<jobset::job_set>}) {
        auto const object = type->make(), read = type->make();
        filled count;
        fill(value_ref(*type->model, object.get()), count);
        const_value_ref const written_value(*type->model, object.get());
        auto const decoded = decode_json(written_value.to_json(), *type->model, read.get(), strict());
        BOOST_TEST(decoded.has_value(), (decoded ? "" : decoded.error().to_string()));
        BOOST_TEST((const_value_ref(*type->model, read.get()) == written_value));
        BOOST_TEST(count.scalars > 500U);
    }
}

BOOST_AUTO_TEST_SUITE_END()
