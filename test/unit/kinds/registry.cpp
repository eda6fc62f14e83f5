#include <kftrain/kinds/registry.hpp>

#include <kftrain/kinds/pytorch_job.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace kftrain;

BOOST_AUTO_TEST_SUITE(kinds_registry)

BOOST_AUTO_TEST_CASE(every_kind_is_found_by_its_own_names) {
    BOOST_TEST(!job_kinds().empty());
    for (auto const* k : job_kinds()) BOOST_TEST(find_job_kind(k->resource->api_version(), k->resource->kind) == k);
    BOOST_TEST(find_job_kind("kubeflow.org/v1", "pytorchjob") == nullptr);
    BOOST_TEST(find_job_kind("kubeflow.org/v1beta1", "PyTorchJob") == nullptr);
    BOOST_TEST(find_job_kind("kubeflow.org/v1", "PyTorchJob") == &job_kind_of<pytorch_job>());
}

BOOST_AUTO_TEST_CASE(a_job_is_read_from_yaml_and_from_json) {
    auto const yaml =
        parse_job("apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata:\n  name: pt\n"
                  "spec:\n  nprocPerNode: \"2\"\n  pytorchReplicaSpecs:\n    Worker:\n      replicas: 3\n");
    BOOST_TEST_REQUIRE(yaml.has_value());
    auto const* j = yaml->get_if<pytorch_job>();
    BOOST_TEST_REQUIRE(j != nullptr);
    BOOST_TEST(j->metadata.name == "pt");
    BOOST_TEST(j->spec.nproc_per_node.value() == "2");
    BOOST_TEST(j->spec.pytorch_replica_specs.at("Worker").replicas.value() == 3);
    auto const json = parse_job(yaml->to_json());
    BOOST_TEST_REQUIRE(json.has_value());
    BOOST_TEST(json->to_json() == yaml->to_json());
}

BOOST_AUTO_TEST_CASE(an_unknown_kind_is_named_beside_the_known_ones) {
    auto const r = parse_job("apiVersion: batch/v1\nkind: Job\n");
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST((r.error().code == errc::unknown_kind));
    std::string known;
    for (auto const* k : job_kinds())
        known += (known.empty() ? "" : ", ") + k->resource->api_version() + " " + std::string(k->resource->kind);
    BOOST_TEST(r.error().to_string() ==
               "apiVersion \"batch/v1\" and kind \"Job\" name no known job kind; known are: " + known);
    BOOST_TEST(known.find("kubeflow.org/v1 PyTorchJob") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_document_without_a_kind_says_what_is_missing) {
    auto const neither = parse_job("metadata: {name: pt}\n");
    BOOST_TEST_REQUIRE(neither.has_error());
    BOOST_TEST((neither.error().code == errc::unknown_kind));
    BOOST_TEST(neither.error().to_string() == "kind: expected apiVersion and kind of a job, found neither");
    auto const half = parse_job("apiVersion: kubeflow.org/v1\n");
    BOOST_TEST_REQUIRE(half.has_error());
    BOOST_TEST(half.error().detail.path == "kind");
}

BOOST_AUTO_TEST_CASE(faults_in_the_text_keep_their_code_and_place) {
    auto const r = parse_job("apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nspec:\n  pytorchReplicaSpecs:\n"
                             "    Worker:\n      replicas: three\n");
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST((r.error().code == errc::type_mismatch));
    BOOST_TEST(r.error().detail.path == "spec.pytorchReplicaSpecs.Worker.replicas");
    BOOST_TEST(r.error().detail.line == 6U);
    BOOST_TEST((parse_job("{").error().code == errc::syntax));
}

BOOST_AUTO_TEST_SUITE_END()
