#include "unit/kinds/mpi_job_v2beta1/sample.hpp"

#include <kftrain/job/any_job.hpp>
#include <kftrain/job/job_rules.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

BOOST_AUTO_TEST_SUITE(kinds_mpi_job_v2beta1_lint)

using namespace mpi_sample;

namespace {

/// `rule | message` of each finding except the one about Open MPI 5, which all these jobs have.
lines linted(mpi_job const& j) {
    issues found;
    lint(complete(j), found);
    lines all;
    for (auto const& i : found)
        if (i.rule != "lint.mpi.open-mpi-5") all.push_back(i.rule + " | " + i.message);
    return all;
}

core::container& main_of(mpi_job& j, std::string const& type) {
    return j.spec.mpi_replica_specs[type].template_.spec.containers.front();
}

mpi_job sample() { return job("pi", "n", 2); }

std::string const launcher = "spec.mpiReplicaSpecs[Launcher].template.";
std::string const worker = "spec.mpiReplicaSpecs[Worker].template.";

} // namespace

BOOST_AUTO_TEST_CASE(good_jobs_have_no_findings) { BOOST_TEST(linted(sample()) == lines{}); }

BOOST_AUTO_TEST_CASE(lint_rules_have_unique_ids_and_reasons) {
    std::set<std::string_view> ids;
    for (auto const& r : kubeflow_v2beta1::lint_rules()) {
        BOOST_TEST(r.id.starts_with("lint.mpi."));
        BOOST_TEST(ids.insert(r.id).second, r.id);
        BOOST_TEST(r.reason.ends_with('.'), r.id);
    }
}

BOOST_AUTO_TEST_CASE(unknown_launcher_creation_policies_are_reported) {
    mpi_job j = sample();
    j.spec.launcher_creation_policy = "Sometime";
    BOOST_TEST(linted(j) ==
               (lines{"lint.mpi.launcher-creation-policy | spec.launcherCreationPolicy: \"Sometime\" acts like "
                      "WaitForWorkersReady, expected AtStartup or WaitForWorkersReady"}));
    j.spec.launcher_creation_policy = "WaitForWorkersReady";
    BOOST_TEST(linted(j) == lines{});
    j.spec.run_policy.suspend = true;
    BOOST_TEST(linted(j).front().starts_with("lint.mpi.suspended-wait | spec.launcherCreationPolicy: "));
}

BOOST_AUTO_TEST_CASE(missing_hosts_and_wrong_slots_are_reported) {
    mpi_job j = job("pi", "n", 0);
    BOOST_TEST(linted(j) == (lines{"lint.mpi.no-hosts | spec.mpiReplicaSpecs[Worker]: is absent, expected at least one "
                                   "worker or runLauncherAsWorker"}));
    j.spec.run_launcher_as_worker = true;
    BOOST_TEST(linted(j) == lines{});
    j.spec.slots_per_worker = 0;
    j.spec.mpi_replica_specs["worker"] = replicas("w", 1);
    BOOST_TEST(linted(j) ==
               (lines{"lint.mpi.replica-type | spec.mpiReplicaSpecs[worker]: is ignored, expected Launcher or Worker",
                      "lint.mpi.slots | spec.slotsPerWorker: 0, expected at least 1"}));
}

BOOST_AUTO_TEST_CASE(devices_that_stay_allocated_or_hidden_are_reported) {
    mpi_job j = sample();
    main_of(j, "Worker").resources.limits["nvidia.com/gpu"] = quantity("8");
    main_of(j, "Launcher").resources.limits["nvidia.com/gpu"] = quantity("1");
    BOOST_TEST(linted(j) ==
               (lines{"lint.mpi.kept-workers | spec.runPolicy.cleanPodPolicy: None keeps the devices of the workers "
                      "allocated, expected Running or All",
                      "lint.mpi.launcher-devices | " + launcher +
                          "spec.containers: requests devices, expected runLauncherAsWorker or no devices"}));
    j.spec.run_policy.clean_pod_policy = "Running";
    j.spec.run_launcher_as_worker = true;
    BOOST_TEST(linted(j) == lines{});
}

BOOST_AUTO_TEST_CASE(suspicious_commands_are_reported) {
    mpi_job j = sample();
    main_of(j, "Worker").args = {"serve"};
    main_of(j, "Launcher").args = {"horovodrun", "--host-discovery-script", "/etc/mpi/discover_hosts.sh"};
    j.spec.slots_per_worker = 4;
    BOOST_TEST(linted(j) ==
               (lines{"lint.mpi.worker-args | " + worker +
                          "spec.containers[0].args: is set without command, expected command and args, or neither",
                      "lint.mpi.discovery-slots | " + launcher +
                          "spec.containers[0].args: --host-discovery-script without --slots-per-host, expected 4"}));
    main_of(j, "Worker").command = {"/entry"};
    main_of(j, "Launcher").args.push_back("--slots-per-host=4");
    BOOST_TEST(linted(j) == lines{});
}

BOOST_AUTO_TEST_CASE(args_that_start_sshd_are_not_reported) {
    mpi_job j = sample();
    main_of(j, "Worker").args = {"/usr/sbin/sshd", "-De"};
    BOOST_TEST(linted(j) == lines{});
}

BOOST_AUTO_TEST_CASE(equal_restart_policies_are_not_reported) {
    mpi_job j = sample();
    auto& launcher_spec = j.spec.mpi_replica_specs["Launcher"];
    launcher_spec.restart_policy = launcher_spec.template_.spec.restart_policy = "OnFailure";
    BOOST_TEST(linted(j) == lines{});
}

BOOST_AUTO_TEST_CASE(jobs_that_start_suspended_are_reported) {
    mpi_job j = sample();
    j.spec.run_policy.managed_by = "kueue.x-k8s.io/multikueue";
    j.spec.run_policy.suspend = true;
    BOOST_TEST(linted(j) ==
               (lines{"lint.mpi.managed-by | spec.runPolicy.managedBy: \"kueue.x-k8s.io/multikueue\" manages the job, "
                      "so the MPI operator ignores it",
                      "lint.mpi.suspended | spec.runPolicy.suspend: true, so the job has no pods until it is false"}));
}

BOOST_AUTO_TEST_CASE(open_mpi_5_needs_a_variable_of_its_own) {
    auto const is_reported = [](mpi_job const& j) {
        issues found;
        lint(complete(j), found);
        return !found.empty() && found.front().rule == "lint.mpi.open-mpi-5";
    };
    mpi_job j = sample();
    BOOST_TEST(!is_reported(j)); // nothing says which MPI the image has
    for (auto const* image : {"x/openmpi:4.1.5", "x/ompi-50", "x/open-mpi"}) {
        main_of(j, "Launcher").image = image;
        BOOST_TEST(!is_reported(j), image);
    }
    for (auto const* image : {"x/mpi:ompi5", "x/openmpi-5.0.3", "x/pi:OpenMPI-v5", "x/open-mpi:5"}) {
        main_of(j, "Launcher").image = image;
        BOOST_TEST(is_reported(j), image);
    }
    main_of(j, "Launcher").env.emplace_back("PRTE_MCA_prte_default_hostfile", "/etc/mpi/hostfile");
    BOOST_TEST(!is_reported(j));
    main_of(j, "Launcher").env.clear();
    j.spec.mpi_implementation = "Intel";
    BOOST_TEST(!is_reported(j));
}

BOOST_AUTO_TEST_CASE(ignored_fields_of_templates_are_reported) {
    mpi_job j = sample();
    auto& w = j.spec.mpi_replica_specs["Worker"].template_;
    w.metadata.name = "x";
    w.metadata.labels["training.kubeflow.org/replica-index"] = "7";
    w.spec.restart_policy = "Always";
    main_of(j, "Worker").env.emplace_back("K_MPI_JOB_ROLE", "mine");
    main_of(j, "Launcher").env.emplace_back("OMPI_MCA_orte_default_hostfile", "/mine");
    main_of(j, "Launcher").env.emplace_back("K_MPI_JOB_ROLE", "launcher"); // the same
    BOOST_TEST(linted(j) ==
                   (lines{"lint.mpi.reserved-environment | " + launcher +
                              "spec.containers[0].env[0]: OMPI_MCA_orte_default_hostfile=\"/mine\" has no effect: the "
                              "operator sets OMPI_MCA_orte_default_hostfile=\"/etc/mpi/hostfile\"",
                          "lint.mpi.template-metadata | " + worker + "metadata.name: is ignored by the operator",
                          "lint.mpi.reserved-label | " + worker +
                              "metadata.labels[training.kubeflow.org/replica-index]: \"7\" is overwritten: the label "
                              "training.kubeflow.org/replica-index belongs to the operator",
                          "lint.mpi.template-restart-policy | " + worker +
                              "spec.restartPolicy: \"Always\" is overwritten by \"Never\"",
                          "lint.mpi.reserved-environment | " + worker +
                              "spec.containers[0].env[0]: K_MPI_JOB_ROLE=\"mine\" has no effect: the operator sets "
                              "K_MPI_JOB_ROLE=\"worker\""}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(pods_that_a_server_rejects_are_reported) {
    mpi_job j = sample();
    core::volume v;
    v.name = "ssh-auth";
    v.empty_dir.emplace();
    j.spec.mpi_replica_specs["Worker"].template_.spec.volumes.push_back(v);
    auto all = linted(j);
    BOOST_TEST_REQUIRE(all.size() == 1U);
    BOOST_TEST(all.front() == "lint.mpi.pod | " + worker + "spec.volumes[1].name: Duplicate value: \"ssh-auth\"");
    BOOST_TEST(std::ranges::any_of(any_job(j).lint(), &issue::keeps_from_starting));
    j = sample();
    j.spec.mpi_replica_specs["Launcher"].template_.metadata.labels["a b"] = "c";
    all = linted(j);
    BOOST_TEST_REQUIRE(all.size() == 1U);
    BOOST_TEST(all.front().starts_with("lint.mpi.pod | " + launcher + "metadata.labels[\"a b\"]: "));
    j.metadata.namespace_ = ""; // is filled in on submission
    BOOST_TEST(linted(j) == all);
}

BOOST_AUTO_TEST_CASE(wrong_gangs_and_times_to_live_are_reported) {
    mpi_job j = sample();
    j.spec.run_policy.scheduling_policy.emplace().min_available = 4;
    j.spec.run_policy.ttl_seconds_after_finished = 60;
    BOOST_TEST(
        linted(j) ==
        (lines{"lint.mpi.time-to-live | spec.runPolicy.ttlSecondsAfterFinished: 60 seconds apply only to the launcher",
               "lint.mpi.gang-deadlock | spec.runPolicy.schedulingPolicy.minAvailable: 4, expected at most 3, the "
               "number of launchers and workers",
               "lint.mpi.gang-flag | spec.runPolicy.schedulingPolicy: creates no PodGroup, unless the operator has the "
               "flag --gang-scheduling=volcano or another one"}));
}

BOOST_AUTO_TEST_SUITE_END()
