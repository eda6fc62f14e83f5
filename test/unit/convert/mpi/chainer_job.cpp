#include "unit/convert/change_lines.hpp"

#include <kftrain/convert/chainer_job.hpp>
#include <kftrain/job/any_job.hpp>
#include <kftrain/job/job_rules.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(convert_chainer_job)

using namespace convert_sample;

namespace {

std::string const waiting = "command: [sh, -c, 'while true; do sleep 1 & wait; done']";

std::string pod_template(std::string const& container, std::string const& more = "") {
    return "template: {spec: {" + more + "containers: [{name: chainer, image: 'i:1'" +
           (container.empty() ? "" : ", " + container) + "}]}}";
}

std::string mpiexec(std::string const& options) {
    return "command: [mpiexec, " + options + ", python3, /t.py, -n, '99']";
}

/// A set of workers that wait.
std::string waiting_set(std::string const& fields) { return "{" + fields + ", " + pod_template(waiting) + "}"; }

/// A job `mn` whose spec has these lines.
result<convert::converted<kubeflow_v2beta1::mpi_job>> as_mpi_job(std::string const& head, std::string const& sets,
                                                                 std::string const& more = "") {
    return convert::to_v2beta1(from_yaml<chainer_job>("metadata: {name: mn}\nspec:\n" + more + "  master: {" + head +
                                                      "}\n" + (sets.empty() ? "" : "  workerSets: {" + sets + "}\n"))
                                   .value());
}

bool launcher_works(std::string const& container, std::string const& sets = "a: " + waiting_set("replicas: 2")) {
    return as_mpi_job(pod_template(container), sets).value().job.spec.run_launcher_as_worker.value_or(false);
}

} // namespace

/// As the example of chainer-operator for several nodes, with options of its Job.
BOOST_AUTO_TEST_CASE(the_master_becomes_the_launcher_and_sets_the_workers) {
    auto const made = as_mpi_job("backoffLimit: 5, activeDeadlineSeconds: 100, " + pod_template(mpiexec("-n, '2'")),
                                 "ws0: " + waiting_set("replicas: 2"), "  backend: mpi\n")
                          .value();
    BOOST_TEST(to_yaml(made.job) == R"(apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata:
  name: mn
spec:
  slotsPerWorker: 1
  runPolicy:
    cleanPodPolicy: All
    activeDeadlineSeconds: 100
    backoffLimit: 5
  mpiReplicaSpecs:
    Launcher:
      template:
        spec:
          containers:
          - name: chainer
            image: i:1
            command:
            - mpiexec
            - -n
            - "2"
            - python3
            - /t.py
            - -n
            - "99"
            env:
            - name: OMPI_MCA_btl_tcp_if_exclude
              value: lo,docker0
      restartPolicy: Never
    Worker:
      replicas: 2
      template:
        spec:
          containers:
          - name: chainer
            image: i:1
      restartPolicy: OnFailure
  launcherCreationPolicy: WaitForWorkersReady
)");
    std::string const worker = "spec.mpiReplicaSpecs[Worker]", set = "spec.workerSets[ws0]";
    BOOST_TEST(
        change_lines(made.changes) ==
            (lines{"changed spec.backend \"mpi\"", "changed " + set + ".replicas 2 -> " + worker + ".replicas",
                   "changed " + set + ".mpiConfig.slots - -> spec.slotsPerWorker",
                   "approximated " + set + ".template.spec.restartPolicy - -> " + worker + ".restartPolicy",
                   "dropped " + set +
                       ".template.spec.containers[0].command [\"sh\",\"-c\",\"while true; do sleep 1 & wait; done\"]",
                   "changed spec.runPolicy.cleanPodPolicy - -> spec.runPolicy.cleanPodPolicy",
                   "changed spec.launcherCreationPolicy - -> spec.launcherCreationPolicy",
                   "changed spec.master.backoffLimit 5 -> spec.runPolicy.backoffLimit",
                   "changed spec.master.activeDeadlineSeconds 100 -> spec.runPolicy.activeDeadlineSeconds",
                   "changed spec.master.template.spec.restartPolicy - -> spec.mpiReplicaSpecs[Launcher].restartPolicy",
                   "changed spec.master.template.spec.containers[0].env[OMPI_MCA_btl_tcp_if_exclude] - -> "
                   "spec.mpiReplicaSpecs[Launcher].template.spec.containers[0].env[0]",
                   "approximated spec.runLauncherAsWorker -", "changed spec.master.mpiConfig.slots -"}),
        boost::test_tools::per_element());
}

/// The manifest of the proposal of chainer-operator.
BOOST_AUTO_TEST_CASE(the_deprecated_worker_field_is_converted) {
    auto const made =
        as_mpi_job(
            "replicas: 1, backoffLimit: 5, activeDeadlineSeconds: 100, template: {spec: {containers: [{image: "
            "'everpeace/chainermn:1.3.0', name: master, imagePullPolicy: IfNotPresent, command: [mpiexec], args: "
            "['-n', '3', '-N', '1', python3, /train_mnist.py, '-e', '2', '-b', '100', '-g']}], restartPolicy: "
            "OnFailure}}",
            "",
            "  backend: mpi\n  worker: {replicas: 3, template: {spec: {containers: [{image: "
            "'everpeace/chainermn:1.3.0', name: worker}], restartPolicy: OnFailure}}}\n")
            .value();
    auto const& sets = made.job.spec.mpi_replica_specs;
    BOOST_TEST(sets.at("Worker").replicas.value() == 3);
    BOOST_TEST(sets.at("Worker").restart_policy == "OnFailure");
    BOOST_TEST(sets.at("Worker").template_.spec.containers.at(0).name == "worker");
    BOOST_TEST(sets.at("Launcher").restart_policy == "OnFailure");
    BOOST_TEST(!made.job.spec.run_launcher_as_worker.has_value()); // three processes, one on each of three workers
    BOOST_TEST(has(change_lines(made.changes), "changed spec.master.replicas 1"));
    any_job const job(made.job);
    BOOST_TEST(join_errors(job.validate(), "; ") == "");
    BOOST_TEST(job.with_defaults().render().size() > 3U);
}

/// Hosts of the master come last in the hostfile of a ChainerJob: it gets what the workers have no room for.
BOOST_AUTO_TEST_CASE(the_launcher_becomes_a_worker_if_the_workers_do_not_suffice) {
    BOOST_TEST(!launcher_works(mpiexec("-n, '2'")));
    BOOST_TEST(launcher_works(mpiexec("-n, '3'")));
    BOOST_TEST(launcher_works(mpiexec("--allow-run-as-root"))); // a process in each slot
    BOOST_TEST(launcher_works("command: [/entry.sh]"));
    std::string const wide = "a: " + waiting_set("replicas: 2, mpiConfig: {slots: 4}");
    BOOST_TEST(!launcher_works(mpiexec("-np, '8'"), wide));
    BOOST_TEST(launcher_works(mpiexec("-np, '9'"), wide));
    BOOST_TEST(!launcher_works(mpiexec("--mca, btl, tcp, -n, '3'"), wide));
    BOOST_TEST(launcher_works(mpiexec("-n, '3', -N, '1'"), wide));
    BOOST_TEST(!launcher_works(mpiexec("-n, '4', '--map-by', 'ppr:2:node'"), wide));
    BOOST_TEST(launcher_works(mpiexec("-n, '5', '--map-by', 'ppr:2:node'"), wide));
    BOOST_TEST(!launcher_works("command: [sh, -c, 'cd / && mpiexec -n 3 \\\n python3 t.py']", wide));
    BOOST_TEST(launcher_works(mpiexec("-n, '1'"), "")); // it is alone
    BOOST_TEST(launcher_works(mpiexec("-n, '1'"), "a: " + waiting_set("replicas: 0")));
}

BOOST_AUTO_TEST_CASE(equal_worker_sets_are_merged) {
    auto const made =
        as_mpi_job(pod_template(mpiexec("-n, '4'")), "a: " + waiting_set("replicas: 1") +
                                                         ", b: " + waiting_set("replicas: 2, mpiConfig: {slots: 1}") +
                                                         ", none: " + waiting_set("replicas: 0, x: 1"))
            .value();
    BOOST_TEST(made.job.spec.mpi_replica_specs.at("Worker").replicas.value() == 3);
    auto const all = change_lines(made.changes);
    BOOST_TEST(has(all, "changed spec.workerSets[b].replicas 2 -> spec.mpiReplicaSpecs[Worker].replicas"));
    BOOST_TEST(has(all, "changed spec.runLauncherAsWorker - -> spec.runLauncherAsWorker"));
}

BOOST_AUTO_TEST_CASE(overwritten_fields_are_removed_and_the_main_container_is_first) {
    auto const made =
        as_mpi_job("mpiConfig: {slots: 2}, template: {spec: {serviceAccountName: mine, containers: [{name: log, "
                   "image: 'l:1'}, {name: chainer, image: 'i:1', command: [mpiexec, --hostfile, "
                   "/kubeflow/chainer-operator/generated/hostfile], env: [{name: KUBECTL_DIR, value: /x}, "
                   "{name: A, value: b}]}]}}",
                   "a: " + waiting_set("replicas: 1"))
            .value();
    auto const& pod = made.job.spec.mpi_replica_specs.at("Launcher").template_.spec;
    BOOST_TEST(pod.service_account_name.empty());
    BOOST_TEST_REQUIRE(pod.containers.size() == 2U);
    BOOST_TEST(pod.containers[0].name == "chainer");
    BOOST_TEST_REQUIRE(pod.containers[0].env.size() == 2U);
    BOOST_TEST(pod.containers[0].env[0].name == "A");
    auto const all = change_lines(made.changes);
    std::string const from = "spec.master.template.spec", to = "spec.mpiReplicaSpecs[Launcher].template.spec";
    BOOST_TEST(has(all, "changed " + from + ".serviceAccountName \"mine\""));
    BOOST_TEST(has(all, "changed " + from + ".containers[1].env[0] {\"name\":\"KUBECTL_DIR\",\"value\":\"/x\"}"));
    BOOST_TEST(has(all, "approximated " + from +
                            ".containers[1].command[2] \"/kubeflow/chainer-operator/generated/hostfile\" -> " + to +
                            ".containers[0].command[2]"));
    BOOST_TEST(has(all, "approximated spec.master.mpiConfig.slots 2 -> spec.slotsPerWorker"));
}

BOOST_AUTO_TEST_CASE(jobs_without_a_counterpart_are_refused) {
    std::string const head = pod_template(mpiexec("-n, '2'")), set_a = "a: " + waiting_set("replicas: 1");
    BOOST_TEST(
        refusal(as_mpi_job(head, set_a + ", b: {" + pod_template("command: [sleep, 1d]") + "}")) ==
        "invalid job | spec.workerSets[b].template: differs from that of spec.workerSets[a], expected equal templates: "
        "all workers of an MPIJob are alike");
    BOOST_TEST(refusal(as_mpi_job(head, set_a + ", b: " + waiting_set("mpiConfig: {slots: 2}"))) ==
               "invalid job | spec.workerSets[b].mpiConfig.slots: has 2 slots, and spec.workerSets[a] has 1, expected "
               "equal numbers: all workers of an MPIJob are alike");
    BOOST_TEST(refusal(as_mpi_job(head, "a: {template: {spec: {containers: [{name: main, image: i}]}}}")) ==
               "invalid job | spec.workerSets[a].template.spec.containers: has no container named chainer, expected "
               "one: the operator starts no process in other containers");
    BOOST_TEST(refusal(as_mpi_job(head, "", "  backend: gloo\n  worker: {}\n")) ==
               "invalid job | spec.backend: is gloo, expected mpi");
    BOOST_TEST(refusal(as_mpi_job(head, set_a, "  backend: gloo\n")) ==
               "invalid job | spec.backend: backend:\"gloo\" not supported");
    BOOST_TEST(refusal(as_mpi_job("backoffLimit: -1, " + head, ""))
                   .starts_with(
                       "invalid job | spec.master.backoffLimit: MPIJob of kubeflow.org/v2beta1 rejects the result: "));
    BOOST_TEST(refusal(as_mpi_job(pod_template("", "restartPolicy: Always, "), ""))
                   .starts_with("invalid job | spec.master.template.spec.restartPolicy: MPIJob of kubeflow.org/v2beta1 "
                                "rejects the result: "));
}

BOOST_AUTO_TEST_SUITE_END()
