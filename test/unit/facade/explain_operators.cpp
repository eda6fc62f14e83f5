#include "unit/facade/explained_job.hpp"

BOOST_AUTO_TEST_SUITE(facade_explain_operators)

using namespace explained;

namespace {

/// As the recorded refusals of a real server.
std::string const exceeded =
    "pods \"digits-worker-0\" is forbidden: exceeded quota: team, requested: requests.nvidia.com/gpu=4, used: "
    "requests.nvidia.com/gpu=14, limited: requests.nvidia.com/gpu=16";

} // namespace

BOOST_AUTO_TEST_CASE(a_quota_is_named_with_what_is_asked_for_in_use_and_allowed) {
    world w;
    w.refuse(exceeded);
    auto const c = w.first();
    BOOST_TEST(w.kinds() == "quota");
    BOOST_TEST(c.summary ==
               "The quota team does not allow the pods of the job: requests.nvidia.com/gpu=4 is asked for, "
               "requests.nvidia.com/gpu=14 is in use, and requests.nvidia.com/gpu=16 is the limit");
    BOOST_TEST(c.affected == 3);
    BOOST_TEST(contains(c.advice, "namespace team-a"));
}

BOOST_AUTO_TEST_CASE(a_quota_may_ask_for_what_pods_do_not_say) {
    world w;
    w.refuse("pods \"digits-worker-0\" is forbidden: failed quota: team: must specify requests.cpu for: pytorch");
    BOOST_TEST(w.kinds() == "quota");
    BOOST_TEST(contains(w.first().summary, "must specify requests.cpu for: pytorch"));
}

BOOST_AUTO_TEST_CASE(a_refusal_that_was_overcome_is_no_cause) {
    {
        world w;
        w.all_run();
        w.refuse(exceeded);
        BOOST_TEST(w.kinds() == "healthy");
    }
    {
        world w;
        w.running("master-0");
        w.refuse(exceeded);
        w.event("PyTorchJob/digits", "SuccessfulCreatePod", "Created pod: digits-worker-0", "Normal").last =
            at("11:20:00");
        BOOST_TEST(!contains(w.kinds(), "quota"));
    }
}

BOOST_AUTO_TEST_CASE(refusals_of_admission_and_of_rights_are_told_apart) {
    for (auto const& [message, advice] :
         {std::pair("admission webhook \"policy.example.com\" denied the request: images must come from example.org",
                    "admission rule"),
          {"pods \"digits-worker-0\" is forbidden: violates PodSecurity \"restricted:latest\": privileged",
           "admission rule"},
          {"pods \"digits-worker-0\" is forbidden: error looking up service account team-a/train: serviceaccount "
           "\"train\" not found",
           "service account"},
          {"pods \"digits-worker-0\" is forbidden: unable to create new content in namespace team-a because it is "
           "being terminated",
           "being deleted"},
          {"pods is forbidden: User \"system:serviceaccount:kubeflow:op\" cannot create resource \"pods\"", "right"},
          {"services \"digits-worker-0\" already exists", "Another object"},
          {"Pod \"digits-worker-0\" is invalid: spec.containers[0].image: Required value",
           "Correct the pod template"}}) {
        world w;
        w.refuse(message);
        BOOST_TEST(w.kinds() == "refused", message);
        BOOST_TEST(contains(w.first().advice, advice), w.first().advice);
    }
}

BOOST_AUTO_TEST_CASE(names_that_are_too_long_are_told_even_where_pods_are_there) {
    world w;
    w.all_run();
    w.event("PyTorchJob/digits", "FailedCreateService",
            "Error creating: Service \"d\" is invalid: metadata.name: Invalid value: \"d\": must be no more than 63 "
            "characters");
    BOOST_TEST(w.kinds() == "name-too-long");
    BOOST_TEST(contains(w.first().advice, "shorter name"));
}

BOOST_AUTO_TEST_CASE(nobody_looks_after_a_job_without_status_events_and_pods) {
    world w;
    w.job.status.conditions.clear();
    BOOST_TEST(w.kinds() == "no-operator");
    BOOST_TEST(contains(w.first().advice, "operator of PyTorchJob (kubeflow.org/v1)"));
    w.now = at("11:00:20");
    BOOST_TEST(w.kinds() == "starting"); // it may come
    w.now = at("12:00:00");
    w.event("PyTorchJob/digits", "PyTorchJobCreated", "PyTorchJob digits is created.", "Normal");
    BOOST_TEST(w.kinds() == "starting");
}

BOOST_AUTO_TEST_CASE(whoever_else_is_to_look_after_it_is_named) {
    world w(2, [](pytorch_job& j) { j.spec.run_policy.managed_by = "kueue.x-k8s.io/multikueue"; });
    w.job.status.conditions.clear();
    BOOST_TEST(tells(w.first().evidence, "managed by kueue.x-k8s.io/multikueue"));
}

BOOST_AUTO_TEST_CASE(where_nothing_may_be_looked_at_nothing_is_said_of_operators) {
    world w;
    w.job.status.conditions.clear();
    w.seen.pods_known = w.seen.events_known = false;
    BOOST_TEST(w.kinds() == "healthy");
    BOOST_TEST(w.first().summary == "Nothing is seen to be wrong");
}

BOOST_AUTO_TEST_CASE(a_job_that_breaks_rules_tells_which) {
    world w(2, [](pytorch_job& j) { j.spec.pytorch_replica_specs["Worker"].template_.spec.containers.clear(); });
    w.event("PyTorchJob/digits", "PyTorchJobFailedValidation", "PyTorchJob failed validation because it is not valid");
    auto const c = w.first();
    BOOST_TEST(w.kinds() == "invalid");
    BOOST_TEST(tells(c.evidence, "rule "));
    BOOST_TEST(tells(c.evidence, "PyTorchJobFailedValidation"));
}

BOOST_AUTO_TEST_SUITE_END()
