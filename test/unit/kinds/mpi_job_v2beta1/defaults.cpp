#include "unit/kinds/mpi_job_v2beta1/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_mpi_job_v2beta1_defaults)

using namespace mpi_sample;

BOOST_AUTO_TEST_CASE(absent_fields_get_upstreams_defaults) {
    mpi_job j = complete(job("pi", "team-a", 2));
    BOOST_TEST(j.spec.run_policy.clean_pod_policy.value() == "None");
    BOOST_TEST(j.spec.slots_per_worker.value() == 1);
    BOOST_TEST(j.spec.ssh_auth_mount_path == "/root/.ssh");
    BOOST_TEST(j.spec.mpi_implementation == "OpenMPI");
    BOOST_TEST(j.spec.launcher_creation_policy == "AtStartup");
    auto& specs = j.spec.mpi_replica_specs;
    BOOST_TEST(specs["Launcher"].replicas.value() == 1);
    BOOST_TEST(specs["Launcher"].restart_policy == "OnFailure");
    BOOST_TEST(specs["Worker"].replicas.value() == 2);
    BOOST_TEST(specs["Worker"].restart_policy == "Never");
    // The rest is left to the Jobs of Kubernetes.
    BOOST_TEST(!j.spec.run_policy.backoff_limit);
    BOOST_TEST(!j.spec.run_policy.suspend);
    BOOST_TEST(!j.spec.run_launcher_as_worker);
    BOOST_TEST((complete(j) == j));
}

BOOST_AUTO_TEST_CASE(defaults_keep_existing_values) {
    mpi_job j = job("pi", "team-a", 2);
    j.spec.run_policy.clean_pod_policy = "All";
    j.spec.slots_per_worker = 0;
    j.spec.ssh_auth_mount_path = "/home/mpiuser/.ssh";
    j.spec.mpi_implementation = "Intel";
    j.spec.launcher_creation_policy = "Sometime";
    for (auto& [type, spec] : j.spec.mpi_replica_specs) {
        spec.replicas = 7;
        spec.restart_policy = "Always";
    }
    BOOST_TEST((complete(j) == j));
}

BOOST_AUTO_TEST_CASE(missing_replica_types_are_not_added) {
    mpi_job j = job("pi", "team-a", 0);
    j.spec.mpi_replica_specs.erase("Launcher");
    BOOST_TEST(complete(j).spec.mpi_replica_specs.empty());
    j.spec.mpi_replica_specs["Worker"] = replicas("worker");
    BOOST_TEST(complete(j).spec.mpi_replica_specs["Worker"].replicas.value() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
