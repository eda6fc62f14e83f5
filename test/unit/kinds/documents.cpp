#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/documents.hpp>
#include <kftrain/kinds/registry.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>

BOOST_AUTO_TEST_SUITE(kinds_documents)

using namespace kftrain;

namespace {

document_type type_of(std::string api_version, std::string kind) {
    document_type type;
    type.api_version = std::move(api_version);
    type.kind = std::move(kind);
    return type;
}

document_role role_of(std::string api_version, std::string kind) {
    return kftrain::role_of(type_of(std::move(api_version), std::move(kind)));
}

/// The hint after the words that name the type.
std::string hint_of(std::string api_version, std::string kind) {
    std::string const text = unknown_job(type_of(std::move(api_version), std::move(kind))).detail.message;
    auto const at = text.find("; ");
    return at == std::string::npos ? text : text.substr(at + 2);
}

} // namespace

BOOST_AUTO_TEST_CASE(kinds_of_other_groups_are_not_jobs) {
    for (auto const& [api_version, kind] : {std::pair{"v1", "ConfigMap"},
                                            {"v1", "PodList"},
                                            {"v1", "Job"},
                                            {"batch/v1", "Job"},
                                            {"apps/v1", "Deployment"},
                                            {"argoproj.io/v1alpha1", "Workflow"},
                                            {"kueue.x-k8s.io/v1beta2", "ResourceFlavor"},
                                            {"scheduling.volcano.sh/v1beta1", "Queue"},
                                            {"serving.kubeflow.org/v1beta1", "InferenceService"}})
        BOOST_TEST((role_of(api_version, kind) == document_role::other), api_version << " " << kind);
    // Projects that keep their kinds in the group of the jobs.
    for (auto const* kind : {"Experiment", "Trial", "Suggestion", "Notebook", "Profile", "PodDefault", "NotebookList"})
        BOOST_TEST((role_of("kubeflow.org/v1beta1", kind) == document_role::other), kind);
}

BOOST_AUTO_TEST_CASE(jobs_and_lists_are_recognised) {
    for (auto const* k : known_job_rules()) {
        auto const& info = *k->primary().info;
        BOOST_TEST((role_of(info.api_version(), std::string(info.kind)) == document_role::job), info.kind);
        BOOST_TEST((role_of(info.api_version(), std::string(info.kind) + "List") == document_role::list), info.kind);
    }
    BOOST_TEST((role_of("v1", "List") == document_role::list));
}

BOOST_AUTO_TEST_CASE(a_misspelt_kind_is_named_with_the_nearest_one) {
    for (auto const& [api_version, kind, hint] :
         {std::tuple{"kubeflow.org/v1", "PytorchJob", "did you mean PyTorchJob?"},
          {"kubeflow.org/v1", "TfJob", "did you mean TFJob?"},
          {"kubeflow.org/v1beta1", "PytorchJob", "did you mean PyTorchJob of kubeflow.org/v1?"},
          {"kubeflow.org/v1", "PyTorchJobs", "did you mean PyTorchJob?"},
          {"batch.volcano.sh/v1alpha1", "Jobs", "did you mean Job?"},
          {"kubeflow.com/v1", "TFJob", "expected apiVersion kubeflow.org/v1"},
          {"xgboostjob.kubeflow.org/v1alpha1", "XGBoostJob", "expected apiVersion kubeflow.org/v1"},
          {"batch.paddlepaddle.org/v1", "PaddleJob", "expected apiVersion kubeflow.org/v1"},
          {"paddlepaddle.org/v1", "TrainingJob",
           "expected PaddleJob of kubeflow.org/v1, where Masters serve the parameters and Workers run "
           "trainer.entrypoint"},
          {"v1", "PyTorchJob", "expected apiVersion kubeflow.org/v1"}}) {
        BOOST_TEST((role_of(api_version, kind) == document_role::mistaken), api_version << " " << kind);
        BOOST_TEST(hint_of(api_version, kind) == hint, api_version << " " << kind);
    }
}

BOOST_AUTO_TEST_CASE(an_old_version_is_reported_with_the_current_one) {
    for (auto const& [api_version, kind, hint] :
         {std::tuple{"kubeflow.org/v1beta2", "TFJob", "the current apiVersion is kubeflow.org/v1"},
          {"kubeflow.org/v1alpha2", "PyTorchJob", "the current apiVersion is kubeflow.org/v1"},
          {"kubeflow.org/v1alpha2", "MPIJob", "the current apiVersion is kubeflow.org/v1 or kubeflow.org/v2beta1"},
          {"kubeflow.org/v1", "ChainerJob", "the current apiVersion is kubeflow.org/v1alpha1"},
          {"batch.volcano.sh/v1", "Job", "the current apiVersion is batch.volcano.sh/v1alpha1"}}) {
        BOOST_TEST((role_of(api_version, kind) == document_role::mistaken), api_version << " " << kind);
        BOOST_TEST(hint_of(api_version, kind) == hint, api_version << " " << kind);
    }
}

BOOST_AUTO_TEST_CASE(kinds_that_are_installed_with_a_job_kind_are_other_objects) {
    for (auto const* kind : {"TrainingRuntime", "ClusterTrainingRuntime", "TrainingRuntimeList"})
        BOOST_TEST((role_of("trainer.kubeflow.org/v1alpha1", kind) == document_role::other), kind);
    BOOST_TEST((role_of("trainer.kubeflow.org/v1alpha1", "TrainRuntime") == document_role::mistaken));
}

BOOST_AUTO_TEST_CASE(the_objects_of_a_document_are_itself_or_the_items_of_its_list) {
    auto single = objects_of(document("apiVersion: v1\nkind: ConfigMap\n"));
    BOOST_TEST(single.value().size() == 1U);
    BOOST_TEST(single->front().path() == "");
    auto listed = objects_of(document("apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret}\n"
                                      "- {apiVersion: kubeflow.org/v1, kind: TFJob, metadata: {name: t}}\n"));
    BOOST_TEST_REQUIRE(listed.value().size() == 2U);
    BOOST_TEST(listed->at(0).path() == "items[0]");
    BOOST_TEST(listed->at(0).find("").line == 4U);
    BOOST_TEST(parse_job(listed->at(1)).value().metadata().name == "t");
    // Pods are never jobs.
    BOOST_TEST(objects_of(document("apiVersion: v1\nkind: PodList\nitems: [{}]\n")).value().size() == 1U);
    BOOST_TEST((objects_of(document("{")).error().code == errc::syntax));
}

BOOST_AUTO_TEST_CASE(an_unknown_kind_has_the_position_of_the_field) {
    document item = document("apiVersion: v1\nkind: List\nitems:\n- apiVersion: kubeflow.org/v1\n  kind: Tfjob\n")
                        .items()
                        .value()
                        .front();
    auto const job = parse_job(item);
    BOOST_TEST((job.error().code == errc::unknown_kind));
    BOOST_TEST(job.error().detail.line == 5U);
    BOOST_TEST(job.error().detail.column == 9U);
}

BOOST_AUTO_TEST_SUITE_END()
