#include "unit/facade/preflight/sample.hpp"

#include <kftrain/kinds/volcano_job.hpp>

BOOST_AUTO_TEST_SUITE(facade_preflight_cluster)

using namespace preflight_sample;

namespace {

template <class T> void miss(preflight::looked_up<T>& what, reason why) {
    what.value.reset();
    what.ec = why;
    what.message = "so it says";
}

} // namespace

BOOST_AUTO_TEST_CASE(kinds_that_are_not_served_are_reported_with_their_other_versions) {
    auto e = evidence();
    e.catalog.value = std::make_shared<kube::api_catalog const>();
    expect_faults(
        e, {"failed served: the server does not serve PyTorchJob of kubeflow.org/v1: its CustomResourceDefinition "
            "pytorchjobs.kubeflow.org is not installed; install it together with an operator"});
    e.catalog.value = std::make_shared<kube::api_catalog const>(std::vector{served("v1alpha1")},
                                                                std::vector<kube::unserved_version>());
    expect_faults(e, {"failed served: the server does not serve PyTorchJob of kubeflow.org/v1, but other versions of "
                      "this kind: kubeflow.org/v1alpha1"});
    auto sealed = served("v1");
    sealed.verbs = {"get"};
    e.catalog.value =
        std::make_shared<kube::api_catalog const>(std::vector{sealed}, std::vector<kube::unserved_version>());
    expect_faults(
        e,
        {"failed served: the server serves PyTorchJob of kubeflow.org/v1, but objects of this kind cannot be created"});
    kube::unserved_version down;
    down.group = "kubeflow.org";
    down.version = "v1";
    down.why = "503";
    e.catalog.value =
        std::make_shared<kube::api_catalog const>(std::vector<kube::served_resource>(), std::vector{down});
    expect_faults(e, {"unknown served: the server does not list what it serves of kubeflow.org/v1: 503"});
    miss(e.catalog, reason::forbidden);
    expect_faults(e, {"unknown served: the server does not list what it serves: so it says"});
}

BOOST_AUTO_TEST_CASE(the_namespace_must_exist_and_not_be_terminating) {
    auto e = evidence();
    e.of_namespace.value->status.phase = "Terminating";
    expect_faults(e, {"failed namespace: namespace team is being deleted: no objects can be created in it"});
    miss(e.of_namespace, reason::not_found);
    expect_faults(e, {"failed namespace: namespace team does not exist: create it first"});
    miss(e.of_namespace, reason::forbidden);
    expect_faults(e, {"unknown namespace: namespace team cannot be read: so it says"});
}

BOOST_AUTO_TEST_CASE(existing_names_are_reported) {
    auto e = evidence();
    e.existing.value = any_job(job());
    expect_faults(e, {"failed name: PyTorchJob team/pt already exists: choose another name, or delete it"});
    e.existing.value->metadata().deletion_timestamp = time_point();
    expect_faults(e, {"failed name: PyTorchJob team/pt exists and is being deleted: wait until it is deleted"});
}

BOOST_AUTO_TEST_CASE(validation_and_lint_are_reported) {
    auto broken = job();
    broken.spec.pytorch_replica_specs.at("Master").replicas = 2;
    auto const found = faults(preflight::report_of(evidence(broken)));
    BOOST_TEST_REQUIRE(found.size() == 1U);
    BOOST_TEST(found[0].starts_with("failed rules: the job violates rules of its kind: spec.pytorchReplicaSpecs"),
               found[0]);
}

BOOST_AUTO_TEST_CASE(queues_must_be_open) {
    auto j = job();
    j.spec.run_policy.scheduling_policy.emplace().queue = "night";
    auto e = evidence(j);
    miss(e.queue.emplace(), reason::not_found);
    expect_faults(
        e, {"warned queue: the Volcano queue night that spec.runPolicy.schedulingPolicy.queue names does not exist: "
            "create it first"});
    e.queue->value.emplace().status.state = "Closed";
    expect_faults(e, {"warned queue: queue night is Closed: it accepts no jobs until it is opened"});
    e.queue->value->status.state = "Open";
    expect_faults(e, {});
    miss(*e.queue, reason::forbidden);
    expect_faults(e, {"unknown queue: queue night cannot be read: so it says"});
}

BOOST_AUTO_TEST_CASE(priority_classes_of_gang_and_pods_must_exist) {
    auto j = job();
    j.spec.run_policy.scheduling_policy.emplace().priority_class = "high";
    j.spec.pytorch_replica_specs.at("Worker").template_.spec.priority_class_name = "low";
    std::vector<std::string> const wanted{"high", "low"};
    BOOST_TEST(preflight::priority_classes_of(prepared_job::admitted(j)) == wanted, boost::test_tools::per_element());
    auto e = evidence(j);
    e.priorities["high"].value = true;
    miss(e.priorities["low"], reason::not_found);
    expect_faults(e, {"failed priority-class: PriorityClass low does not exist: the server would reject the pods"});
    e.priorities["low"].value = true;
    e.priorities["high"].value.reset();
    miss(e.priorities["high"], reason::not_found);
    expect_faults(
        e,
        {"warned priority-class: PriorityClass high does not exist: the PodGroup of the job would have no priority"});
}

BOOST_AUTO_TEST_CASE(the_dry_run_decides_if_the_server_supports_it) {
    auto e = evidence();
    miss(e.dry_run.emplace(), reason::forbidden);
    expect_faults(e, {"failed admission: the server would reject the job: so it says"});
    miss(*e.dry_run, reason::bad_request);
    expect_faults(e, {"unknown admission: the dry run failed: so it says"});
    e.dry_run->value = true;
    expect_faults(e, {});
}

BOOST_AUTO_TEST_SUITE_END()
