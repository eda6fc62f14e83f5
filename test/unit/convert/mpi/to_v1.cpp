#include "unit/convert/change_lines.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(convert_mpi_job_to_v1)

using namespace convert_sample;

namespace {

lines changes_to_v1(kubeflow_v2beta1::mpi_job const& job) { return change_lines(convert::to_v1(job)); }

} // namespace

/// The defaults of a plain job: mpi-and-chainer.md, the generations compared.
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
    BOOST_TEST(change_lines(made.changes) ==
                   (lines{"changed spec.runPolicy.backoffLimit - -> spec.runPolicy.backoffLimit",
                          "changed " + restarts + " - -> " + restarts}),
               boost::test_tools::per_element());
}

/// Defaults of the schema in stored jobs need no counterpart in v1.
BOOST_AUTO_TEST_CASE(defaults_of_v2beta1_are_not_reported) {
    BOOST_TEST(changes_to_v1(v2beta1_job("  sshAuthMountPath: /root/.ssh\n  launcherCreationPolicy: AtStartup\n  "
                                         "mpiImplementation: OpenMPI\n  runLauncherAsWorker: false\n")) ==
                   changes_to_v1(v2beta1_job()),
               boost::test_tools::per_element());
}

/// The operator of v2beta1 adds the volume ssh-auth and starts sshd, that of v1 does neither.
BOOST_AUTO_TEST_CASE(ssh_fields_are_dropped) {
    std::string const mounts = "volumeMounts: [{name: mpi-job-config, mountPath: /etc/mpi}, "
                               "{name: ssh-auth, mountPath: /root/.ssh}]";
    auto const made = convert::to_v1(
        v2beta1_job("",
                    "template: {spec: {initContainers: [{name: i, image: 'i:1', " + mounts +
                        "}], containers: [{name: mpi, image: 'i:1'}]}}",
                    "replicas: 2, template: {spec: {containers: [{name: mpi, image: 'i:1', command: [/usr/sbin/sshd, "
                    "-De]}]}}"));
    auto const& specs = made.value().job.spec.mpi_replica_specs;
    auto const& kept = specs.at("Launcher").template_.spec.init_containers.front().volume_mounts;
    BOOST_TEST_REQUIRE(kept.size() == 1U);
    BOOST_TEST(kept.front().name == "mpi-job-config");
    BOOST_TEST(specs.at("Worker").template_.spec.containers.front().command.empty());
    auto const all = change_lines(made);
    BOOST_TEST(has(all, "dropped spec.mpiReplicaSpecs[Launcher].template.spec.initContainers[0].volumeMounts[1] "
                        R"({"name":"ssh-auth","mountPath":"/root/.ssh"})"));
    BOOST_TEST(has(all, R"(dropped spec.mpiReplicaSpecs[Worker].template.spec.containers[0].command )"
                        R"(["/usr/sbin/sshd","-De"])"));
}

BOOST_AUTO_TEST_CASE(volumes_of_the_job_keep_their_mounts) {
    auto const made = convert::to_v1(v2beta1_job(
        "", "template: {spec: {volumes: [{name: ssh-auth, emptyDir: {}}], containers: [{name: mpi, image: 'i:1', "
            "volumeMounts: [{name: ssh-auth, mountPath: /x}]}]}}"));
    BOOST_TEST(
        made.value().job.spec.mpi_replica_specs.at("Launcher").template_.spec.containers.front().volume_mounts.size() ==
        1U);
}

/// The operator of v2beta1 overwrites both.
BOOST_AUTO_TEST_CASE(host_names_are_dropped) {
    auto const made = convert::to_v1(v2beta1_job(
        "", one_pod, "replicas: 2, template: {spec: {hostname: A_b, containers: [{name: mpi, image: 'i:1'}]}}"));
    BOOST_TEST(made.value().job.spec.mpi_replica_specs.at("Worker").template_.spec.hostname.empty());
    BOOST_TEST(has(change_lines(made), R"(changed spec.mpiReplicaSpecs[Worker].template.spec.hostname "A_b")"));
}

BOOST_AUTO_TEST_CASE(fields_of_the_metadata_that_servers_no_longer_have_are_dropped) {
    auto job = v2beta1_job();
    job.metadata.unknown.append("clusterName").second.text = R"("")";
    auto const made = convert::to_v1(job);
    BOOST_TEST(made.value().job.metadata.unknown.empty());
    BOOST_TEST(has(change_lines(made), R"(dropped metadata.clusterName "")"));
}

BOOST_AUTO_TEST_CASE(fields_of_v2beta1_alone_are_reported) {
    auto const all = changes_to_v1(v2beta1_job("  sshAuthMountPath: /home/mpiuser/.ssh\n  launcherCreationPolicy: "
                                               "WaitForWorkersReady\n  mpiImplementation: Intel\n"));
    BOOST_TEST(has(all, "dropped spec.sshAuthMountPath \"/home/mpiuser/.ssh\""));
    BOOST_TEST(has(all, "changed spec.launcherCreationPolicy \"WaitForWorkersReady\"")); // v1 always waits
    BOOST_TEST(has(all, "dropped spec.mpiImplementation \"Intel\""));
    BOOST_TEST(
        has(changes_to_v1(v2beta1_job("  mpiImplementation: MPICH\n")), "dropped spec.mpiImplementation \"MPICH\""));
}

/// training-operator v1.9.0: a limit of the launcher that is called something with gpu makes it a host.
BOOST_AUTO_TEST_CASE(a_launcher_that_works_gets_a_gpu_in_v1) {
    std::string const works = "  runLauncherAsWorker: true\n";
    std::string const gpu =
        "template: {spec: {containers: [{name: mpi, image: 'i:1', resources: {limits: {nvidia.com/gpu: 1}}}]}}";
    std::string const limit =
        "spec.mpiReplicaSpecs[Launcher].template.spec.containers[0].resources.limits[nvidia.com/gpu]";
    BOOST_TEST(has(changes_to_v1(v2beta1_job(works, gpu)), "changed spec.runLauncherAsWorker true -> " + limit));
    BOOST_TEST(has(changes_to_v1(v2beta1_job(works)), "dropped spec.runLauncherAsWorker true"));
    BOOST_TEST(has(changes_to_v1(v2beta1_job("", gpu)), "approximated " + limit + " \"1\" -> " + limit));
}

BOOST_AUTO_TEST_CASE(launcher_retries_become_container_restarts) {
    std::string const path = "spec.mpiReplicaSpecs[Launcher].restartPolicy";
    std::string const never = "restartPolicy: Never, " + one_pod;
    auto const tried = convert::to_v1(v2beta1_job("  runPolicy: {backoffLimit: 2}\n", never)).value();
    BOOST_TEST(tried.job.spec.mpi_replica_specs.at("Launcher").restart_policy == "OnFailure");
    BOOST_TEST(tried.job.spec.run_policy.backoff_limit.value() == 2);
    BOOST_TEST(has(change_lines(tried.changes), "approximated " + path + " \"Never\" -> " + path));
    auto const once = convert::to_v1(v2beta1_job("  runPolicy: {backoffLimit: 0}\n", never)).value();
    BOOST_TEST(once.job.spec.mpi_replica_specs.at("Launcher").restart_policy == "Never");
    BOOST_TEST(change_lines(once.changes).empty());
    std::string const limit = "spec.runPolicy.backoffLimit";
    BOOST_TEST(has(changes_to_v1(v2beta1_job("  runPolicy: {backoffLimit: 2}\n", one_pod,
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
    BOOST_TEST(has(change_lines(made.changes),
                   "changed metadata.annotations[scheduling.volcano.sh/queue-name] \"night\" -> "
                   "spec.runPolicy.schedulingPolicy.queue"));
    BOOST_TEST(has(change_lines(made.changes),
                   "approximated spec.runPolicy.cleanPodPolicy \"All\" -> spec.runPolicy.cleanPodPolicy"));
}

/// mpi-operator v0.8.0: first the policy's class, then the launcher's, then that of the workers.
BOOST_AUTO_TEST_CASE(the_priority_of_pods_is_written_out_for_their_gang) {
    std::string const urgent = "template: {spec: {priorityClassName: urgent, containers: [{name: mpi, image: 'i:1'}]}}";
    std::string const gang = "  runPolicy: {schedulingPolicy: {minAvailable: 2}}\n";
    auto const made = convert::to_v1(v2beta1_job(gang, one_pod, "replicas: 2, " + urgent)).value();
    BOOST_TEST(made.job.spec.run_policy.scheduling_policy->priority_class == "urgent");
    BOOST_TEST(has(change_lines(made.changes),
                   "changed spec.mpiReplicaSpecs[Worker].template.spec.priorityClassName \"urgent\" -> "
                   "spec.runPolicy.schedulingPolicy.priorityClass"));
    BOOST_TEST(!convert::to_v1(v2beta1_job("", urgent)).value().job.spec.run_policy.scheduling_policy.has_value());
}

BOOST_AUTO_TEST_CASE(entries_of_other_types_are_dropped) {
    auto job = v2beta1_job();
    job.spec.mpi_replica_specs["Monitor"].replicas = 1;
    auto const made = convert::to_v1(job).value();
    BOOST_TEST(made.job.spec.mpi_replica_specs.size() == 2);
    BOOST_TEST(has(change_lines(made.changes), "dropped spec.mpiReplicaSpecs[Monitor] {\"replicas\":1}"));
}

BOOST_AUTO_TEST_CASE(bad_jobs_are_refused_with_the_field) {
    BOOST_TEST(refusal(convert::to_v1(v2beta1_job("  mpiImplementation: LAM\n"))) ==
               "invalid job | spec.mpiImplementation: Unsupported value: \"LAM\": supported values: "
               "\"Intel\", \"MPICH\", \"OpenMPI\"");
    BOOST_TEST(refusal(convert::to_v1(v2beta1_job("", "template: {spec: {containers: [{image: 'i:1'}]}}")))
                   .find("spec.mpiReplicaSpecs[Launcher].template.spec.containers[0].name: MPIJob of kubeflow.org/v1 "
                         "rejects the result: ") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
