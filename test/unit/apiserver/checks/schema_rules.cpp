#include "unit/apiserver/requests.hpp"

#include <boost/test/unit_test.hpp>

using namespace sample;

// Expected: apiextensions-apiserver v0.31.3 `pkg/registry/customresource/`; texts as recorded from kube-apiserver
// v1.31.3.
namespace {

constexpr std::string_view crd =
    R"({"subresources":{"status":{},"scale":{"specReplicasPath":".spec.map.Worker.replicas",
"statusReplicasPath":".status.active","labelSelectorPath":".status.selector"}},
"schema":{"type":"object","properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},
"metadata":{"type":"object"},
"spec":{"type":"object","required":["map"],"properties":{
  "map":{"type":"object","additionalProperties":{"type":"object","properties":{"replicas":{"type":"integer"}}}},
  "mode":{"type":"string","default":"auto"},
  "queue":{"type":"string","x-kubernetes-validations":[{"rule":"self == oldSelf","message":"queue is immutable"}]}}},
"status":{"type":"object","properties":{"active":{"type":"integer"},"selector":{"type":"string"}}}}}})";

/// A store with a job kind that has a schema, and a webhook that counts.
struct with_schema : served {
    with_schema() {
        auto d = job_definition();
        d.schema = resource_schema::parse(crd).value();
        d.scale = d.schema.scale();
        d.admission_name = "validator";
        d.admission = [this](admission_request const&) {
            ++calls;
            return admission_verdict();
        };
        store.add(std::move(d));
    }

    static std::string job(std::string const& spec, std::string const& meta = "") {
        return R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"j")" + meta + R"(},"spec":)" +
               spec + "}";
    }
    reply post(std::string const& spec, std::string const& query = "", std::string const& meta = "") {
        return send("POST", jobs_path + query, job(spec, meta));
    }
    reply put(std::string const& spec) {
        auto const version = member(send("GET", jobs_path + "/j"), "metadata.resourceVersion");
        return send("PUT", jobs_path + "/j", job(spec, R"(,"resourceVersion":")" + version + "\""));
    }
    reply patch(std::string const& path, std::string const& body) {
        return send("PATCH", jobs_path + path, body, "application/merge-patch+json");
    }
    static std::vector<std::string> warnings(reply const& r) {
        std::vector<std::string> out;
        for (auto const& [name, value] : r.fields)
            if (name == "Warning") out.emplace_back(value);
        return out;
    }

    int calls = 0;
};

std::string const good = R"({"map":{"Worker":{"replicas":2}}})";

} // namespace

BOOST_FIXTURE_TEST_SUITE(apiserver_schema_rules, with_schema)

BOOST_AUTO_TEST_CASE(a_body_is_pruned_and_defaulted_with_warnings) {
    auto const made =
        post(R"({"map":{"Worker":{"replicas":2},"Master":{"replicas":1.0},"Gone":null},"bogus":1})", "", R"(,"odd":1)");
    BOOST_TEST_REQUIRE(made.status == 201u);
    BOOST_TEST(member(made, "spec") == R"({"map":{"Worker":{"replicas":2},"Master":{"replicas":1}},"mode":"auto"})");
    BOOST_TEST(member(made, "metadata.odd") == "");
    std::vector<std::string> const expected{R"(299 - "unknown field \"metadata.odd\"")",
                                            R"(299 - "unknown field \"spec.bogus\"")"};
    BOOST_TEST(warnings(made) == expected, boost::test_tools::per_element());
    BOOST_TEST(calls == 1);
}

BOOST_AUTO_TEST_CASE(strict_validation_rejects_and_ignore_drops_unknown_fields_silently) {
    auto const strict = post(R"({"map":{},"bogus":1})", "?fieldValidation=Strict");
    BOOST_TEST(strict.status == 400u);
    BOOST_TEST(member(strict, "message") == "PyTorchJob in version \"v1\" cannot be handled as a PyTorchJob: strict "
                                            "decoding error: unknown field \"spec.bogus\"");
    BOOST_TEST_REQUIRE(post(R"({"map":{}})").status == 201u);
    BOOST_TEST(patch("/j?fieldValidation=Strict", R"({"spec":{"bogus":1}})").status == 400u);
    BOOST_TEST_REQUIRE(send("DELETE", jobs_path + "/j").status == 200u);
    auto const ignoring = post(R"({"map":{},"bogus":1})", "?fieldValidation=Ignore");
    BOOST_TEST(ignoring.status == 201u);
    BOOST_TEST(warnings(ignoring).empty());
    BOOST_TEST(calls == 2);
}

// Texts: apimachinery v0.31.3 `pkg/runtime/serializer/json/json.go`, which reads custom resources strictly as well.
BOOST_AUTO_TEST_CASE(the_last_of_duplicate_fields_wins) {
    std::string const twice = R"({"map":{"Worker":{"replicas":2,"replicas":3}},"bogus":1})";
    auto const refused = post(twice, "?fieldValidation=Strict");
    BOOST_TEST(refused.status == 400u);
    BOOST_TEST(member(refused, "message") == "PyTorchJob in version \"v1\" cannot be handled as a PyTorchJob: strict "
                                             "decoding error: duplicate field \"spec.map.Worker.replicas\", unknown "
                                             "field \"spec.bogus\"");
    auto const r = post(twice, "?fieldValidation=Warn");
    BOOST_TEST(r.status == 201u);
    BOOST_TEST(member(r, "spec.map.Worker.replicas") == "3");
    std::vector<std::string> const expected{R"(299 - "duplicate field \"spec.map.Worker.replicas\"")",
                                            R"(299 - "unknown field \"spec.bogus\"")"};
    BOOST_TEST(warnings(r) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(schema_faults_form_one_status_and_no_webhook_is_called) {
    auto const refused = send("POST", jobs_path,
                              R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob",)"
                              R"("metadata":{"name":"J"},"spec":{"mode":1,"bogus":1}})");
    BOOST_TEST(refused.status == 422u);
    BOOST_TEST(calls == 0);
    auto const body = body_of(refused);
    BOOST_TEST(body.at("reason").as_string() == "Invalid");
    auto const& details = body.at("details").as_object();
    BOOST_TEST(details.at("kind").as_string() == "PyTorchJob");
    BOOST_TEST(details.at("group").as_string() == "kubeflow.org");
    std::string causes;
    for (auto const& c : details.at("causes").as_array())
        causes += std::string(c.at("reason").as_string()) + " " + std::string(c.at("field").as_string()) + "\n";
    BOOST_TEST(causes == "FieldValueInvalid metadata.name\nFieldValueTypeInvalid spec.mode\n"
                         "FieldValueRequired spec.map\nFieldValueInvalid <nil>\n");
    BOOST_TEST(std::string(body.at("message").as_string())
                   .ends_with("spec.mode: Invalid value: \"integer\": spec.mode in body must be of type string: "
                              "\"integer\", spec.map: Required value, <nil>: Invalid value: \"null\": some validation "
                              "rules were not checked because the object was invalid; correct the existing errors to "
                              "complete validation]"));
    BOOST_TEST(warnings(refused).size() == 1u);
}

BOOST_AUTO_TEST_CASE(updates_and_patches_are_checked_too) {
    BOOST_TEST_REQUIRE(post(R"({"map":{},"queue":"a"})").status == 201u);
    auto const moved = put(R"({"map":{},"queue":"b"})");
    BOOST_TEST(moved.status == 422u);
    BOOST_TEST(member(moved, "message") ==
               "PyTorchJob.kubeflow.org \"j\" is invalid: spec.queue: Invalid value: \"string\": queue is immutable");
    BOOST_TEST(patch("/j", R"({"spec":{"map":null}})").status == 422u);
    BOOST_TEST(patch("/j", R"({"spec":{"mode":null,"other":1}})").status == 200u);
    BOOST_TEST(member(send("GET", jobs_path + "/j"), "spec") == R"({"map":{},"queue":"a","mode":"auto"})");
    BOOST_TEST(calls == 2);
}

BOOST_AUTO_TEST_CASE(a_status_is_pruned_and_checked_alone) {
    BOOST_TEST_REQUIRE(post(good).status == 201u);
    auto const wrong = patch("/j/status", R"({"status":{"active":"x"}})");
    BOOST_TEST(wrong.status == 422u);
    BOOST_TEST(
        member(wrong, "message") ==
        "PyTorchJob.kubeflow.org \"j\" is invalid: [status.active: Invalid value: \"string\": active in body "
        "must be of type integer: \"string\", .status.active: Invalid value: 0: .status.active accessor error: x "
        "is of the type string, expected int64, <nil>: Invalid value: \"null\": some validation rules were not "
        "checked because the object was invalid; correct the existing errors to complete validation]");
    BOOST_TEST(patch("/j/status", R"({"status":{"active":1,"bogus":2}})").status == 200u);
    BOOST_TEST(member(send("GET", jobs_path + "/j"), "status") == R"({"active":1})");
}

BOOST_AUTO_TEST_CASE(scale_shows_the_numbers_of_the_job) {
    BOOST_TEST_REQUIRE(post(good).status == 201u);
    patch("/j/status", R"({"status":{"active":1,"selector":"a=b"}})");
    auto const scale = send("GET", jobs_path + "/j/scale");
    BOOST_TEST(scale.status == 200u);
    BOOST_TEST(member(scale, "kind") == "Scale");
    BOOST_TEST(member(scale, "apiVersion") == "autoscaling/v1");
    BOOST_TEST(member(scale, "metadata.name") == "j");
    BOOST_TEST(member(scale, "metadata.uid") != "");
    BOOST_TEST(member(scale, "spec") == R"({"replicas":2})");
    BOOST_TEST(member(scale, "status") == R"({"replicas":1,"selector":"a=b"})");
    BOOST_TEST(send("DELETE", jobs_path + "/j/scale").status == 405u);
    BOOST_TEST(send("GET", jobs_path + "/other/scale").status == 404u);
    BOOST_TEST(send("GET", pods_path + "/p/scale").status == 404u);
}

BOOST_AUTO_TEST_CASE(scale_writes_the_replicas_without_a_webhook) {
    BOOST_TEST_REQUIRE(post(good).status == 201u);
    auto const done = patch("/j/scale", R"({"spec":{"replicas":5}})");
    BOOST_TEST(done.status == 200u);
    BOOST_TEST(member(done, "kind") == "Scale");
    BOOST_TEST(member(done, "spec") == R"({"replicas":5})");
    auto const refused = patch("/j/scale", R"({"spec":{"replicas":2147483647}})");
    BOOST_TEST(refused.status == 422u);
    BOOST_TEST(member(refused, "message") == "Scale.autoscaling \"j\" is invalid: spec.replicas: Invalid value: "
                                             "2147483647: must be less than or equal to 100000 on this server");
    auto const job = send("GET", jobs_path + "/j");
    BOOST_TEST(member(job, "spec.map") == R"({"Worker":{"replicas":5}})");
    BOOST_TEST(member(job, "metadata.generation") == "2");
    auto const put = [&](std::string const& version, std::string const& spec) {
        return send("PUT", jobs_path + "/j/scale",
                    R"({"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"j","resourceVersion":")" +
                        version + R"("},"spec":)" + spec + "}");
    };
    BOOST_TEST(put("1", R"({"replicas":3})").status == 409u);
    BOOST_TEST(put(member(job, "metadata.resourceVersion"), "{}").status == 200u);
    BOOST_TEST(member(send("GET", jobs_path + "/j/scale"), "spec") == "{}"); // zero is left out, as in the Go type
    BOOST_TEST(calls == 1);
    auto const negative = patch("/j/scale", R"({"spec":{"replicas":-1}})");
    BOOST_TEST(negative.status == 422u);
    BOOST_TEST(member(negative, "message") == "PyTorchJob.kubeflow.org \"j\" is invalid: .spec.map.Worker.replicas: "
                                              "Invalid value: -1: should be a non-negative integer");
    BOOST_TEST(patch("/j/scale", R"({"spec":{"replicas":"x"}})").status == 400u);
    BOOST_TEST(patch("/j/scale", R"({"kind":"Other"})").status == 400u);
    BOOST_TEST(patch("/j/scale", R"({"metadata":{"name":"k"}})").status == 400u);
}

BOOST_AUTO_TEST_CASE(a_job_without_replicas_has_no_scale) {
    BOOST_TEST_REQUIRE(post(R"({"map":{}})").status == 201u);
    auto const scale = send("GET", jobs_path + "/j/scale");
    BOOST_TEST(scale.status == 500u);
    BOOST_TEST(member(scale, "message") ==
               "Internal error occurred: the spec replicas field \".spec.map.Worker.replicas\" does not exist");
    auto const patched = patch("/j/scale", R"({"metadata":{"labels":{"a":"b"}}})");
    BOOST_TEST(patched.status == 400u);
    BOOST_TEST(member(patched, "message") == "the spec replicas field \".spec.map.Worker.replicas\" cannot be empty");
    BOOST_TEST(patch("/j/scale", R"({"spec":{"replicas":1}})").status == 200u);
    BOOST_TEST(member(send("GET", jobs_path + "/j"), "spec.map") == R"({"Worker":{"replicas":1}})");
}

BOOST_AUTO_TEST_CASE(scale_is_listed_in_discovery) {
    auto const found = send("GET", "/apis/kubeflow.org/v1").body;
    BOOST_TEST(found.find(R"("name":"pytorchjobs/scale")") != found.npos);
    BOOST_TEST(found.find(R"("group":"autoscaling","version":"v1")") != found.npos);
}

BOOST_AUTO_TEST_SUITE_END()
