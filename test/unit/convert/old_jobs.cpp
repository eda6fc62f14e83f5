#include "unit/convert/change_lines.hpp"

#include <kftrain/convert/registry.hpp>
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
