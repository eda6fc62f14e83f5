#include "unit/facade/explain/explained_job.hpp"

BOOST_AUTO_TEST_SUITE(facade_explain_starts)

using namespace explained;

BOOST_AUTO_TEST_CASE(an_image_that_cannot_be_pulled_is_named_with_the_reason) {
    explained_job w;
    w.all_run();
    w.pods.pop_front();
    w.waiting("worker-0", "ImagePullBackOff", "Back-off pulling image \"example.com/train:1\"");
    w.event("Pod/digits-worker-0", "Failed",
            "Failed to pull image \"example.com/train:1\": rpc error: code = Unknown desc = failed to resolve "
            "reference: pull access denied, "
            "repository does not exist or may require authorization: 401 Unauthorized");
    auto const c = w.first();
    BOOST_TEST((c.kind == cause_kind::image_not_found));
    BOOST_TEST(c.summary == "The image example.com/train:1 of Worker 0 (rank 1) cannot be pulled");
    BOOST_TEST(contains(c.advice, "imagePullSecrets"));
    BOOST_TEST(w.kinds() == "image-not-found rendezvous");
}

BOOST_AUTO_TEST_CASE(the_advice_depends_on_the_fault_of_the_image) {
    for (auto const& [reason, message, advice] :
         {std::tuple(
              "InvalidImageName",
              "Failed to apply default image tag \"a b\": couldn't parse image name \"a b\": invalid reference format",
              "not a valid image name"),
          {"ErrImageNeverPull", "Container image \"x\" is not present with pull policy of Never", "imagePullPolicy"},
          {"ErrImagePull", "rpc error: code = Unknown desc = toomanyrequests: You have reached your pull rate limit",
           "limits the number of pulls"},
          {"ErrImagePull", "dial tcp: lookup example.com: no such host", "cannot reach the registry"},
          {"ErrImagePull", "rpc error: code = NotFound desc = failed to resolve reference \"x\": not found",
           "name and tag"}}) {
        explained_job w;
        w.waiting("worker-0", reason, message);
        BOOST_TEST((w.first().kind == cause_kind::image_not_found), reason);
        BOOST_TEST(contains(w.first().advice, advice), w.first().advice);
    }
}

BOOST_AUTO_TEST_CASE(a_config_that_is_missing_is_named) {
    for (auto const& [message, name] :
         {std::pair("configmap \"settings\" not found", "The ConfigMap settings"),
          {"secret \"token\" not found", "The Secret token"},
          {"couldn't find key rate in ConfigMap team-a/settings", "A key of a ConfigMap"},
          {"container has runAsNonRoot and image will run as root", "cannot be set up"}}) {
        explained_job w;
        w.waiting("worker-0", "CreateContainerConfigError", message);
        BOOST_TEST((w.first().kind == cause_kind::config_missing), message);
        BOOST_TEST(contains(w.first().summary, name), w.first().summary);
    }
}

BOOST_AUTO_TEST_CASE(an_unmountable_volume_is_explained_by_its_event) {
    explained_job w;
    w.waiting("worker-0", "ContainerCreating");
    w.event("Pod/digits-worker-0", "FailedMount",
            "MountVolume.SetUp failed for volume \"data\" : configmap \"settings\" not found");
    auto const c = w.first();
    BOOST_TEST((c.kind == cause_kind::config_missing));
    BOOST_TEST(c.summary == "The ConfigMap settings that Worker 0 (rank 1) references does not exist");
    BOOST_TEST(has_line(c.evidence, "FailedMount Pod/digits-worker-0"));
    BOOST_TEST(members(c) == "worker-0");
}

BOOST_AUTO_TEST_CASE(an_old_event_about_a_running_pod_is_not_a_cause) {
    explained_job w;
    w.all_run();
    w.event("Pod/digits-worker-0", "FailedMount",
            "MountVolume.SetUp failed for volume \"data\" : configmap \"settings\" not found");
    BOOST_TEST(w.kinds() == "healthy");
}

BOOST_AUTO_TEST_CASE(pods_that_are_being_created_are_starting) {
    explained_job w;
    w.waiting("master-0", "ContainerCreating");
    w.waiting("worker-0", "PodInitializing");
    auto const c = w.first();
    BOOST_TEST((c.kind == cause_kind::starting));
    BOOST_TEST(c.affected == 3);
    BOOST_TEST(has_line(c.evidence, "pod digits-master-0: on node node-1, ContainerCreating, for 59 min"));
    BOOST_TEST(has_line(c.evidence, "Worker 1 (rank 2): no pod exists"));
    BOOST_TEST(w.kinds() == "starting");
}

BOOST_AUTO_TEST_SUITE_END()
