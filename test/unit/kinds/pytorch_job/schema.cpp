#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kinds/registry.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(kinds_pytorch_job_schema)

using namespace kftrain;

// Expected: recorded from kube-apiserver v1.31.3 with the CRDs of training-operator v1.9.0.
namespace {

resource_schema const& schema() { return job_rules_for<pytorch_job>().schema(); }

std::string job(std::string const& spec) {
    return R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"adm","namespace":"corpus"},)"
           R"("spec":)" +
           spec + "}";
}
std::string replicas(std::string const& count, std::string const& container = "") {
    return R"({"pytorchReplicaSpecs":{"Worker":{"replicas":)" + count +
           R"(,"template":{"spec":{"containers":[{"image":"example.com/train:1","name":"pytorch")" + container +
           "}]}}}}}";
}

constexpr std::string_view not_checked = "<nil>: Invalid value: \"null\": some validation rules were not checked "
                                         "because the object was invalid; correct the "
                                         "existing errors to complete validation\n";

std::string answers(std::string const& text) {
    std::string out;
    for (auto const& i : schema_issues(schema(), text).value())
        out += (i.level == issue::severity::warning ? "warning " : "") + i.message + "\n";
    return out;
}

} // namespace

BOOST_AUTO_TEST_CASE(every_kind_has_a_schema_that_compiles) {
    for (auto const* k : known_job_rules()) {
        BOOST_TEST(!k->schema().empty(), k->primary().info->kind);
        BOOST_TEST(&k->schema() == &k->schema());
    }
}

BOOST_AUTO_TEST_CASE(a_valid_job_passes_the_schema) { BOOST_TEST(answers(job(replicas("1"))) == ""); }

BOOST_AUTO_TEST_CASE(an_absent_or_null_replica_map_is_required) {
    auto const expected = "spec.pytorchReplicaSpecs: Required value\n" + std::string(not_checked);
    BOOST_TEST(answers(job(R"({"runPolicy":{}})")) == expected);
    BOOST_TEST(answers(job(R"({"pytorchReplicaSpecs":null})")) == expected);
}

BOOST_AUTO_TEST_CASE(null_entries_of_the_replica_map_are_removed) {
    auto const kept =
        set_schema_defaults(schema(), job(R"({"pytorchReplicaSpecs":{"Master":null,"Worker":{}}})")).value();
    BOOST_TEST(kept == job(R"({"pytorchReplicaSpecs":{"Worker":{}}})"));
}

BOOST_AUTO_TEST_CASE(a_list_instead_of_the_replica_map_is_reported_twice) {
    BOOST_TEST(answers(job(R"({"pytorchReplicaSpecs":[{"replicas":1,"template":{}}]})")) ==
               "warning unknown field \"spec.pytorchReplicaSpecs[0].replicas\"\n"
               "warning unknown field \"spec.pytorchReplicaSpecs[0].template\"\n"
               "spec.pytorchReplicaSpecs: Invalid value: \"array\": spec.pytorchReplicaSpecs in body must be of type "
               "object: \"array\"\n"
               ".spec.pytorchReplicaSpecs.Worker.replicas: Invalid value: 0: .spec.pytorchReplicaSpecs.Worker accessor "
               "error: [map[]] is of the type []interface {}, expected map[string]interface{}\n" +
                   std::string(not_checked));
}

BOOST_AUTO_TEST_CASE(replicas_must_be_a_whole_number_that_is_not_negative) {
    BOOST_TEST(answers(job(replicas("-1"))) ==
               ".spec.pytorchReplicaSpecs.Worker.replicas: Invalid value: -1: should be a non-negative integer\n");
    BOOST_TEST(answers(job(replicas("1.5"))) ==
               "spec.pytorchReplicaSpecs.Worker.replicas: Invalid value: \"number\": "
               "spec.pytorchReplicaSpecs.Worker.replicas in body must be of type integer: \"number\"\n"
               ".spec.pytorchReplicaSpecs.Worker.replicas: Invalid value: 0: .spec.pytorchReplicaSpecs.Worker.replicas "
               "accessor error: 1.5 is of the type float64, expected int64\n" +
                   std::string(not_checked));
    BOOST_TEST(answers(job(replicas("\"2\""))) ==
               "spec.pytorchReplicaSpecs.Worker.replicas: Invalid value: \"string\": "
               "spec.pytorchReplicaSpecs.Worker.replicas in body must be of type integer: \"string\"\n"
               ".spec.pytorchReplicaSpecs.Worker.replicas: Invalid value: 0: .spec.pytorchReplicaSpecs.Worker.replicas "
               "accessor error: 2 is of the type string, expected int64\n" +
                   std::string(not_checked));
}

BOOST_AUTO_TEST_CASE(faults_inside_the_template_are_found) {
    BOOST_TEST(answers(job(replicas("1", R"(,"ports":[{"containerPort":"80"}])"))) ==
               "spec.pytorchReplicaSpecs.Worker.template.spec.containers[0].ports[0].containerPort: Invalid value: "
               "\"string\": spec.pytorchReplicaSpecs.Worker.template.spec.containers[0].ports[0].containerPort in body "
               "must be of type integer: \"string\"\n" +
                   std::string(not_checked));
    BOOST_TEST(answers(job(replicas("1", R"(,"env":[{"value":"x"}])"))) ==
               "spec.pytorchReplicaSpecs.Worker.template.spec.containers[0].env[0].name: Required value\n" +
                   std::string(not_checked));
    BOOST_TEST(answers(job(R"({"pytorchReplicaSpecs":{"Worker":{"template":{"spec":{}}}}})")) ==
               "spec.pytorchReplicaSpecs.Worker.template.spec.containers: Required value\n" + std::string(not_checked));
}

BOOST_AUTO_TEST_CASE(unknown_fields_are_warnings) {
    auto spec = replicas("1");
    spec.insert(1, R"("bogus":1,)");
    BOOST_TEST(answers(job(spec)) == "warning unknown field \"spec.bogus\"\n");
}

BOOST_AUTO_TEST_CASE(ports_get_their_protocol) {
    auto const kept = set_schema_defaults(schema(), job(replicas("1", R"(,"ports":[{"containerPort":80}])"))).value();
    BOOST_TEST(kept == job(replicas("1", R"(,"ports":[{"containerPort":80,"protocol":"TCP"}])")));
}

BOOST_AUTO_TEST_CASE(the_queue_must_not_change) {
    auto const with = [](std::string const& queue) {
        auto spec = replicas("1");
        spec.insert(1, R"("runPolicy":{"schedulingPolicy":{"queue":")" + queue + R"("}},)");
        return job(spec);
    };
    auto const found = validate(schema(), with("b"), with("a")).value();
    BOOST_TEST_REQUIRE(found.size() == 1u);
    BOOST_TEST(found[0].text() == "spec.runPolicy.schedulingPolicy.queue: Invalid value: \"string\": "
                                  "spec.runPolicy.schedulingPolicy.queue is immutable");
    BOOST_TEST(found[0].reason == "FieldValueInvalid");
    BOOST_TEST(found[0].to_issue().rule == "schema.invalid");
    BOOST_TEST(validate(schema(), with("a"), with("a")).value().empty());
}

BOOST_AUTO_TEST_CASE(scale_uses_the_paths_of_the_crd) {
    BOOST_TEST_REQUIRE(schema().scale().has_value());
    BOOST_TEST(schema().scale()->spec_replicas == ".spec.pytorchReplicaSpecs.Worker.replicas");
    BOOST_TEST(schema().scale()->status_replicas == ".status.replicaStatuses.Worker.active");
    BOOST_TEST(schema().scale()->label_selector == ".status.replicaStatuses.Worker.selector");
}

BOOST_AUTO_TEST_SUITE_END()
