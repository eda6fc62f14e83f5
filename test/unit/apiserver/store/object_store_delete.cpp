#include "unit/apiserver/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_object_store_delete)

using namespace sample;

namespace {

using strings = std::vector<std::string>;

void collect(stored_sample& w) { w.store.collect_garbage(at(20)); }

delete_options with_grace(std::int64_t seconds) {
    delete_options o;
    o.grace_period_seconds = seconds;
    return o;
}
delete_options with_policy(std::string policy) {
    delete_options o;
    o.propagation = std::move(policy);
    return o;
}

} // namespace

// Expected behaviour: apiserver pkg/registry/rest/delete.go, pkg/registry/generic/registry/store.go; kubernetes
// pkg/registry/core/pod/strategy.go, pkg/controller/garbagecollector, v1.31.

BOOST_AUTO_TEST_CASE(deleting_a_bound_pod_waits_for_its_kubelet) {
    stored_sample w;
    w.make_pod("p", R"(,"nodeName":"n")");
    auto const version = w.store.version();
    auto const first = w.store.remove(w.pods, "default", "p", {}, at(10)).value();
    BOOST_TEST(!first.gone);
    BOOST_TEST(at_path_text(first.object, "metadata.deletionTimestamp") == "2026-03-01T10:00:40Z"); // now + 30 s
    BOOST_TEST(at_path_text(first.object, "metadata.deletionGracePeriodSeconds") == "30");
    auto const second = w.store.remove(w.pods, "default", "p", {}, at(15)).value(); // pending already
    BOOST_TEST(!second.gone);
    BOOST_TEST(w.log_of(w.pods, version) == strings{"MODIFIED p"}, boost::test_tools::per_element());
    auto const last = w.store.remove(w.pods, "default", "p", with_grace(0), at(16)).value();
    BOOST_TEST(last.gone);
    BOOST_TEST(!w.find(w.pods, "p"));
    strings const all{"MODIFIED p", "MODIFIED p", "DELETED p"};
    BOOST_TEST(w.log_of(w.pods, version) == all, boost::test_tools::per_element());
    BOOST_TEST(last.object->version() == w.store.version());
}

BOOST_AUTO_TEST_CASE(the_grace_period_comes_from_request_or_pod_and_can_only_shrink) {
    stored_sample w;
    w.make_pod("p", R"(,"nodeName":"n","terminationGracePeriodSeconds":5)");
    auto const own = w.store.remove(w.pods, "default", "p", {}, at(0)).value().object;
    BOOST_TEST(at_path_text(own, "metadata.deletionGracePeriodSeconds") == "5");
    auto const longer = w.store.remove(w.pods, "default", "p", with_grace(60), at(0)).value().object;
    BOOST_TEST(at_path_text(longer, "metadata.deletionGracePeriodSeconds") == "5");
    auto const shorter = w.store.remove(w.pods, "default", "p", with_grace(2), at(1)).value().object;
    BOOST_TEST(at_path_text(shorter, "metadata.deletionTimestamp") == "2026-03-01T10:00:02Z");
    w.make_pod("q", R"(,"nodeName":"n")");
    auto const removed = w.store.remove(w.pods, "default", "q", with_grace(7), at(0)).value().object;
    BOOST_TEST(at_path_text(removed, "metadata.deletionGracePeriodSeconds") == "7");
}

BOOST_AUTO_TEST_CASE(an_unbound_or_finished_pod_is_deleted_at_once_after_a_terminating_event) {
    stored_sample w;
    w.make_pod("p");
    auto version = w.store.version();
    BOOST_TEST(w.store.remove(w.pods, "default", "p", {}, at(0)).value().gone);
    strings const p{"MODIFIED p", "DELETED p"};
    BOOST_TEST(w.log_of(w.pods, version) == p, boost::test_tools::per_element());
    w.make_pod("q", R"(,"nodeName":"n")");
    (void)w.store.patch_status(w.pods, "default", "q", patch_type::merge, R"({"status":{"phase":"Failed"}})", at(0));
    BOOST_TEST(w.store.remove(w.pods, "default", "q", {}, at(0)).value().gone);
}

BOOST_AUTO_TEST_CASE(other_kinds_are_deleted_at_once) {
    stored_sample w;
    w.make_job("j");
    auto const version = w.store.version();
    BOOST_TEST(w.store.remove(w.jobs, "default", "j", {}, at(0)).value().gone);
    BOOST_TEST(w.log_of(w.jobs, version) == strings{"DELETED j"}, boost::test_tools::per_element());
    auto const again = w.store.remove(w.jobs, "default", "j", {}, at(0));
    BOOST_TEST(again.error().message == "pytorchjobs.kubeflow.org \"j\" not found");
}

BOOST_AUTO_TEST_CASE(preconditions_protect_an_object_with_another_uid) {
    stored_sample w;
    w.make_job("j");
    delete_options o;
    o.uid = "other";
    auto const r = w.store.remove(w.jobs, "default", "j", o, at(0));
    BOOST_TEST(r.error().code == 409u);
    BOOST_TEST(
        r.error().message ==
        "Operation cannot be fulfilled on pytorchjobs.kubeflow.org \"j\": the UID in the precondition (other) does "
        "not match the UID in record (uid-1). The object might have been deleted and then recreated");
    o.uid = "uid-1";
    o.resource_version = "1";
    BOOST_TEST(w.store.remove(w.jobs, "default", "j", o, at(0)).error().code == 409u);
    o.resource_version = std::to_string(w.find(w.jobs, "j")->version());
    BOOST_TEST(w.store.remove(w.jobs, "default", "j", o, at(0)).value().gone);
}

BOOST_AUTO_TEST_CASE(finalizers_hold_an_object_until_the_last_one_is_gone) {
    stored_sample w;
    w.make_job("j", R"(,"finalizers":["a","b"])");
    auto const marked = w.store.remove(w.jobs, "default", "j", {}, at(3)).value();
    BOOST_TEST(!marked.gone);
    BOOST_TEST(at_path_text(marked.object, "metadata.deletionTimestamp") == "2026-03-01T10:00:03Z");
    BOOST_TEST(at_path_text(marked.object, "metadata.deletionGracePeriodSeconds") == "0");
    BOOST_TEST(at_path_text(marked.object, "metadata.generation") == "2");
    auto const added =
        w.store.patch(w.jobs, "default", "j", patch_type::merge, R"({"metadata":{"finalizers":["a","b","c"]}})", at(4));
    BOOST_TEST(
        added.error().message ==
        "PyTorchJob.kubeflow.org \"j\" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added "
        "if the object is being deleted, found new finalizers []string{\"c\"}");
    auto const version = w.store.version();
    (void)w.store.patch(w.jobs, "default", "j", patch_type::merge, R"({"metadata":{"finalizers":["b"]}})", at(4));
    BOOST_TEST(w.find(w.jobs, "j"));
    (void)w.store.patch(w.jobs, "default", "j", patch_type::merge, R"({"metadata":{"finalizers":null}})", at(5));
    BOOST_TEST(!w.find(w.jobs, "j"));
    strings const log{"MODIFIED j", "DELETED j"};
    BOOST_TEST(w.log_of(w.jobs, version) == log, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(dependents_are_deleted_with_their_owner) {
    stored_sample w;
    auto const job = w.make_job("j");
    w.make_owned("a", job);
    w.make_owned("b", job);
    w.make_pod("stranger");
    BOOST_TEST(w.store.remove(w.jobs, "default", "j", {}, at(0)).value().gone);
    BOOST_TEST(w.find(w.pods, "a"));
    BOOST_TEST(w.store.has_garbage());
    collect(w);
    BOOST_TEST(!w.find(w.pods, "a"));
    BOOST_TEST(!w.find(w.pods, "b"));
    BOOST_TEST(w.find(w.pods, "stranger"));
    BOOST_TEST(!w.store.has_garbage());
}

BOOST_AUTO_TEST_CASE(cascading_deletion_respects_grace_periods_and_finalizers) {
    stored_sample w;
    auto const job = w.make_job("j");
    w.make_owned("bound", job);
    (void)w.store.bind_pod(w.pods, "default", "bound", "n", at(0));
    w.make_owned("held", job);
    (void)w.store.patch(w.pods, "default", "held", patch_type::merge, R"({"metadata":{"finalizers":["a.b/f"]}})",
                        at(0));
    (void)w.store.remove(w.jobs, "default", "j", {}, at(0));
    collect(w);
    BOOST_REQUIRE(w.find(w.pods, "bound"));
    BOOST_TEST(at_path_text(w.find(w.pods, "bound"), "metadata.deletionGracePeriodSeconds") == "30");
    BOOST_REQUIRE(w.find(w.pods, "held"));
    BOOST_TEST(at_path_text(w.find(w.pods, "held"), "metadata.deletionTimestamp") != "");
}

BOOST_AUTO_TEST_CASE(an_object_created_after_its_owner_was_deleted_is_collected) {
    stored_sample w;
    auto const job = w.make_job("j");
    (void)w.store.remove(w.jobs, "default", "j", {}, at(0));
    auto const again = w.make_job("j"); // the same name is not the same owner
    w.make_owned("late", job);
    w.make_owned("right", again);
    collect(w);
    BOOST_TEST(!w.find(w.pods, "late"));
    BOOST_TEST(w.find(w.pods, "right"));
}

BOOST_AUTO_TEST_CASE(owners_of_kinds_that_are_not_served_are_left_alone) {
    stored_sample w;
    w.make(w.pods, R"({"metadata":{"name":"p","ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"r",
                       "uid":"unknown"}]}})");
    collect(w);
    BOOST_TEST(w.find(w.pods, "p"));
}

BOOST_AUTO_TEST_CASE(a_second_owner_keeps_the_dependent) {
    stored_sample w;
    auto const a = w.make_job("a");
    auto const b = w.make_job("b");
    w.make(w.pods, R"({"metadata":{"name":"p","ownerReferences":[)"
                   R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","name":"a","uid":"uid-1"},)"
                   R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","name":"b","uid":"uid-2"}]}})");
    (void)w.store.remove(w.jobs, "default", "a", {}, at(0));
    collect(w);
    BOOST_REQUIRE(w.find(w.pods, "p"));
    BOOST_TEST(at_path_text(w.find(w.pods, "p"), "metadata.ownerReferences") ==
               R"([{"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","name":"b","uid":"uid-2"}])");
}

BOOST_AUTO_TEST_CASE(orphan_deletion_removes_the_owner_references) {
    stored_sample w;
    auto const job = w.make_job("j");
    w.make_owned("p", job);
    BOOST_TEST(w.store.remove(w.jobs, "default", "j", with_policy("Orphan"), at(0)).value().gone);
    collect(w);
    BOOST_REQUIRE(w.find(w.pods, "p"));
    BOOST_TEST(at_path_text(w.find(w.pods, "p"), "metadata.ownerReferences") == "");
}

// A controller that sees a pod go before it sees that its job goes would make a new pod.
BOOST_AUTO_TEST_CASE(orphan_deletion_marks_the_owner_as_terminating_first) {
    stored_sample w;
    auto const job = w.make_job("j");
    w.make_owned("p", job);
    auto const before = w.store.version();
    BOOST_TEST(w.store.remove(w.jobs, "default", "j", with_policy("Orphan"), at(10)).value().gone);
    auto const of_job = w.store.events(w.jobs, before, 10).value();
    auto const of_pod = w.store.events(w.pods, before, 10).value();
    BOOST_TEST_REQUIRE(of_job.size() == 2u);
    BOOST_TEST_REQUIRE(of_pod.size() == 1u);
    BOOST_TEST((of_job[0].kind == change_kind::modified));
    BOOST_TEST((of_job[1].kind == change_kind::deleted));
    BOOST_TEST(at_path_text(of_job[0].object, "metadata.deletionTimestamp") == "2026-03-01T10:00:10Z");
    BOOST_TEST(at_path_text(of_job[0].object, "metadata.finalizers") == R"(["orphan"])");
    BOOST_TEST(of_job[0].object->version() < of_pod[0].object->version());
    BOOST_TEST(of_pod[0].object->version() < of_job[1].object->version());
}

BOOST_AUTO_TEST_CASE(orphan_deletion_waits_for_other_finalizers) {
    stored_sample w;
    auto const job = w.make_job("j", R"(,"finalizers":["a.b/hold"])");
    w.make_owned("p", job);
    auto const held = w.store.remove(w.jobs, "default", "j", with_policy("Orphan"), at(10)).value();
    BOOST_TEST(!held.gone);
    BOOST_TEST(at_path_text(held.object, "metadata.finalizers") == R"(["a.b/hold"])");
    BOOST_TEST(at_path_text(w.find(w.pods, "p"), "metadata.ownerReferences") == "");
}

BOOST_AUTO_TEST_CASE(foreground_deletion_waits_for_blocking_dependents) {
    stored_sample w;
    auto const job = w.make_job("j");
    w.make_owned("p", job, R"(,"blockOwnerDeletion":true)");
    (void)w.store.bind_pod(w.pods, "default", "p", "n", at(0));
    auto const marked = w.store.remove(w.jobs, "default", "j", with_policy("Foreground"), at(0)).value();
    BOOST_TEST(!marked.gone);
    BOOST_TEST(at_path_text(marked.object, "metadata.finalizers") == R"(["foregroundDeletion"])");
    collect(w);
    BOOST_TEST(w.find(w.jobs, "j"));
    BOOST_REQUIRE(w.find(w.pods, "p"));
    BOOST_TEST(at_path_text(w.find(w.pods, "p"), "metadata.deletionTimestamp") != "");
    (void)w.store.remove(w.pods, "default", "p", with_grace(0), at(0));
    collect(w);
    BOOST_TEST(!w.find(w.pods, "p"));
    BOOST_TEST(!w.find(w.jobs, "j"));
}

BOOST_AUTO_TEST_CASE(an_unknown_policy_is_invalid) {
    stored_sample w;
    w.make_job("j");
    BOOST_TEST(w.store.remove(w.jobs, "default", "j", with_policy("Sideways"), at(0)).error().code == 422u);
}

BOOST_AUTO_TEST_CASE(a_namespace_is_deleted_after_its_contents) {
    stored_sample w;
    w.make(w.namespaces, R"({"metadata":{"name":"team"}})", "");
    w.make(w.pods, R"({"metadata":{"name":"p"},"spec":{"nodeName":"n"}})", "team");
    auto const marked = w.store.remove(w.namespaces, "", "team", {}, at(0)).value();
    BOOST_TEST(!marked.gone);
    BOOST_TEST(at_path_text(marked.object, "status.phase") == "Terminating");
    auto const late = w.store.create(w.pods, "team", stored_sample::parse(R"({"metadata":{"name":"q"}})"), at(0));
    BOOST_TEST(late.error().code == 403u);
    BOOST_TEST(late.error().message ==
               "pods \"q\" is forbidden: unable to create new content in namespace team because "
               "it is being terminated");
    collect(w);
    BOOST_TEST(w.find(w.namespaces, "team", ""));
    (void)w.store.remove(w.pods, "team", "p", with_grace(0), at(0));
    collect(w);
    BOOST_TEST(!w.find(w.namespaces, "team", ""));
}

BOOST_AUTO_TEST_SUITE_END()
