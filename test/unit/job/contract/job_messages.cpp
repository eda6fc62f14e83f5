#include "unit/job/v1/lint/lint_sample.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/member_lookup.hpp>
#include <kftrain/kinds/tf_job.hpp>
#include <kftrain/kinds/xgboost_job.hpp>
#include <kftrain/model/any_object.hpp>

#include <boost/test/unit_test.hpp>

#include <functional>

/// The messages about jobs of any kind, and the findings of lint for the replicated kinds of kubeflow.org/v1.
BOOST_AUTO_TEST_SUITE(job_messages)

using namespace lint_sample;

namespace {

template <class T> std::string message(result<T> const& r) { return r ? "accepted" : r.error().to_string(); }

std::string set(std::string_view path, std::string_view value) {
    any_job j(job(1, 2));
    return message(j.set_field(path, value));
}

} // namespace

BOOST_AUTO_TEST_CASE(a_field_that_cannot_be_set_is_rejected_with_its_path) {
    std::string const containers = "spec.pytorchReplicaSpecs.Worker.template.spec.containers";
    struct {
        std::string path;
        std::string value;
        std::string expected;
    } const rows[] = {
        {containers + "[name=other].image", "\"i\"",
         containers + "[name=other].image: expected an item that exists at [name=other]"},
        {containers + "[7]", "{}", containers + "[7]: expected an item that exists at [7]"},
        {"metadata.name.first", "1", "metadata.name.first: expected an object or a list above first"},
        {"metadata.name", "x", "metadata.name: expected JSON, got \"x\""},
        {"spec..x", "1",
         "path: expected names, [keys] and [indexes] such as spec.containers[0].image, got \"spec..x\""},
    };
    for (auto const& row : rows) BOOST_TEST(set(row.path, row.value) == row.expected);
}

BOOST_AUTO_TEST_CASE(empty_jobs_and_jobs_of_two_kinds_are_rejected) {
    any_job const pytorch(job(1, 2));
    any_job const tf{tf_job()};
    auto const refusal_of = [](issues const& found) { return found.at(0).rule + ": " + found.at(0).message; };
    BOOST_TEST(refusal_of(any_job().validate()) == "job.kind: expected a job, got an empty one");
    BOOST_TEST(refusal_of(pytorch.validate_update(tf)) ==
               "job.kind: expected an update of a PyTorchJob, got one of a TFJob");
    BOOST_TEST(refusal_of(pytorch.validate_update(any_job())) ==
               "job.kind: expected an update of a PyTorchJob, got one of an empty job");
    any_job none;
    BOOST_TEST(message(none.set_field("a", "1")) == "job: expected a job, got an empty one");
    BOOST_TEST(message(diff(pytorch, tf)) ==
               "kind: expected two jobs of the same kind, got PyTorchJob kubeflow.org/v1 and TFJob kubeflow.org/v1");
    BOOST_CHECK_EXCEPTION(any_job().rules(), error, [](error const& e) {
        return std::string(e.what()).find("expected a job, got an empty one") != std::string::npos;
    });
}

BOOST_AUTO_TEST_CASE(a_rejected_scaling_has_its_reason) {
    rules::scaling s;
    s.refused = "the job is finished";
    BOOST_TEST(message(rules::checked_place(s, "Worker", 1, "replicas")) ==
               "replicas: the job cannot be scaled: the job is finished");
    auto& place = s.places.emplace_back();
    place.role = "Worker";
    place.least = 2;
    BOOST_TEST(message(rules::checked_place(s, "Master", 1, "replicas")) ==
               "replicas: replicas of this type cannot be scaled, expected Worker");
    BOOST_TEST(message(rules::checked_place(s, "Worker", 1, "replicas")) == "replicas: 1, expected at least 2");
    place.most = 4;
    BOOST_TEST(message(rules::checked_place(s, "Worker", 5, "replicas")) == "replicas: 5, expected 2 to 4");
    auto const refused_of = [](pytorch_job const& j) { return any_job(j).scaling().refused; };
    auto over = job(1, 2);
    over.status.conditions.emplace_back().type = "Failed";
    over.status.conditions.back().status = "True";
    BOOST_TEST(refused_of(over) == "the job is finished");
    BOOST_TEST(refused_of(job(1, 0)) == "the job has no replicas of type Worker");
    BOOST_TEST(refused_of(job(1, 2)) == "its running pods received the number of replicas when they were created; "
                                        "suspend the job first");
}

BOOST_AUTO_TEST_CASE(a_failed_lookup_lists_the_replicas) {
    member_lookup const two(any_job(job(1, 1)));
    BOOST_TEST(message(two.of_pod("x")) == "pod \"x\" does not belong to this job; pods are pt-master-0, pt-worker-0");
    BOOST_TEST(message(two.of_host("x")) ==
               "host \"x\" does not belong to this job; hosts are pt-master-0, pt-worker-0");
    BOOST_TEST(message(two.of_rank(2)) == "rank 2 does not exist in this job; ranks are 0 to 1");
    BOOST_TEST(message(two.of_index("Worker", 1)) ==
               "Worker 1 does not exist in this job; replicas are pt-master-0, pt-worker-0");
    BOOST_TEST(message(member_lookup(any_job(job(0, 0))).of_pod("x")) ==
               "pod \"x\" does not belong to this job; pods are none: the job has no replicas");
}

BOOST_AUTO_TEST_CASE(lint_messages_are_complete) {
    using change = std::function<void(pytorch_job&)>;
    std::string const policy = "spec.runPolicy.";
    auto const restart = [](std::string p) {
        return [p](pytorch_job& j) { j.spec.pytorch_replica_specs.at("Worker").restart_policy = p; };
    };
    struct {
        change happens;
        std::string expected;
    } const rows[] = {
        {[](pytorch_job& j) { training(j).ports = {port("a", 1), port("b", 1)}; },
         "lint.service-ports: " + of_training +
             ".ports[1]: number 1 is also the number of port \"a\", expected "
             "distinct numbers"},
        {[](pytorch_job& j) { training(j).ports = {port("a", 1), port("", 2)}; },
         "lint.service-ports: " + of_training +
             ".ports[1]: port 2 has no name, expected one because the operator adds "
             "the port pytorchjob-port"},
        {[](pytorch_job& j) { training(j).image = "train"; },
         "lint.moving-image: " + of_training + ".image: \"train\", expected a fixed tag or a digest"},
        {[](pytorch_job& j) {
             j.spec.pytorch_replica_specs.at("Worker").template_.spec.containers.push_back(named("side"));
         },
         "lint.sidecar: " + worker +
             ".template.spec.containers[1]: container \"side\" must end before the pod of "
             "\"pytorch\" counts as finished"},
        {[](pytorch_job& j) { j.spec.run_policy.active_deadline_seconds = 0; },
         "lint.active-deadline: " + policy + "activeDeadlineSeconds: 0, expected at least 1"},
        {[](pytorch_job& j) { j.spec.run_policy.active_deadline_seconds = 60; },
         "lint.late-deadline: " + policy +
             "activeDeadlineSeconds: 60 seconds: the operator may notice the end of this "
             "time late"},
        {[](pytorch_job& j) { j.spec.run_policy.backoff_limit = -1; },
         "lint.negative-limit: " + policy + "backoffLimit: -1, expected at least 0"},
        {[](pytorch_job& j) { j.spec.run_policy.clean_pod_policy = "Some"; },
         "lint.clean-pod-policy: " + policy + "cleanPodPolicy: \"Some\" acts like All, expected All, Running or None"},
        {[](pytorch_job& j) { training(j).resources.limits["nvidia.com/gpu"] = quantity("1"); },
         "lint.kept-devices: " + policy +
             "cleanPodPolicy: is absent, expected All, Running, or None to keep pods that "
             "still run"},
        {restart("Sometimes"), "lint.restart-policy: " + worker +
                                   ".restartPolicy: \"Sometimes\", expected Always, OnFailure, Never or "
                                   "ExitCode"},
        {restart("Always"), "lint.always-restarted: " + worker +
                                ".restartPolicy: \"Always\" restarts containers that have succeeded, "
                                "expected OnFailure, Never or ExitCode"},
        {[&](pytorch_job& j) {
             restart("ExitCode")(j);
             j.spec.run_policy.ttl_seconds_after_finished = 5;
         },
         "lint.ttl-exit-code: " + policy +
             "ttlSecondsAfterFinished: has no effect if a Worker fails permanently, "
             "because its restartPolicy is ExitCode"},
        {[&](pytorch_job& j) {
             restart("Never")(j);
             j.spec.pytorch_replica_specs.at("Worker").template_.spec.restart_policy = "Always";
         },
         "lint.template-restart-policy: " + worker + ".template.spec.restartPolicy: \"Always\" is overwritten by " +
             worker + ".restartPolicy, which is \"Never\""},
        {[](pytorch_job& j) {
             for (auto& [type, spec] : j.spec.pytorch_replica_specs) spec.restart_policy = "Never";
             j.spec.run_policy.backoff_limit = 3;
         },
         "lint.unused-backoff-limit: " + policy +
             "backoffLimit: 3 is never reached, expected at least one replica with "
             "restartPolicy OnFailure"},
        {[](pytorch_job& j) { j.spec.run_policy.managed_by = "kueue.x-k8s.io/multikueue"; },
         "lint.managed-by: " + policy +
             "managedBy: \"kueue.x-k8s.io/multikueue\" manages the job, so the training "
             "operator ignores it"},
        {[](pytorch_job& j) { j.spec.run_policy.suspend = true; },
         "lint.suspended: " + policy + "suspend: true, so the job has no pods until it is false"},
    };
    for (auto const& row : rows) {
        auto const found = all(changed(2, row.happens));
        BOOST_TEST(std::ranges::count(found, row.expected) == 1,
                   row.expected << "\ngot " << (found.empty() ? "nothing" : found.back()));
    }
}

BOOST_AUTO_TEST_CASE(lint_reports_on_failure_if_a_failed_pod_ends_the_job) {
    xgboost_job j;
    j.spec.xgb_replica_specs["Master"] = replicas(1, "OnFailure");
    std::string found;
    for (auto const& i : any_job(j).lint())
        if (i.rule == "lint.pod-failure") found = i.message;
    BOOST_TEST(found == "spec.xgbReplicaSpecs[Master].restartPolicy: \"OnFailure\" restarts only containers, expected "
                        "ExitCode to replace failed pods as well");
}

BOOST_AUTO_TEST_SUITE_END()
