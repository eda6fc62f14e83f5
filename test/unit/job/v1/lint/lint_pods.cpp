#include "unit/job/v1/lint/lint_sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(job_lint_pods)

using namespace lint_sample;

// Expected texts: those of kube-apiserver v1.31.3 about the pods; test/data/server_answers has them.
namespace {

std::string const form =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start "
    "and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for "
    "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
std::string const of_pod = worker + ".template.spec.";

core::pod_spec& spec_of(pytorch_job& j) { return j.spec.pytorch_replica_specs["Worker"].template_.spec; }

} // namespace

BOOST_AUTO_TEST_CASE(jobs_with_valid_pods_have_no_findings) {
    BOOST_TEST(findings(job(1, 2), "lint.pod").empty());
    for (auto const& i : any_job(job(1, 2)).lint()) BOOST_TEST(!i.keeps_from_starting, i.message);
}

BOOST_AUTO_TEST_CASE(faults_of_pods_are_reported_for_the_template) {
    auto const j = changed(2, [](pytorch_job& c) {
        auto& spec = spec_of(c);
        spec.hostname = "a\nb";
        spec.volumes.emplace_back().name = "V";
        training(c).image.clear();
        training(c).env.emplace_back("1", "");
        training(c).image_pull_policy = "Perhaps";
        spec.node_selector["a b"] = "c";
    });
    BOOST_TEST(
        findings(j, "lint.pod") ==
            lines({of_pod + "volumes[0].name: Invalid value: \"V\": " + form, of_training + ".image: Required value",
                   of_training + ".env[0].name: Invalid value: \"1\": a valid environment variable name must consist "
                                 "of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit "
                                 "(e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation "
                                 "is '[-._a-zA-Z][-._a-zA-Z0-9]*')",
                   of_training + ".imagePullPolicy: Unsupported value: \"Perhaps\": supported values: \"Always\", "
                                 "\"IfNotPresent\", \"Never\"",
                   of_pod +
                       "nodeSelector: Invalid value: \"a b\": name part must consist of alphanumeric characters, "
                       "'-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or "
                       "'my.name',  or '123-abc', regex used for validation is "
                       "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
                   of_pod + "hostname: Invalid value: \"a\\nb\": " + form}),
        boost::test_tools::per_element());
    for (auto const& i : any_job(j).lint())
        if (i.rule == "lint.pod") BOOST_TEST((i.level == issue::severity::error && i.keeps_from_starting));
}

BOOST_AUTO_TEST_CASE(an_item_name_that_leaves_its_folder_is_reported_with_the_container) {
    auto const j = changed(1, [](pytorch_job& c) { spec_of(c).containers.push_back(named("../../x")); });
    BOOST_TEST(findings(j, "lint.container-names") ==
                   lines{of_pod + "containers[1].name: Invalid value: \"../../x\": " + form},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(names_of_injected_containers_are_reserved) {
    auto const j = changed(1, [](pytorch_job& c) { spec_of(c).containers.push_back(named("init-pytorch")); });
    BOOST_TEST(findings(j, "lint.container-names") ==
                   lines{of_pod + "initContainers[0].name: Duplicate value: \"init-pytorch\""},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(invalid_metadata_copied_to_pods_is_reported) {
    auto const j = changed(1, [](pytorch_job& c) {
        auto& metadata = c.spec.pytorch_replica_specs["Worker"].template_.metadata;
        metadata.labels["a"] = std::string(64, 'x');
        metadata.finalizers = {"hold"};
    });
    BOOST_TEST(
        findings(j, "lint.pod") ==
            lines({worker + ".template.metadata.labels.a: Invalid value: \"" + std::string(64, 'x') +
                       "\": must be no more than 63 characters",
                   worker + ".template.metadata.finalizers[0]: Invalid value: \"hold\": name is neither a standard "
                            "finalizer name nor is it fully qualified"}),
        boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_ignored_restart_policy_has_one_event) {
    auto const j = changed(1, [](pytorch_job& c) {
        c.spec.pytorch_replica_specs["Worker"].restart_policy = "Sometimes";
        spec_of(c).restart_policy = "Never";
    });
    BOOST_TEST(findings(j, "lint.pod").empty());
    BOOST_TEST(findings(j, "lint.restart-policy").size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_type_without_pods_is_checked_by_its_template) {
    auto const j = changed(0, [](pytorch_job& c) {
        c.spec.pytorch_replica_specs["Worker"] = c.spec.pytorch_replica_specs["Master"];
        c.spec.pytorch_replica_specs["Worker"].replicas = 0;
        spec_of(c).hostname = "A";
    });
    BOOST_TEST(findings(j, "lint.pod") == lines{of_pod + "hostname: Invalid value: \"A\": " + form},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
