#include "unit/convert/change_lines.hpp"

#include <kftrain/convert/pytorch_job.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(convert_pytorch_job_v1alpha1)

using namespace convert_sample;

namespace {

std::string pod_of(std::string const& more = "") {
    return "template: {spec: {" + more + "containers: [{name: pytorch, image: 'i:1'}]}}";
}

/// A job `mnist` with these lines of its spec, each indented by two, and these sets.
result<convert::converted<pytorch_job>> today(std::string const& spec, std::string const& sets) {
    return convert::to_v1(from_yaml<kubeflow_v1alpha1::pytorch_job>("metadata: {name: mnist}\nspec:\n" + spec +
                                                                    "  replicaSpecs:\n" + sets)
                              .value());
}

std::string set_of(std::string const& fields) { return "  - {" + fields + "}\n"; }

std::string const master = set_of("replicaType: MASTER, " + pod_of("restartPolicy: Never, "));

} // namespace

/// The manifest of the proposal of pytorch-operator, with two workers.
BOOST_AUTO_TEST_CASE(sets_become_entries_in_either_spelling) {
    auto const made =
        today("  backend: tcp\n  masterPort: '23456'\n",
              set_of("replicas: 1, pytorchReplicaType: MASTER, " + pod_of("restartPolicy: OnFailure, ")) +
                  set_of("replicas: 2, pytorchReplicaType: WORKER, " + pod_of("restartPolicy: OnFailure, ")))
            .value();
    BOOST_TEST(to_yaml(made.job) == R"(apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: mnist
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      template:
        spec:
          containers:
          - name: pytorch
            image: i:1
      restartPolicy: OnFailure
    Worker:
      replicas: 2
      template:
        spec:
          containers:
          - name: pytorch
            image: i:1
      restartPolicy: OnFailure
)");
    std::string const first = "spec.replicaSpecs[0]", second = "spec.replicaSpecs[1]",
                      policy = ".template.spec.restartPolicy \"OnFailure\" -> spec.pytorchReplicaSpecs";
    BOOST_TEST(change_lines(made.changes) ==
                   (lines{"dropped spec.backend \"tcp\"", "dropped spec.masterPort \"23456\"",
                          "changed " + first + ".pytorchReplicaType \"MASTER\" -> spec.pytorchReplicaSpecs[Master]",
                          "approximated " + first + policy + "[Master].restartPolicy",
                          "changed " + second + ".pytorchReplicaType \"WORKER\" -> spec.pytorchReplicaSpecs[Worker]",
                          "changed " + second + policy + "[Worker].restartPolicy"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_end_of_the_master_stays_the_end_of_the_job) {
    auto const policies = [](std::string const& given) {
        auto const made =
            today("", set_of(pod_of(given)) + set_of("replicaType: WORKER, replicas: 2, " + pod_of(given))).value();
        auto const& sets = made.job.spec.pytorch_replica_specs;
        BOOST_TEST(sets.at("Master").template_.spec.restart_policy.empty());
        return sets.at("Master").restart_policy + " " + sets.at("Worker").restart_policy;
    };
    BOOST_TEST(policies("restartPolicy: Never, ") == "Never OnFailure"); // a worker that failed was made again
    BOOST_TEST(policies("restartPolicy: OnFailure, ") == "OnFailure OnFailure");
    BOOST_TEST(policies("restartPolicy: Always, ") == "OnFailure Always");
    BOOST_TEST(policies("") == "OnFailure Always");
}

BOOST_AUTO_TEST_CASE(the_port_of_the_master_is_a_port_of_its_container) {
    auto const made = today("", set_of("masterPort: 29500, " + pod_of("restartPolicy: Never, ")) +
                                    set_of("replicaType: WORKER, masterPort: 29501, " + pod_of()))
                          .value();
    auto const& ports = made.job.spec.pytorch_replica_specs.at("Master").template_.spec.containers.at(0).ports;
    BOOST_TEST_REQUIRE(ports.size() == 1U);
    BOOST_TEST(ports[0].name == "pytorchjob-port");
    BOOST_TEST(ports[0].container_port_ == 29500);
    auto const all = change_lines(made.changes);
    BOOST_TEST(has(all, "changed spec.replicaSpecs[0].masterPort 29500 -> "
                        "spec.pytorchReplicaSpecs[Master].template.spec.containers[0].ports[0]"));
    BOOST_TEST(has(all, "approximated spec.replicaSpecs[1].masterPort 29501"));
    BOOST_TEST(has(all, "changed spec.replicaSpecs[0].replicas - -> spec.pytorchReplicaSpecs[Master].replicas"));
}

BOOST_AUTO_TEST_CASE(the_scheduler_of_the_job_stands_in_each_template) {
    auto const made = today("  schedulerName: volcano\n", set_of(pod_of("schedulerName: other, "))).value();
    BOOST_TEST(made.job.spec.pytorch_replica_specs.at("Master").template_.spec.scheduler_name == "volcano");
    auto const all = change_lines(made.changes);
    BOOST_TEST(has(all, "changed spec.replicaSpecs[0].template.spec.schedulerName \"other\""));
    BOOST_TEST(has(all, "changed spec.schedulerName \"volcano\" -> "
                        "spec.pytorchReplicaSpecs[Master].template.spec.schedulerName"));
}

BOOST_AUTO_TEST_CASE(fields_of_v1alpha1_alone_are_reported) {
    auto const made =
        today("  RuntimeId: a1b2\n  pytorchImage: i\n  novel: 1\n  terminationPolicy: {master: {replicaName: "
              "WORKER, replicaRank: 1}}\n",
              master + set_of("replicaType: WORKER, replicas: 0, " + pod_of()));
    BOOST_TEST_REQUIRE(made.has_value());
    auto const all = change_lines(made->changes);
    for (std::string const line :
         {"dropped spec.novel 1", "dropped spec.RuntimeId \"a1b2\"", "dropped spec.pytorchImage \"i\""})
        BOOST_TEST(has(all, line), line);
    BOOST_TEST(has(all, "dropped spec.terminationPolicy {\"master\":{\"replicaName\":\"WORKER\",\"replicaRank\":1}}"));
    BOOST_TEST(!made->job.spec.pytorch_replica_specs.contains("Worker"));
}

BOOST_AUTO_TEST_CASE(jobs_that_could_not_train_are_refused) {
    BOOST_TEST(refusal(today("", master + master)) ==
               "invalid job | spec.replicaSpecs[1]: is a second set of type MASTER, expected one set of each type");
    BOOST_TEST(refusal(today("  terminationPolicy: {master: {replicaName: WORKER, replicaRank: 1}}\n",
                             set_of("replicaType: WORKER, " + pod_of()))) ==
               "invalid job | spec.replicaSpecs: has no set of type MASTER, expected one: without it workers receive "
               "no ranks");
    BOOST_TEST(refusal(today("", set_of("template: {spec: {containers: [{name: pytorch}]}}"))) ==
               "invalid job | spec.replicaSpecs[0].template.spec.containers[0].image: PyTorchJob of kubeflow.org/v1 "
               "rejects the result: Required value: must be required");
}

BOOST_AUTO_TEST_SUITE_END()
