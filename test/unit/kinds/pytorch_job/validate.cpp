#include "unit/job/sample.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

BOOST_AUTO_TEST_SUITE(kinds_pytorch_job_validate)

using namespace sample;

namespace {

using lines = std::vector<std::string>;

/// `rule | message` of every issue.
lines faults(pytorch_job const& j) {
    lines result;
    for (auto const& i : any_job(j).validate()) {
        BOOST_TEST(i.message.starts_with(i.path + ": "));
        result.push_back(i.rule + " | " + i.message);
    }
    return result;
}

std::string const dns =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    "and "
    "end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
    "'[a-z]([-a-z0-9]*[a-z0-9])?')";

void expect(pytorch_job const& j, lines const& expected) {
    BOOST_TEST(faults(j) == expected, boost::test_tools::per_element());
}

std::string named(std::string const& name, std::string const& reasons) {
    return "job.name | metadata.name: Invalid value: \"" + name + "\": should match: " + reasons;
}

} // namespace

BOOST_AUTO_TEST_CASE(valid_jobs_have_no_issues) {
    expect(job(1, 0), {});
    expect(job(1, 4), {});
    expect(job(0, 1), {});
    pytorch_job j = job(1, 1);
    j.spec.pytorch_replica_specs["Worker"].replicas.reset();
    for (auto manager : {"kubeflow.org/training-operator", "kueue.x-k8s.io/multikueue"}) {
        j.spec.run_policy.managed_by = manager;
        expect(j, {});
    }
    j.metadata.name = std::string(63, 'a');
    expect(j, {});
}

BOOST_AUTO_TEST_CASE(names_are_labels_of_at_most_63_characters) {
    auto const with_name = [](std::string name) {
        pytorch_job j = job(1, 0);
        j.metadata.name = std::move(name);
        return j;
    };
    for (std::string bad : {"", "1abc", "a.b", "Abc", "a-", "-a", "a_b"}) expect(with_name(bad), {named(bad, dns)});
    std::string const longer(64, 'a');
    expect(with_name(longer), {named(longer, "must be no more than 63 characters")});
    std::string const both = "1" + std::string(63, 'a');
    expect(with_name(both), {named(both, "must be no more than 63 characters," + dns)});
}

BOOST_AUTO_TEST_CASE(namespaces_are_rfc_1123_labels_and_may_be_left_out) {
    std::string const rfc1123 =
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end "
        "with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
        "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    auto const in = [](std::string const& ns) {
        auto j = job(1, 1);
        j.metadata.namespace_ = ns;
        return j;
    };
    for (std::string good : {"", "kf", "1-a"}) expect(in(good), {});
    expect(in(std::string(63, 'a')), {});
    for (std::string bad : {"a/../b", "../x", "x y", "ns\n", "A", "-a", "a-"})
        expect(in(bad), {"job.namespace | metadata.namespace: Invalid value: \"" + bad + "\": " + rfc1123});
    std::string const longer(64, 'a');
    expect(in(longer), {"job.namespace | metadata.namespace: Invalid value: \"" + longer +
                        "\": must be no more than 63 characters"});
}

BOOST_AUTO_TEST_CASE(excessive_replicas_are_rejected) {
    expect(job(1, 99'999), {});
    expect(job(1, 100'000), {"kftrain.replica-limit | spec.pytorchReplicaSpecs: Forbidden: 100001 replicas exceed the "
                             "limit of kftrain, 100000"});
    BOOST_TEST(faults(job(1, std::numeric_limits<std::int32_t>::max())).size() == 1U);
}

BOOST_AUTO_TEST_CASE(unknown_and_empty_managers_are_rejected) {
    for (std::string manager : {"", "me"}) {
        pytorch_job j = job(1, 0);
        j.spec.run_policy.managed_by = manager;
        expect(j, {"job.managed-by | spec.runPolicy.managedBy: Unsupported value: \"" + manager +
                   "\": supported values: \"kubeflow.org/training-operator\", \"kueue.x-k8s.io/multikueue\""});
    }
}

BOOST_AUTO_TEST_CASE(a_job_without_replicas_is_refused) {
    expect(job(0, 0), {"job.replicas | spec.pytorchReplicaSpecs: Required value: must be required"});
}

BOOST_AUTO_TEST_CASE(types_are_known_in_exact_case) {
    for (std::string type : {"worker", "Gizmo"}) {
        pytorch_job j = job(1, 0);
        j.spec.pytorch_replica_specs[type] = replicas(1);
        expect(j, {"job.replica-type | spec.pytorchReplicaSpecs[" + type + "]: Unsupported value: \"" + type +
                   "\": supported values: \"Master\", \"Worker\""});
    }
}

BOOST_AUTO_TEST_CASE(containers_need_an_image_and_one_the_name_of_the_kind) {
    std::string const at = "spec.pytorchReplicaSpecs[Master].template.spec.containers";
    std::string const unnamed =
        "job.container.name | " + at + ": Required value: must have at least one container with name pytorch";
    pytorch_job j = job(1, 0);
    auto& containers = j.spec.pytorch_replica_specs["Master"].template_.spec.containers;
    core::container side;
    side.name = "side";
    containers.push_back(side);
    expect(j, {"job.container.image | " + at + "[1].image: Required value: must be required"});
    containers[0].name = "torch";
    expect(j, {"job.container.image | " + at + "[1].image: Required value: must be required", unnamed});
    containers.clear();
    expect(j, {"job.containers | " + at + ": Required value: must be specified", unnamed});
}

BOOST_AUTO_TEST_CASE(exactly_one_master_with_explicit_replicas_is_required) {
    std::string const fault =
        "pytorch.master.replicas | spec.pytorchReplicaSpecs[Master].replicas: Forbidden: must be 1";
    for (std::optional<std::int32_t> count : {std::optional<std::int32_t>(), {0}, {2}}) {
        pytorch_job j = job(1, 1);
        j.spec.pytorch_replica_specs["Master"].replicas = count;
        expect(j, {fault});
    }
}

BOOST_AUTO_TEST_CASE(at_least_one_worker_is_required) {
    for (std::int32_t count : {0, -1}) {
        pytorch_job j = job(1, 1);
        j.spec.pytorch_replica_specs["Worker"].replicas = count;
        expect(j,
               {"pytorch.worker.replicas | spec.pytorchReplicaSpecs[Worker].replicas: Forbidden: must be at least 1"});
    }
}

BOOST_AUTO_TEST_CASE(all_faults_are_reported_at_once_in_the_order_of_the_rules) {
    pytorch_job j = job(1, 1);
    j.metadata.name = "9bad";
    j.spec.run_policy.managed_by = "me";
    j.spec.pytorch_replica_specs["Master"].replicas = 2;
    j.spec.pytorch_replica_specs["Worker"].template_.spec.containers[0].image.clear();
    lines rules;
    for (auto const& i : any_job(j).validate()) rules.push_back(i.rule);
    lines const expected{"job.name", "job.managed-by", "pytorch.master.replicas", "job.container.image"};
    BOOST_TEST(rules == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_null_entry_of_the_replica_map_is_refused_and_not_dropped) {
    pytorch_job j = job(1, 0);
    auto const read = from_yaml<pytorch_job>("spec: {pytorchReplicaSpecs: {Worker: null}}");
    BOOST_TEST_REQUIRE(read.has_value());
    j.spec.pytorch_replica_specs.insert(read->spec.pytorch_replica_specs.begin(),
                                        read->spec.pytorch_replica_specs.end());
    lines rules;
    for (auto const& i : any_job(j).validate()) rules.push_back(i.rule);
    lines const expected{"job.containers", "job.container.name"};
    BOOST_TEST(rules == expected, boost::test_tools::per_element());
}

// Q4 of training-operator-v1.md: the webhook of PyTorchJob compares the new object with itself.
BOOST_AUTO_TEST_CASE(an_update_may_change_the_manager) {
    pytorch_job before = job(1, 1);
    before.spec.run_policy.managed_by = "kubeflow.org/training-operator";
    pytorch_job after = before;
    after.spec.run_policy.managed_by = "kueue.x-k8s.io/multikueue";
    BOOST_TEST(any_job(after).validate_update(before).empty());
    after.metadata.name = "9bad";
    BOOST_TEST(any_job(after).validate_update(before).size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
