#include "unit/kinds/mx_job/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_mx_job)

using namespace family;

namespace {

void expect(any_job const& j, lines const& expected) {
    BOOST_TEST(faults(j) == expected, boost::test_tools::per_element());
}

/// The events of the operator for a job that it rejects.
lines refusal(any_job const& j) { return events(plan_of(j, observed(), at(0))); }

} // namespace

/// Upstream: training-operator v1.7.0 `pkg/controller.v1/mxnet/mxnet.go`, as the next.
BOOST_AUTO_TEST_CASE(workers_get_all_replicas) {
    lines const expected{
        R"(MX_CONFIG={"cluster":{"scheduler":[{"url":"mx-scheduler-0","port":9091}],"server":[{"url":"mx-server-0",)"
        R"("port":9091}],"worker":[{"url":"mx-worker-0","port":9091},{"url":"mx-worker-1","port":9091}]},)"
        R"("labels":{"scheduler":"","server":"","worker":""},"task":{"type":"worker","index":1}})",
        "DMLC_PS_ROOT_PORT=9091",
        "DMLC_PS_ROOT_URI=mx-scheduler-0",
        "DMLC_NUM_SERVER=1",
        "DMLC_NUM_WORKER=2",
        "DMLC_ROLE=worker",
        "DMLC_USE_KUBERNETES=1",
        "DMLC_WORKER_ID=1"};
    BOOST_TEST(environment(training(2), "mx-worker-1") == expected, boost::test_tools::per_element());
    BOOST_TEST(environment(training(2), "mx-server-0").size() == 7U);
}

BOOST_AUTO_TEST_CASE(a_tuning_job_has_no_scheduler_address) {
    auto j = mx({{"Tuner", 1}, {"TunerServer", 2}, {"TunerTracker", 1}});
    j.spec.mx_replica_specs.at("TunerServer").template_.metadata.annotations["tuner-server-key"] = "a<\"b\">&\n\u2028";
    auto const variables = environment(j, "mx-tuner-0");
    BOOST_TEST(
        variables.at(0) ==
        R"(MX_CONFIG={"cluster":{"tuner":[{"url":"mx-tuner-0","port":9091}],"tunerserver":[{"url":"mx-tunerserver-0",)"
        R"("port":9091},{"url":"mx-tunerserver-1","port":9091}],"tunertracker":[{"url":"mx-tunertracker-0",)"
        R"("port":9091}]},"labels":{"tuner":"","tunerserver":"a\u003c\"b\"\u003e\u0026\n\u2028","tunertracker":""},)"
        R"("task":{"type":"tuner","index":0}})");
    BOOST_TEST(variables.at(1) == "DMLC_PS_ROOT_PORT=0");
    BOOST_TEST(variables.at(2) == "DMLC_PS_ROOT_URI=");
    BOOST_TEST(variables.at(5) == "DMLC_ROLE=tuner");
}

BOOST_AUTO_TEST_CASE(negative_replicas_count_as_zero) {
    auto j = training(1);
    j.spec.mx_replica_specs.at("Server").replicas = -1;
    auto const variables = environment(j, "mx-worker-0");
    BOOST_TEST((variables.at(0).find(R"("server":[])") != std::string::npos), variables.at(0));
    BOOST_TEST(variables.at(3) == "DMLC_NUM_SERVER=0");
}

BOOST_AUTO_TEST_CASE(workers_have_ranks_and_servers_the_role_of_a_master) {
    auto const layout = any_job(training(2)).members();
    for (auto const& m : layout.members)
        BOOST_TEST((m.rank == (m.role == "Worker" ? std::optional(m.index) : std::nullopt)), m.pod_name);
    BOOST_TEST(layout.world_size.value() == 2);
    BOOST_TEST(layout.rank_note.find("BytePS") != std::string::npos);
    BOOST_TEST(any_job(mx({{"Tuner", 1}})).members().rank_note ==
               "only workers have ranks, and the job has no workers");
    BOOST_TEST(pod_of(training(1), "mx-server-0").metadata.labels.contains("training.kubeflow.org/job-role"));
    BOOST_TEST(!pod_of(training(1), "mx-scheduler-0").metadata.labels.contains("training.kubeflow.org/job-role"));
}

/// Upstream: training-operator v1.7.0 `pkg/apis/kubeflow.org/v1/mxnet_defaults.go`.
BOOST_AUTO_TEST_CASE(the_case_of_three_types_is_corrected) {
    auto j = mx({{"scheduler", 1}, {"SERVER", 1}, {"worker", 1}, {"tuner", 1}});
    job_rules_for<mx_job>().set_defaults(&j);
    lines keys;
    for (auto const& [type, spec] : j.spec.mx_replica_specs) keys.push_back(type);
    BOOST_TEST(keys == (lines{"Scheduler", "Server", "Worker", "tuner"}), boost::test_tools::per_element());
    BOOST_TEST(j.spec.mx_replica_specs.at("Worker").restart_policy == "Never");
    BOOST_TEST(j.spec.mx_replica_specs.at("Worker").template_.spec.containers.at(0).ports.at(0).container_port_ ==
               9091);
}

BOOST_AUTO_TEST_CASE(unknown_types_are_accepted) {
    auto const j = mx({{"Scheduler", 1}, {"Gizmo", 1}});
    expect(j, {});
    BOOST_TEST(pod_of(j, "mx-gizmo-0").metadata.name == "mx-gizmo-0");
    BOOST_TEST(
        lints(j, "lint.mxnet.replica-type") ==
            lines{"spec.mxReplicaSpecs[Gizmo]: \"Gizmo\", expected one of Scheduler, Server, Worker, TunerTracker, "
                  "TunerServer, Tuner"},
        boost::test_tools::per_element());
    BOOST_TEST(lints(training(1), "lint.mxnet.replica-type").empty());
}

/// Upstream: training-operator v1.7.0 `pkg/apis/kubeflow.org/v1/mxnet_validation.go`, `mxjob_controller.go`.
BOOST_AUTO_TEST_CASE(the_controller_reports_the_first_fault) {
    std::string const sic = "Warning MPIJobFailedValidation: MXJob failed validation because ";
    auto unnamed = training(1);
    unnamed.spec.mx_replica_specs.at("Worker").template_.spec.containers.at(0).name = "other";
    expect(unnamed,
           {"job.container.name | spec.mxReplicaSpecs[Worker].template.spec.containers: Required value: must have at "
            "least one container with name mxnet"});
    BOOST_TEST(refusal(unnamed) == lines{sic + "MXJobSpec is not valid"}, boost::test_tools::per_element());
    BOOST_TEST(refusal(mx({})) == lines{sic + "MXJobSpec is not valid"}, boost::test_tools::per_element());
    unnamed.metadata.name = "1" + std::string(63, 'a');
    BOOST_TEST(refusal(unnamed) ==
                   lines{sic +
                         "MXJob name is invalid: [must be no more than 63 characters a DNS-1035 label must consist of "
                         "lower case alphanumeric characters or '-', start with an alphabetic character, and end with "
                         "an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
                         "'[a-z]([-a-z0-9]*[a-z0-9])?')]"},
               boost::test_tools::per_element());
    BOOST_TEST(job_rules_for<mx_job>().form().admission_name == "");
}

BOOST_AUTO_TEST_CASE(managed_by_is_not_supported) {
    auto j = training(1);
    j.spec.run_policy.managed_by = "someone.else";
    expect(j, {});
    BOOST_TEST(!plan_of(any_job(j), observed(), at(0)).steps.empty());
}

BOOST_AUTO_TEST_CASE(the_mode_is_written_even_if_it_is_empty) {
    auto j = training(1);
    BOOST_TEST(lints(j, "lint.mxnet.job-mode").empty());
    j.spec.job_mode.clear();
    BOOST_TEST((any_job(j).to_json().find(R"("jobMode":"")") != std::string::npos));
    BOOST_TEST(lints(j, "lint.mxnet.job-mode") == lines{"spec.jobMode: \"\", expected MXTrain or MXTune"},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(jobs_that_never_end_are_reported) {
    auto const of = [](mx_job const& j) { return lints(j, "lint.mxnet.never-ends"); };
    BOOST_TEST(of(mx({{"Tuner", 1}})) == lines{"spec.mxReplicaSpecs: the job has no Scheduler, expected one"},
               boost::test_tools::per_element());
    BOOST_TEST(of(mx({{"Worker", 2}})).size() == 1U);
    BOOST_TEST(of(mx({{"Server", 1}, {"Worker", 1}})).size() == 1U);
    BOOST_TEST(of(mx({{"Worker", 1}})).empty());
    BOOST_TEST(of(training(2)).empty());
}

BOOST_AUTO_TEST_CASE(other_mistakes_are_reported) {
    BOOST_TEST(lints(mx({{"Scheduler", 2}, {"Worker", 1}}), "lint.mxnet.schedulers") ==
                   lines{"spec.mxReplicaSpecs[Scheduler].replicas: 2, expected 1"},
               boost::test_tools::per_element());
    auto j = mx({{"Worker", 1}}, "ExitCode");
    j.spec.run_policy.ttl_seconds_after_finished = 1;
    BOOST_TEST(lints(j, "lint.mxnet.exit-code") ==
                   lines{"spec.mxReplicaSpecs[Worker].restartPolicy: \"ExitCode\" ignores exit codes below 128, "
                         "expected Never if they must fail the job"},
               boost::test_tools::per_element());
    BOOST_TEST(lints(j, "lint.ttl-exit-code").empty()); // no code fails such a job for good
    BOOST_TEST(lints(training(1), "lint.mxnet.exit-code").empty());
    BOOST_TEST(lints(training(1), "lint.mxnet.schedulers").empty());
}

/// The release refuses to end its pass, and so never sets the condition Suspended.
BOOST_AUTO_TEST_CASE(a_suspended_job_with_a_time_to_live_is_suspended) {
    auto j = training(1);
    j.spec.run_policy.suspend = true;
    j.spec.run_policy.ttl_seconds_after_finished = 5;
    BOOST_TEST(conditions(after(j, observed(), 0).status) == "Created=True Suspended=True");
}

BOOST_AUTO_TEST_SUITE_END()
