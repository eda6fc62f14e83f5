#include "kinds/job_documents.hpp"

#include <kftrain/kinds/registry.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>

BOOST_AUTO_TEST_SUITE(job_documents)

using namespace kftrain;
using detail::document_role;

namespace {

document_type type_of(std::string api_version, std::string kind) {
    document_type type;
    type.api_version = std::move(api_version);
    type.kind = std::move(kind);
    return type;
}

document_role role_of(std::string api_version, std::string kind) {
    return detail::role_of(type_of(std::move(api_version), std::move(kind)));
}

/// What stands behind the words that name the type.
std::string hint_of(std::string api_version, std::string kind) {
    std::string const text = detail::unknown_job(type_of(std::move(api_version), std::move(kind))).detail.message;
    auto const at = text.find("; ");
    return at == std::string::npos ? text : text.substr(at + 2);
}

/// Writes down what it sees.
class recorder : public detail::document_visitor {
public:
    void visit_job(any_job const& job, detail::document_reader&, detail::document_reader&,
                   std::string const& item) override {
        seen.push_back(item + "job " + job.metadata().name);
    }
    void visit_other(detail::other_document other) override {
        seen.push_back(other.item + "line " + std::to_string(other.line) + ": " + other.to_string());
        json = other.json;
    }
    void visit_faults(document_type const& type, std::span<failure> faults) override {
        for (auto& f : faults) seen.push_back("fault of " + type.kind + ": " + f.detail.message);
    }

    std::vector<std::string> seen;
    std::string json;
};

constexpr std::string_view config_map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: b}\n";
constexpr std::string_view a_job = "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: j}\n";

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

BOOST_AUTO_TEST_CASE(other_objects_go_to_the_visitor_with_their_line) {
    recorder all;
    auto const jobs =
        detail::parse_jobs("# a comment\n" + std::string(config_map) + "---\n" + std::string(a_job), {}, all);
    BOOST_TEST(jobs.value().size() == 1U);
    BOOST_TEST(all.seen == (std::vector<std::string>{"line 2: ConfigMap c", "job j"}),
               boost::test_tools::per_element());
    BOOST_TEST(all.json == R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"a":"b"}})");
}

BOOST_AUTO_TEST_CASE(other_items_of_a_list_go_to_the_visitor) {
    recorder all;
    auto const jobs = detail::parse_jobs("apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret}\n"
                                         "- {apiVersion: kubeflow.org/v1, kind: TFJob, metadata: {name: t}}\n",
                                         {}, all);
    BOOST_TEST(jobs.value().size() == 1U);
    BOOST_TEST(all.seen == (std::vector<std::string>{"items[0]line 4: Secret", "items[1]job t"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(faults_go_to_the_visitor_with_the_type) {
    recorder all;
    auto const jobs = detail::parse_jobs("apiVersion: kubeflow.org/v1\nkind: Tfjob\n", {}, all);
    BOOST_TEST((jobs.error().code == errc::unknown_kind));
    BOOST_TEST(jobs.error().detail.line == 2U);
    BOOST_TEST(all.seen.size() == 1U);
    BOOST_TEST(all.seen.front().starts_with("fault of Tfjob: "));
}

BOOST_AUTO_TEST_SUITE_END()
