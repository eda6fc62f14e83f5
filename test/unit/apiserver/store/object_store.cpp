#include "unit/apiserver/sample.hpp"

#include <kftrain/kinds/pytorch_job.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_object_store)

using namespace sample;

// Expected texts: Kubernetes v1.31, apimachinery pkg/api/errors, pkg/api/validation; apiserver pkg/registry/rest.

BOOST_AUTO_TEST_CASE(create_sets_the_fields_of_the_server) {
    stored_sample w;
    auto const before = w.store.version();
    auto const job = w.make_job("train", R"(,"uid":"mine","generation":7,"deletionTimestamp":"2020-01-01T00:00:00Z")");
    BOOST_TEST(at_path_text(job, "metadata.uid") == "uid-1");
    BOOST_TEST(at_path_text(job, "metadata.creationTimestamp") == "2026-03-01T10:00:00Z");
    BOOST_TEST(at_path_text(job, "metadata.generation") == "1");
    BOOST_TEST(at_path_text(job, "metadata.namespace") == "default");
    BOOST_TEST(at_path_text(job, "metadata.deletionTimestamp") == "");
    BOOST_TEST(at_path_text(job, "metadata.resourceVersion") == std::to_string(before + 1));
}

BOOST_AUTO_TEST_CASE(create_drops_the_status_of_kinds_with_a_status_subresource) {
    stored_sample w;
    auto const job = w.make(w.jobs, R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"a"},
                                        "spec":{},"status":{"x":1}})");
    BOOST_TEST(at_path_text(job, "status") == "");
}

BOOST_AUTO_TEST_CASE(resource_versions_increase_across_all_kinds) {
    stored_sample w;
    auto const a = w.make_pod("a");
    auto const b = w.make_job("b");
    auto const c = w.make_pod("c");
    BOOST_TEST(b->version() == a->version() + 1);
    BOOST_TEST(c->version() == b->version() + 1);
}

BOOST_AUTO_TEST_CASE(a_second_object_of_the_name_already_exists) {
    stored_sample w;
    w.make_pod("x");
    w.make_job("x");
    auto const pod = w.store.create(
        w.pods, "default",
        stored_sample::parse(R"({"metadata":{"name":"x"},"spec":{"containers":[{"name":"c","image":"i"}]}})"), at(0));
    BOOST_TEST(pod.error().code == 409u);
    BOOST_TEST((pod.error().why == reason::already_exists));
    BOOST_TEST(pod.error().message == "pods \"x\" already exists");
    auto const job = w.store.create(
        w.jobs, "default",
        stored_sample::parse(R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"x"}})"), at(0));
    BOOST_TEST(job.error().message == "pytorchjobs.kubeflow.org \"x\" already exists");
    BOOST_TEST(job.error().to_json() ==
               R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":)"
               R"("pytorchjobs.kubeflow.org \"x\" already exists","reason":"AlreadyExists","details":)"
               R"({"name":"x","group":"kubeflow.org","kind":"pytorchjobs"},"code":409})");
}

BOOST_AUTO_TEST_CASE(the_same_name_in_another_namespace_is_another_object) {
    stored_sample w;
    w.make_pod("x");
    BOOST_TEST(w.make(w.pods, R"({"metadata":{"name":"x"}})", "other")->namespace_() == "other");
}

BOOST_AUTO_TEST_CASE(generated_names_have_five_more_characters) {
    stored_sample w;
    auto const a = w.make(w.pods, R"({"metadata":{"generateName":"job-"}})");
    auto const b = w.make(w.pods, R"({"metadata":{"generateName":"job-"}})");
    BOOST_TEST(a->name().size() == 9u);
    BOOST_TEST(a->name().starts_with("job-"));
    BOOST_TEST(a->name() != b->name());
}

BOOST_AUTO_TEST_CASE(invalid_names_are_rejected_with_the_upstream_message) {
    stored_sample w;
    auto const r = w.store.create(
        w.pods, "default",
        stored_sample::parse(R"({"metadata":{"name":"A_b"},"spec":{"containers":[{"name":"c","image":"i"}]}})"), at(0));
    BOOST_TEST(r.error().code == 422u);
    BOOST_TEST(r.error().message ==
               "Pod \"A_b\" is invalid: metadata.name: Invalid value: \"A_b\": a lowercase RFC 1123 subdomain must "
               "consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric "
               "character (e.g. 'example.com', regex used for validation is "
               "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
    BOOST_TEST(r.error().kind == "Pod");
    BOOST_TEST(r.error().causes.at(0).reason == "FieldValueInvalid");
    BOOST_TEST(r.error().causes.at(0).field == "metadata.name");
    auto const none = w.store.create(
        w.pods, "default", stored_sample::parse(R"({"spec":{"containers":[{"name":"c","image":"i"}]}})"), at(0));
    BOOST_TEST(none.error().message ==
               "Pod \"\" is invalid: metadata.name: Required value: name or generateName is required");
    auto const digit =
        w.store.create(w.services, "default", stored_sample::parse(R"({"metadata":{"name":"1a"}})"), at(0));
    BOOST_TEST(digit.error().code == 422u);
}

BOOST_AUTO_TEST_CASE(label_values_are_limited_to_63_characters) {
    stored_sample w;
    auto const body = stored_sample::parse(R"({"metadata":{"name":"a","labels":{"job":")" + std::string(64, 'x') +
                                           R"("}},"spec":{"containers":[{"name":"c","image":"i"}]}})");
    auto const r = w.store.create(w.pods, "default", body, at(0));
    BOOST_TEST(r.error().code == 422u);
    BOOST_TEST(r.error().message == "Pod \"a\" is invalid: metadata.labels: Invalid value: \"" + std::string(64, 'x') +
                                        "\": must be no more than 63 characters");
}

BOOST_AUTO_TEST_CASE(wrong_types_in_metadata_are_bad_requests_that_name_the_field) {
    stored_sample w;
    for (std::string_view const body :
         {R"({"metadata":[]})", R"({"metadata":{"name":1}})", R"({"metadata":{"name":"a","labels":{"x":1}}})",
          R"({"metadata":{"name":"a","finalizers":"f"}})", R"({"metadata":{"name":"a","ownerReferences":[1]}})",
          R"({"kind":3,"metadata":{"name":"a"}})", R"({"metadata":{"name":"a","deletionGracePeriodSeconds":"x"}})"}) {
        auto const r = w.store.create(w.pods, "default", stored_sample::parse(body), at(0));
        BOOST_TEST(r.has_error(), body);
        BOOST_TEST(r.error().code == 400u, body);
    }
    auto const r = w.store.create(w.pods, "default", stored_sample::parse(R"({"metadata":{"labels":{"x":1}}})"), at(0));
    BOOST_TEST(r.error().message == "metadata.labels[x]: expected string, got number");
}

BOOST_AUTO_TEST_CASE(wrong_types_of_built_in_kinds_are_bad_requests_that_name_the_field) {
    stored_sample w;
    auto const image =
        stored_sample::parse(R"({"metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":5}]}})");
    auto const text =
        "Pod in version \"v1\" cannot be handled as a Pod: spec.containers[0].image: expected string, got 5";
    auto const made = w.store.create(w.pods, "default", image, at(0));
    BOOST_TEST(made.error().code == 400u);
    BOOST_TEST((made.error().why == reason::bad_request));
    BOOST_TEST(made.error().message == text);
    auto const old = w.make_pod("a");
    for (auto const& r : {w.store.update(w.pods, "default", "a", image, at(1)),
                          w.store.update_status(w.pods, "default", "a", image, at(1))}) {
        BOOST_TEST(r.error().code == 400u);
        BOOST_TEST(r.error().message == text);
    }
    BOOST_TEST(w.find(w.pods, "a")->version() == old->version());
    BOOST_TEST(
        w.store.patch(w.pods, "default", "a", patch_type::merge, R"({"spec":{"activeDeadlineSeconds":9}})", at(1))
            .has_value()); // what cannot be stored cannot stand in the way of later patches
    for (std::string_view const body :
         {R"({"metadata":{"name":"b"},"spec":{"ports":[{"port":4294967296}]}})",
          R"({"metadata":{"name":"b"},"spec":[]})", R"({"metadata":{"name":"b"},"spec":{"selector":{"a":1}}})"})
        BOOST_TEST(w.store.create(w.services, "default", stored_sample::parse(body), at(0)).error().code == 400u, body);
    // Custom resources have no type here, and fields that a type does not have are no faults.
    w.make(w.jobs, R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"a"},"spec":7})");
    BOOST_TEST(at_path_text(w.make(w.pods, R"({"metadata":{"name":"c"},"spec":{"bogus":5}})"), "spec.bogus") == "5");
}

BOOST_AUTO_TEST_CASE(kind_and_version_must_match_the_path) {
    stored_sample w;
    auto const kind =
        w.store.create(w.pods, "default", stored_sample::parse(R"({"kind":"Job","metadata":{"name":"a"}})"), at(0));
    BOOST_TEST(kind.error().message == "Job in version \"v1\" cannot be handled as a Pod");
    auto const version = w.store.create(w.pods, "default",
                                        stored_sample::parse(R"({"apiVersion":"v2","metadata":{"name":"a"}})"), at(0));
    BOOST_TEST(version.error().message ==
               "the API version in the data (v2) does not match the expected API version (v1)");
    auto const ns = w.store.create(w.pods, "default",
                                   stored_sample::parse(R"({"metadata":{"name":"a","namespace":"other"}})"), at(0));
    BOOST_TEST(ns.error().message ==
               "the namespace of the provided object does not match the namespace sent on the request");
    BOOST_TEST(
        w.store.create(w.jobs, "default", stored_sample::parse(R"({"metadata":{"name":"a"}})"), at(0)).error().code ==
        400u);
}

BOOST_AUTO_TEST_CASE(pods_and_services_get_the_documented_defaults) {
    stored_sample w;
    auto const pod = w.make(w.pods, R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","ports":
                                        [{"containerPort":1}]}]},"status":{"phase":"Running"}})");
    BOOST_TEST(at_path_text(pod, "status.phase") == "Pending");
    BOOST_TEST(at_path_text(pod, "spec.restartPolicy") == "Always");
    BOOST_TEST(at_path_text(pod, "spec.terminationGracePeriodSeconds") == "30");
    BOOST_TEST(at_path_text(pod, "spec.containers") ==
               R"([{"name":"c","ports":[{"containerPort":1,"protocol":"TCP"}],"image":"i",)"
               R"("terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",)"
               R"("imagePullPolicy":"Always"}])");
    auto const service = w.make(w.services, R"({"metadata":{"name":"s"},"spec":{"clusterIP":"None","ports":
                                                [{"port":23456,"targetPort":0}]}})");
    BOOST_TEST(at_path_text(service, "spec.ports") == R"([{"port":23456,"targetPort":23456,"protocol":"TCP"}])");
    BOOST_TEST(at_path_text(service, "spec.type") == "ClusterIP");
    BOOST_TEST(at_path_text(service, "spec.internalTrafficPolicy") == "Cluster");
    BOOST_TEST(at_path_text(service, "spec.clusterIPs") == R"(["None"])");
    // As recorded of kube-apiserver v1.36.2, and of one without selector by alloc.go.
    BOOST_TEST(at_path_text(service, "spec.ipFamilies") == R"(["IPv4","IPv6"])");
    BOOST_TEST(at_path_text(service, "spec.ipFamilyPolicy") == "RequireDualStack");
    auto const selecting =
        w.make(w.services, R"({"metadata":{"name":"t"},"spec":{"clusterIP":"None","selector":{"a":"b"}}})");
    BOOST_TEST(at_path_text(selecting, "spec.ipFamilies") == R"(["IPv4"])");
    BOOST_TEST(at_path_text(selecting, "spec.ipFamilyPolicy") == "SingleStack");
    auto const secret = w.make(w.secrets, R"({"metadata":{"name":"s"},"stringData":{"k":"hello"}})");
    BOOST_TEST(at_path_text(secret, "data.k") == "aGVsbG8=");
    BOOST_TEST(at_path_text(secret, "stringData") == "");
}

BOOST_AUTO_TEST_CASE(admission_can_reject_warn_and_patch) {
    stored_sample w;
    auto d = job_definition();
    d.admission_name = "validator.pytorchjob.training-operator.kubeflow.org";
    std::string seen_old;
    d.admission = [&](admission_request const& r) {
        admission_verdict v;
        seen_old = r.old_text();
        auto const object = r.text();
        if (object.find("\"bad\"") != object.npos) v.denied.emplace("spec.x: Required value: must be required");
        if (object.find("\"warn\"") != object.npos) v.warnings.push_back("old field");
        if (object.find("\"fill\"") != object.npos)
            v.patch = R"([{"op":"replace","path":"/metadata/name","value":"evil"},)"
                      R"({"op":"replace","path":"/spec","value":{"filled":1}}])";
        if (object.find("\"broken\"") != object.npos) v.patch = R"([{"op":"remove","path":"/nowhere"}])";
        if (object.find("\"asks\"") != object.npos) {
            auto const other = r.look_up(pytorch_job::resource, "default", "b");
            auto const none = r.look_up(pytorch_job::resource, "default", "none");
            if (other.find("\"warn\"") == other.npos || !none.empty()) v.denied.emplace("saw " + other + none);
        }
        return v;
    };
    w.store.add(d);
    auto const body = [](std::string name, std::string spec) {
        return stored_sample::parse(R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":")" +
                                    name + R"("},"spec":{")" + spec + R"(":1}})");
    };
    auto const denied = w.store.create(w.jobs, "default", body("a", "bad"), at(0));
    BOOST_TEST(denied.error().to_json() ==
               R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"admission webhook )"
               R"(\"validator.pytorchjob.training-operator.kubeflow.org\" denied the request: spec.x: Required value: )"
               R"(must be required","reason":"Forbidden","code":403})");
    auto const warned = w.store.create(w.jobs, "default", body("b", "warn"), at(0));
    BOOST_TEST(warned.value().warnings.at(0) == "old field");
    BOOST_TEST(seen_old.empty());
    auto const filled = w.store.create(w.jobs, "default", body("c", "fill"), at(0)).value().object;
    BOOST_TEST(at_path_text(filled, "spec") == R"({"filled":1})");
    BOOST_TEST(filled->name() == "c");
    auto const broken = w.store.create(w.jobs, "default", body("d", "broken"), at(0));
    BOOST_TEST(broken.error().code == 500u);
    BOOST_TEST(broken.error().message.find("returned an unusable patch") != std::string::npos, broken.error().message);
    BOOST_TEST(!w.store.get(w.jobs, "default", "d"));
    BOOST_TEST(w.store.create(w.jobs, "default", body("e", "asks"), at(0)).has_value());
    BOOST_TEST(w.store.patch(w.jobs, "default", "b", patch_type::merge, R"({"spec":{"bad":1}})", at(0)).error().code ==
               403u);
    BOOST_TEST(seen_old.find("\"warn\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_pod_can_be_bound_once) {
    stored_sample w;
    w.make_pod("p");
    std::string const nominated = R"({"status":{"nominatedNodeName":"node-1"}})";
    BOOST_TEST(w.store.patch_status(w.pods, "default", "p", patch_type::merge, nominated, at(0)).has_value());
    auto const bound = w.store.bind_pod(w.pods, "default", "p", "node-1", at(1));
    BOOST_TEST(at_path_text(bound.value().object, "status.nominatedNodeName") == "");
    BOOST_TEST(at_path_text(bound.value().object, "spec.nodeName") == "node-1");
    auto const again = w.store.bind_pod(w.pods, "default", "p", "node-2", at(1));
    BOOST_TEST(again.error().code == 409u);
    BOOST_TEST(again.error().message ==
               "Operation cannot be fulfilled on pods/binding \"p\": pod p is already assigned "
               "to node \"node-1\"");
}

BOOST_AUTO_TEST_SUITE_END()
