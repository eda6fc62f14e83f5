#include "unit/apiserver/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_object_store_update)

using namespace sample;

// Expected texts: Kubernetes v1.31, apimachinery pkg/api/errors, pkg/api/validation; apiserver pkg/registry/rest.

BOOST_AUTO_TEST_CASE(a_stale_update_conflicts) {
    stored_sample w;
    auto const old = w.make_pod("x");
    auto body = old->parsed();
    body["spec"].get_object()["activeDeadlineSeconds"] = 9;
    BOOST_REQUIRE(w.store.update(w.pods, "default", "x", body, at(1)).has_value());
    body["spec"].get_object()["activeDeadlineSeconds"] = 8;
    auto const r = w.store.update(w.pods, "default", "x", body, at(1));
    BOOST_TEST(r.error().code == 409u);
    BOOST_TEST((r.error().why == reason::conflict));
    BOOST_TEST(r.error().message == "Operation cannot be fulfilled on pods \"x\": the object has been modified; please "
                                    "apply your changes to the latest version and try again");
}

BOOST_AUTO_TEST_CASE(only_custom_resources_must_name_the_version_they_update) {
    stored_sample w;
    w.make_pod("x");
    w.make_job("x");
    auto const body =
        stored_sample::parse(R"({"metadata":{"name":"x"},"spec":{"containers":[{"name":"c","image":"j"}]}})");
    BOOST_TEST(w.store.update(w.pods, "default", "x", body, at(1)).has_value());
    auto const r = w.store.update(
        w.jobs, "default", "x",
        stored_sample::parse(R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"x"}})"), at(1));
    BOOST_TEST(r.error().message ==
               "PyTorchJob.kubeflow.org \"x\" is invalid: metadata.resourceVersion: Invalid value: "
               "0x0: must be specified for an update");
}

BOOST_AUTO_TEST_CASE(an_update_with_another_uid_conflicts) {
    stored_sample w;
    w.make_pod("x");
    auto const r = w.store.update(w.pods, "default", "x",
                                  stored_sample::parse(R"({"metadata":{"name":"x","uid":"other"},"spec":{}})"), at(1));
    BOOST_TEST(r.error().code == 409u);
    BOOST_TEST(
        r.error().message.ends_with("Precondition failed: UID in precondition: other, UID in object meta: uid-1"));
}

BOOST_AUTO_TEST_CASE(updating_a_missing_object_is_not_found) {
    stored_sample w;
    auto const r = w.store.update(w.pods, "default", "x", stored_sample::parse(R"({"metadata":{"name":"x"}})"), at(1));
    BOOST_TEST(r.error().code == 404u);
    BOOST_TEST(r.error().message == "pods \"x\" not found");
    auto const other =
        w.store.update(w.pods, "default", "x", stored_sample::parse(R"({"metadata":{"name":"y"}})"), at(1));
    BOOST_TEST(other.error().message == "the name of the object (y) does not match the name on the URL (x)");
}

BOOST_AUTO_TEST_CASE(an_update_keeps_server_fields_and_ignores_status) {
    stored_sample w;
    auto const old = w.make_job("x");
    auto body = old->parsed();
    auto& meta = body["metadata"].get_object();
    meta["creationTimestamp"] = nullptr;
    meta["generation"] = 99;
    meta["deletionTimestamp"] = "2020-01-01T00:00:00Z";
    meta["labels"].emplace_object()["l"] = "v";
    body["status"].emplace_object()["conditions"] = "lies";
    auto const now = w.store.update(w.jobs, "default", "x", body, at(5)).value().object;
    BOOST_TEST(at_path_text(now, "metadata.creationTimestamp") == "2026-03-01T10:00:00Z");
    BOOST_TEST(at_path_text(now, "metadata.deletionTimestamp") == "");
    BOOST_TEST(at_path_text(now, "metadata.labels.l") == "v");
    BOOST_TEST(at_path_text(now, "status") == "");
    BOOST_TEST(at_path_text(now, "metadata.generation") == "1"); // labels are no specification
}

BOOST_AUTO_TEST_CASE(generation_changes_only_with_the_spec) {
    stored_sample w;
    w.make_job("x");
    auto const patched = w.store.patch(w.jobs, "default", "x", patch_type::merge, R"({"spec":{"b":2}})", at(1));
    BOOST_TEST(at_path_text(patched.value().object, "metadata.generation") == "2");
    auto const status = w.store.patch_status(w.jobs, "default", "x", patch_type::merge, R"({"status":{"b":2}})", at(1));
    BOOST_TEST(at_path_text(status.value().object, "metadata.generation") == "2");
    BOOST_TEST(at_path_text(status.value().object, "status.b") == "2");
}

BOOST_AUTO_TEST_CASE(the_status_subresource_changes_only_the_status) {
    stored_sample w;
    auto const old = w.make_job("x");
    auto body = old->parsed();
    body["spec"].get_object()["a"] = 2;
    body["metadata"].get_object()["labels"].emplace_object()["l"] = "v";
    body["status"].emplace_object()["s"] = 1;
    auto const now = w.store.update_status(w.jobs, "default", "x", body, at(1)).value().object;
    BOOST_TEST(at_path_text(now, "spec.a") == "1");
    BOOST_TEST(at_path_text(now, "metadata.labels") == "");
    BOOST_TEST(at_path_text(now, "status.s") == "1");
    BOOST_TEST(w.store.update_status(w.jobs, "default", "x", body, at(1)).error().code == 409u);
}

BOOST_AUTO_TEST_CASE(an_update_that_changes_nothing_writes_nothing) {
    stored_sample w;
    auto const old = w.make_job("x");
    auto const version = w.store.version();
    auto const same = w.store.update(w.jobs, "default", "x", old->parsed(), at(9)).value().object;
    BOOST_TEST(same->version() == old->version());
    BOOST_TEST(w.store.patch(w.jobs, "default", "x", patch_type::merge, R"({"spec":{"a":1}})", at(9)).has_value());
    BOOST_TEST(w.store.patch_status(w.jobs, "default", "x", patch_type::merge, "{}", at(9)).has_value());
    BOOST_TEST(w.store.version() == version);
    BOOST_TEST(w.log_of(w.jobs, version).empty());
}

BOOST_AUTO_TEST_CASE(merge_patches_merge_objects_replace_lists_and_remove_nulls) {
    stored_sample w;
    w.make(w.jobs, R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"x"},
                       "spec":{"keep":1,"drop":2,"list":[1,2],"inner":{"a":1,"b":2}}})");
    auto const now = w.store.patch(w.jobs, "default", "x", patch_type::merge,
                                   R"({"spec":{"drop":null,"list":[3],"inner":{"b":null,"c":3}}})", at(1));
    BOOST_TEST(at_path_text(now.value().object, "spec") == R"({"keep":1,"list":[3],"inner":{"a":1,"c":3}})");
    auto const stale = w.store.patch(w.jobs, "default", "x", patch_type::merge,
                                     R"({"metadata":{"resourceVersion":"1"},"spec":{"keep":2}})", at(1));
    BOOST_TEST(stale.error().code == 409u);
}

BOOST_AUTO_TEST_SUITE_END()
