#include "unit/convert/change_lines.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

BOOST_AUTO_TEST_SUITE(convert_mpi_job_to_v2beta1)

using namespace convert_sample;

namespace {

std::string const launcher_path = "spec.mpiReplicaSpecs[Launcher]";

lines changes_to_v2beta1(kubeflow_v1::mpi_job const& job) { return change_lines(convert::to_v2beta1(job)); }
kubeflow_v2beta1::mpi_job as_v2beta1(kubeflow_v1::mpi_job const& job) { return convert::to_v2beta1(job).value().job; }

} // namespace

/// The defaults of a plain job: mpi-and-chainer.md, the generations compared.
BOOST_AUTO_TEST_CASE(defaults_that_differ_are_written_out) {
    auto const made = convert::to_v2beta1(v1_job("  slotsPerWorker: 2\n")).value();
    BOOST_TEST(to_yaml(made.job) == R"(apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata:
  name: hvd
  namespace: team
spec:
  slotsPerWorker: 2
  runPolicy:
    backoffLimit: 0
  mpiReplicaSpecs:
    Launcher:
      template:
        spec:
          containers:
          - name: mpi
            image: i:1
      restartPolicy: Never
    Worker:
      replicas: 2
      template:
        spec:
          containers:
          - name: mpi
            image: i:1
  launcherCreationPolicy: WaitForWorkersReady
)");
    BOOST_TEST(change_lines(made.changes) ==
                   (lines{"changed spec.runPolicy.backoffLimit - -> spec.runPolicy.backoffLimit",
                          "changed " + launcher_path + ".restartPolicy - -> " + launcher_path + ".restartPolicy",
                          "changed spec.launcherCreationPolicy - -> spec.launcherCreationPolicy"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_conversion_reports_that_workers_need_sshd) {
    auto const changes = convert::to_v2beta1(v1_job()).value().changes;
    BOOST_TEST(changes.at(0).path == "apiVersion");
    BOOST_TEST(changes.at(0).value.text == R"("kubeflow.org/v1")");
    BOOST_TEST((changes.at(0).becomes == convert::fate::approximated));
    BOOST_TEST(changes.at(0).why.find("sshd") != std::string::npos);
    BOOST_TEST(!convert::loses_nothing(changes));
}

BOOST_AUTO_TEST_CASE(fields_of_both_versions_are_kept) {
    auto const job = as_v2beta1(v1_job(
        "  slotsPerWorker: 4\n  runPolicy: {suspend: true, managedBy: kueue.x-k8s.io/multikueue, cleanPodPolicy: "
        "Running,\n    schedulingPolicy: {minAvailable: 2, queue: q, minResources: {cpu: 3}, priorityClass: high, "
        "scheduleTimeoutSeconds: 9}}\n",
        "replicas: 1, restartPolicy: Never, " + one_pod, "replicas: 3, restartPolicy: OnFailure, " + one_pod));
    BOOST_TEST(job.spec.slots_per_worker.value() == 4);
    auto const& policy = job.spec.run_policy;
    BOOST_TEST(policy.suspend.value());
    BOOST_TEST(policy.managed_by.value() == "kueue.x-k8s.io/multikueue");
    BOOST_TEST(policy.clean_pod_policy.value() == "Running");
    BOOST_TEST(to_json(*policy.scheduling_policy) ==
               R"({"minAvailable":2,"queue":"q","minResources":{"cpu":"3"},"priorityClass":"high",)"
               R"("scheduleTimeoutSeconds":9})");
    BOOST_TEST(job.spec.mpi_replica_specs.at("Worker").replicas.value() == 3);
    BOOST_TEST(job.spec.mpi_replica_specs.at("Worker").restart_policy == "OnFailure");
}

BOOST_AUTO_TEST_CASE(managed_by_is_renamed) {
    auto const made = convert::to_v2beta1(v1_job("  runPolicy: {managedBy: kubeflow.org/training-operator}\n")).value();
    BOOST_TEST(made.job.spec.run_policy.managed_by.value() == "kubeflow.org/mpi-operator");
    BOOST_TEST(has(change_lines(made.changes), "changed spec.runPolicy.managedBy \"kubeflow.org/training-operator\" -> "
                                               "spec.runPolicy.managedBy"));
    BOOST_TEST(refusal(convert::to_v2beta1(v1_job("  runPolicy: {managedBy: me}\n")))
                   .find("spec.runPolicy.managedBy: MPIJob of kubeflow.org/v2beta1 rejects the result: ") !=
               std::string::npos);
}

/// training-operator v1.9.0: the run policy's value counts before that of the spec.
BOOST_AUTO_TEST_CASE(one_of_two_clean_pod_policies_is_used) {
    std::string const place = "spec.runPolicy.cleanPodPolicy";
    auto const own = convert::to_v2beta1(v1_job("  cleanPodPolicy: Running\n")).value();
    BOOST_TEST(own.job.spec.run_policy.clean_pod_policy.value() == "Running");
    BOOST_TEST(has(change_lines(own.changes), "changed spec.cleanPodPolicy \"Running\" -> " + place));

    auto const both =
        convert::to_v2beta1(v1_job("  cleanPodPolicy: All\n  runPolicy: {cleanPodPolicy: Running}\n")).value();
    BOOST_TEST(both.job.spec.run_policy.clean_pod_policy.value() == "Running");
    BOOST_TEST(has(change_lines(both.changes), "changed spec.cleanPodPolicy \"All\""));

    // The launcher of v2beta1 is never deleted.
    BOOST_TEST(has(changes_to_v2beta1(v1_job("  cleanPodPolicy: All\n")),
                   "approximated spec.cleanPodPolicy \"All\" -> " + place));
    BOOST_TEST(refusal(convert::to_v2beta1(v1_job("  cleanPodPolicy: Maybe\n"))) ==
               "invalid job | spec.cleanPodPolicy: MPIJob of kubeflow.org/v2beta1 rejects the result: "
               "Unsupported value: \"Maybe\": supported values: \"All\", \"None\", \"Running\"");
}

BOOST_AUTO_TEST_CASE(backoff_limits_depend_on_restart_policies) {
    std::string const limited = "  runPolicy: {backoffLimit: 3}\n";
    std::string const path = "spec.runPolicy.backoffLimit";
    auto const launcher = [](std::string const& policy) { return "restartPolicy: " + policy + ", " + one_pod; };
    auto const limit = [](kubeflow_v1::mpi_job const& job) {
        return as_v2beta1(job).spec.run_policy.backoff_limit.value();
    };

    BOOST_TEST(limit(v1_job(limited)) == 0); // a launcher that failed is never made again in v1
    BOOST_TEST(has(changes_to_v2beta1(v1_job(limited)), "changed " + path + " 3 -> " + path));
    BOOST_TEST(limit(v1_job(limited, launcher("OnFailure"))) == 3);
    BOOST_TEST(
        !has(changes_to_v2beta1(v1_job(limited, launcher("OnFailure"))), "approximated " + path + " 3 -> " + path));
    BOOST_TEST(
        has(changes_to_v2beta1(v1_job(limited, launcher("OnFailure"), "restartPolicy: OnFailure, " + two_workers)),
            "approximated " + path + " 3 -> " + path));
    BOOST_TEST(limit(v1_job("", launcher("OnFailure"))) == std::numeric_limits<std::int32_t>::max());
    BOOST_TEST(refusal(convert::to_v2beta1(v1_job("  runPolicy: {backoffLimit: -1}\n"))).find(path) !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(restart_policies_become_those_that_v2beta1_has) {
    auto const made =
        convert::to_v2beta1(v1_job("", "restartPolicy: ExitCode, " + one_pod, "restartPolicy: Always, " + two_workers))
            .value();
    BOOST_TEST(made.job.spec.mpi_replica_specs.at("Launcher").restart_policy == "Never");
    BOOST_TEST(made.job.spec.run_policy.backoff_limit.value() == 0);
    BOOST_TEST(made.job.spec.mpi_replica_specs.at("Worker").restart_policy == "OnFailure");
    for (std::string const type : {"Launcher", "Worker"}) {
        std::string const path = "spec.mpiReplicaSpecs[" + type + "].restartPolicy";
        std::string const value = type == "Launcher" ? "\"ExitCode\"" : "\"Always\"";
        BOOST_TEST(has(change_lines(made.changes), "approximated " + path + " " + value + " -> " + path));
    }
    BOOST_TEST(refusal(convert::to_v2beta1(v1_job("", "restartPolicy: Sometimes, " + one_pod)))
                   .find("spec.mpiReplicaSpecs[Launcher].restartPolicy: ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(times_with_another_meaning_are_reported) {
    auto const made =
        convert::to_v2beta1(v1_job("  runPolicy: {ttlSecondsAfterFinished: 60, activeDeadlineSeconds: 9}\n")).value();
    BOOST_TEST(made.job.spec.run_policy.ttl_seconds_after_finished.value() == 60);
    BOOST_TEST(made.job.spec.run_policy.active_deadline_seconds.value() == 9);
    for (std::string const field : {"ttlSecondsAfterFinished 60", "activeDeadlineSeconds 9"}) {
        std::string const name = field.substr(0, field.find(' '));
        BOOST_TEST(
            has(change_lines(made.changes), "approximated spec.runPolicy." + field + " -> spec.runPolicy." + name));
    }
}

/// training-operator v1.9.0: a limit of the launcher that is called something with gpu makes it a host.
BOOST_AUTO_TEST_CASE(a_launcher_with_a_gpu_becomes_a_worker) {
    std::string const gpu =
        "template: {spec: {containers: [{name: mpi, image: 'i:1', resources: {limits: {nvidia.com/gpu: 2}}}]}}";
    auto const made = convert::to_v2beta1(v1_job("", gpu)).value();
    BOOST_TEST(made.job.spec.run_launcher_as_worker.value());
    BOOST_TEST(has(change_lines(made.changes), "changed " + launcher_path +
                                                   ".template.spec.containers[0].resources.limits[nvidia.com/gpu] "
                                                   "\"2\" -> spec.runLauncherAsWorker"));
    BOOST_TEST(!as_v2beta1(v1_job()).spec.run_launcher_as_worker.has_value());
}

BOOST_AUTO_TEST_CASE(a_gang_with_its_launcher_does_not_wait_for_workers) {
    auto const made = convert::to_v2beta1(v1_job("  runPolicy: {schedulingPolicy: {queue: q}}\n")).value();
    BOOST_TEST(made.job.spec.launcher_creation_policy.empty());
    BOOST_TEST(has(change_lines(made.changes), "dropped spec.launcherCreationPolicy -"));
}

/// mpi-operator v0.8.0 reads the queue from an annotation where the policy names none.
BOOST_AUTO_TEST_CASE(an_annotation_that_becomes_a_queue_is_reported) {
    auto job = v1_job();
    job.metadata.annotations.emplace("scheduling.volcano.sh/queue-name", "night");
    std::string const path = "metadata.annotations[scheduling.volcano.sh/queue-name]";
    BOOST_TEST(has(changes_to_v2beta1(job), "approximated " + path + " \"night\" -> " + path));
    job.spec.run_policy.scheduling_policy.emplace().queue = "day";
    BOOST_TEST(!has(changes_to_v2beta1(job), "approximated " + path + " \"night\" -> " + path));
}

BOOST_AUTO_TEST_CASE(kubexec_is_removed_or_reported) {
    auto const made =
        convert::to_v2beta1(
            v1_job("", "template: {spec: {serviceAccountName: mine, containers: [{name: mpi, image: 'i:1', "
                       "command: [mpirun, -mca, plm_rsh_agent, /etc/mpi/kubexec.sh, /train], "
                       "env: [{name: PRTE_MCA_plm_ssh_agent, value: /etc/mpi/kubexec.sh}, {name: LR, value: '1'}]}]}}"))
            .value();
    auto const& container = made.job.spec.mpi_replica_specs.at("Launcher").template_.spec.containers.at(0);
    BOOST_TEST(container.command.size() == 5);
    BOOST_TEST(container.env.size() == 1);
    std::string const place = launcher_path + ".template.spec.containers[0].";
    BOOST_TEST(has(change_lines(made.changes),
                   "approximated " + place + "command[3] \"/etc/mpi/kubexec.sh\" -> " + place + "command[3]"));
    BOOST_TEST(has(change_lines(made.changes),
                   "dropped " + place + R"(env[0] {"name":"PRTE_MCA_plm_ssh_agent","value":"/etc/mpi/kubexec.sh"})"));
    std::string const account = launcher_path + ".template.spec.serviceAccountName";
    BOOST_TEST(has(change_lines(made.changes), "approximated " + account + " \"mine\" -> " + account));
}

BOOST_AUTO_TEST_CASE(intel_mpi_is_detected_by_its_variables) {
    auto const made =
        convert::to_v2beta1(
            v1_job(
                "",
                "template: {spec: {containers: [{name: mpi, image: 'i:1', env: [{name: I_MPI_DEBUG, value: '5'}]}]}}"))
            .value();
    BOOST_TEST(made.job.spec.mpi_implementation == "Intel");
    BOOST_TEST(made.job.spec.mpi_replica_specs.at("Launcher").template_.spec.containers.at(0).env.size() == 1);
}

BOOST_AUTO_TEST_CASE(status_and_server_fields_are_dropped) {
    auto job = v1_job();
    job.metadata.uid = "u";
    job.metadata.resource_version = "7";
    job.metadata.labels.emplace("team", "x");
    job.metadata.annotations.emplace("kubectl.kubernetes.io/last-applied-configuration", "{}");
    job.metadata.annotations.emplace("note", "y");
    job.status.start_time = time_point();
    job.spec.unknown.set("mpiDistribution", raw_json("\"MPICH\""));
    auto const made = convert::to_v2beta1(job).value();
    BOOST_TEST(to_json(made.job.metadata) ==
               R"({"name":"hvd","namespace":"team","labels":{"team":"x"},"annotations":{"note":"y"}})");
    BOOST_TEST((made.job.status == kubeflow_v2beta1::job_status()));
    BOOST_TEST(made.job.spec.unknown.empty());
    for (std::string const line :
         {"dropped metadata.uid \"u\"", "dropped metadata.resourceVersion \"7\"",
          "dropped metadata.annotations[kubectl.kubernetes.io/last-applied-configuration] \"{}\"",
          "dropped spec.mpiDistribution \"MPICH\"", "dropped status {\"startTime\":\"1970-01-01T00:00:00Z\"}"})
        BOOST_TEST(has(change_lines(made.changes), line), line);
}

BOOST_AUTO_TEST_CASE(generated_names_are_kept) {
    auto job = v1_job();
    job.metadata.name.clear();
    job.metadata.generate_name = "hvd-";
    BOOST_TEST(as_v2beta1(job).metadata.generate_name == "hvd-");
    BOOST_TEST(as_v2beta1(job).metadata.name.empty());
    job.metadata.generate_name.clear();
    BOOST_TEST(refusal(convert::to_v2beta1(job)).find("metadata.name: ") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(bad_jobs_are_refused_with_the_field) {
    BOOST_TEST(refusal(convert::to_v2beta1(v1_job("", "replicas: 2, " + one_pod))) ==
               "invalid job | spec.mpiReplicaSpecs[Launcher].replicas: MPIReplicaSpec is not valid: There must be only "
               "1 launcher replica");
    BOOST_TEST(refusal(convert::to_v2beta1(v1_job("  slotsPerWorker: -1\n")))
                   .find("spec.slotsPerWorker: MPIJob of kubeflow.org/v2beta1 rejects the result: ") !=
               std::string::npos);
    auto named = v1_job();
    named.metadata.name = std::string(60, 'a'); // v1 takes 63 characters, v2beta1 as many less `-worker-1`
    BOOST_TEST(refusal(convert::to_v2beta1(named))
                   .find("metadata.name: MPIJob of kubeflow.org/v2beta1 rejects the result: ") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
