#include "unit/apiserver/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_object_store_owners)

using namespace sample;

namespace {

using strings = std::vector<std::string>;

struct family : stored_sample {
    /// Makes jobs own each other: each the next, and the last the first.
    void make_ring(strings const& names) {
        for (auto const& n : names) make_job(n);
        for (std::size_t i = 0; i < names.size(); ++i) own(names[i], {names[(i + 1) % names.size()]});
    }
    static std::string reference(object_ptr const& owner) {
        return R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","name":")" + std::string(owner->name()) +
               R"(","uid":")" + std::string(owner->uid()) + R"(","blockOwnerDeletion":true})";
    }
    void set_owners(std::string const& dependent, strings const& owners) {
        std::string list;
        for (auto const& o : owners) list += (list.empty() ? "" : ",") + reference(find(jobs, o));
        auto const done = store.patch(jobs, "default", dependent, patch_type::merge,
                                      R"({"metadata":{"ownerReferences":[)" + list + "]}}", at(0));
        BOOST_TEST_REQUIRE(done.has_value());
    }
    void own(std::string const& owner, strings const& dependents) {
        for (auto const& d : dependents) set_owners(d, {owner});
    }
    void remove(std::string const& name, std::string const& policy) {
        delete_options o;
        o.propagation = policy;
        BOOST_TEST_REQUIRE(store.remove(jobs, "default", name, o, at(1)).has_value());
    }
    std::size_t jobs_left() {
        store.collect_garbage(at(2));
        return store.list(jobs, {}).value().items.size();
    }
};

} // namespace

// Expected: kubernetes pkg/controller/garbagecollector/garbagecollector.go, `attemptToDeleteItem`, and
// graph_builder.go; apiserver pkg/registry/generic/registry/store.go, `deletionFinalizersForGarbageCollection`, v1.31.

BOOST_AUTO_TEST_CASE(foreground_deletion_of_two_mutual_owners_completes) {
    family w;
    w.make_ring({"a", "b"});
    auto const version = w.store.version();
    w.remove("a", "Foreground");
    BOOST_TEST(w.jobs_left() == 0U);
    strings const log{"MODIFIED a", "MODIFIED b", "MODIFIED b", "DELETED a", "DELETED b"};
    BOOST_TEST(w.log_of(w.jobs, version) == log, boost::test_tools::per_element());
    // The one that would wait for its owner no longer holds it, and is deleted then.
    auto const unblocked = w.store.events(w.jobs, version, 2).value().back().object;
    BOOST_TEST(at_path_text(unblocked, "metadata.deletionTimestamp").empty());
    auto const owners = at_path_text(unblocked, "metadata.ownerReferences");
    BOOST_TEST(owners.find(R"("blockOwnerDeletion":false)") != owners.npos, owners);
}

BOOST_AUTO_TEST_CASE(foreground_deletion_of_longer_owner_cycles_completes) {
    for (std::size_t size : {3U, 4U, 50U}) {
        family w;
        strings ring;
        for (std::size_t i = 0; i < size; ++i) ring.push_back("j" + std::to_string(i));
        w.make_ring(ring);
        w.make_job("below");
        w.own(ring[size / 2], {"below"});
        w.make_owned("pod", w.find(w.jobs, "below"), R"(,"blockOwnerDeletion":true)");
        w.make_job("beside");
        w.remove("j1", "Foreground");
        BOOST_TEST(w.jobs_left() == 1U, size);
        BOOST_TEST(w.find(w.jobs, "beside"));
        BOOST_TEST(!w.find(w.pods, "pod"));
    }
}

BOOST_AUTO_TEST_CASE(foreground_deletion_of_an_object_that_owns_itself_completes) {
    family w;
    w.make_ring({"a"});
    w.remove("a", "Foreground");
    BOOST_TEST(w.jobs_left() == 0U);
}

BOOST_AUTO_TEST_CASE(foreground_deletion_of_all_objects_of_an_owner_cycle_completes) {
    for (std::size_t size : {2U, 3U, 5U}) {
        family w;
        strings ring;
        for (std::size_t i = 0; i < size; ++i) ring.push_back("j" + std::to_string(i));
        w.make_ring(ring);
        for (auto const& name : ring) w.remove(name, "Foreground");
        BOOST_TEST(w.jobs_left() == 0U, size);
    }
}

BOOST_AUTO_TEST_CASE(an_owner_cycle_formed_during_deletion_is_deleted) {
    family w;
    for (auto const* n : {"a", "b", "c"}) w.make_job(n);
    w.own("a", {"b"});
    w.own("b", {"c"});
    (void)w.store.patch(w.jobs, "default", "c", patch_type::merge, R"({"metadata":{"finalizers":["x.io/f"]}})", at(0));
    w.remove("a", "Foreground");
    BOOST_TEST(w.jobs_left() == 3U); // c is held, b waits for it, a for b
    w.set_owners("a", {"b"});
    BOOST_TEST(w.jobs_left() == 3U);
    (void)w.store.patch(w.jobs, "default", "c", patch_type::merge, R"({"metadata":{"finalizers":null}})", at(0));
    BOOST_TEST(w.jobs_left() == 0U);
}

BOOST_AUTO_TEST_CASE(an_owner_is_deleted_when_the_last_blocking_reference_is_removed) {
    family w;
    auto const job = w.make_job("j");
    for (auto const* name : {"p", "q"}) {
        w.make_owned(name, job, R"(,"blockOwnerDeletion":true)");
        (void)w.store.bind_pod(w.pods, "default", name, "n", at(0));
    }
    w.remove("j", "Foreground");
    BOOST_TEST(w.jobs_left() == 1U); // kubelets have yet to stop the pods
    auto const change = [&](std::string const& name, std::string const& owners) {
        (void)w.store.patch(w.pods, "default", name, patch_type::merge,
                            R"({"metadata":{"ownerReferences":)" + owners + "}}", at(3));
    };
    change("p", "null");
    BOOST_TEST(w.jobs_left() == 1U);
    auto free = w.reference(job);
    free.replace(free.find("true"), 4, "false");
    change("q", "[" + free + "]");
    BOOST_TEST(w.jobs_left() == 0U);
}

BOOST_AUTO_TEST_CASE(an_owner_waits_for_all_dependents_and_deletes_later_ones) {
    family w;
    auto const job = w.make_job("j");
    constexpr auto holds = R"(,"blockOwnerDeletion":true)";
    strings names;
    for (int i = 0; i < 20; ++i) names.push_back("p" + std::to_string(i));
    for (auto const& n : names) {
        w.make_owned(n, job, holds);
        (void)w.store.bind_pod(w.pods, "default", n, "n", at(0));
    }
    w.remove("j", "Foreground");
    BOOST_TEST(w.jobs_left() == 1U);
    w.make_owned("late", job, holds);
    delete_options at_once;
    at_once.grace_period_seconds = 0;
    for (auto const& n : names) {
        BOOST_TEST(w.jobs_left() == 1U);
        BOOST_TEST(w.store.remove(w.pods, "default", n, at_once, at(3)).value().gone);
    }
    BOOST_TEST(w.jobs_left() == 0U);
    BOOST_TEST(!w.find(w.pods, "late"));
}

BOOST_AUTO_TEST_CASE(waiting_owners_keep_no_references) {
    family w;
    for (auto const* n : {"a", "b", "c"}) w.make_job(n);
    w.set_owners("c", {"a", "b"});
    w.make_owned("pod", w.find(w.jobs, "c"));
    (void)w.store.patch(w.jobs, "default", "c", patch_type::merge, R"({"metadata":{"finalizers":["x.io/f"]}})", at(0));
    w.remove("a", "Foreground");
    BOOST_TEST(w.jobs_left() == 2U); // b keeps c, so a has gone
    BOOST_TEST(at_path_text(w.find(w.jobs, "c"), "metadata.deletionTimestamp").empty());
    w.set_owners("c", {"b"});
    w.remove("b", "Foreground");
    BOOST_TEST(w.jobs_left() == 2U);
    BOOST_TEST(!at_path_text(w.find(w.jobs, "c"), "metadata.deletionTimestamp").empty());
}

BOOST_AUTO_TEST_CASE(deleted_objects_are_not_collected_again) {
    family w;
    w.make_owned("p", w.make_job("j"));
    w.remove("j", "");
    BOOST_TEST(w.store.has_garbage());
    BOOST_TEST(w.store.remove(w.pods, "default", "p", {}, at(1)).value().gone);
    BOOST_TEST(!w.store.has_garbage()); // and nothing accumulates without a collector
}

BOOST_AUTO_TEST_CASE(a_preset_finalizer_determines_the_propagation_unless_the_request_does) {
    family w;
    constexpr auto foreground = R"(,"finalizers":["foregroundDeletion"])";
    w.make_job("childless", foreground);
    w.remove("childless", "");
    BOOST_TEST(w.jobs_left() == 0U);

    auto const job = w.make_job("j", foreground);
    w.make_owned("p", job, R"(,"blockOwnerDeletion":true)");
    (void)w.store.bind_pod(w.pods, "default", "p", "n", at(0));
    w.remove("j", "");
    BOOST_TEST(w.jobs_left() == 1U); // waits for its pod
    w.remove("j", "Background");
    BOOST_TEST(w.jobs_left() == 0U);
    BOOST_TEST(w.find(w.pods, "p"));
}

// Upstream: kubernetes `pkg/controller/garbagecollector/garbagecollector.go`, v1.31.
BOOST_AUTO_TEST_CASE(an_owner_in_another_namespace_does_not_exist_for_a_dependent) {
    family f;
    auto const job = R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"j"}})";
    f.make_owned("p", f.make(f.jobs, job, "x"));
    f.store.collect_garbage(at(0));
    BOOST_TEST(!f.find(f.pods, "p"));
    BOOST_TEST(f.find(f.jobs, "j", "x"));
}

BOOST_AUTO_TEST_SUITE_END()
