#include "unit/kinds/train_job/sample.hpp"

#include <kftrain/objects/core/config_map.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

BOOST_AUTO_TEST_SUITE(kinds_train_job_render)

using namespace train_job_sample;

// Values of the tables and worked examples of the operator's specification, Kubeflow Trainer v2.3.0.

BOOST_AUTO_TEST_CASE(torch_processes_follow_the_resources_of_the_job) {
    struct row {
        std::string trainer, processes;
    };
    std::vector<row> const rows{{"{}", "1"},
                                {"{resourcesPerNode: {requests: {cpu: 4}}}", "4"},
                                {"{resourcesPerNode: {limits: {cpu: 2500m}}}", "3"},
                                {"{resourcesPerNode: {requests: {cpu: 100m}}}", "1"},
                                {"{resourcesPerNode: {requests: {cpu: 2}, limits: {cpu: 8}}}", "2"},
                                {"{resourcesPerNode: {limits: {nvidia.com/gpu: 8}}}", "auto"},
                                {"{resourcesPerNode: {requests: {cpu: 16}, limits: {amd.com/gpu: 4}}}", "auto"},
                                {"{resourcesPerNode: {limits: {nvidia.com/mig-1g.5gb: 2}, requests: {cpu: 6}}}", "6"},
                                {"{resourcesPerNode: {limits: {google.com/tpu: 4}}}", "1"},
                                {"{resourcesPerNode: {requests: {nvidia.com/gpu: 0, cpu: 3}}}", "3"},
                                {"{numProcPerNode: 5, resourcesPerNode: {limits: {nvidia.com/gpu: 8}}}", "5"}};
    for (auto const& [own, processes] : rows) {
        auto const set = child<jobset::job_set>(job("t", own), runtime("{torch: {}}"));
        BOOST_TEST(value_of(container_of(set), "PET_NPROC_PER_NODE") == processes, own);
    }
    // GPUs of the runtime stay in the pod, but are not counted.
    auto const set = child<jobset::job_set>(job("t", "{resourcesPerNode: {requests: {cpu: 4}}}"),
                                            runtime("{torch: {}}", "resources: {limits: {nvidia.com/gpu: 8}}"));
    BOOST_TEST(value_of(container_of(set), "PET_NPROC_PER_NODE") == "4");
    BOOST_TEST(container_of(set).resources.limits.at("nvidia.com/gpu").text() == "8");
}

BOOST_AUTO_TEST_CASE(a_job_without_a_trainer_gets_no_variables) {
    auto j = job("t", "{}");
    j.spec.trainer.reset();
    auto const set = child<jobset::job_set>(j, runtime("{torch: {}, numNodes: 3}"));
    BOOST_TEST(container_of(set).env.empty());
    BOOST_TEST(set.spec.replicated_jobs.at(0).template_.spec.completions.value() == 3);
}

BOOST_AUTO_TEST_CASE(chosen_containers_get_the_variables_of_torchrun_too) {
    auto const with_side = [](std::string const& name) {
        auto r = *runtime("{torch: {envInjection: {targets: [{jobName: node, containerNames: [" + name + "]}]}}}")
                      .get_if<trainer::cluster_training_runtime>();
        auto& pod = r.spec.template_.spec.replicated_jobs.at(0).template_.spec.template_.spec;
        pod.containers.emplace_back().name = "side";
        pod.init_containers.emplace_back().name = "check";
        return any_object(r);
    };
    for (std::string const name : {"side", "check"}) {
        auto const set = child<jobset::job_set>(job("t", "{numNodes: 2}"), with_side(name));
        auto const& pod = set.spec.replicated_jobs.at(0).template_.spec.template_.spec;
        auto const& c = name == "side" ? pod.containers.at(1) : pod.init_containers.at(0);
        BOOST_TEST(value_of(c, "PET_NNODES") == "2", name);
        BOOST_TEST(value_of(c, "PET_MASTER_ADDR") == "t-node-0-0.t", name);
    }
    BOOST_TEST(!trainer::render(job("t", "{}"), with_side("other")).has_value());
}

BOOST_AUTO_TEST_CASE(torchtune_on_several_nodes_uses_the_recipe_for_them) {
    auto const set = child<jobset::job_set>(
        job("tt", "{command: [tune, run], numNodes: 30, numProcPerNode: 3}", "torchtune-llama3.3-70b"),
        runtime("{torch: {}}", "command: [tune, run, output_dir=/out, dataset=x]"));
    std::vector<std::string> const expected{"tune",
                                            "run",
                                            "--rdzv_endpoint=tt-node-0-0.tt:29500",
                                            "full_finetune_distributed",
                                            "--config",
                                            "llama3_3/70B_full_multinode",
                                            "output_dir=/out"};
    BOOST_TEST(container_of(set).command == expected);
    BOOST_TEST(value_of(container_of(set), "PET_NNODES") == "30");
    BOOST_TEST(value_of(container_of(set), "PET_NPROC_PER_NODE") == "3");
    BOOST_TEST(value_of(container_of(set), "PET_MASTER_ADDR") == "<none>");
}

BOOST_AUTO_TEST_CASE(hosts_of_mpi_are_the_nodes_and_a_launcher_that_works) {
    struct row {
        std::string trainer, policy;
        std::int32_t nodes;
        std::size_t hosts;
        std::string slots;
    };
    std::vector<row> const rows{
        {"{numNodes: 1}", "{runLauncherAsNode: true}", 1, 2, "1"},
        {"{numNodes: 2, resourcesPerNode: {limits: {nvidia.com/gpu: 8}}}", "{runLauncherAsNode: true}", 1, 2, "8"},
        {"{numNodes: 10, resourcesPerNode: {limits: {nvidia.com/gpu: 1}}}", "{runLauncherAsNode: true}", 9, 10, "1"},
        {"{numNodes: 2, numProcPerNode: 8}", "{}", 2, 2, "8"},
        {"{numNodes: 4, resourcesPerNode: {limits: {nvidia.com/gpu: 4}}}", "{numProcPerNode: 2}", 4, 4, "2"}};
    for (auto const& r : rows) {
        auto const set = child<jobset::job_set>(job("ds", r.trainer), mpi_runtime(r.policy));
        BOOST_TEST(set.spec.replicated_jobs.at(0).template_.spec.parallelism.value() == r.nodes, r.trainer);
        BOOST_TEST(value_of(container_of(set, 1), "OMPI_MCA_orte_set_default_slots") == r.slots, r.trainer);
        auto const hosts = child<core::config_map>(job("ds", r.trainer), mpi_runtime(r.policy)).data.at("hostfile");
        BOOST_TEST(static_cast<std::size_t>(std::ranges::count(hosts, '\n')) == r.hosts, r.trainer);
        BOOST_TEST(hosts.find(" slots=" + r.slots + "\n") != hosts.npos, r.trainer);
    }
    auto const three = job("ds", "{numNodes: 3, resourcesPerNode: {limits: {nvidia.com/gpu: 4}}}");
    BOOST_TEST(child<core::config_map>(three, mpi_runtime("{runLauncherAsNode: true}")).data.at("hostfile") ==
               "ds-node-0-0.ds slots=4\nds-node-0-1.ds slots=4\nds-launcher-0-0.ds slots=4\n");
}

BOOST_AUTO_TEST_CASE(jax_and_xgboost_count_nodes_and_workers) {
    auto const jax = child<jobset::job_set>(job("gemma", "{numNodes: 8}"), runtime("{jax: {}}"));
    BOOST_TEST(value_of(container_of(jax), "JAX_NUM_PROCESSES") == "8");
    BOOST_TEST(value_of(container_of(jax), "JAX_PROCESS_ID") == "<source>");
    BOOST_TEST(value_of(container_of(jax), "JAX_COORDINATOR_ADDRESS") == "gemma-node-0-0.gemma:29500");
    auto const xgb = child<jobset::job_set>(
        job("xgb", "{numNodes: 2, resourcesPerNode: {limits: {nvidia.com/gpu: 4}}}"), runtime("{xgboost: {}}"));
    BOOST_TEST(value_of(container_of(xgb), "DMLC_TRACKER_URI") == "xgb-node-0-0.xgb");
    BOOST_TEST(value_of(container_of(xgb), "DMLC_NUM_WORKER") == "8");
}

// A row of docs/reference/upstream-differences.md.
BOOST_AUTO_TEST_CASE(ports_of_the_runtime_stay_where_they_would_become_equal) {
    auto const ports = [](std::string const& of_runtime) {
        auto const set = child<jobset::job_set>(job("t", "{}"), runtime("{torch: {}}", "ports: " + of_runtime));
        std::string all;
        for (auto const& p : container_of(set).ports) all += std::to_string(p.container_port_) + p.name + " ";
        return all;
    };
    BOOST_TEST(ports("[{containerPort: 80}]") == "29500 ");
    BOOST_TEST(ports("[{containerPort: 80, name: http}]") == "80http 29500 ");
    BOOST_TEST(ports("[{containerPort: 80}, {containerPort: 81}]") == "80 81 29500 ");
    BOOST_TEST(ports("[{containerPort: 29500, name: old}, {containerPort: 80}]") == "29500old 80 ");
}

BOOST_AUTO_TEST_CASE(a_gang_of_volcano_has_queue_priority_and_topology) {
    auto r = *runtime("{torch: {}}", "resources: {requests: {cpu: 500m}}",
                      "podGroupPolicy: {volcano: {networkTopology: {mode: soft, highestTierAllowed: 2}}}, ")
                  .get_if<trainer::cluster_training_runtime>();
    r.spec.template_.metadata.annotations["scheduling.volcano.sh/queue-name"] = "q1";
    auto& entry = r.spec.template_.spec.replicated_jobs.at(0);
    entry.template_.spec.template_.spec.priority_class_name = "high";
    auto const group = child<volcano::pod_group>(job("g", "{numNodes: 4}"), r);
    BOOST_TEST(group.spec.min_member == 4);
    BOOST_TEST(group.spec.min_resources->at("cpu").text() == "2");
    BOOST_TEST(group.spec.queue == "q1");
    BOOST_TEST(group.spec.priority_class_name == "high");
    BOOST_TEST(group.spec.unknown.find("networkTopology")->text == R"({"mode":"soft","highestTierAllowed":2})");
    auto const set = child<jobset::job_set>(job("g", "{numNodes: 4}"), r);
    auto const& pods = set.spec.replicated_jobs.at(0).template_.spec.template_.metadata;
    BOOST_TEST(pods.annotations.at("scheduling.k8s.io/group-name") == "g");
}

BOOST_AUTO_TEST_CASE(members_have_the_addresses_of_the_headless_service) {
    auto const torch = trainer::lay_out(job("bert-ft", "{numNodes: 4}"), runtime("{torch: {}}"));
    BOOST_TEST_REQUIRE(torch.members.size() == 4u);
    BOOST_TEST(torch.members[2].host_name() + "." + torch.domain == "bert-ft-node-0-2.bert-ft.team-a.svc");
    BOOST_TEST(torch.members[2].rank.value() == 2);
    BOOST_TEST(torch.world_size.value() == 4);
    BOOST_TEST(torch.rank_env.rank == "PET_NODE_RANK");
    BOOST_TEST(torch.roles.at(0).label_selector() ==
               "jobset.sigs.k8s.io/jobset-name=bert-ft,jobset.sigs.k8s.io/replicatedjob-name=node");
    auto const mpi = trainer::lay_out(job("ds", "{numNodes: 3}"), mpi_runtime("{runLauncherAsNode: true}"));
    BOOST_TEST_REQUIRE(mpi.members.size() == 3u);
    BOOST_TEST(mpi.members[2].host_name() == "ds-launcher-0-0");
    BOOST_TEST(!mpi.members[2].rank.has_value());
    BOOST_TEST(mpi.rank_note == "mpirun assigns ranks in the order of its hostfile");
}

BOOST_AUTO_TEST_CASE(a_missing_runtime_is_an_error_that_names_it) {
    auto const made = trainer::render(job("t", "{}", "nowhere"), any_object());
    BOOST_TEST_REQUIRE(!made.has_value());
    BOOST_TEST((made.error().code == errc::invalid_argument));
    BOOST_TEST(made.error().detail.path == "spec.runtimeRef");
    BOOST_TEST(made.error().detail.message == "expected the ClusterTrainingRuntime \"nowhere\", got none");
}

BOOST_AUTO_TEST_SUITE_END()
