#include "unit/convert/change_lines.hpp"

#include <kftrain/convert/registry.hpp>
#include <kftrain/job/any_job.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/mx_job.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(convert_mx_job)

using namespace convert_sample;

namespace {

std::string const mx_pod = "template: {spec: {containers: [{name: mxnet, image: 'i:1'}]}}";
std::string const mx_trio = "  mxReplicaSpecs:\n    Scheduler: {" + mx_pod + "}\n    Server: {" + mx_pod +
                            "}\n    Worker: {replicas: 2, " + mx_pod + "}\n";

/// An MXJob `mx` with these lines of its spec, each indented by two.
std::string old_mx(std::string const& version, std::string const& spec) {
    return "apiVersion: kubeflow.org/" + version + "\nkind: MXJob\nmetadata: {name: mx}\nspec:\n" + spec;
}

std::string mx_set(std::string const& fields, std::string const& more = "") {
    return "  - {" + fields + ", template: {spec: {" + more + "containers: [{name: mxnet, image: 'i:1'}]}}}\n";
}

std::string const mx_sets = "  replicaSpecs:\n" + mx_set("replicas: 1, mxReplicaType: SCHEDULER, PsRootPort: 9000") +
                            mx_set("replicas: 2, mxReplicaType: SERVER") + mx_set("replicas: 2");

result<convert::converted<mx_job>> read_mx(std::string const& text) {
    auto made = convert::convert_job(yaml_document(text, 1), convert::kind_name("MXJob.v1"));
    if (!made) return made.error();
    return convert::converted<mx_job>(*made->job.get_if<mx_job>(), std::move(made->changes));
}

bool is_old_mx(std::string const& text) { return !read_mx(text).value().changes.empty(); }

} // namespace

/// mxnet-operator v1.1.0 `pkg/apis/mxnet/v1/types.go`, whose run policy is inline.
BOOST_AUTO_TEST_CASE(fields_of_the_spec_of_v1_move_to_the_run_policy) {
    auto const made = read_mx(old_mx("v1", "  jobMode: MXTrain\n  cleanPodPolicy: Running\n  backoffLimit: 3\n  "
                                           "ttlSecondsAfterFinished: 60\n  activeDeadlineSeconds: 9\n  "
                                           "schedulingPolicy: {queue: q}\n" +
                                               mx_trio))
                          .value();
    auto const& policy = made.job.spec.run_policy;
    BOOST_TEST(to_json(policy) == R"({"cleanPodPolicy":"Running","ttlSecondsAfterFinished":60,)"
                                  R"("activeDeadlineSeconds":9,"backoffLimit":3,"schedulingPolicy":{"queue":"q"}})");
    BOOST_TEST(made.job.spec.job_mode == "MXTrain");
    BOOST_TEST(made.job.spec.mx_replica_specs.size() == 3U);
    BOOST_TEST(change_lines(made.changes) ==
                   (lines{"changed spec.cleanPodPolicy \"Running\" -> spec.runPolicy.cleanPodPolicy",
                          "changed spec.ttlSecondsAfterFinished 60 -> spec.runPolicy.ttlSecondsAfterFinished",
                          "changed spec.activeDeadlineSeconds 9 -> spec.runPolicy.activeDeadlineSeconds",
                          "changed spec.backoffLimit 3 -> spec.runPolicy.backoffLimit",
                          "changed spec.schedulingPolicy {\"queue\":\"q\"} -> spec.runPolicy.schedulingPolicy"}),
               boost::test_tools::per_element());
    BOOST_TEST(!has_errors(any_job(made.job).validate()));
}

/// mxnet-operator v0.1.0 `pkg/apis/mxnet/v1beta1/{types,defaults}.go`.
BOOST_AUTO_TEST_CASE(v1beta1_cleans_all_pods_and_labels_tuners) {
    auto const made = read_mx(old_mx("v1beta1", "  jobMode: MXTune\n  successPolicy: AllWorkers\n  backoffLimit: 3\n  "
                                                "mxReplicaSpecs:\n    TunerServer: {label: 2080ti, " +
                                                    mx_pod + "}\n    Tuner: {" + mx_pod + "}\n"))
                          .value();
    BOOST_TEST(made.job.spec.run_policy.clean_pod_policy.value() == "All");
    BOOST_TEST(!made.job.spec.run_policy.backoff_limit.has_value());
    auto const& server = made.job.spec.mx_replica_specs.at("TunerServer");
    BOOST_TEST(server.template_.metadata.annotations.at("tuner-server-key") == "2080ti");
    BOOST_TEST(change_lines(made.changes) ==
                   (lines{"changed spec.cleanPodPolicy - -> spec.runPolicy.cleanPodPolicy",
                          "changed spec.successPolicy \"AllWorkers\"", "dropped spec.backoffLimit 3",
                          "changed spec.mxReplicaSpecs[TunerServer].label \"2080ti\" -> "
                          "spec.mxReplicaSpecs[TunerServer].template.metadata.annotations[tuner-server-key]",
                          "approximated spec.mxReplicaSpecs[Scheduler] -"}),
               boost::test_tools::per_element());
    BOOST_TEST(made.changes.front().path == "apiVersion");
    auto const alpha = read_mx(old_mx("v1alpha2", "  jobMode: MXTrain\n  successPolicy: ''\n" + mx_trio)).value();
    BOOST_TEST(has(change_lines(alpha.changes), "dropped spec.successPolicy \"\""));
}

/// mxnet-operator before v0.1.0 `pkg/apis/mxnet/v1alpha1/{types,defaults}.go`, `pkg/trainer/`.
BOOST_AUTO_TEST_CASE(sets_of_v1alpha1_become_entries) {
    auto const made = read_mx(old_mx("v1alpha1", "  jobMode: dist\n  RuntimeId: ab12\n  mxImage: i:2\n  schedulerName: "
                                                 "gang\n" +
                                                     mx_sets))
                          .value();
    auto const& specs = made.job.spec.mx_replica_specs;
    BOOST_TEST(specs.at("Server").replicas.value() == 2);
    BOOST_TEST(specs.at("Worker").replicas.value() == 2);
    BOOST_TEST(specs.at("Worker").restart_policy == "OnFailure");
    BOOST_TEST(specs.at("Worker").template_.spec.scheduler_name == "gang");
    auto const& port = specs.at("Scheduler").template_.spec.containers.at(0).ports.at(0);
    BOOST_TEST(port.name == "mxjob-port");
    BOOST_TEST(port.container_port_ == 9000);
    BOOST_TEST(made.job.spec.job_mode == "MXTrain");
    BOOST_TEST(made.job.spec.run_policy.clean_pod_policy.value() == "All");
    BOOST_TEST(!has_errors(any_job(made.job).validate()));
    auto const all = change_lines(made.changes);
    std::string const scheduler = "spec.replicaSpecs[0]", to = "spec.mxReplicaSpecs[Scheduler]";
    for (std::string const& line :
         {std::string("dropped spec.RuntimeId \"ab12\""), std::string("dropped spec.mxImage \"i:2\""),
          std::string("changed spec.jobMode \"dist\" -> spec.jobMode"),
          std::string("changed spec.cleanupPodPolicy - -> spec.runPolicy.cleanPodPolicy"),
          "changed " + scheduler + ".mxReplicaType \"SCHEDULER\" -> " + to,
          "changed " + scheduler + ".PsRootPort 9000 -> " + to + ".template.spec.containers[0].ports[0]",
          "approximated " + scheduler + ".template.spec.restartPolicy - -> " + to + ".restartPolicy",
          std::string("changed spec.replicaSpecs[2].mxReplicaType - -> spec.mxReplicaSpecs[Worker]"),
          std::string("approximated spec.terminationPolicy -")})
        BOOST_TEST(has(all, line), line);
}

BOOST_AUTO_TEST_CASE(the_end_of_a_job_of_v1alpha1_is_reported) {
    auto const end = [](std::string const& spec) {
        for (auto const& line : change_lines(read_mx(old_mx("v1alpha1", spec))))
            if (line.find("terminationPolicy") != std::string::npos) return line;
        return std::string("unreported");
    };
    std::string const chief = "  terminationPolicy: {chief: {replicaName: SCHEDULER, replicaIndex: 0}}\n";
    BOOST_TEST(end(chief + mx_sets) ==
               "changed spec.terminationPolicy {\"chief\":{\"replicaName\":\"SCHEDULER\",\"replicaIndex\":0}}");
    BOOST_TEST(end(mx_sets) == "approximated spec.terminationPolicy -");
    BOOST_TEST(end("  replicaSpecs:\n" + mx_set("mxReplicaType: WORKER")) == "unreported");
}

BOOST_AUTO_TEST_CASE(restarts_of_v1alpha1_depend_on_the_deciding_replica) {
    auto const policy = [](std::string const& given) {
        auto const made = read_mx(old_mx("v1alpha1", "  replicaSpecs:\n" + mx_set("mxReplicaType: SERVER", given) +
                                                         mx_set("replicas: 1", given)))
                              .value();
        return made.job.spec.mx_replica_specs.at("Server").restart_policy + " " +
               made.job.spec.mx_replica_specs.at("Worker").restart_policy;
    };
    BOOST_TEST(policy("") == "OnFailure OnFailure");
    BOOST_TEST(policy("restartPolicy: Never, ") == "OnFailure Never"); // the first worker decides
    BOOST_TEST(policy("restartPolicy: OnFailure, ") == "OnFailure OnFailure");
}

BOOST_AUTO_TEST_CASE(forms_of_mx_jobs_are_recognized_by_their_fields) {
    for (std::string const version : {"v1alpha2", "v1beta1"}) BOOST_TEST(is_old_mx(old_mx(version, mx_trio)));
    for (std::string const field : {"cleanPodPolicy: None", "ttlSecondsAfterFinished: 1", "activeDeadlineSeconds: 1",
                                    "backoffLimit: 1", "schedulingPolicy: {}"})
        BOOST_TEST(is_old_mx(old_mx("v1", "  " + field + "\n" + mx_trio)), field);
    BOOST_TEST(!is_old_mx(old_mx("v1", mx_trio)));
    BOOST_TEST(!is_old_mx(old_mx("v1", "  runPolicy: {backoffLimit: 1}\n" + mx_trio)));
}

BOOST_AUTO_TEST_CASE(bad_mx_jobs_are_refused_with_the_field) {
    BOOST_TEST(refusal(read_mx(old_mx("v1", "  backoffLimit: 1\n  runPolicy: {}\n" + mx_trio))) ==
               "invalid job | spec.runPolicy: is a field of the current MXJob, and the spec also has fields of "
               "mxnet-operator: expected one form");
    BOOST_TEST(refusal(read_mx(old_mx("v1alpha1", "  replicaSpecs:\n" + mx_set("mxReplicaType: CHIEF")))) ==
               "invalid job | spec.replicaSpecs[0].mxReplicaType: is \"CHIEF\", expected SCHEDULER, SERVER or WORKER");
    BOOST_TEST(
        refusal(read_mx(old_mx("v1alpha1", "  replicaSpecs:\n" + mx_set("replicas: 1") + mx_set("replicas: 2")))) ==
        "invalid job | spec.replicaSpecs[1]: is a second set of type WORKER, expected one set of each type");
    BOOST_TEST(
        refusal(read_mx(old_mx("v1alpha1", "  replicaSpecs:\n" + mx_set("replicas: 2, mxReplicaType: SCHEDULER")))) ==
        "invalid job | spec.replicaSpecs[0].replicas: is 2, expected 1: the operator rejects more than one scheduler");
    auto const imageless =
        read_mx(old_mx("v1alpha1", "  replicaSpecs:\n  - {template: {spec: {containers: [{name: mxnet}]}}}\n"));
    BOOST_TEST(refusal(imageless).find("spec.replicaSpecs[0].template.spec.containers[0].image: MXJob of "
                                       "kubeflow.org/v1 rejects the result") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
