#include "unit/convert/change_lines.hpp"

#include <kftrain/convert/registry.hpp>
#include <kftrain/kinds/tf_job.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(convert_registry)

using namespace convert_sample;

namespace {

result<convert::converted<any_job>> convert_to(std::string const& to, std::string const& text) {
    return convert::convert_job(yaml_document(text, 1), convert::kind_name(to));
}

std::string as_text(any_job const& job) {
    return job.resource().api_version() + " " + std::string(job.resource().kind);
}

std::string const v1_text = any_job(v1_job()).to_yaml();
std::string const v2beta1_text = any_job(v2beta1_job()).to_yaml();
std::string const torch_text =
    "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: mnist}\nspec:\n  pytorchReplicaSpecs:\n"
    "    Master: {replicas: 1, template: {spec: {containers: [{name: pytorch, image: 'i:1'}]}}}\n";

} // namespace

BOOST_AUTO_TEST_CASE(kind_names_can_have_a_version) {
    convert::kind_name const plain("PyTorchJob"), versioned("MPIJob.v2beta1");
    BOOST_TEST(plain.kind == "PyTorchJob");
    BOOST_TEST(plain.version.empty());
    BOOST_TEST(versioned.kind == "MPIJob");
    BOOST_TEST(versioned.version == "v2beta1");
}

BOOST_AUTO_TEST_CASE(conversions_are_found_by_source_and_name) {
    BOOST_TEST(as_text(convert_to("MPIJob", v1_text).value().job) == "kubeflow.org/v2beta1 MPIJob");
    BOOST_TEST(as_text(convert_to("MPIJob.v2beta1", v1_text).value().job) == "kubeflow.org/v2beta1 MPIJob");
    BOOST_TEST(as_text(convert_to("MPIJob", v2beta1_text).value().job) == "kubeflow.org/v1 MPIJob");
    BOOST_TEST(as_text(convert_to("PyTorchJob", torch_text + "  backoffLimit: 3\n").value().job) ==
               "kubeflow.org/v1 PyTorchJob");
    for (auto const& text : {v1_text, v2beta1_text})
        BOOST_TEST(as_text(convert_to("Job", text).value().job) == "batch.volcano.sh/v1alpha1 Job");
}

BOOST_AUTO_TEST_CASE(old_mx_jobs_are_found_by_their_form) {
    auto const text = [](std::string const& version, std::string const& spec) {
        return "apiVersion: kubeflow.org/" + version +
               "\nkind: MXJob\nmetadata: {name: mx}\nspec:\n  jobMode: MXTrain\n" + spec +
               "  mxReplicaSpecs:\n    Worker: {template: {spec: {containers: [{name: mxnet, image: 'i:1'}]}}}\n";
    };
    std::string const form = "  cleanPodPolicy: All\n";
    for (std::string const version : {"v1beta1", "v1alpha2", "v1"})
        BOOST_TEST(convert_to("MXJob", text(version, form)).value().job.to_yaml().find("  runPolicy:\n") !=
                   std::string::npos);
    BOOST_TEST(convert_to("MXJob", text("v1", "")).value().changes.empty());
    BOOST_TEST(as_text(convert_to("Job", text("v1", "")).value().job) == "batch.volcano.sh/v1alpha1 Job");
}

BOOST_AUTO_TEST_CASE(old_tf_jobs_are_found_by_their_form) {
    auto const text = [](std::string const& version, std::string const& spec) {
        return "apiVersion: kubeflow.org/" + version + "\nkind: TFJob\nmetadata: {name: tf}\nspec:\n" + spec +
               "  tfReplicaSpecs:\n    Worker: {template: {spec: {containers: [{name: tensorflow, image: 'i:1'}]}}}\n";
    };
    std::string const form = "  cleanPodPolicy: All\n  backoffLimit: 3\n";
    for (std::string const version : {"v1beta2", "v1"}) {
        auto const made = convert_to("TFJob", text(version, form)).value();
        auto const* job = made.job.get_if<tf_job>();
        BOOST_TEST_REQUIRE(job != nullptr);
        BOOST_TEST(job->spec.run_policy.clean_pod_policy.value() == "All");
        BOOST_TEST(job->spec.run_policy.backoff_limit.value() == 3);
        BOOST_TEST(job->spec.unknown.empty());
    }
    // The defaults of the two operators differ.
    auto const limited = convert_to("TFJob", text("v1", "  backoffLimit: 3\n")).value();
    BOOST_TEST(limited.job.get_if<tf_job>()->spec.run_policy.clean_pod_policy.value() == "Running");
    BOOST_TEST(convert_to("TFJob", text("v1", "")).value().changes.empty());
    auto const mixed = convert_to("TFJob", text("v1", form + "  runPolicy: {suspend: true}\n"));
    BOOST_TEST((mixed.error().code == errc::invalid_job));
    BOOST_TEST(mixed.error().detail.path == "spec.runPolicy");
    BOOST_TEST((convert_to("Job", text("v1", form)).error().code == errc::invalid_argument)); // first to a TFJob
}

BOOST_AUTO_TEST_CASE(a_misspelt_kind_is_named_with_the_nearest_one) {
    auto const refused = convert_to("Job", "apiVersion: kubeflow.org/v1\nkind: PytorchJob\n");
    BOOST_TEST((refused.error().code == errc::unknown_kind));
    BOOST_TEST(refused.error().detail.message.find("did you mean PyTorchJob?") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_job_of_the_target_kind_is_unchanged) {
    for (auto const& [to, text] :
         {std::pair("MPIJob.v1", v1_text), std::pair("PyTorchJob", torch_text + "novel: 1\n")}) {
        auto const made = convert_to(to, text).value();
        BOOST_TEST(made.changes.empty());
        BOOST_TEST(as_text(made.job).starts_with("kubeflow.org/v1 "));
    }
    BOOST_TEST(convert_to("PyTorchJob", torch_text + "novel: 1\n").value().job.to_json().find("\"novel\":1") !=
               std::string::npos);
}

BOOST_AUTO_TEST_CASE(unknown_conversions_list_the_possible_ones) {
    auto const refused = convert_to("Queue", v1_text);
    BOOST_TEST((refused.error().code == errc::unknown_kind));
    BOOST_TEST(refused.error().detail.message ==
               "MPIJob of kubeflow.org/v1 cannot be converted to Queue; known conversions: MPIJob of kubeflow.org/v1 "
               "to MPIJob of kubeflow.org/v2beta1, MPIJob of kubeflow.org/v2beta1 to MPIJob of kubeflow.org/v1, MPIJob "
               "of kubeflow.org/v1alpha1 to MPIJob of kubeflow.org/v1, MPIJob of kubeflow.org/v1alpha2 to MPIJob of "
               "kubeflow.org/v1, MPIJob of kubeflow.org/v1 to Job of "
               "batch.volcano.sh/v1alpha1, MPIJob of kubeflow.org/v2beta1 to Job of batch.volcano.sh/v1alpha1, MPIJob "
               "of kubeflow.org/v2beta1 to TrainJob of trainer.kubeflow.org/v1alpha1");
    BOOST_TEST(convert_to("MPIJob", "apiVersion: v1\nkind: Pod\n").error().detail.message ==
               "Pod of v1 cannot be converted to MPIJob");
    BOOST_TEST(convert_to("MPIJob.v3", v1_text)
                   .error()
                   .detail.message.starts_with("MPIJob of kubeflow.org/v1 cannot be converted to MPIJob.v3; "));
    BOOST_TEST(convert_to("MPIJob", "{}").error().to_string() ==
               "kind: expected apiVersion and kind of a job, got neither");
}

BOOST_AUTO_TEST_CASE(fields_of_no_kind_are_dropped_and_repeated_ones_refused) {
    auto const made = convert_to("MPIJob", v1_text + "novel: 1\n").value();
    BOOST_TEST(has(change_lines(made.changes), "dropped novel 1"));
    auto const twice = convert_to("MPIJob", v1_text + "metadata: {name: other}\n");
    BOOST_TEST((twice.error().code == errc::duplicate_field));
    BOOST_TEST(twice.error().detail.line > 0);
}

BOOST_AUTO_TEST_SUITE_END()
