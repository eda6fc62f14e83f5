#include "unit/convert/change_lines.hpp"

#include <kftrain/convert/registry.hpp>
#include <kftrain/kinds/paddle_job.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kinds/tf_job.hpp>
#include <kftrain/kinds/xgboost_job.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(convert_old_jobs)

using namespace convert_sample;

namespace {

result<convert::converted<any_job>> converted(std::string const& to, std::string const& text) {
    return convert::convert_job(yaml_document(text, 1), convert::kind_name(to));
}

std::string head(std::string const& version, std::string const& kind) {
    return "apiVersion: " + version + "\nkind: " + kind + "\nmetadata: {name: old}\n";
}

std::string pod(std::string const& container) {
    return "template: {spec: {containers: [{name: " + container + ", image: 'i:1'}]}}";
}

} // namespace

/// Fields: tf-operator `pkg/apis/tensorflow/{v1alpha2,v1beta1}/types.go`.
BOOST_AUTO_TEST_CASE(tf_jobs_of_early_versions_have_no_limits) {
    for (std::string const version : {"v1alpha2", "v1beta1"}) {
        auto const made = converted("TFJob.v1", head("kubeflow.org/" + version, "TFJob") +
                                                    "spec: {cleanPodPolicy: All, backoffLimit: 3, tfReplicaSpecs: "
                                                    "{Worker: {" +
                                                    pod("tensorflow") + "}}}\n");
        BOOST_TEST(change_lines(made) == (lines{"changed spec.cleanPodPolicy \"All\" -> spec.runPolicy.cleanPodPolicy",
                                                "dropped spec.backoffLimit 3"}),
                   boost::test_tools::per_element());
        BOOST_TEST(!has_errors(made->job.validate()));
    }
    auto const beta2 =
        converted("TFJob.v1", head("kubeflow.org/v1beta2", "TFJob") +
                                  "spec: {backoffLimit: 3, tfReplicaSpecs: {Worker: {" + pod("tensorflow") + "}}}\n");
    BOOST_TEST(change_lines(beta2).back() == "changed spec.backoffLimit 3 -> spec.runPolicy.backoffLimit");
}

/// Fields: pytorch-operator `pkg/apis/pytorch/v1beta2/types.go`.
BOOST_AUTO_TEST_CASE(pytorch_jobs_of_v1beta2_have_the_form_of_v1) {
    auto const made = converted("PyTorchJob.v1", head("kubeflow.org/v1beta2", "PyTorchJob") +
                                                     "spec: {cleanPodPolicy: Running, backoffLimit: 3, "
                                                     "pytorchReplicaSpecs: {Master: {replicas: 1, " +
                                                     pod("pytorch") + "}}}\n");
    BOOST_TEST(change_lines(made) ==
                   (lines{"changed spec.backoffLimit 3 -> spec.runPolicy.backoffLimit",
                          "changed spec.cleanPodPolicy \"Running\" -> spec.runPolicy.cleanPodPolicy"}),
               boost::test_tools::per_element());
}

/// Fields: tf-operator v0.3.0 `pkg/apis/tensorflow/v1alpha1/types.go`; the end: `pkg/trainer/training.go`.
BOOST_AUTO_TEST_CASE(tf_jobs_of_v1alpha1_list_their_sets) {
    std::string const end = "terminationPolicy: {chief: {replicaName: WORKER, replicaIndex: 0}}";
    auto const made = converted(
        "TFJob", head("kubeflow.org/v1alpha1", "TFJob") + "spec: {RuntimeId: abcd, schedulerName: batch, " + end +
                     ", replicaSpecs: [{replicas: 2, tfReplicaType: WORKER, template: {spec: {restartPolicy: "
                     "OnFailure, containers: [{name: tensorflow, image: 'i:1'}]}}}, {tfReplicaType: PS, "
                     "tfPort: 2300, " +
                     pod("tensorflow") + "}]}\n");
    std::string const worker = "spec.tfReplicaSpecs[Worker]", ps = "spec.tfReplicaSpecs[PS]";
    BOOST_TEST(
        change_lines(made) ==
            (lines{"dropped spec.RuntimeId \"abcd\"",
                   "changed spec.cleanupPodPolicy - -> spec.runPolicy.cleanPodPolicy",
                   "changed spec.replicaSpecs[0].tfReplicaType \"WORKER\" -> " + worker,
                   "changed spec.schedulerName \"batch\" -> " + worker + ".template.spec.schedulerName",
                   "approximated spec.replicaSpecs[0].template.spec.restartPolicy \"OnFailure\" -> " + worker +
                       ".restartPolicy",
                   "changed spec.replicaSpecs[1].tfReplicaType \"PS\" -> " + ps,
                   "changed spec.schedulerName \"batch\" -> " + ps + ".template.spec.schedulerName",
                   "changed spec.replicaSpecs[1].template.spec.restartPolicy - -> " + ps + ".restartPolicy",
                   "changed spec.replicaSpecs[1].tfPort 2300 -> " + ps + ".template.spec.containers[0].ports[0]",
                   "changed spec.terminationPolicy {\"chief\":{\"replicaName\":\"WORKER\",\"replicaIndex\":0}}"}),
        boost::test_tools::per_element());
    BOOST_TEST(!has_errors(made->job.validate()));
    auto const& spec = made->job.get_if<tf_job>()->spec;
    BOOST_TEST(spec.run_policy.clean_pod_policy.value() == "All");
    BOOST_TEST(spec.tf_replica_specs.at("Worker").replicas.value() == 2);
    BOOST_TEST(spec.tf_replica_specs.at("Worker").restart_policy == "OnFailure");
    BOOST_TEST(spec.tf_replica_specs.at("PS").restart_policy == "Always");
    auto const& port = spec.tf_replica_specs.at("PS").template_.spec.containers[0].ports.at(0);
    BOOST_TEST(port.name == "tfjob-port");
    BOOST_TEST(port.container_port_ == 2300);
}

/// Upstream: tf-operator v0.3.0 `pkg/apis/tensorflow/validation/validation.go` and `pkg/trainer/replicas.go`.
BOOST_AUTO_TEST_CASE(tf_jobs_of_v1alpha1_that_the_operator_rejects_are_not_converted) {
    auto const refused = [](std::string const& spec) {
        auto const made = converted("TFJob", head("kubeflow.org/v1alpha1", "TFJob") + "spec: {" + spec + "}\n");
        BOOST_REQUIRE(!made);
        return made.error().detail.path;
    };
    auto const set = [](std::string const& fields) { return "{" + fields + pod("tensorflow") + "}"; };
    auto const sets = [&](std::string const& all) { return "replicaSpecs: [" + all + "]"; };
    BOOST_TEST(refused(sets(set("tfReplicaType: CHIEF, "))) == "spec.replicaSpecs[0].tfReplicaType");
    BOOST_TEST(refused(sets(set("") + ", " + set("tfReplicaType: MASTER, "))) == "spec.replicaSpecs[1]");
    BOOST_TEST(refused(sets(set("replicas: 2, "))) == "spec.replicaSpecs[0].replicas");
    BOOST_TEST(refused(sets(set("tfReplicaType: WORKER, "))) == "spec.terminationPolicy");
    // A fault of the template has the path of the source.
    BOOST_TEST(refused(sets("{" + pod("main") + "}")).starts_with("spec.replicaSpecs[0]"));
}

BOOST_AUTO_TEST_CASE(another_chief_of_a_tf_job_is_approximated) {
    auto const of = [](std::string const& chief) {
        return change_lines(
                   converted("TFJob", head("kubeflow.org/v1alpha1", "TFJob") + "spec: {terminationPolicy: {chief: {" +
                                          chief + "}}, replicaSpecs: [{tfReplicaType: MASTER, " + pod("tensorflow") +
                                          "}, {tfReplicaType: WORKER, replicas: 2, " + pod("tensorflow") + "}]}\n"))
            .back();
    };
    BOOST_TEST(of("replicaName: MASTER, replicaIndex: 0").starts_with("changed spec.terminationPolicy"));
    BOOST_TEST(of("replicaName: WORKER, replicaIndex: 0").starts_with("approximated spec.terminationPolicy"));
    BOOST_TEST(of("replicaName: WORKER, replicaIndex: 1").starts_with("approximated spec.terminationPolicy"));
}

/// Fields: pytorch-operator v0.5.0 `pkg/apis/pytorch/v1beta1/types.go`; cleaning:
/// `pkg/controller.v1beta1/pytorch/job.go`.
BOOST_AUTO_TEST_CASE(pytorch_jobs_of_v1beta1_have_no_limits) {
    auto const made = converted("PyTorchJob", head("kubeflow.org/v1beta1", "PyTorchJob") +
                                                  "spec: {cleanPodPolicy: Running, ttlSecondsAfterFinished: 5, "
                                                  "backoffLimit: 3, pytorchReplicaSpecs: {Master: {replicas: 1, " +
                                                  pod("pytorch") + "}}}\n");
    BOOST_TEST(change_lines(made) ==
                   (lines{"changed spec.ttlSecondsAfterFinished 5 -> spec.runPolicy.ttlSecondsAfterFinished",
                          "dropped spec.backoffLimit 3",
                          "changed spec.cleanPodPolicy \"Running\" -> spec.runPolicy.cleanPodPolicy"}),
               boost::test_tools::per_element());
    BOOST_TEST(made->job.get_if<pytorch_job>()->spec.run_policy.clean_pod_policy.value() == "All");
    BOOST_TEST(made->changes.back().why == "The operator of v1beta1 treats every value but None as All.");
}

namespace {

std::string first_mpi(std::string const& spec, std::string const& container = "", std::string const& more = "") {
    return head("kubeflow.org/v1alpha1", "MPIJob") + "spec: {" + spec + "template: {spec: {" + more +
           "containers: [{name: hvd, image: 'i:1'" + container + "}]}}}\n";
}

kubeflow_v1::mpi_job const& mpi_of(result<convert::converted<any_job>> const& made) {
    BOOST_REQUIRE_MESSAGE(made.has_value(), (made ? "" : made.error().to_string()));
    return *made->job.get_if<kubeflow_v1::mpi_job>();
}

} // namespace

/// Upstream: mpi-operator v0.2.3 `pkg/controllers/v1alpha1/mpi_job_controller.go`, `newLauncher` and `newWorker`.
BOOST_AUTO_TEST_CASE(mpi_jobs_of_v1alpha1_have_one_template) {
    auto const made =
        converted("MPIJob.v1", first_mpi("replicas: 4, activeDeadlineSeconds: 9, ",
                                         ", command: [mpirun], resources: {limits: {nvidia.com/gpu: 2}}"));
    std::string const launcher = "spec.mpiReplicaSpecs[Launcher]", worker = "spec.mpiReplicaSpecs[Worker]";
    BOOST_TEST(change_lines(made) ==
                   (lines{"changed spec.replicas 4 -> " + worker + ".replicas",
                          "changed spec.template.spec.restartPolicy - -> " + launcher + ".restartPolicy",
                          "changed spec.template.spec.containers[0].resources "
                          "{\"limits\":{\"nvidia.com/gpu\":\"2\"}} -> " +
                              worker + ".template.spec.containers[0].resources",
                          "changed spec.slotsPerWorker - -> spec.slotsPerWorker",
                          "changed spec - -> spec.runPolicy.cleanPodPolicy",
                          "changed spec.activeDeadlineSeconds 9 -> spec.runPolicy.activeDeadlineSeconds",
                          "changed spec.backoffLimit - -> spec.runPolicy.backoffLimit"}),
               boost::test_tools::per_element());
    auto const& spec = mpi_of(made).spec;
    BOOST_TEST(spec.slots_per_worker.value() == 2);
    BOOST_TEST(spec.run_policy.backoff_limit.value() == 6);
    auto const& first = spec.mpi_replica_specs.at("Launcher");
    BOOST_TEST(first.restart_policy == "OnFailure");
    BOOST_TEST(first.template_.spec.containers[0].command == std::vector<std::string>{"mpirun"});
    BOOST_TEST(first.template_.spec.containers[0].resources.limits.empty());
    auto const& workers = spec.mpi_replica_specs.at("Worker");
    BOOST_TEST(workers.replicas.value() == 4);
    BOOST_TEST(workers.restart_policy == "Always");
    BOOST_TEST(workers.template_.spec.containers[0].command.empty());
    BOOST_TEST(workers.template_.spec.containers[0].resources.limits.at("nvidia.com/gpu").text() == "2");
}

/// Upstream: the same, `allocateProcessingUnits`; the flag: mpi-operator v0.1.0 `deploy/3-mpi-operator.yaml`.
BOOST_AUTO_TEST_CASE(devices_of_an_mpi_job_of_v1alpha1_are_divided_among_nodes) {
    auto const workers_of = [](std::string const& spec) {
        auto const made = converted("MPIJob.v1", first_mpi(spec));
        auto const& job = mpi_of(made);
        auto const& workers = job.spec.mpi_replica_specs.at("Worker");
        auto const& limits = workers.template_.spec.containers[0].resources.limits;
        return std::to_string(workers.replicas.value()) + " x " + limits.begin()->second.text() + " " +
               limits.begin()->first + ", " + std::to_string(job.spec.slots_per_worker.value_or(1)) + " slots";
    };
    BOOST_TEST(workers_of("gpus: 16, gpusPerNode: 4, ") == "4 x 4 nvidia.com/gpu, 4 slots");
    BOOST_TEST(workers_of("gpus: 2, gpusPerNode: 4, ") == "1 x 2 nvidia.com/gpu, 2 slots");
    BOOST_TEST(
        workers_of("processingUnits: 6, processingUnitsPerNode: 3, processingResourceType: cpu, slotsPerWorker: 1, ") ==
        "2 x 3 cpu, 1 slots");
    BOOST_TEST(workers_of("gpus: 16, ") == "2 x 8 nvidia.com/gpu, 8 slots");
    BOOST_TEST(has(change_lines(converted("MPIJob.v1", first_mpi("gpus: 16, "))),
                   "approximated spec.gpusPerNode - -> "
                   "spec.mpiReplicaSpecs[Worker].template.spec.containers[0].resources.limits[nvidia.com/gpu]"));
    for (auto const* const spec : {"gpus: 6, gpusPerNode: 4, ", "gpus: 0, "}) {
        auto const refused = converted("MPIJob.v1", first_mpi(spec));
        BOOST_TEST_REQUIRE(!refused, spec);
        BOOST_TEST(refused.error().detail.path == "spec.gpus");
    }
    BOOST_TEST(converted("MPIJob.v1", first_mpi("gpus: 1, processingUnits: 1, ")).error().detail.path ==
               "spec.processingUnits");
}

BOOST_AUTO_TEST_CASE(the_place_of_the_launcher_of_v1alpha1_is_reported_as_lost) {
    auto const made =
        converted("MPIJob.v1", first_mpi("replicas: 1, launcherOnMaster: true, ", "", "restartPolicy: Never, "));
    BOOST_TEST(has(change_lines(made), "dropped spec.launcherOnMaster true"));
    BOOST_TEST(mpi_of(made).spec.mpi_replica_specs.at("Launcher").restart_policy == "Never");
    BOOST_TEST(mpi_of(made).spec.mpi_replica_specs.at("Worker").restart_policy == "Always");
}

/// Fields and defaults: mpi-operator `pkg/apis/kubeflow/v1alpha2/{types,default}.go`.
BOOST_AUTO_TEST_CASE(mpi_jobs_of_v1alpha2_have_their_policy_in_the_spec) {
    auto const text = [](std::string const& spec) {
        return head("kubeflow.org/v1alpha2", "MPIJob") + "spec: {" + spec +
               "mpiReplicaSpecs: {Launcher: {replicas: 1, " + pod("l") +
               "}, Worker: {replicas: 2, restartPolicy: Never, " + pod("w") + "}}}\n";
    };
    auto const made = converted(
        "MPIJob.v1", text("slotsPerWorker: 2, cleanPodPolicy: Running, mpiDistribution: intel_mpi, gpus: 4, "));
    std::string const launcher = "spec.mpiReplicaSpecs[Launcher].restartPolicy";
    BOOST_TEST(
        change_lines(made) ==
            (lines{"dropped spec.gpus 4", "changed spec.cleanPodPolicy \"Running\" -> spec.runPolicy.cleanPodPolicy",
                   "changed spec.backoffLimit - -> spec.runPolicy.backoffLimit",
                   "dropped spec.mpiDistribution \"intel_mpi\"", "changed " + launcher + " - -> " + launcher}),
        boost::test_tools::per_element());
    BOOST_TEST(made->changes.front().path == "apiVersion");
    BOOST_TEST(std::ranges::count(made->changes, "apiVersion", &convert::change::path) == 1);
    auto const& job = *made->job.get_if<kubeflow_v1::mpi_job>();
    BOOST_TEST(job.spec.slots_per_worker.value() == 2);
    BOOST_TEST(job.spec.run_policy.backoff_limit.value() == 6);
    BOOST_TEST(job.spec.mpi_replica_specs.at("Launcher").restart_policy == "OnFailure");
    // The run policy takes precedence.
    auto const both = converted("MPIJob.v1", text("backoffLimit: 1, runPolicy: {backoffLimit: 2}, "));
    BOOST_TEST(both->job.get_if<kubeflow_v1::mpi_job>()->spec.run_policy.backoff_limit.value() == 2);
}

/// Fields and defaults: paddle-operator v0.3.5 `api/v1/paddlejob_types.go` and `controllers/paddlejob_helper.go`.
BOOST_AUTO_TEST_CASE(paddle_jobs_of_paddle_operator_have_a_set_of_each_role) {
    auto const made =
        converted("PaddleJob", head("batch.paddlepaddle.org/v1", "PaddleJob") +
                                   "spec: {cleanPodPolicy: Never, intranet: Service, withGloo: 1, ps: "
                                   "{replicas: 2, " +
                                   pod("server") + "}, worker: {replicas: 3, requests: 1, " + pod("paddle") + "}}\n");
    std::string const master = "spec.paddleReplicaSpecs[Master]", worker = "spec.paddleReplicaSpecs[Worker]";
    BOOST_TEST(change_lines(made) ==
                   (lines{"changed spec.cleanPodPolicy \"Never\" -> spec.runPolicy.cleanPodPolicy",
                          "dropped spec.withGloo 1", "changed spec.ps.replicas 2 -> " + master + ".replicas",
                          "changed spec.ps.template.spec.restartPolicy - -> " + master + ".restartPolicy",
                          "changed spec.ps.template.spec.containers[0].name \"server\" -> " + master +
                              ".template.spec.containers[0].name",
                          "changed spec.worker.replicas 3 -> " + worker + ".replicas", "dropped spec.worker.requests 1",
                          "changed spec.worker.template.spec.restartPolicy - -> " + worker + ".restartPolicy",
                          "changed spec.intranet \"Service\""}),
               boost::test_tools::per_element());
    auto const& spec = made->job.get_if<paddle_job>()->spec;
    BOOST_TEST(spec.run_policy.clean_pod_policy.value() == "None");
    BOOST_TEST(spec.paddle_replica_specs.at("Master").restart_policy == "Never");
    BOOST_TEST(spec.paddle_replica_specs.at("Worker").restart_policy == "OnFailure");
    BOOST_TEST(spec.paddle_replica_specs.at("Master").template_.spec.containers[0].name == "paddle");
    BOOST_TEST(!has_errors(made->job.validate()));
    auto const& about = made->changes.front();
    BOOST_TEST((about.path == "apiVersion" && about.becomes == convert::fate::approximated));
}

BOOST_AUTO_TEST_CASE(paddle_jobs_keep_the_network_of_their_hosts) {
    auto const of = [](std::string const& spec) {
        return converted("PaddleJob", head("batch.paddlepaddle.org/v1", "PaddleJob") + "spec: {" + spec +
                                          "worker: {replicas: 1, " + pod("paddle") + "}}\n");
    };
    auto const host = of("intranet: Host, elastic: 1, ");
    auto const& worker = host->job.get_if<paddle_job>()->spec.paddle_replica_specs.at("Worker");
    BOOST_TEST(worker.template_.spec.host_network);
    BOOST_TEST(worker.restart_policy == "OnFailure");
    BOOST_TEST(has(change_lines(host), "dropped spec.elastic 1"));
    BOOST_TEST(has(change_lines(host), "approximated spec.cleanPodPolicy - -> spec.runPolicy.cleanPodPolicy"));
    BOOST_TEST(of("cleanPodPolicy: Always, ")->job.get_if<paddle_job>()->spec.run_policy.clean_pod_policy.value() ==
               "All");
    auto const heter = of("heter: {replicas: 1}, ");
    BOOST_TEST_REQUIRE(!heter);
    BOOST_TEST(heter.error().detail.path == "spec.heter");
}

/// Fields: xgboost-operator `pkg/apis/xgboostjob/{v1alpha1,v1}/xgboostjob_types.go`, with the run policy inline.
BOOST_AUTO_TEST_CASE(xgboost_jobs_had_a_group_of_their_own) {
    for (std::string const version : {"v1alpha1", "v1"}) {
        auto const made = converted("XGBoostJob", head("xgboostjob.kubeflow.org/" + version, "XGBoostJob") +
                                                      "spec: {cleanPodPolicy: All, ttlSecondsAfterFinished: 9, "
                                                      "xgbReplicaSpecs: {Master: {replicas: 1, " +
                                                      pod("xgboost") + "}}}\n");
        BOOST_TEST(change_lines(made) ==
                       (lines{"changed spec.cleanPodPolicy \"All\" -> spec.runPolicy.cleanPodPolicy",
                              "changed spec.ttlSecondsAfterFinished 9 -> spec.runPolicy.ttlSecondsAfterFinished"}),
                   boost::test_tools::per_element());
        BOOST_TEST(made->job.is<xgboost_job>());
        BOOST_TEST(made->changes.front().path == "apiVersion");
        BOOST_TEST(std::ranges::count(made->changes, "apiVersion", &convert::change::path) == 1);
    }
}

/// As in the samples of xgboost-operator, `config/samples`.
BOOST_AUTO_TEST_CASE(the_container_of_xgboost_operator_is_renamed) {
    auto const of = [](std::string const& containers) {
        return converted("XGBoostJob", head("xgboostjob.kubeflow.org/v1", "XGBoostJob") +
                                           "spec: {xgbReplicaSpecs: {Master: {replicas: 1, template: {spec: "
                                           "{containers: [" +
                                           containers + "]}}}}}\n");
    };
    std::string const sidecar = "{name: log, image: 'i:1'}, ", old = "{name: xgboostjob, image: 'i:1'}";
    std::string const place = "spec.xgbReplicaSpecs[Master].template.spec.containers[1].name";
    auto const made = of(sidecar + old);
    BOOST_TEST(change_lines(made) == lines{"changed " + place + " \"xgboostjob\" -> " + place},
               boost::test_tools::per_element());
    auto const& pod = made->job.get_if<xgboost_job>()->spec.xgb_replica_specs.at("Master").template_.spec;
    BOOST_TEST(pod.containers[1].name == "xgboost");
    BOOST_TEST(change_lines(of(old + ", {name: xgboost, image: 'i:1'}")) == lines());
}

BOOST_AUTO_TEST_SUITE_END()
