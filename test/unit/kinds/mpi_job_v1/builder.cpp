#include <kftrain/kinds/mpi_job_v1_builder.hpp>

#include "unit/kinds/mpi_job_v1/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_mpi_job_v1_builder)

using namespace mpi_v1_sample;
using kubeflow_v1::mpi_job_builder;

namespace {

std::string why(result<v1_mpi_job> const& r) { return r ? "built" : r.error().to_string(); }

auto minimal() { return mpi_job_builder("pi").image("example.com/pi:1").workers(2); }

core::container const& main_of(v1_mpi_job const& j, std::string const& type) {
    return j.spec.mpi_replica_specs.at(type).template_.spec.containers.front();
}

} // namespace

BOOST_AUTO_TEST_CASE(setters_write_the_fields_of_the_job) {
    auto const job = mpi_job_builder("pi")
                         .in("team-a")
                         .image("example.com/pi:1")
                         .command({"mpirun", "/pi"})
                         .gpus(2)
                         .slots(2)
                         .main_container("mpi")
                         .workers(3, [](pod_settings& pod) { pod.memory("1Gi"); })
                         .launcher([](pod_settings& pod) { pod.cpu("1"); })
                         .clean_pod_policy(clean_pods::running)
                         .build();
    BOOST_TEST_REQUIRE(job.has_value(), why(job));
    BOOST_TEST(to_yaml(*job) == to_yaml(from_yaml<v1_mpi_job>(R"(
apiVersion: kubeflow.org/v1
kind: MPIJob
metadata: {name: pi, namespace: team-a}
spec:
  slotsPerWorker: 2
  mainContainer: mpi
  runPolicy: {cleanPodPolicy: Running}
  mpiReplicaSpecs:
    Launcher:
      replicas: 1
      template: {spec: {containers: [{name: mpi, image: "example.com/pi:1", command: [mpirun, /pi],
                                      resources: {limits: {cpu: "1"}, requests: {cpu: "1"}}}]}}
    Worker:
      replicas: 3
      template: {spec: {containers: [{name: mpi, image: "example.com/pi:1",
                                      resources: {limits: {memory: 1Gi, nvidia.com/gpu: "2"},
                                                  requests: {memory: 1Gi, nvidia.com/gpu: "2"}}}]}}
)")
                                            .value()));
}

BOOST_AUTO_TEST_CASE(a_launcher_that_works_has_devices_too) {
    auto const job = minimal().gpus(1).launcher_as_worker().build();
    BOOST_TEST_REQUIRE(job.has_value(), why(job));
    BOOST_TEST(main_of(*job, "Launcher").resources.limits.contains("nvidia.com/gpu"));
}

BOOST_AUTO_TEST_CASE(faults_name_field_value_and_expectation) {
    BOOST_TEST(why(minimal().main_container("train").build()) ==
               "spec.mainContainer: \"train\" is not a container of the workers, expected a container such as \"mpi\"");
    BOOST_TEST(why(minimal().slots(std::int64_t(1) << 40).build())
                   .starts_with("spec.slotsPerWorker: 1099511627776, expected a 32-bit integer"));
    BOOST_TEST(
        why(minimal().memory("16GB").build()) ==
        "spec.mpiReplicaSpecs[Launcher].template.spec.containers[0].resources.limits[memory]: \"16GB\", expected "
        "a quantity such as 4, 500m or 16Gi; "
        "spec.mpiReplicaSpecs[Worker].template.spec.containers[0].resources.limits[memory]: \"16GB\", expected a "
        "quantity such as 4, 500m or 16Gi");
    BOOST_TEST(why(mpi_job_builder(std::string(64, 'a')).image("a:1").workers(1).build())
                   .find("must be no more than 63 characters") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
