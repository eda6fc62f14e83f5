#include "unit/kinds/mpi_job_v2beta1/sample.hpp"

#include "kinds/mpi_job_v2beta1/kind.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_mpi_job_v2beta1_validate)

using namespace mpi_sample;

// Expected: events recorded from mpi-operator v0.8.0, where a case is named; else its validation.go.
namespace {

std::string validation_event(mpi_job const& j) { return validation_message(validate_stored(complete(j))); }
std::string found(std::string const& what) { return "Found validation errors: " + what; }

lines messages(mpi_job const& j) {
    lines all;
    for (auto const& i : validate(j)) {
        BOOST_TEST(i.message.starts_with(i.path + ": "));
        all.push_back(i.rule + " | " + i.message);
    }
    return all;
}

std::string const dns = "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
                        "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', "
                        "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

mpi_job named(std::string name, std::int32_t workers = 2) { return complete(job(std::move(name), "corpus", workers)); }

} // namespace

BOOST_AUTO_TEST_CASE(valid_jobs_have_no_issues) {
    BOOST_TEST(messages(named("pi")) == lines{});
    BOOST_TEST(messages(named("pi", 0)) == lines{});
    mpi_job j = named("pi");
    j.spec.slots_per_worker = 0;
    auto& policy = j.spec.run_policy;
    policy.ttl_seconds_after_finished = 0;
    policy.active_deadline_seconds = 0;
    policy.backoff_limit = 0;
    for (auto manager : {"kubeflow.org/mpi-operator", "kueue.x-k8s.io/multikueue"}) {
        policy.managed_by = manager;
        BOOST_TEST(messages(j) == lines{});
    }
    j.spec.launcher_creation_policy = "Sometime"; // upstream does not check it
    BOOST_TEST(messages(j) == lines{});
}

BOOST_AUTO_TEST_CASE(the_longest_name_of_a_worker_is_a_label) {
    // refused-digit-name, refused-dotted-name, refused-long-name
    BOOST_TEST(validation_event(named("1abc")) ==
               found("metadata.name: Invalid value: \"1abc\": will not able to create pod and service with invalid DNS "
                     "label \"1abc-worker-1\": " +
                     dns));
    BOOST_TEST(validation_event(named("a.b")) ==
               found("metadata.name: Invalid value: \"a.b\": will not able to create pod and service "
                     "with invalid DNS label \"a.b-worker-1\": " +
                     dns));
    std::string const l60(60, 'l');
    BOOST_TEST(validation_event(named(l60)) ==
               found("metadata.name: Invalid value: \"" + l60 +
                     "\": will not able to create pod and service with invalid DNS label \"" + l60 +
                     "-worker-1\": must be no more than 63 characters"));
    for (auto [workers, longest] : {std::pair(1, 54), {10, 54}, {11, 53}, {100, 53}, {101, 52}, {1000, 52}}) {
        BOOST_TEST(messages(named(std::string(static_cast<std::size_t>(longest), 'a'), workers)) == lines{});
        BOOST_TEST(messages(named(std::string(static_cast<std::size_t>(longest) + 1, 'a'), workers)).size() == 1U);
    }
    std::string const both = "1" + std::string(60, 'a');
    BOOST_TEST(validation_event(named(both, 0)).ends_with("-worker-0\": must be no more than 63 characters, " + dns));
}

BOOST_AUTO_TEST_CASE(all_faults_are_reported_in_order) {
    // refused-many-errors
    mpi_job j = job("many", "corpus", 2);
    j.spec.mpi_replica_specs["Launcher"].replicas = 3;
    j.spec.mpi_replica_specs["Launcher"].restart_policy = "Always";
    j.spec.mpi_replica_specs["Worker"].replicas = 0;
    j.spec.run_policy.backoff_limit = 0;
    j.spec.slots_per_worker = -1;
    BOOST_TEST(validation_event(j) ==
               found("[spec.mpiReplicaSpecs[Launcher].restartPolicy: Unsupported value: \"Always\": supported values: "
                     "\"Never\", \"OnFailure\", spec.mpiReplicaSpecs[Launcher].replicas: Invalid value: 3: must be 1, "
                     "spec.mpiReplicaSpecs[Worker].replicas: Invalid value: 0: must be greater than or equal to 1, "
                     "spec.slotsPerWorker: Invalid value: -1: must be greater than or equal to 0]"));
}

BOOST_AUTO_TEST_CASE(a_single_fault_has_no_list) {
    mpi_job j = job("clean", "corpus", 2); // refused-bad-clean-policy
    j.spec.run_policy.clean_pod_policy = "Sometimes";
    BOOST_TEST(validation_event(j) ==
               found("spec.runPolicy.cleanPodPolicy: Unsupported value: \"Sometimes\": supported values: "
                     "\"All\", \"None\", \"Running\""));
    j = job("nol", "corpus", 1); // refused-no-launcher
    j.spec.mpi_replica_specs.erase("Launcher");
    BOOST_TEST(validation_event(j) ==
               found("spec.mpiReplicaSpecs[Launcher]: Required value: must have Launcher replica spec"));
    j = job("wor", "corpus", 0); // refused-worker-without-replicas
    j.spec.mpi_replica_specs["Worker"] = replicas("worker");
    BOOST_TEST(validation_event(j) ==
               found("spec.mpiReplicaSpecs[Worker].replicas: Invalid value: 0: must be greater than or equal "
                     "to 1"));
}

BOOST_AUTO_TEST_CASE(every_validated_field_has_its_message) {
    mpi_job j;
    j.metadata.name = "a";
    BOOST_TEST(
        messages(j) ==
            (lines{"mpi.replica-specs | spec.mpiReplicaSpecs: Required value: must have replica specs",
                   "mpi.slots | spec.slotsPerWorker: Required value: must have number of slots per worker",
                   "mpi.clean-pod-policy | spec.runPolicy.cleanPodPolicy: Required value: must have clean Pod policy",
                   "mpi.ssh-path | spec.sshAuthMountPath: Required value: must have a mount path for SSH credentials",
                   "mpi.implementation | spec.mpiImplementation: Unsupported value: \"\": supported values: \"Intel\", "
                   "\"MPICH\", "
                   "\"OpenMPI\""}),
        boost::test_tools::per_element());

    j = complete(job("a", "n", 0));
    j.spec.mpi_replica_specs["Launcher"] = {};
    j.spec.mpi_replica_specs["Worker"] = {};
    j.spec.run_policy.ttl_seconds_after_finished = -1;
    j.spec.run_policy.active_deadline_seconds = -2;
    j.spec.run_policy.backoff_limit = -3;
    j.spec.run_policy.managed_by = "someone";
    auto const type = [](std::string const& name) {
        std::string const at = "spec.mpiReplicaSpecs[" + name + "].";
        return lines{"mpi.replicas | " + at + "replicas: Required value: must define number of replicas",
                     "mpi.restart-policy | " + at +
                         "restartPolicy: Unsupported value: \"\": supported values: \"Never\", \"OnFailure\"",
                     "mpi.containers | " + at +
                         "template.spec.containers: Required value: must define at least one container"};
    };
    lines expected = type("Launcher");
    for (auto& l : type("Worker")) expected.push_back(l);
    std::string const negative = ": must be greater than or equal to 0";
    expected.push_back("mpi.time-to-live | spec.runPolicy.ttlSecondsAfterFinished: Invalid value: -1" + negative);
    expected.push_back("mpi.deadline | spec.runPolicy.activeDeadlineSeconds: Invalid value: -2" + negative);
    expected.push_back("mpi.backoff-limit | spec.runPolicy.backoffLimit: Invalid value: -3" + negative);
    expected.push_back("mpi.managed-by | spec.runPolicy.managedBy: Unsupported value: \"someone\": supported values: "
                       "\"kubeflow.org/mpi-operator\", \"kueue.x-k8s.io/multikueue\"");
    BOOST_TEST(messages(j) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(more_workers_than_can_be_served_are_refused) {
    BOOST_TEST(messages(named("a", 100'000)) == lines{});
    BOOST_TEST(messages(named("a", 100'001)).front().starts_with("kftrain.replica-limit | "));
}

BOOST_AUTO_TEST_CASE(messages_of_events_have_1024_bytes_at_most) {
    BOOST_TEST(event_message(std::string(1024, 'x')).size() == 1024U);
    std::string const cut = event_message(std::string(1025, 'x'));
    BOOST_TEST(cut == std::string(1021, 'x') + "...");
    // A character of two bytes at the cut is removed as a whole.
    BOOST_TEST(event_message(std::string(1020, 'x') + "\u00e9" + std::string(9, 'x')) ==
               std::string(1020, 'x') + "...");
}

BOOST_AUTO_TEST_SUITE_END()
