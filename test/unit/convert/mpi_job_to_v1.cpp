#include "unit/convert/told.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(convert_mpi_job_to_v1)

using namespace convert_sample;

namespace {

lines to_v1_told(kubeflow_v2beta1::mpi_job const& job) { return told(convert::to_v1(job)); }

} // namespace

/// What a plain job means by what it leaves out: mpi-and-chainer.md, the generations compared.
BOOST_AUTO_TEST_CASE(defaults_that_differ_are_written_out) {
    auto const made = convert::to_v1(v2beta1_job("  slotsPerWorker: 2\n")).value();
    BOOST_TEST(to_yaml(made.job) == R"(apiVersion: kubeflow.org/v1
kind: MPIJob
metadata:
  name: hvd
  namespace: team
spec:
  slotsPerWorker: 2
  mpiReplicaSpecs:
    Launcher:
      template:
        spec:
          containers:
          - name: mpi
            image: i:1
      restartPolicy: OnFailure
    Worker:
      replicas: 2
      template:
        spec:
          containers:
          - name: mpi
            image: i:1
  runPolicy:
    backoffLimit: 6
)");
    std::string const restarts = "spec.mpiReplicaSpecs[Launcher].restartPolicy";
    BOOST_TEST(told(made.changes) == (lines{"changed spec.runPolicy.backoffLimit - -> spec.runPolicy.backoffLimit",
                                            "changed " + restarts + " - -> " + restarts}),
               boost::test_tools::per_element());
}

/// What the defaults of the schema put into stored jobs says nothing that v1 would have to be told.
BOOST_AUTO_TEST_CASE(defaults_of_v2beta1_are_not_told) {
    BOOST_TEST(to_v1_told(v2beta1_job("  sshAuthMountPath: /root/.ssh\n  launcherCreationPolicy: AtStartup\n  "
                                      "mpiImplementation: OpenMPI\n  runLauncherAsWorker: false\n")) ==
                   to_v1_told(v2beta1_job()),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_only_v2beta1_has_is_told) {
    auto const all = to_v1_told(v2beta1_job("  sshAuthMountPath: /home/mpiuser/.ssh\n  launcherCreationPolicy: "
                                            "WaitForWorkersReady\n  mpiImplementation: Intel\n"));
    BOOST_TEST(has(all, "dropped spec.sshAuthMountPath \"/home/mpiuser/.ssh\""));
    BOOST_TEST(has(all, "changed spec.launcherCreationPolicy \"WaitForWorkersReady\"")); // v1 always waits
    BOOST_TEST(has(all, "dropped spec.mpiImplementation \"Intel\""));
    BOOST_TEST(
        has(to_v1_told(v2beta1_job("  mpiImplementation: MPICH\n")), "dropped spec.mpiImplementation \"MPICH\""));
}

/// training-operator v1.9.0: a limit of the launcher that is called something with gpu makes it a host.
BOOST_AUTO_TEST_CASE(a_launcher_is_a_host_in_v1_by_its_gpu) {
    std::string const works = "  runLauncherAsWorker: true\n";
    std::string const gpu =
        "template: {spec: {containers: [{name: mpi, image: 'i:1', resources: {limits: {nvidia.com/gpu: 1}}}]}}";
    std::string const limit =
        "spec.mpiReplicaSpecs[Launcher].template.spec.containers[0].resources.limits[nvidia.com/gpu]";
    BOOST_TEST(has(to_v1_told(v2beta1_job(works, gpu)), "changed spec.runLauncherAsWorker true -> " + limit));
    BOOST_TEST(has(to_v1_told(v2beta1_job(works)), "dropped spec.runLauncherAsWorker true"));
    BOOST_TEST(has(to_v1_told(v2beta1_job("", gpu)), "approximated " + limit + " \"1\" -> " + limit));
}

BOOST_AUTO_TEST_CASE(a_launcher_that_is_made_anew_starts_again_in_its_pod) {
    std::string const path = "spec.mpiReplicaSpecs[Launcher].restartPolicy";
    std::string const never = "restartPolicy: Never, " + one_pod;
    auto const tried = convert::to_v1(v2beta1_job("  runPolicy: {backoffLimit: 2}\n", never)).value();
    BOOST_TEST(tried.job.spec.mpi_replica_specs.at("Launcher").restart_policy == "OnFailure");
    BOOST_TEST(tried.job.spec.run_policy.backoff_limit.value() == 2);
    BOOST_TEST(has(told(tried.changes), "approximated " + path + " \"Never\" -> " + path));
    auto const once = convert::to_v1(v2beta1_job("  runPolicy: {backoffLimit: 0}\n", never)).value();
    BOOST_TEST(once.job.spec.mpi_replica_specs.at("Launcher").restart_policy == "Never");
    BOOST_TEST(told(once.changes).empty());
    std::string const limit = "spec.runPolicy.backoffLimit";
    BOOST_TEST(has(to_v1_told(v2beta1_job("  runPolicy: {backoffLimit: 2}\n", one_pod,
                                          "restartPolicy: OnFailure, " + two_workers)),
                   "approximated " + limit + " 2 -> " + limit));
}

/// mpi-operator v0.8.0 reads the queue from an annotation where the policy names none.
BOOST_AUTO_TEST_CASE(the_queue_of_the_annotation_is_written_out) {
    auto job = v2beta1_job("  runPolicy: {managedBy: kubeflow.org/mpi-operator, cleanPodPolicy: All}\n");
    job.metadata.annotations.emplace("scheduling.volcano.sh/queue-name", "night");
    auto const made = convert::to_v1(job).value();
    BOOST_TEST(made.job.spec.run_policy.scheduling_policy->queue == "night");
    BOOST_TEST(made.job.spec.run_policy.managed_by.value() == "kubeflow.org/training-operator");
    BOOST_TEST(has(told(made.changes), "changed metadata.annotations[scheduling.volcano.sh/queue-name] \"night\" -> "
                                       "spec.runPolicy.schedulingPolicy.queue"));
    BOOST_TEST(
        has(told(made.changes), "approximated spec.runPolicy.cleanPodPolicy \"All\" -> spec.runPolicy.cleanPodPolicy"));
}

/// mpi-operator v0.8.0: first the policy's class, then the launcher's, then that of the workers.
BOOST_AUTO_TEST_CASE(the_priority_of_pods_is_written_out_for_their_gang) {
    std::string const urgent = "template: {spec: {priorityClassName: urgent, containers: [{name: mpi, image: 'i:1'}]}}";
    std::string const gang = "  runPolicy: {schedulingPolicy: {minAvailable: 2}}\n";
    auto const made = convert::to_v1(v2beta1_job(gang, one_pod, "replicas: 2, " + urgent)).value();
    BOOST_TEST(made.job.spec.run_policy.scheduling_policy->priority_class == "urgent");
    BOOST_TEST(has(told(made.changes),
                   "changed spec.mpiReplicaSpecs[Worker].template.spec.priorityClassName \"urgent\" -> "
                   "spec.runPolicy.schedulingPolicy.priorityClass"));
    BOOST_TEST(!convert::to_v1(v2beta1_job("", urgent)).value().job.spec.run_policy.scheduling_policy.has_value());
}

BOOST_AUTO_TEST_CASE(entries_of_other_types_are_dropped) {
    auto job = v2beta1_job();
    job.spec.mpi_replica_specs["Monitor"].replicas = 1;
    auto const made = convert::to_v1(job).value();
    BOOST_TEST(made.job.spec.mpi_replica_specs.size() == 2);
    BOOST_TEST(has(told(made.changes), "dropped spec.mpiReplicaSpecs[Monitor] {\"replicas\":1}"));
}

BOOST_AUTO_TEST_CASE(bad_jobs_are_refused_with_the_field) {
    BOOST_TEST(refusal(convert::to_v1(v2beta1_job("  mpiImplementation: LAM\n"))) ==
               "invalid job | spec.mpiImplementation: Unsupported value: \"LAM\": supported values: "
               "\"Intel\", \"MPICH\", \"OpenMPI\"");
    BOOST_TEST(refusal(convert::to_v1(v2beta1_job("", "template: {spec: {containers: [{image: 'i:1'}]}}")))
                   .find("spec.mpiReplicaSpecs[Launcher].template.spec.containers[0].name: MPIJob of kubeflow.org/v1 "
                         "refuses it: ") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
