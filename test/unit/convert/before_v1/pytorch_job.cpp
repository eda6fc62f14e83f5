#include "unit/convert/change_lines.hpp"

#include <kftrain/convert/registry.hpp>
#include <kftrain/kinds/pytorch_job.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(convert_pytorch_job)

using namespace convert_sample;

namespace {

std::string const container = "template: {spec: {containers: [{name: pytorch, image: 'i:1'}]}}";
std::string const one_master = "  pytorchReplicaSpecs:\n    Master: {" + container + "}\n";

/// A PyTorchJob `mnist` with these lines of its spec, each indented by two.
std::string old_job(std::string const& version, std::string const& spec, std::string const& more = "") {
    return "apiVersion: kubeflow.org/" + version + "\nkind: PyTorchJob\nmetadata: {name: mnist}\nspec:\n" + spec + more;
}

result<convert::converted<pytorch_job>> read(std::string const& text) {
    auto made = convert::convert_job(yaml_document(text, 1), convert::kind_name("PyTorchJob.v1"));
    if (!made) return made.error();
    return convert::converted<pytorch_job>(*made->job.get_if<pytorch_job>(), std::move(made->changes));
}

bool is_old(std::string const& text) { return !read(text).value().changes.empty(); }

} // namespace

/// pytorch-operator v0.7.0 `pkg/apis/pytorch/v1/types.go`.
BOOST_AUTO_TEST_CASE(fields_of_the_spec_move_to_the_run_policy) {
    auto const made =
        read(old_job("v1", "  cleanPodPolicy: Running\n  ttlSecondsAfterFinished: 60\n  activeDeadlineSeconds: 9\n  "
                           "backoffLimit: 3\n" +
                               one_master + "    Worker: {replicas: 2, restartPolicy: ExitCode, " + container + "}\n"))
            .value();
    BOOST_TEST(to_yaml(made.job) == R"(apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: mnist
spec:
  runPolicy:
    cleanPodPolicy: Running
    ttlSecondsAfterFinished: 60
    activeDeadlineSeconds: 9
    backoffLimit: 3
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      template:
        spec:
          containers:
          - name: pytorch
            image: i:1
    Worker:
      replicas: 2
      template:
        spec:
          containers:
          - name: pytorch
            image: i:1
      restartPolicy: ExitCode
)");
    std::string const count = "spec.pytorchReplicaSpecs[Master].replicas";
    BOOST_TEST(change_lines(made.changes) ==
                   (lines{"changed spec.ttlSecondsAfterFinished 60 -> spec.runPolicy.ttlSecondsAfterFinished",
                          "changed spec.activeDeadlineSeconds 9 -> spec.runPolicy.activeDeadlineSeconds",
                          "changed spec.backoffLimit 3 -> spec.runPolicy.backoffLimit",
                          "changed spec.cleanPodPolicy \"Running\" -> spec.runPolicy.cleanPodPolicy",
                          "changed " + count + " - -> " + count}),
               boost::test_tools::per_element());
    BOOST_TEST(convert::loses_nothing(made.changes));
}

/// pytorch-operator v0.3.0 `pkg/apis/pytorch/v1alpha2/types.go`: neither deadline nor limit, and two policies.
BOOST_AUTO_TEST_CASE(later_fields_are_dropped_from_v1alpha2) {
    auto const made = read(old_job("v1alpha2", "  cleanPodPolicy: Running\n  ttlSecondsAfterFinished: 60\n  "
                                               "backoffLimit: 3\n  runPolicy: {suspend: true}\n" +
                                                   one_master))
                          .value();
    BOOST_TEST(made.job.spec.run_policy.clean_pod_policy.value() == "All");
    BOOST_TEST(made.job.spec.run_policy.ttl_seconds_after_finished.value() == 60);
    BOOST_TEST(!made.job.spec.run_policy.backoff_limit.has_value());
    BOOST_TEST(!made.job.spec.run_policy.suspend.has_value());
    BOOST_TEST(made.changes.at(0).path == "apiVersion");
    BOOST_TEST((made.changes.at(0).becomes == convert::fate::changed));
    auto const all = change_lines(made.changes);
    BOOST_TEST(has(all, "changed spec.cleanPodPolicy \"Running\" -> spec.runPolicy.cleanPodPolicy"));
    BOOST_TEST(has(all, "dropped spec.backoffLimit 3"));
    BOOST_TEST(has(all, "dropped spec.runPolicy {\"suspend\":true}"));
    for (std::string const policy : {"None", "All"})
        BOOST_TEST(read(old_job("v1alpha2", "  cleanPodPolicy: " + policy + "\n" + one_master))
                       .value()
                       .job.spec.run_policy.clean_pod_policy.value() == policy);
}

BOOST_AUTO_TEST_CASE(fields_of_no_form_are_dropped) {
    auto const made = read(old_job("v1alpha2",
                                   "  backend: gloo\n  pytorchReplicaSpecs:\n    Master: {masterPort: 1, " + container +
                                       "}\n    Worker: {replicas: 0, " + container + "}\n",
                                   "status: {pytorchReplicaStatuses: {Master: {active: 1}}}\n"))
                          .value();
    auto const all = change_lines(made.changes);
    BOOST_TEST(has(all, "dropped spec.backend \"gloo\""));
    BOOST_TEST(has(all, "dropped spec.pytorchReplicaSpecs[Master].masterPort 1"));
    BOOST_TEST(has(all, "dropped status {\"pytorchReplicaStatuses\":{\"Master\":{\"active\":1}}}"));
    BOOST_TEST(!made.job.spec.pytorch_replica_specs.contains("Worker"));
    BOOST_TEST(made.job.spec.pytorch_replica_specs.at("Master").unknown.empty());
}

BOOST_AUTO_TEST_CASE(forms_of_one_version_are_recognized_by_their_fields) {
    BOOST_TEST(is_old(old_job("v1alpha2", one_master)));
    for (std::string const field :
         {"cleanPodPolicy: None", "ttlSecondsAfterFinished: 1", "activeDeadlineSeconds: 1", "backoffLimit: 1"})
        BOOST_TEST(is_old(old_job("v1", "  " + field + "\n" + one_master)), field);
    BOOST_TEST(!is_old(old_job("v1", one_master)));
    BOOST_TEST(!is_old(old_job("v1", "  runPolicy: {backoffLimit: 1}\n" + one_master)));
}

BOOST_AUTO_TEST_CASE(bad_jobs_are_refused_with_the_field) {
    BOOST_TEST(refusal(read(old_job("v1", "  backoffLimit: 1\n  runPolicy: {}\n" + one_master))) ==
               "invalid job | spec.runPolicy: is a field of the current PyTorchJob, and the spec also has fields of "
               "pytorch-operator: expected one form");
    BOOST_TEST(refusal(read(old_job("v1alpha2", "  pytorchReplicaSpecs:\n    Worker: {" + container + "}\n"))) ==
               "invalid job | spec.pytorchReplicaSpecs[Master]: is absent, expected one: pytorch-operator rejects jobs "
               "without a master");
    BOOST_TEST(
        refusal(read(old_job("v1alpha2", "  pytorchReplicaSpecs:\n    Master: {replicas: 2, " + container + "}\n"))) ==
        "invalid job | spec.pytorchReplicaSpecs[Master].replicas: PyTorchJob of kubeflow.org/v1 rejects the result: "
        "Forbidden: "
        "must be 1");
    BOOST_TEST(refusal(read(old_job("v1alpha2", "  cleanPodPolicy: 3\n" + one_master)))
                   .find("spec.cleanPodPolicy: expected string") != std::string::npos);
    BOOST_TEST(
        refusal(read(old_job("v1", "  backoffLimit: 1\n  backoffLimit: 2\n" + one_master))).find("spec.backoffLimit") !=
        std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
