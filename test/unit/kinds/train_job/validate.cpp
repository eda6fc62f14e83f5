#include "unit/kinds/train_job/sample.hpp"

#include <kftrain/job/plan.hpp>

BOOST_AUTO_TEST_SUITE(kinds_train_job_validate)

using namespace train_job_sample;

namespace {

std::string faults(train_job const& j, any_object const& r, train_job const* before = nullptr) {
    std::string all;
    for (auto const& i : trainer::validate(j, r, before)) all += i.message + "\n";
    return all;
}

train_job patched(std::string const& patches) {
    auto j = job("t", "{}");
    j.spec.runtime_patches =
        from_yaml<trainer::train_job_spec>("{runtimeRef: {name: r}, runtimePatches: " + patches + "}")
            .value()
            .runtime_patches;
    return j;
}

} // namespace

// Texts of kubeflow/trainer v2.3.0 `pkg/runtime/framework/plugins/`.

BOOST_AUTO_TEST_CASE(variables_of_the_framework_are_reserved) {
    BOOST_TEST(faults(job("t", "{env: [{name: DMLC_TASK_ID, value: x}]}"), runtime("{xgboost: {}}")) ==
               "spec.trainer.env[0]: Forbidden: DMLC_TASK_ID is reserved for the XGBoost runtime\n");
    BOOST_TEST(faults(job("t", "{env: [{name: OMPI_MCA_plm_rsh_args, value: x}]}"), mpi_runtime("{}")) ==
               "spec.trainer.env: Invalid value: [{\"name\":\"OMPI_MCA_plm_rsh_args\",\"value\":\"x\"}]: must not have "
               "reserved envs, invalid envs configured: [OMPI_MCA_plm_rsh_args]\n");
    BOOST_TEST(faults(job("t", "{env: [{name: JAX_PROCESS_ID, value: x}]}"), runtime("{jax: {}}")) == "");
}

BOOST_AUTO_TEST_CASE(an_initializer_needs_its_job_container_and_volume) {
    auto j = job("t", "{}");
    j.spec.initializer.emplace().dataset.emplace();
    std::string const begin = "spec.runtimeRef: Invalid value: {\"name\":\"r\",\"apiGroup\":\"trainer.kubeflow.org\","
                              "\"kind\":\"ClusterTrainingRuntime\"}: ";
    auto r = *runtime("{torch: {}}").get_if<trainer::cluster_training_runtime>();
    BOOST_TEST(faults(j, r) ==
               begin + "must have dataset-initializer job when trainJob is configured with input datasetConfig\n");
    auto& entry = r.spec.template_.spec.replicated_jobs.emplace_back();
    entry.name = "dataset-initializer";
    BOOST_TEST(faults(j, r) ==
               begin + "must have container with name - dataset-initializer in the dataset-initializer job\n");
    auto& c = entry.template_.spec.template_.spec.containers.emplace_back();
    c.name = "dataset-initializer";
    BOOST_TEST(faults(j, r) == begin + "must have volumeMount with name - initializer in container "
                                       "dataset-initializer of the dataset-initializer job\n");
    c.volume_mounts.emplace_back().name = "initializer";
    BOOST_TEST(faults(j, r) == "");
}

BOOST_AUTO_TEST_CASE(managers_of_patches_are_paths_with_a_domain) {
    BOOST_TEST(faults(patched("[{manager: acme.io/platform}]"), runtime("{torch: {}}")) == "");
    BOOST_TEST(faults(patched("[{manager: platform}]"), runtime("{torch: {}}")) ==
               "spec.runtimePatches.manager: Invalid value: \"platform\": must be a domain-prefixed path (such as "
               "\"acme.io/foo\")\n");
    BOOST_TEST(faults(patched("[{manager: \"acme.io/a b\"}]"), runtime("{torch: {}}"))
                   .starts_with("spec.runtimePatches.manager: Invalid value: \"a b\": Invalid path"));
}

BOOST_AUTO_TEST_CASE(patches_change_only_while_the_job_is_suspended) {
    auto const before = patched("[]"), after = patched("[{manager: acme.io/p}]");
    auto const r = runtime("{torch: {}}");
    BOOST_TEST(faults(after, r, &before) ==
               "spec.runtimePatches: Forbidden: RuntimePatches can only be modified when the "
               "TrainJob is suspended before or after the update\n");
    auto suspended = before;
    suspended.spec.suspend = true;
    BOOST_TEST(faults(after, r, &suspended) == "");
    BOOST_TEST(faults(before, r, &before) == "");

    rules::admission_context context;
    context.before = &suspended;
    jobset::job_set set;
    context.look_up = [&](rules::reference const& t) { return t.type->info->kind == "JobSet" ? any_object(set) : r; };
    BOOST_TEST(!trainer::admit(after, context).denied.has_value());
    auto& status = set.status.replicated_jobs_status.emplace_back();
    status.name = "node";
    status.active = 1;
    BOOST_TEST(trainer::admit(after, context).denied.value().text ==
               "spec.runtimePatches: Forbidden: RuntimePatches cannot be modified when the JobSet's ReplicatedJob node "
               "is still active");
}

BOOST_AUTO_TEST_CASE(torchtune_takes_known_models_and_leaves_paths_to_the_runtime) {
    auto const of = [](std::string const& own, std::string const& name) {
        return faults(job("t", own, name), runtime("{torch: {}}"));
    };
    BOOST_TEST(of("{command: [tune, run]}", "torchtune-llama3.2-1b") == "");
    BOOST_TEST(
        of("{command: [tune, run]}", "torchtune-x-1b") ==
        "spec.runtimeRef.name: Invalid value: \"torchtune-x-1b\": must have a supported pretrained model, invalid "
        "model configured: x/1B\n");
    BOOST_TEST(
        of("{command: [tune, run], args: [output_dir=/x]}", "torchtune-llama3.2-1b") ==
        "spec.trainer.args[0]: Invalid value: \"output_dir=/x\": must not set immutable config \"output_dir\" in "
        "trainer args; it is managed by the runtime\n");
    BOOST_TEST(
        of("{command: [tune, run], args: [model.quantize_base=true], numProcPerNode: 2}", "torchtune-llama3.2-3b") ==
        "spec.trainer.numProcPerNode: Invalid value: 2: must be auto or 1 for llama3_2/3B model when using QLoRA\n"
        "spec.trainer.resourcesPerNode: Invalid value: null: must have gpu resource with value 1 for llama3_2/3B "
        "model when using QLoRA\n");
    BOOST_TEST(
        of("{command: [tune, run], args: [\"model.lora_attn_modules=[q]\"], numNodes: 2}", "torchtune-llama3.3-70b") ==
        "spec.trainer.numNodes: Invalid value: 2: LoRA fine-tuning is not supported for multi-node training in "
        "TorchTune\n");
}

BOOST_AUTO_TEST_CASE(a_launcher_that_works_needs_nodes) {
    BOOST_TEST(faults(job("t", "{numNodes: 2}"), runtime("{mpi: {runLauncherAsNode: true}}")) ==
               "spec.trainer.numNodes: Invalid value: 2: must have 1 when MPI trainingRuntime with enabled "
               "runLauncherAsNode does not have either launcher and node\n");
}

BOOST_AUTO_TEST_CASE(a_runtime_needs_one_replica_and_the_container_of_each_step) {
    auto r = *runtime("{torch: {}}").get_if<trainer::cluster_training_runtime>();
    BOOST_TEST(trainer::validate(r.spec).empty());
    r.spec.template_.spec.replicated_jobs.at(0).replicas = 2;
    BOOST_TEST(trainer::validate(r.spec).at(0).message ==
               "spec.template.spec.replicatedJobs[0].replicas: Invalid value: 2: always must be 1");
    r.spec.template_.spec.replicated_jobs.at(0).replicas = 1;
    r.spec.template_.spec.replicated_jobs.at(0).template_.spec.template_.spec.containers.at(0).name = "other";
    auto const found = trainer::validate(r.spec);
    BOOST_TEST_REQUIRE(found.size() == 1u);
    BOOST_TEST(found[0].path == "spec.template.spec.replicatedJobs[0].template.spec.template.spec.containers");
    BOOST_TEST(found[0].message.ends_with(": must contain the required container for the ancestor: trainer"));
}

// The table of phases of the operator's specification.
BOOST_AUTO_TEST_CASE(the_phase_follows_conditions_and_ready_jobs) {
    auto const phase = [](std::string const& status, bool suspend = false) {
        auto j = job("t", "{}");
        j.spec.suspend = suspend;
        j.status = from_yaml<trainer::train_job_status>(status).value();
        return trainer::phase_of(j);
    };
    std::string const resumed = "{type: Suspended, status: 'False'}";
    BOOST_TEST(phase("{}") == job_phase::created);
    BOOST_TEST(phase("{conditions: [" + resumed + "], jobsStatus: [{name: node, ready: 1}]}") == job_phase::running);
    BOOST_TEST(phase("{conditions: [{type: Suspended, status: 'True'}]}", true) == job_phase::suspended);
    BOOST_TEST(phase("{conditions: [" + resumed + ", {type: Failed, status: 'True'}]}") == job_phase::failed);
    BOOST_TEST(phase("{conditions: [{type: Complete, status: 'True'}]}") == job_phase::succeeded);
    BOOST_TEST(phase("{jobsStatus: [{name: dataset-initializer, ready: 1}]}") == job_phase::created);
}

BOOST_AUTO_TEST_SUITE_END()
