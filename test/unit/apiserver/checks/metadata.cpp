#include "unit/apiserver/requests.hpp"

#include <boost/test/unit_test.hpp>

using namespace sample;

// Expected: apiserver v0.31.3 `pkg/registry/rest/{create,update}.go`, apimachinery v0.31.3 `pkg/api/errors/errors.go`
// (`NewInvalid`) and `pkg/util/validation/field/errors.go` (`ToAggregate`); texts as in
// test/unit/model/rules/object_meta.cpp.
namespace {

std::string const name_part =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

/// A store whose job kind has a schema, and a webhook that counts.
struct with_job_kind : served {
    with_job_kind() {
        auto d = job_definition();
        d.schema = resource_schema::parse(R"({"schema":{"type":"object","properties":{"apiVersion":{"type":"string"},
"kind":{"type":"string"},"metadata":{"type":"object"},"spec":{"type":"object","properties":{"n":{"type":"integer"},
"q":{"type":"string","x-kubernetes-validations":[{"rule":"self == oldSelf","message":"queue is immutable"}]}}}}}})")
                       .value();
        d.admission = [this](admission_request const&) {
            ++calls;
            return admission_verdict();
        };
        store.add(std::move(d));
    }

    reply post_job(std::string const& meta, std::string const& spec = "{}") {
        return send("POST", jobs_path,
                    R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{)" + meta + R"(},"spec":)" +
                        spec + "}");
    }
    reply post_pod(std::string const& meta) {
        return send("POST", pods_path,
                    R"({"metadata":{)" + meta + R"(},"spec":{"containers":[{"name":"c","image":"i"}]}})");
    }
    reply patch(std::string const& path, std::string const& meta) {
        return send("PATCH", path, R"({"metadata":)" + meta + "}", "application/merge-patch+json");
    }
    static std::string fields(reply const& r) {
        std::string out;
        auto const body = body_of(r);
        for (auto const& c : body.at("details").at("causes").as_array())
            out += (out.empty() ? "" : " ") + std::string(c.at("field").as_string());
        return out;
    }

    int calls = 0;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(apiserver_metadata, with_job_kind)

BOOST_AUTO_TEST_CASE(invalid_metadata_and_schema_faults_are_reported_together_without_webhooks) {
    auto const refused = post_job(
        R"("name":"Bad_Name","labels":{"a b":"v"},"annotations":{"x y":""},"finalizers":["/a"])", R"({"n":"x"})");
    BOOST_TEST(refused.status == 422u);
    BOOST_TEST(calls == 0);
    BOOST_TEST(fields(refused) ==
               "metadata.name metadata.labels metadata.annotations metadata.finalizers spec.n <nil>");
    auto const text = member(refused, "message");
    BOOST_TEST(text.starts_with("PyTorchJob.kubeflow.org \"Bad_Name\" is invalid: [metadata.name: Invalid value: "
                                "\"Bad_Name\": a lowercase RFC 1123 subdomain must consist of"));
    BOOST_TEST(text.find(", metadata.labels: Invalid value: \"a b\": " + name_part +
                         ", metadata.annotations: Invalid value: \"x y\": " + name_part +
                         ", metadata.finalizers: Invalid value: \"/a\": prefix part must be non-empty, spec.n: ") !=
               text.npos);
}

BOOST_AUTO_TEST_CASE(a_valid_object_is_accepted) {
    auto const made =
        post_job(R"("name":"9.j","labels":{"a.b/c":"D_e"},"annotations":{"A.B/c":"any thing"},"finalizers":["hold"],)"
                 R"("ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u","controller":true}])");
    BOOST_TEST(made.status == 201u);
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(managed_fields_are_not_validated) {
    BOOST_TEST(post_job(R"("name":"j","managedFields":[{"operation":"Other"}])").status == 201u);
}

BOOST_AUTO_TEST_CASE(oversized_annotations_prevent_validation_expressions) {
    auto const refused =
        post_job(R"("name":"j","annotations":{"a":")" + std::string(262144, 'v') + "\"}", R"({"q":"x"})");
    BOOST_TEST(refused.status == 422u);
    BOOST_TEST(fields(refused) == "metadata.annotations <nil>");
    BOOST_TEST(
        member(refused, "message")
            .starts_with("PyTorchJob.kubeflow.org \"j\" is invalid: [metadata.annotations: Too long: must have at "
                         "most 262144 bytes, <nil>: "));
}

BOOST_AUTO_TEST_CASE(owner_references_are_validated) {
    auto const refused = post_job(R"("name":"j","ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p"}])");
    BOOST_TEST(member(refused, "message") == "PyTorchJob.kubeflow.org \"j\" is invalid: metadata.ownerReferences.uid: "
                                             "Invalid value: \"\": uid must not be empty");
}

BOOST_AUTO_TEST_CASE(the_namespace_of_a_request_must_be_a_label) {
    auto const refused = send("POST", "/api/v1/namespaces/a.b/pods",
                              R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
    BOOST_TEST(refused.status == 422u);
    BOOST_TEST(member(refused, "message") ==
               "Pod \"p\" is invalid: metadata.namespace: Invalid value: \"a.b\": must not contain dots");
}

BOOST_AUTO_TEST_CASE(a_rejected_update_has_repeated_causes_and_one_message) {
    BOOST_TEST_REQUIRE(post_job(R"("name":"j")").status == 201u);
    auto const refused = patch(jobs_path + "/j", R"({"labels":{"a b":""},"finalizers":["/a"]})");
    BOOST_TEST(refused.status == 422u);
    BOOST_TEST(fields(refused) == "metadata.labels metadata.finalizers metadata.labels metadata.labels");
    BOOST_TEST(member(refused, "message") ==
               "PyTorchJob.kubeflow.org \"j\" is invalid: [metadata.labels: Invalid value: \"a b\": " + name_part +
                   ", metadata.finalizers: Invalid value: \"/a\": prefix part must be non-empty]");
    auto const alone = patch(jobs_path + "/j", R"({"labels":{"a b":""}})");
    BOOST_TEST(member(alone, "message") ==
               "PyTorchJob.kubeflow.org \"j\" is invalid: metadata.labels: Invalid value: \"a b\": " + name_part);
    // Of a prefix, an update wants no more than that it fits a path.
    BOOST_TEST(patch(jobs_path + "/j", R"({"generateName":"Any Thing"})").status == 200u);
    BOOST_TEST(fields(patch(jobs_path + "/j", R"({"generateName":"a/b"})")) == "metadata.generateName");
    BOOST_TEST(calls == 2);
}

BOOST_AUTO_TEST_CASE(finalizers_of_built_in_kinds_must_be_qualified_or_standard) {
    auto const refused = post_pod(R"("name":"p","finalizers":["orphan","hold"])");
    BOOST_TEST(refused.status == 422u);
    std::string const why =
        "metadata.finalizers[1]: Invalid value: \"hold\": name is neither a standard finalizer name nor is it fully "
        "qualified";
    BOOST_TEST(member(refused, "message") == "Pod \"p\" is invalid: " + why);
    BOOST_TEST_REQUIRE(post_pod(R"("name":"p","finalizers":["orphan","a.b/c"])").status == 201u);
    BOOST_TEST(member(patch(pods_path + "/p", R"({"finalizers":["orphan","hold"]})"), "message") ==
               "Pod \"p\" is invalid: " + why);
    BOOST_TEST(send("POST", "/api/v1/namespaces/default/events", R"({"metadata":{"name":"e","finalizers":["hold"]}})")
                   .status == 201u);
}

BOOST_AUTO_TEST_CASE(new_unqualified_finalizers_of_custom_resources_cause_a_warning) {
    auto const warnings = [](reply const& r) {
        std::vector<std::string> out;
        for (auto const& [name, value] : r.fields)
            if (name == "Warning") out.emplace_back(value);
        return out;
    };
    auto const of = [](std::string const& name) {
        return std::vector<std::string>{R"(299 - "metadata.finalizers: \")" + name +
                                        R"(\": prefer a domain-qualified finalizer name to avoid accidental conflicts )"
                                        R"(with other finalizer writers")"};
    };
    auto const made = post_job(R"("name":"j","finalizers":["orphan","hold"])");
    BOOST_TEST(made.status == 201u);
    BOOST_TEST(warnings(made) == of("hold"), boost::test_tools::per_element());
    auto const more = patch(jobs_path + "/j", R"({"finalizers":["hold","a.b/c","more"]})");
    BOOST_TEST(warnings(more) == of("more"), boost::test_tools::per_element());
    BOOST_TEST(warnings(post_pod(R"("name":"p","finalizers":["orphan"])")).empty());
}

BOOST_AUTO_TEST_SUITE_END()
