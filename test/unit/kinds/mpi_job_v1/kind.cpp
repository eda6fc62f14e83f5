#include "unit/kinds/mpi_job_v1/sample.hpp"

#include <kftrain/job/member_lookup.hpp>
#include <kftrain/kinds/registry.hpp>
#include <kftrain/objects/core/config_map.hpp>
#include <kftrain/objects/rbac/role.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_mpi_job_v1)

using namespace mpi_v1_sample;

namespace {

std::string file(v1_mpi_job const& j, std::string const& key) {
    for (auto const& c : any_job(j).render())
        if (auto const* config = c.get_if<core::config_map>()) return config->data.at(key);
    return "none";
}

pod pod_of(v1_mpi_job const& j, std::string_view name, operator_options const& reported = {}) {
    member_lookup const oracle{any_job(j), reported};
    return oracle.pod_of(oracle.of_pod(name).value());
}

lines environment(v1_mpi_job const& j) {
    lines all;
    pod const launcher = pod_of(j, "hvd-launcher");
    for (auto const& v : launcher.spec.containers.at(0).env) all.push_back(v.name + "=" + v.value);
    return all;
}

core::container& main_of(v1_mpi_job& j, std::string const& type) {
    return j.spec.mpi_replica_specs.at(type).template_.spec.containers.at(0);
}

v1_mpi_job with_gpu(v1_mpi_job j) {
    main_of(j, "Launcher").resources.limits.emplace("nvidia.com/gpu", "1");
    return j;
}

lines faults(v1_mpi_job const& j) {
    lines found;
    for (auto const& i : any_job(j).validate()) found.push_back(i.rule + " | " + i.message);
    return found;
}

} // namespace

BOOST_AUTO_TEST_CASE(children_are_created_in_order) {
    lines names;
    for (auto const& c : any_job(job(2)).render())
        names.push_back(std::string(c.resource().kind) + " " + c.metadata().name);
    BOOST_TEST(names == (lines{"ServiceAccount hvd-launcher", "ConfigMap hvd-config", "Role hvd-launcher",
                               "RoleBinding hvd-launcher", "Pod hvd-worker-0", "Pod hvd-worker-1", "Pod hvd-launcher"}),
               boost::test_tools::per_element());
}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/mpi/mpijob_controller.go`, `newConfigMap`.
BOOST_AUTO_TEST_CASE(the_hostfile_lists_a_working_launcher_first) {
    auto const two = job(2, "  slotsPerWorker: 2\n");
    BOOST_TEST(file(two, "hostfile") == "hvd-worker-0 slots=2\nhvd-worker-1 slots=2\n");
    BOOST_TEST(file(with_gpu(two), "hostfile") == "hvd-launcher slots=2\nhvd-worker-0 slots=2\nhvd-worker-1 slots=2\n");
    BOOST_TEST(file(job(-1), "hostfile") == "");
    BOOST_TEST(file(two, "discover_hosts.sh") == "#!/bin/sh");
    BOOST_TEST(file(with_gpu(two), "discover_hosts.sh") == "#!/bin/sh\necho hvd-launcher:2\n");
}

BOOST_AUTO_TEST_CASE(processes_start_in_the_main_container) {
    std::string const start = "#!/bin/sh\nset -x\nPOD_NAME=$1\nshift\n/opt/kube/kubectl exec ${POD_NAME}";
    BOOST_TEST(file(job(1), "kubexec.sh") == start + R"( -- /bin/sh -c "$*")");
    BOOST_TEST(file(job(1, "  mainContainer: train\n"), "kubexec.sh") ==
               start + R"( --container train -- /bin/sh -c "$*")");
}

BOOST_AUTO_TEST_CASE(the_role_lists_the_worker_pods) {
    for (auto const& c : any_job(job(2)).render())
        if (auto const* role = c.get_if<rbac::role>()) {
            BOOST_TEST(role->rules.at(1).resource_names == (lines{"hvd-worker-0", "hvd-worker-1"}));
        } else if (auto const* binding = c.get_if<rbac::role_binding>()) {
            BOOST_TEST(binding->subjects.at(0).name == "hvd-launcher");
            BOOST_TEST(binding->subjects.at(0).namespace_ == "team");
        }
}

BOOST_AUTO_TEST_CASE(the_launcher_gets_its_environment_and_only_requested_gpus) {
    lines const open_mpi{"OMPI_MCA_plm_rsh_agent=/etc/mpi/kubexec.sh",
                         "OMPI_MCA_orte_default_hostfile=/etc/mpi/hostfile"};
    lines const intel{"I_MPI_HYDRA_BOOTSTRAP=rsh", "I_MPI_HYDRA_BOOTSTRAP_EXEC=/etc/mpi/kubexec.sh"};
    auto const with = [](lines all, lines const& more) {
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    BOOST_TEST(environment(job(1)) ==
               with(with(open_mpi, {"NVIDIA_VISIBLE_DEVICES=", "NVIDIA_DRIVER_CAPABILITIES="}), intel));
    BOOST_TEST(environment(with_gpu(job(1))) == with(open_mpi, intel));
    v1_mpi_job own = with_gpu(job(1));
    main_of(own, "Launcher").env.emplace_back("I_MPI_HYDRA_BOOTSTRAP", "fork");
    BOOST_TEST(environment(own) == with(with({"I_MPI_HYDRA_BOOTSTRAP=fork"}, open_mpi), {intel.back()}));
}

BOOST_AUTO_TEST_CASE(workers_sleep_unless_they_have_a_command) {
    v1_mpi_job j = job(1);
    main_of(j, "Worker").args = {"lost"};
    BOOST_TEST(pod_of(j, "hvd-worker-0").spec.containers[0].command == lines{"sleep"});
    BOOST_TEST(pod_of(j, "hvd-worker-0").spec.containers[0].args == lines{"365d"});
    main_of(j, "Worker").command = {"serve"};
    BOOST_TEST(pod_of(j, "hvd-worker-0").spec.containers[0].args == lines{"lost"});
}

BOOST_AUTO_TEST_CASE(the_kubectl_image_is_an_operator_flag) {
    operator_options reported;
    BOOST_TEST_REQUIRE(read_operator_flag(reported, "--mpi-kubectl-delivery-image=example.com/kubectl:1").has_value());
    auto const init = pod_of(job(1), "hvd-launcher", reported).spec.init_containers;
    BOOST_TEST_REQUIRE(init.size() == 1U);
    BOOST_TEST(init[0].image == "example.com/kubectl:1");
    BOOST_TEST(init[0].env.at(1).value == "team");
}

BOOST_AUTO_TEST_CASE(launchers_have_no_index_and_a_service_account_by_default_of_their_name) {
    v1_mpi_job j = job(1);
    auto const launcher = pod_of(j, "hvd-launcher");
    BOOST_TEST(!launcher.metadata.labels.contains("training.kubeflow.org/replica-index"));
    BOOST_TEST(launcher.metadata.labels.at("training.kubeflow.org/job-role") == "master");
    BOOST_TEST(launcher.spec.service_account_name == "hvd-launcher");
    j.spec.mpi_replica_specs.at("Launcher").template_.spec.service_account_name = "mine";
    BOOST_TEST(pod_of(j, "hvd-launcher").spec.service_account_name == "mine");
    BOOST_TEST(any_job(j).render().front().metadata().name == "mine");
}

BOOST_AUTO_TEST_CASE(ranks_follow_the_hostfile) {
    member_lookup const waiting{any_job(job(2, "  slotsPerWorker: 4\n"))};
    BOOST_TEST(waiting.layout().world_size.value() == 2);
    BOOST_TEST(waiting.of_process(7).value().pod_name == "hvd-worker-1");
    BOOST_TEST(!waiting.of_pod("hvd-launcher").value().rank.has_value());
    member_lookup const working{any_job(with_gpu(job(2)))};
    BOOST_TEST(working.of_rank(0).value().pod_name == "hvd-launcher");
    BOOST_TEST(working.of_rank(2).value().pod_name == "hvd-worker-1");
}

BOOST_AUTO_TEST_CASE(the_run_policy_decides_about_cleaning_up) {
    auto const policy = [](std::string const& more) {
        auto const j = any_job(job(1, more)).with_defaults();
        return j.get_if<v1_mpi_job>()->spec.run_policy.clean_pod_policy.value();
    };
    BOOST_TEST(policy("") == "None");
    BOOST_TEST(policy("  cleanPodPolicy: All\n") == "All");
    BOOST_TEST(policy("  cleanPodPolicy: All\n  runPolicy: {cleanPodPolicy: Running}\n") == "Running");
}

/// Upstream: training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/mpi_validation.go`.
BOOST_AUTO_TEST_CASE(validation_messages_equal_upstream) {
    BOOST_TEST(faults(job(0)).empty());
    v1_mpi_job j = job(1);
    j.spec.mpi_replica_specs.at("Launcher").replicas = 2;
    j.spec.mpi_replica_specs.at("Worker").template_.spec.containers[0].image.clear();
    j.spec.mpi_replica_specs["worker"] = j.spec.mpi_replica_specs.at("Worker");
    j.spec.mpi_replica_specs["worker"].template_.spec.containers[0].name.clear();
    std::string const image = "MPIReplicaSpec is not valid: Image is undefined in the container of ";
    BOOST_TEST(
        faults(j) ==
            (lines{
                "mpi.launcher.replicas | spec.mpiReplicaSpecs[Launcher].replicas: MPIReplicaSpec is not valid: There "
                "must be only 1 launcher replica",
                "mpi.image | spec.mpiReplicaSpecs[Worker].template.spec.containers[0].image: " + image + "Worker",
                "mpi.replica-type | spec.mpiReplicaSpecs[worker]: MPIReplicaType is worker but must be one of "
                "[Launcher Worker]",
                "mpi.image | spec.mpiReplicaSpecs[worker].template.spec.containers[0].image: " + image + "worker",
                "mpi.container-name | spec.mpiReplicaSpecs[worker].template.spec.containers[0].name: MPIReplicaSpec "
                "is not valid: ImageName is undefined in the container of worker"}),
        boost::test_tools::per_element());
    j = job(1);
    j.spec.mpi_replica_specs.erase("Launcher");
    j.spec.mpi_replica_specs.at("Worker").template_.spec.containers.clear();
    BOOST_TEST(
        faults(j) ==
            (lines{"mpi.containers | spec.mpiReplicaSpecs[Worker].template.spec.containers: MPIReplicaSpecs is not "
                   "valid: containers definition expected in Worker",
                   "mpi.launcher | spec.mpiReplicaSpecs[Launcher]: MPIReplicaSpec is not valid: Master ReplicaSpec "
                   "must be present"}),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_empty_spec_lacks_the_replica_map_or_the_launcher) {
    v1_mpi_job j;
    j.metadata.name = "hvd";
    BOOST_TEST(faults(j).at(0) == "mpi.replica-specs | spec.mpiReplicaSpecs: MPIReplicaSpecs is not valid");
    j.spec.slots_per_worker = 1;
    BOOST_TEST(faults(j).at(0).starts_with("mpi.launcher | "));
}

BOOST_AUTO_TEST_CASE(names_that_are_no_labels_and_too_many_workers_are_refused) {
    v1_mpi_job j = job(100'000);
    BOOST_TEST(faults(j).at(0).starts_with("kftrain.replica-limit | spec.mpiReplicaSpecs: Forbidden: "));
    j = job(1);
    j.metadata.name = std::string(63, 'a');
    BOOST_TEST(faults(j).empty());
    j.metadata.name += "a";
    BOOST_TEST(faults(j) == lines{"mpi.name | metadata.name: Invalid value: \"" + j.metadata.name +
                                  "\": must be no more than 63 characters"});
}

BOOST_AUTO_TEST_SUITE_END()
