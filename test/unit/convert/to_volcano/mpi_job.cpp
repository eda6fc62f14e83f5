#include "unit/convert/to_volcano/volcano_change_lines.hpp"

#include <kftrain/convert/volcano_job.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(convert_volcano_mpi_job)

using namespace convert_sample;

namespace {

std::string const sshd_pod = "template: {spec: {containers: [{name: mpi, image: 'i:1', command: [/srv/sshd]}]}}";

/// With fields of its first container.
std::string mpi_pod(std::string const& fields) {
    return "template: {spec: {containers: [{name: mpi, image: 'i:1', " + fields + "}]}}";
}

volcano::task_spec const& task_of(volcano_job const& job, std::string const& name) {
    return *std::ranges::find(job.spec.tasks, name, &volcano::task_spec::name);
}

core::container const& first_of(volcano_job const& job, std::string const& task) {
    return task_of(job, task).template_.spec.containers.at(0);
}

/// The errors that lint finds, by rule.
lines lint_errors(volcano_job const& job) {
    lines all;
    for (auto const& i : any_job(job).lint())
        if (i.level == issue::severity::error) all.push_back(i.rule + " " + i.path);
    return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(an_mpi_job_of_v1_starts_its_processes_by_ssh) {
    auto const made = convert::to_volcano(v1_job("  slotsPerWorker: 2\n")).value();
    BOOST_TEST(faults_of(made.job) == "");
    BOOST_TEST(lint_errors(made.job).empty());
    BOOST_TEST(made.job.spec.plugins.at("ssh").empty());
    BOOST_TEST(made.job.spec.plugins.at("mpi") == (lines{"--master=launcher", "--worker=worker", "--port=22"}),
               boost::test_tools::per_element());
    BOOST_TEST(
        variables_of(first_of(made.job, "launcher")) ==
            (lines{"OMPI_MCA_orte_keep_fqdn_hostnames=true", "OMPI_MCA_orte_default_hostfile=/etc/volcano/worker.host",
                   "OMPI_MCA_plm_rsh_args=-o ConnectionAttempts=10", "OMPI_MCA_orte_set_default_slots=2",
                   "PRTE_MCA_prte_set_default_slots=2", "NVIDIA_VISIBLE_DEVICES=", "NVIDIA_DRIVER_CAPABILITIES="}),
        boost::test_tools::per_element());
    BOOST_TEST(variables_of(first_of(made.job, "worker")).empty());
    BOOST_TEST(first_of(made.job, "worker").command == (lines{"/usr/sbin/sshd", "-De"}),
               boost::test_tools::per_element());
    BOOST_TEST(pod_environments(any_job(made.job), {"MPI_HOST"}).at("hvd-launcher-0") ==
               "rank - MPI_HOST=hvd-worker-0.hvd,hvd-worker-1.hvd");
    BOOST_TEST(policies_of(task_of(made.job, "launcher")) == "TaskCompleted CompleteJob, PodFailed TerminateJob");
    BOOST_TEST(policies_of(task_of(made.job, "worker")) == "PodFailed TerminateJob");
    auto const all = change_lines(made.changes);
    std::string const worker = "spec.mpiReplicaSpecs[Worker]";
    for (std::string const& line :
         {std::string("changed spec.slotsPerWorker 2 -> spec.tasks[0].template.spec.containers[0].env[3].value"),
          std::string("approximated spec.runPolicy.schedulingPolicy.minAvailable - -> spec.minAvailable"),
          "approximated " + worker +
              ".template.spec.containers[0].command - -> "
              "spec.tasks[1].template.spec.containers[0].command"})
        BOOST_TEST(has(all, line), line);
}

/// Pods of a task that waits do not exist yet when the gang starts.
BOOST_AUTO_TEST_CASE(a_waiting_launcher_does_not_count_for_the_gang) {
    auto const gang = [](std::string const& spec) {
        auto const made = convert::to_volcano(v1_job(spec)).value();
        BOOST_TEST(lint_errors(made.job).empty());
        BOOST_TEST(task_of(made.job, "launcher").depends_on->name == lines{"worker"}, boost::test_tools::per_element());
        return made.job.spec.min_available;
    };
    BOOST_TEST(gang("") == 2);
    BOOST_TEST(gang("  runPolicy: {schedulingPolicy: {minAvailable: 3}}\n") == 2);
    BOOST_TEST(gang("  runPolicy: {schedulingPolicy: {minAvailable: 1}}\n") == 1);
    auto const patient = convert::to_volcano(v2beta1_job("  launcherCreationPolicy: WaitForWorkersReady\n")).value();
    BOOST_TEST(patient.job.spec.min_available == 2);
    BOOST_TEST(lint_errors(patient.job).empty());
    BOOST_TEST(has(change_lines(patient.changes), "approximated spec.launcherCreationPolicy \"WaitForWorkersReady\" -> "
                                                  "spec.tasks[0].dependsOn"));
    auto const prompt = convert::to_volcano(v2beta1_job()).value();
    BOOST_TEST(prompt.job.spec.min_available == 0); // all
    BOOST_TEST(!task_of(prompt.job, "launcher").depends_on);
}

BOOST_AUTO_TEST_CASE(files_of_the_operator_are_renamed_or_reported) {
    std::string const launcher =
        mpi_pod("command: [mpirun, --hostfile, /etc/mpi/hostfile], args: ['/etc/mpi/discover_hosts.sh'], env: "
                "[{name: PRTE_MCA_plm_ssh_agent, value: /etc/mpi/kubexec.sh}, {name: PRTE_MCA_prte_default_hostfile, "
                "value: /etc/mpi/hostfile}]");
    auto const made = convert::to_volcano(v1_job("", launcher)).value();
    auto const& c = first_of(made.job, "launcher");
    BOOST_TEST(c.command.back() == "/etc/volcano/worker.host");
    BOOST_TEST(variables_of(c).front() == "PRTE_MCA_prte_default_hostfile=/etc/volcano/worker.host");
    std::string const from = "spec.mpiReplicaSpecs[Launcher].template.spec.containers[0].",
                      to = " -> spec.tasks[0].template.spec.containers[0].";
    auto const all = change_lines(made.changes);
    for (std::string const& line :
         {"changed " + from + "command[2] \"/etc/mpi/hostfile\"" + to + "command[2]",
          "approximated " + from + "args[0] \"/etc/mpi/discover_hosts.sh\"" + to + "args[0]",
          "dropped " + from + R"(env[0] {"name":"PRTE_MCA_plm_ssh_agent","value":"/etc/mpi/kubexec.sh"})",
          "changed " + from + "env[1].value \"/etc/mpi/hostfile\"" + to + "env[0].value"})
        BOOST_TEST(has(all, line), line);
    auto const alone = convert::to_volcano(v1_job("", launcher, "")).value();
    BOOST_TEST(first_of(alone.job, "launcher").command.back() == "/etc/mpi/hostfile"); // there are no hosts to name
    BOOST_TEST(alone.job.spec.plugins.find("mpi") == alone.job.spec.plugins.end());
    BOOST_TEST(faults_of(alone.job) == "");
}

BOOST_AUTO_TEST_CASE(workers_of_v1_run_sshd_where_processes_start) {
    auto const worker = [](std::string const& spec, std::string const& containers) {
        auto const made =
            convert::to_volcano(
                v1_job(spec, one_pod, "replicas: 1, template: {spec: {containers: [" + containers + "]}}"))
                .value();
        std::string text;
        for (auto const& c : task_of(made.job, "worker").template_.spec.containers) {
            text += text.empty() ? "" : "; ";
            for (auto const* list : {&c.command, &c.args})
                for (auto const& word : *list) text += word + " ";
        }
        for (auto const& line : change_lines(made.changes))
            if (line.find("[Worker].template") != std::string::npos || line.find("mainContainer") != std::string::npos)
                text += "| " + line.substr(0, line.find(' ')) + " " + line.substr(line.rfind('.') + 1);
        return text;
    };
    BOOST_TEST(worker("", "{name: a, image: i, command: [sleep, infinity]}") ==
               "/usr/sbin/sshd -De | approximated command");
    BOOST_TEST(worker("", "{name: a, image: i, args: [x]}") ==
               "/usr/sbin/sshd -De | changed args [\"x\"]| approximated command");
    BOOST_TEST(worker("", "{name: a, image: i, command: [/run.sh]}") == "/run.sh | approximated command");
    BOOST_TEST(worker("  mainContainer: b\n", "{name: a, image: i}, {name: b, image: i}") ==
               "sleep 365d ; /usr/sbin/sshd -De | changed command| approximated command| changed command");
    BOOST_TEST(worker("  mainContainer: c\n", "{name: a, image: i}").ends_with("| dropped mainContainer \"c\""));
}

BOOST_AUTO_TEST_CASE(workers_of_v1_without_replicas_count_as_zero) {
    auto const made = convert::to_volcano(v1_job("", one_pod, one_pod)).value();
    BOOST_TEST(made.job.spec.tasks.size() == 1U);
    BOOST_TEST(faults_of(made.job) == "");
    BOOST_TEST(lint_errors(made.job).empty());
    BOOST_TEST(
        std::ranges::any_of(made.changes, [](auto const& c) { return c.path == "spec.mpiReplicaSpecs[Worker]"; }));
}

/// Its name is that of a service.
BOOST_AUTO_TEST_CASE(an_mpi_job_of_v1_with_a_reserved_name_is_refused) {
    auto source = v1_job();
    source.metadata.name = "h.vd";
    BOOST_TEST(refusal(convert::to_volcano(source))
                   .starts_with("invalid job | metadata.name: is \"h.vd\", expected the name of a service"));
}

/// Two containers of the host's network cannot have one port.
BOOST_AUTO_TEST_CASE(pods_in_the_host_network_do_not_use_plugin_mpi) {
    auto const plugins = [](std::string const& containers) {
        auto const made = convert::to_volcano(v2beta1_job("", "template: {spec: {hostNetwork: true, containers: [" +
                                                                  containers + "]}}"))
                              .value();
        BOOST_TEST(lint_errors(made.job).empty());
        return made.job.spec.plugins.size();
    };
    BOOST_TEST(plugins("{name: a, image: i}") == 3U);
    BOOST_TEST(plugins("{name: a, image: i}, {name: b, image: i}") == 2U);
}

BOOST_AUTO_TEST_CASE(policies_of_a_v1_mpi_job_are_converted) {
    auto const made = convert::to_volcano(v1_job("  cleanPodPolicy: Running\n", "restartPolicy: ExitCode, " + one_pod,
                                                 "restartPolicy: OnFailure, " + two_workers))
                          .value();
    BOOST_TEST(policies_of(task_of(made.job, "launcher")) == "TaskCompleted CompleteJob, PodFailed TerminateJob");
    BOOST_TEST(task_of(made.job, "worker").template_.spec.restart_policy == "OnFailure");
    auto const all = change_lines(made.changes);
    BOOST_TEST(has(all, "changed spec.cleanPodPolicy \"Running\""));
    BOOST_TEST(
        has(all, "approximated spec.mpiReplicaSpecs[Launcher].restartPolicy \"ExitCode\" -> spec.tasks[0].policies"));
    auto const both =
        change_lines(convert::to_volcano(v1_job("  cleanPodPolicy: Running\n  runPolicy: {cleanPodPolicy: All}\n")));
    BOOST_TEST(has(both, "changed spec.cleanPodPolicy \"Running\""));
    BOOST_TEST(has(both, "approximated spec.runPolicy.cleanPodPolicy \"All\""));
}

BOOST_AUTO_TEST_CASE(a_launcher_that_works_is_reported_as_dropped) {
    auto const gpu = mpi_pod("resources: {limits: {nvidia.com/gpu: 1}}");
    std::string const path =
        "spec.mpiReplicaSpecs[Launcher].template.spec.containers[0].resources.limits[nvidia.com/gpu] \"1\"";
    auto const v1 = convert::to_volcano(v1_job("", gpu)).value();
    BOOST_TEST(has(change_lines(v1.changes), "approximated " + path +
                                                 " -> spec.tasks[0].template.spec.containers[0].resources."
                                                 "limits[nvidia.com/gpu]"));
    BOOST_TEST(variables_of(first_of(v1.job, "launcher")).back() == "PRTE_MCA_prte_set_default_slots=1");
    auto const v2 = convert::to_volcano(v2beta1_job("  runLauncherAsWorker: true\n")).value();
    BOOST_TEST(has(change_lines(v2.changes), "dropped spec.runLauncherAsWorker true"));
    auto const alone = convert::to_volcano(v2beta1_job("  runLauncherAsWorker: true\n", one_pod, "")).value();
    BOOST_TEST(has(change_lines(alone.changes), "changed spec.runLauncherAsWorker true"));
}

BOOST_AUTO_TEST_CASE(an_mpi_job_of_v2beta1_keeps_the_environment_of_its_pods) {
    auto const made = convert::to_volcano(v2beta1_job("  slotsPerWorker: 4\n  sshAuthMountPath: /home/mpi/.ssh\n",
                                                      one_pod, "replicas: 2, " + sshd_pod))
                          .value();
    BOOST_TEST(faults_of(made.job) == "");
    BOOST_TEST(lint_errors(made.job).empty());
    BOOST_TEST(made.job.spec.plugins.at("ssh") == lines{"--ssh-key-file-path=/home/mpi/.ssh"},
               boost::test_tools::per_element());
    BOOST_TEST(
        variables_of(first_of(made.job, "launcher")) ==
            (lines{"K_MPI_JOB_ROLE=launcher", "OMPI_MCA_orte_keep_fqdn_hostnames=true",
                   "OMPI_MCA_orte_default_hostfile=/etc/volcano/worker.host",
                   "OMPI_MCA_plm_rsh_args=-o ConnectionAttempts=10", "OMPI_MCA_orte_set_default_slots=4",
                   "PRTE_MCA_prte_set_default_slots=4", "NVIDIA_VISIBLE_DEVICES=", "NVIDIA_DRIVER_CAPABILITIES="}),
        boost::test_tools::per_element());
    BOOST_TEST(variables_of(first_of(made.job, "worker")) == lines{"K_MPI_JOB_ROLE=worker"},
               boost::test_tools::per_element());
    BOOST_TEST(first_of(made.job, "worker").command == lines{"/srv/sshd"}, boost::test_tools::per_element());
    auto const plain = convert::to_volcano(v2beta1_job()).value();
    BOOST_TEST(first_of(plain.job, "worker").command.at(0) == "/usr/sbin/sshd");
}

BOOST_AUTO_TEST_CASE(other_implementations_of_mpi_have_other_variables) {
    auto const intel = convert::to_volcano(v2beta1_job("  slotsPerWorker: 4\n  mpiImplementation: Intel\n")).value();
    BOOST_TEST(has(variables_of(first_of(intel.job, "launcher")), "I_MPI_HYDRA_HOST_FILE=/etc/volcano/worker.host"));
    BOOST_TEST(has(variables_of(first_of(intel.job, "launcher")), "I_MPI_PERHOST=4"));
    BOOST_TEST(task_of(intel.job, "worker").template_.spec.dns_config->searches == lines{"hvd.team.svc.cluster.local"},
               boost::test_tools::per_element());
    auto const mpich = convert::to_volcano(v2beta1_job("  slotsPerWorker: 4\n  mpiImplementation: MPICH\n")).value();
    BOOST_TEST(has(variables_of(first_of(mpich.job, "launcher")), "HYDRA_HOST_FILE=/etc/volcano/worker.host"));
    BOOST_TEST(has(change_lines(mpich.changes), "dropped spec.slotsPerWorker 4"));
    BOOST_TEST(!has(change_lines(intel.changes), "dropped spec.slotsPerWorker 4"));
    BOOST_TEST(faults_of(intel.job) + faults_of(mpich.job) == "");
}

BOOST_AUTO_TEST_CASE(restarts_of_v2beta1_are_those_of_its_launcher) {
    auto const launcher = [](std::string const& limit, std::string const& policy) {
        auto const made = convert::to_volcano(v2beta1_job("  runPolicy: {" + limit + "}\n", policy + one_pod)).value();
        auto const& task = task_of(made.job, "launcher");
        BOOST_TEST(policies_of(task_of(made.job, "worker")) == "");
        BOOST_TEST(task_of(made.job, "worker").template_.spec.restart_policy == "Never");
        return std::to_string(made.job.spec.max_retry) + " " + std::to_string(task.max_retry) + " " +
               task.template_.spec.restart_policy + ": " + policies_of(task);
    };
    std::string const end = "TaskCompleted CompleteJob, ";
    BOOST_TEST(launcher("", "") == "7 6 OnFailure: " + end + "PodFailed RestartJob, TaskFailed TerminateJob");
    BOOST_TEST(launcher("backoffLimit: 2", "restartPolicy: Never, ") == "3 0 Never: " + end + "PodFailed RestartJob");
    BOOST_TEST(launcher("backoffLimit: 0", "") == "1 0 Never: " + end + "PodFailed TerminateJob");
    BOOST_TEST(launcher("backoffLimit: 2147483647", "restartPolicy: Never, ").starts_with("2147483647 "));
}

BOOST_AUTO_TEST_CASE(queue_and_priority_class_of_a_v2beta1_gang_are_converted) {
    auto source = v2beta1_job("  runPolicy: {ttlSecondsAfterFinished: 9}\n");
    source.metadata.annotations["scheduling.volcano.sh/queue-name"] = "q";
    source.spec.mpi_replica_specs.at("Worker").template_.spec.priority_class_name = "high";
    auto const made = convert::to_volcano(source).value();
    BOOST_TEST(made.job.spec.queue == "q");
    BOOST_TEST(made.job.spec.priority_class_name == "high");
    BOOST_TEST(made.job.spec.ttl_seconds_after_finished.value_or(0) == 9);
    auto const all = change_lines(made.changes);
    BOOST_TEST(has(all, "approximated spec.runPolicy.ttlSecondsAfterFinished 9 -> spec.ttlSecondsAfterFinished"));
    BOOST_TEST(has(all, "changed spec.mpiReplicaSpecs[Worker].template.spec.priorityClassName \"high\" -> "
                        "spec.priorityClassName"));
}

BOOST_AUTO_TEST_SUITE_END()
