#include <kftrain/kinds/mpi_job_v2beta1_builder.hpp>

#include "unit/kinds/mpi_job_v2beta1/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_mpi_job_v2beta1_builder)

using namespace mpi_sample;

namespace {

std::string why(result<mpi_job> const& r) { return r ? "built" : r.error().to_string(); }

core::container const& main_of(mpi_job const& j, std::string const& type) {
    return j.spec.mpi_replica_specs.at(type).template_.spec.containers.front();
}

} // namespace

BOOST_AUTO_TEST_CASE(setters_write_the_fields_of_the_job) {
    using namespace std::chrono_literals;
    auto const job = mpi_job_builder("pi")
                         .in("team-a")
                         .image("example.com/pi:1")
                         .command({"mpirun", "/pi"})
                         .slots(2)
                         .implementation(mpi_implementation::intel)
                         .wait_for_workers()
                         .ssh_path("/home/mpiuser/.ssh")
                         .workers(3, [](pod_settings& pod) { pod.restart_policy(restart::on_failure); })
                         .launcher([](pod_settings& pod) { pod.cpu("1"); })
                         .clean_pod_policy(clean_pods::running)
                         .time_to_live(1h)
                         .deadline(2h)
                         .backoff_limit(3)
                         .queue("q")
                         .min_available(4)
                         .suspended()
                         .build();
    BOOST_TEST_REQUIRE(job.has_value(), why(job));
    BOOST_TEST(to_yaml(*job) == to_yaml(from_yaml<mpi_job>(R"(
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata: {name: pi, namespace: team-a}
spec:
  slotsPerWorker: 2
  mpiImplementation: Intel
  launcherCreationPolicy: WaitForWorkersReady
  sshAuthMountPath: /home/mpiuser/.ssh
  runPolicy:
    cleanPodPolicy: Running
    ttlSecondsAfterFinished: 3600
    activeDeadlineSeconds: 7200
    backoffLimit: 3
    suspend: true
    schedulingPolicy: {queue: q, minAvailable: 4}
  mpiReplicaSpecs:
    Launcher:
      replicas: 1
      template: {spec: {containers: [{name: mpi, image: "example.com/pi:1", command: [mpirun, /pi],
                                      resources: {limits: {cpu: "1"}, requests: {cpu: "1"}}}]}}
    Worker:
      replicas: 3
      restartPolicy: OnFailure
      template: {spec: {containers: [{name: mpi, image: "example.com/pi:1"}]}}
)")
                                            .value()));
}

BOOST_AUTO_TEST_CASE(the_command_applies_to_the_launcher_and_devices_to_workers) {
    auto const start =
        mpi_job_builder("pi").image("example.com/pi:1").command({"mpirun"}).args({"/pi"}).gpus(8).cpu("4");
    auto const job = start.workers(2).build().value();
    BOOST_TEST(main_of(job, "Launcher").command == lines{"mpirun"});
    BOOST_TEST(main_of(job, "Launcher").args == lines{"/pi"});
    BOOST_TEST(main_of(job, "Worker").command.empty());
    BOOST_TEST(main_of(job, "Worker").args.empty());
    BOOST_TEST(!main_of(job, "Launcher").resources.limits.contains("nvidia.com/gpu"));
    BOOST_TEST(main_of(job, "Launcher").resources.limits.contains("cpu"));
    BOOST_TEST(main_of(job, "Worker").resources.limits.at("nvidia.com/gpu").text() == "8");
    BOOST_TEST(!job.spec.run_launcher_as_worker);

    auto const working = start.launcher_as_worker().build().value();
    BOOST_TEST(working.spec.run_launcher_as_worker.value());
    BOOST_TEST(main_of(working, "Launcher").resources.limits.at("nvidia.com/gpu").text() == "8");
    BOOST_TEST(!working.spec.mpi_replica_specs.contains("Worker"));
}

BOOST_AUTO_TEST_CASE(setters_of_a_type_override_common_ones) {
    auto const job = mpi_job_builder("pi")
                         .image("example.com/pi:1")
                         .command({"mpirun"})
                         .workers(1, [](pod_settings& pod) { pod.command({"/serve"}).image("example.com/worker:1"); })
                         .build()
                         .value();
    BOOST_TEST(main_of(job, "Worker").command == lines{"/serve"});
    BOOST_TEST(main_of(job, "Worker").image == "example.com/worker:1");
    BOOST_TEST(main_of(job, "Launcher").image == "example.com/pi:1");
}

BOOST_AUTO_TEST_CASE(refused_fields_are_reported_with_their_path) {
    auto const start = mpi_job_builder("pi").image("example.com/pi:1").command({"mpirun"});
    BOOST_TEST(why(start.workers(0).build()) ==
               "spec.mpiReplicaSpecs[Worker].replicas: Invalid value: 0: must be greater "
               "than or equal to 1");
    auto slots = start.workers(1);
    BOOST_TEST(why(slots.slots(5'000'000'000).build()) == "spec.slotsPerWorker: 5000000000, expected a 32-bit integer");
    auto amount = start.workers(1);
    BOOST_TEST(why(amount.memory("much").build())
                   .starts_with("spec.mpiReplicaSpecs[Launcher].template.spec.containers[0].resources.limits[memory]: "
                                "\"much\", expected a "
                                "quantity such as 4, 500m or 16Gi"));
    auto cache = start.workers(1);
    BOOST_TEST(why(cache.shared_memory("8 Gigs").build()).find("emptyDir.sizeLimit: \"8 Gigs\"") != std::string::npos);
    auto policy = start.workers(1);
    BOOST_TEST(why(policy.restart_policy(restart::always).build()).find("\"Always\"") != std::string::npos);
    auto gang = start.workers(1);
    BOOST_TEST(why(gang.min_available(3).build()).find("expected at most 2") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
