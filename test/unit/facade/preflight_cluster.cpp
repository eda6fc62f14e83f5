#include "unit/facade/preflight_sample.hpp"

#include <kftrain/kinds/volcano_job.hpp>

BOOST_AUTO_TEST_SUITE(facade_preflight_cluster)

using namespace preflight_sample;

namespace {

template <class T> void miss(preflight::looked_up<T>& what, reason why) {
    what.value.reset();
    what.ec = why;
    what.said = "so it says";
}

} // namespace

BOOST_AUTO_TEST_CASE(kinds_that_are_not_served_are_told_with_their_other_versions) {
    auto e = evidence();
    e.catalog.value = std::make_shared<kube::api_catalog const>();
    expect_faults(
        e, {"failed served: the server does not serve PyTorchJob of kubeflow.org/v1: its CustomResourceDefinition "
            "pytorchjobs.kubeflow.org is to be installed, with an operator"});
    e.catalog.value = std::make_shared<kube::api_catalog const>(std::vector{served("v1alpha1")},
                                                                std::vector<kube::unserved_version>());
    expect_faults(e,
                  {"failed served: the server does not serve PyTorchJob of kubeflow.org/v1, but these versions of it: "
                   "kubeflow.org/v1alpha1"});
    auto sealed = served("v1");
    sealed.verbs = {"get"};
    e.catalog.value =
        std::make_shared<kube::api_catalog const>(std::vector{sealed}, std::vector<kube::unserved_version>());
    expect_faults(e, {"failed served: the server serves PyTorchJob of kubeflow.org/v1, which cannot be created"});
    kube::unserved_version down;
    down.group = "kubeflow.org";
    down.version = "v1";
    down.why = "503";
    e.catalog.value =
        std::make_shared<kube::api_catalog const>(std::vector<kube::served_resource>(), std::vector{down});
    expect_faults(e, {"unknown served: the server does not tell what it serves of kubeflow.org/v1: 503"});
    miss(e.catalog, reason::forbidden);
    expect_faults(e, {"unknown served: the server does not tell what it serves: so it says"});
}

BOOST_AUTO_TEST_CASE(namespaces_have_to_be_there_and_to_stay) {
    auto e = evidence();
    e.of_namespace.value->status.phase = "Terminating";
    expect_faults(e, {"failed namespace: namespace team is being deleted: nothing can be created in it any more"});
    miss(e.of_namespace, reason::not_found);
    expect_faults(e, {"failed namespace: there is no namespace team: create it first"});
    miss(e.of_namespace, reason::forbidden);
    expect_faults(e, {"unknown namespace: namespace team may not be read: so it says"});
}

BOOST_AUTO_TEST_CASE(names_that_are_taken_are_told) {
    auto e = evidence();
    e.existing.value = any_job(job());
    expect_faults(e, {"failed name: PyTorchJob team/pt is there already: choose another name, or delete it"});
    e.existing.value->metadata().deletion_timestamp = time_point();
    expect_faults(e, {"failed name: PyTorchJob team/pt is there and is being deleted: wait until it is gone"});
}

BOOST_AUTO_TEST_CASE(rules_and_lints_are_told) {
    auto broken = job();
    broken.spec.pytorch_replica_specs.at("Master").replicas = 2;
    auto const found = faults(preflight::report_of(evidence(broken)));
    BOOST_TEST_REQUIRE(found.size() == 1U);
    BOOST_TEST(found[0].starts_with("failed rules: it breaks rules of its kind: spec.pytorchReplicaSpecs"), found[0]);
}

BOOST_AUTO_TEST_CASE(queues_have_to_be_open) {
    auto j = job();
    j.spec.run_policy.scheduling_policy.emplace().queue = "night";
    auto e = evidence(j);
    miss(e.queue.emplace(), reason::not_found);
    expect_faults(e, {"warned queue: there is no queue night of Volcano, which spec.runPolicy.schedulingPolicy.queue "
                      "names: create it first"});
    e.queue->value.emplace().status.state = "Closed";
    expect_faults(e, {"warned queue: queue night is Closed: it takes no jobs until it is opened"});
    e.queue->value->status.state = "Open";
    expect_faults(e, {});
    miss(*e.queue, reason::forbidden);
    expect_faults(e, {"unknown queue: queue night may not be read: so it says"});
}

BOOST_AUTO_TEST_CASE(priority_classes_of_gang_and_pods_have_to_be_there) {
    auto j = job();
    j.spec.run_policy.scheduling_policy.emplace().priority_class = "high";
    j.spec.pytorch_replica_specs.at("Worker").template_.spec.priority_class_name = "low";
    std::vector<std::string> const wanted{"high", "low"};
    BOOST_TEST(preflight::priority_classes_of(any_job(j)) == wanted, boost::test_tools::per_element());
    auto e = evidence(j);
    e.priorities["high"].value = true;
    miss(e.priorities["low"], reason::not_found);
    expect_faults(e, {"failed priority-class: there is no PriorityClass low: its pods are refused"});
}

BOOST_AUTO_TEST_CASE(what_admission_says_counts_and_a_server_that_cannot_try_does_not) {
    auto e = evidence();
    miss(e.dry_run.emplace(), reason::forbidden);
    expect_faults(e, {"failed admission: the server refuses the job: so it says"});
    miss(*e.dry_run, reason::bad_request);
    expect_faults(e, {"unknown admission: the server cannot try it: so it says"});
    e.dry_run->value = true;
    expect_faults(e, {});
}

BOOST_AUTO_TEST_SUITE_END()
