#include "unit/facade/explain/explained_job.hpp"

BOOST_AUTO_TEST_SUITE(facade_explain_operators)

using namespace explained;

namespace {

/// As the recorded refusals of a real server.
std::string const exceeded =
    "pods \"digits-worker-0\" is forbidden: exceeded quota: team, requested: requests.nvidia.com/gpu=4, used: "
    "requests.nvidia.com/gpu=14, limited: requests.nvidia.com/gpu=16";

} // namespace

BOOST_AUTO_TEST_CASE(a_quota_is_named_with_requested_used_and_allowed_amounts) {
    explained_job w;
    w.refuse(exceeded);
    auto const c = w.first();
    BOOST_TEST(w.kinds() == "quota");
    BOOST_TEST(c.summary ==
               "The quota team does not allow the pods of the job: requests.nvidia.com/gpu=4 is requested, "
               "requests.nvidia.com/gpu=14 is in use, and requests.nvidia.com/gpu=16 is the limit");
    BOOST_TEST(c.affected == 3);
    BOOST_TEST(contains(c.advice, "namespace team-a"));
}

BOOST_AUTO_TEST_CASE(a_quota_can_require_requests_that_pods_lack) {
    explained_job w;
    w.refuse("pods \"digits-worker-0\" is forbidden: failed quota: team: must specify requests.cpu for: pytorch");
    BOOST_TEST(w.kinds() == "quota");
    BOOST_TEST(contains(w.first().summary, "must specify requests.cpu for: pytorch"));
}

// The operator adds the init container, so the author of the job cannot follow the advice for others.
BOOST_AUTO_TEST_CASE(a_quota_can_require_requests_of_injected_containers) {
    explained_job w;
    w.refuse("pods \"digits-worker-0\" is forbidden: failed quota: team: must specify limits.cpu for: "
             "init-pytorch,pytorch; requests.cpu for: init-pytorch");
    BOOST_TEST(w.first().advice == "Create a LimitRange with defaults in namespace team-a: the operator adds container "
                                   "init-pytorch to the pods, and the job cannot set its requests and limits.");
}

BOOST_AUTO_TEST_CASE(a_variable_is_not_mistaken_for_a_container) {
    explained_job w(2, [](pytorch_job& j) {
        for (auto& [type, spec] : j.spec.pytorch_replica_specs)
            spec.template_.spec.containers[0].env.emplace_back("init-pytorch", "1");
    });
    w.refuse("pods \"digits-worker-0\" is forbidden: failed quota: team: must specify limits.cpu for: init-pytorch");
    BOOST_TEST(contains(w.first().advice, "the operator adds container init-pytorch"), w.first().advice);
}

BOOST_AUTO_TEST_CASE(brackets_around_a_rejection_are_removed) {
    explained_job w;
    w.event("PyTorchJob/digits", "FailedCreate",
            "Error creating pods: [failed to create pod, err: pods \"x\" is forbidden: exceeded quota: q, requested: "
            "pods=1, used: pods=1, limited: pods=1]");
    BOOST_TEST(w.first().summary.ends_with("and pods=1 is the limit"), w.first().summary);
}

// One reason for all that goes wrong, as the MPI operators have.
BOOST_AUTO_TEST_CASE(a_rejection_is_recognized_by_the_message_of_the_server) {
    for (std::string const message :
         {"worker pod created failed: Pod \"pi-worker-0\" is invalid: spec.containers[0].imagePullPolicy: Unsupported "
          "value: \"Sometimes\"",
          "launcher pod created failed: pods \"pi-launcher\" is forbidden: no"}) {
        explained_job w;
        w.event("PyTorchJob/digits", "MPIJobFailed", message);
        BOOST_TEST(w.kinds() == "refused", message);
        BOOST_TEST(contains(w.first().evidence.at(0), message));
    }
    explained_job w;
    w.event("PyTorchJob/digits", "MPIJobFailed", "pi-launcher has failed");
    BOOST_TEST(w.kinds() != "refused");
}

BOOST_AUTO_TEST_CASE(an_earlier_rejection_is_not_a_cause) {
    {
        explained_job w;
        w.all_run();
        w.refuse(exceeded);
        BOOST_TEST(w.kinds() == "healthy");
    }
    {
        explained_job w;
        w.running("master-0");
        w.refuse(exceeded);
        w.event("PyTorchJob/digits", "SuccessfulCreatePod", "Created pod: digits-worker-0", "Normal").last =
            at("11:20:00");
        BOOST_TEST(!contains(w.kinds(), "quota"));
    }
}

BOOST_AUTO_TEST_CASE(too_long_names_are_reported_even_if_pods_exist) {
    explained_job w;
    w.all_run();
    w.event("PyTorchJob/digits", "FailedCreateService",
            "Error creating: Service \"d\" is invalid: metadata.name: Invalid value: \"d\": must be no more than 63 "
            "characters");
    BOOST_TEST(w.kinds() == "name-too-long");
    BOOST_TEST(contains(w.first().advice, "shorter name"));
}

BOOST_AUTO_TEST_CASE(a_job_without_status_events_and_pods_has_no_operator) {
    explained_job w;
    w.job.status.conditions.clear();
    BOOST_TEST(w.kinds() == "no-operator");
    BOOST_TEST(contains(w.first().advice, "operator of PyTorchJob (kubeflow.org/v1)"));
    w.now = at("11:00:20");
    BOOST_TEST(w.kinds() == "starting"); // it may come
    w.now = at("12:00:00");
    w.event("PyTorchJob/digits", "PyTorchJobCreated", "PyTorchJob digits is created.", "Normal");
    BOOST_TEST(w.kinds() == "starting");
}

BOOST_AUTO_TEST_CASE(another_manager_of_the_job_is_named) {
    explained_job w(2, [](pytorch_job& j) { j.spec.run_policy.managed_by = "kueue.x-k8s.io/multikueue"; });
    w.job.status.conditions.clear();
    auto const c = w.first();
    BOOST_TEST(has_line(c.evidence, "managedBy is kueue.x-k8s.io/multikueue"));
    BOOST_TEST(c.summary == "managedBy hands the job to kueue.x-k8s.io/multikueue, and this has done nothing: "
                            "the operator of the kind ignores the job");
    BOOST_TEST(contains(c.advice, "worker clusters of MultiKueue"));
    w.job.spec.run_policy.managed_by = "kubeflow.org/training-operator";
    BOOST_TEST(contains(w.first().advice, "Install or start the operator"));
}

BOOST_AUTO_TEST_CASE(a_priority_class_that_does_not_exist_is_named) {
    explained_job w;
    w.refuse("pods \"digits-master-0\" is forbidden: no PriorityClass with name high was found");
    auto const c = w.first();
    BOOST_TEST(w.kinds() == "refused");
    BOOST_TEST(c.summary == "The PriorityClass high that the pods name does not exist");
    BOOST_TEST(contains(c.advice, "Create the PriorityClass high"));
}

BOOST_AUTO_TEST_CASE(a_webhook_that_does_not_answer_is_not_a_missing_permission) {
    explained_job w;
    w.refuse("Internal error occurred: failed calling webhook \"v.example.com\": failed to call webhook: Post "
             "\"https://v.example.svc:443/\": dial tcp 10.0.0.1:443: connect: connection refused");
    auto const c = w.first();
    BOOST_TEST(c.summary == "An admission webhook does not answer, so the server rejects objects of the job");
    BOOST_TEST(has_line(c.evidence, "v.example.com"));
}

BOOST_AUTO_TEST_CASE(without_permissions_no_operator_is_reported_missing) {
    explained_job w;
    w.job.status.conditions.clear();
    w.evidence.pods_known = w.evidence.events_known = false;
    BOOST_TEST(w.kinds() == "healthy");
    BOOST_TEST(w.first().summary == "No problem was found");
}

BOOST_AUTO_TEST_CASE(an_invalid_job_is_refused_with_the_broken_rules) {
    explained_job w(2,
                    [](pytorch_job& j) { j.spec.pytorch_replica_specs["Worker"].template_.spec.containers.clear(); });
    w.event("PyTorchJob/digits", "PyTorchJobFailedValidation", "PyTorchJob failed validation because it is not valid");
    auto const c = w.first();
    BOOST_TEST(w.kinds() == "invalid");
    BOOST_TEST(has_line(c.evidence, "rule "));
    BOOST_TEST(has_line(c.evidence, "PyTorchJobFailedValidation"));
}

BOOST_AUTO_TEST_SUITE_END()
