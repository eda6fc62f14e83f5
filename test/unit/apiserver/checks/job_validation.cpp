#include "unit/apiserver/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_job_validation)

using namespace sample;

// Jobs of batch/v1 that a server refuses. Expected: kubernetes pkg/apis/batch/validation/validation.go (ValidateJob),
// v1.31.3.
namespace {

struct refused_jobs : refused_sample {
    refused_jobs() : refused_sample("batch", "v1", "jobs") {}

    std::string fault(std::string const& spec, std::string const& labels = R"("app":"x")",
                      std::string const& policy = "Never", std::string const& name = "j") {
        auto const text = R"({"metadata":{"name":")" + name + R"("},"spec":{)" + spec + (spec.empty() ? "" : ",") +
                          R"("template":{"metadata":{"labels":{)" + labels + R"(}},"spec":{"restartPolicy":")" +
                          policy + R"(","containers":[{"name":"c","image":"i:1"}]}}}})";
        auto const message = refusal(text);
        if (message.empty()) return "";
        auto const head = "Job.batch \"" + name + "\" is invalid: ";
        BOOST_TEST(message.starts_with(head), message);
        return message.substr(head.size());
    }
    std::string failure_rule(std::string const& rule, std::string const& more = "") {
        auto text = fault(more + R"("podFailurePolicy":{"rules":[)" + rule + "]}");
        return text.starts_with("spec.podFailurePolicy.rules[0]") ? text.substr(30) : text;
    }
    std::string success_rule(std::string const& rule) {
        auto text = fault(R"("completionMode":"Indexed","completions":5,"successPolicy":{"rules":[)" + rule + "]}");
        return text.starts_with("spec.successPolicy.rules[0]") ? text.substr(27) : text;
    }
};

std::string indexed(std::string const& rest) { return R"("completionMode":"Indexed",)" + rest; }

} // namespace

BOOST_AUTO_TEST_CASE(a_custom_selector_requires_manual_selector) {
    refused_jobs w;
    BOOST_TEST(
        w.fault(R"("selector":{"matchLabels":{"app":"x"}})") ==
        "spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{\"app\":\"x\", "
        "\"batch.kubernetes.io/controller-uid\":\"uid-1\"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: "
        "`selector` not auto-generated");
    BOOST_TEST(w.fault(R"("manualSelector":true,"selector":{"matchLabels":{"app":"x"}})") == "");
}

BOOST_AUTO_TEST_CASE(a_selector_must_match_the_template) {
    refused_jobs w;
    std::string const hand = R"("manualSelector":true)";
    BOOST_TEST(
        w.fault(hand + R"(,"selector":{"matchLabels":{"app":"y"}})") ==
        "spec.template.metadata.labels: Invalid value: map[string]string{\"app\":\"x\"}: `selector` does not match "
        "template `labels`");
    BOOST_TEST(w.fault(hand).starts_with("[spec.selector: Required value, spec.template.metadata.labels: "));
    BOOST_TEST(w.fault(hand + R"(,"selector":{"matchExpressions":[{"key":"app","operator":"Is"}]})") ==
               "spec.selector.matchExpressions[0].operator: Invalid value: \"Is\": not a valid selector operator");
}

BOOST_AUTO_TEST_CASE(generated_labels_cannot_be_set) {
    refused_jobs w;
    BOOST_TEST(w.fault("", R"("job-name":"other")")
                   .starts_with("spec.template.metadata.labels[job-name]: Invalid value: map[string]string{"));
    BOOST_TEST(w.fault("", R"("job-name":"other")").ends_with("}: must be 'j'"));
}

BOOST_AUTO_TEST_CASE(pod_failure_policy_rules_must_be_complete) {
    refused_jobs w;
    std::string const codes = R"("onExitCodes":{"operator":"In","values":[1]})";
    BOOST_TEST(w.failure_rule(R"({"action":"Ignore",)" + codes + "}") == "");
    BOOST_TEST(w.failure_rule("{" + codes + R"(,"action":""})") ==
               R"(.action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"])");
    BOOST_TEST(
        w.failure_rule(R"({"action":"Stop",)" + codes + "}") ==
        ".action: Unsupported value: \"Stop\": supported values: \"Count\", \"FailIndex\", \"FailJob\", \"Ignore\"");
    BOOST_TEST(w.failure_rule(R"({"action":"FailIndex",)" + codes + "}") ==
               ".action: Invalid value: \"FailIndex\": requires the backoffLimitPerIndex to be set");
    BOOST_TEST(w.failure_rule(R"({"action":"Count"})") ==
               ": Invalid value: specifying one of OnExitCodes and OnPodConditions is required");
    BOOST_TEST(w.failure_rule(R"({"action":"Count","onPodConditions":[{"type":"A","status":"True"}],)" + codes + "}") ==
               ": Invalid value: specifying both OnExitCodes and OnPodConditions is not supported");
    BOOST_TEST(
        w.failure_rule(R"({"action":"Count","onPodConditions":[{"type":"A","status":"Maybe"}]})") ==
        ".onPodConditions[0].status: Unsupported value: \"Maybe\": supported values: \"False\", \"True\", \"Unknown\"");
    BOOST_TEST(w.fault(R"("podFailurePolicy":{"rules":[]})", R"("a":"b")", "OnFailure") ==
               "spec.template.spec.restartPolicy: Invalid value: \"OnFailure\": only \"Never\" is supported when "
               "podFailurePolicy is specified");
}

BOOST_AUTO_TEST_CASE(exit_codes_must_be_ordered_and_distinct) {
    refused_jobs w;
    auto const fault = [&](std::string const& op, std::string const& values, std::string const& more = "") {
        return w.failure_rule(R"({"action":"Count","onExitCodes":{"operator":")" + op + R"(","values":[)" + values +
                              "]" + more + "}}");
    };
    BOOST_TEST(fault("In", "") == ".onExitCodes.values: Invalid value: []int32{}: at least one value is required");
    BOOST_TEST(fault("In", "0") == ".onExitCodes.values[0]: Invalid value: 0: must not be 0 for the In operator");
    BOOST_TEST(fault("NotIn", "0") == "");
    BOOST_TEST(fault("NotIn", "3,1") == ".onExitCodes.values: Invalid value: []int32{3, 1}: must be ordered");
    BOOST_TEST(fault("In", "1,1") == ".onExitCodes.values[1]: Duplicate value: 1");
    BOOST_TEST(fault("Is", "1") ==
               ".onExitCodes.operator: Unsupported value: \"Is\": supported values: \"In\", \"NotIn\"");
    BOOST_TEST(
        fault("In", "1", R"(,"containerName":"d")") ==
        ".onExitCodes.containerName: Invalid value: \"d\": must be one of the container or initContainer names in the "
        "pod template");
}

BOOST_AUTO_TEST_CASE(success_policy_rules_must_name_existing_indexes) {
    refused_jobs w;
    auto const indexes = [&](std::string const& text) {
        return w.success_rule(R"({"succeededIndexes":")" + text + "\"}");
    };
    auto const fault = [](std::string const& text, std::string const& why) {
        return ".succeededIndexes: Invalid value: \"" + text + "\": error parsing succeededIndexes: " + why;
    };
    BOOST_TEST(indexes("0,2-4") == "");
    BOOST_TEST(indexes("5") == fault("5", "too large index: \"5\""));
    BOOST_TEST(indexes("1-x") == fault("1-x", "cannot convert string to integer for index: \"x\""));
    BOOST_TEST(indexes("1,") == fault("1,", "cannot convert string to integer for index: \"\""));
    BOOST_TEST(indexes("3-1") == fault("3-1", "non-increasing order, previous: 3, current: 1"));
    BOOST_TEST(indexes("0-2,2") == fault("0-2,2", "non-increasing order, previous: 2, current: 2"));
    BOOST_TEST(indexes("1-2-3") == fault("1-2-3",
                                         "the fragment \"1-2-3\" violates the requirement that an index interval "
                                         "can have at most two parts separated by '-'"));
    BOOST_TEST(w.success_rule("{}") ==
               ": Required value: at least one of succeededCount or succeededIndexes must be specified");
    BOOST_TEST(
        w.success_rule(R"({"succeededCount":6})") ==
        ".succeededCount: Invalid value: 6: must be less than or equal to 5 (the number of specified completions)");
    BOOST_TEST(
        w.success_rule(R"({"succeededIndexes":"0-1","succeededCount":3})") ==
        ".succeededCount: Invalid value: 3: must be less than or equal to 2 (the number of indexes in the specified "
        "succeededIndexes field)");
    BOOST_TEST(
        w.fault(indexed(R"("completions":1,"successPolicy":{"rules":[]})")) ==
        "spec.successPolicy.rules: Required value: at least one rules must be specified when the successPolicy is "
        "specified");
    BOOST_TEST(w.fault(R"("successPolicy":{"rules":[]})").ends_with(": requires indexed completion mode"));
}

BOOST_AUTO_TEST_CASE(pod_replacement_policy_must_be_known) {
    refused_jobs w;
    BOOST_TEST(w.fault(R"("podReplacementPolicy":"Always")") ==
               "spec.podReplacementPolicy: Unsupported value: \"Always\": supported values: \"Failed\", "
               "\"TerminatingOrFailed\"");
    BOOST_TEST(w.fault(R"("podReplacementPolicy":"TerminatingOrFailed","podFailurePolicy":{"rules":[]})") ==
               "spec.podReplacementPolicy: Unsupported value: \"TerminatingOrFailed\": supported values: \"Failed\"");
}

BOOST_AUTO_TEST_CASE(managed_by_must_have_a_domain) {
    refused_jobs w;
    std::string const field = "spec.managedBy: ";
    BOOST_TEST(w.fault(R"("managedBy":"me")") ==
               field + "Invalid value: \"me\": must be a domain-prefixed path (such as \"acme.io/foo\")");
    BOOST_TEST(
        w.fault(R"("managedBy":"a.b/c d")") ==
        field +
            "Invalid value: \"c d\": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')");
    BOOST_TEST(w.fault(R"("managedBy":"a.b/)" + std::string(64, 'c') + "\"") ==
               field + "Too long: may not be longer than 63");
    BOOST_TEST(w.fault(R"("managedBy":"a.b/c")") == "");
}

BOOST_AUTO_TEST_CASE(indexed_jobs_have_limits) {
    refused_jobs w;
    BOOST_TEST(w.fault(R"("parallelism":2147483647)") == "spec.parallelism: Invalid value: 2147483647: must be less "
                                                         "than or equal to 100000 on this server");
    BOOST_TEST(w.fault(indexed(R"("completions":100001,"parallelism":100001)")) ==
               "spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is "
               "Indexed");
    BOOST_TEST(w.fault(indexed(R"("completions":2,"backoffLimitPerIndex":1,"maxFailedIndexes":3)")) ==
               "spec.maxFailedIndexes: Invalid value: 3: must be less than or equal to completions");
    BOOST_TEST(w.fault(indexed(R"("completions":2,"maxFailedIndexes":1)")) ==
               "spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified");
    BOOST_TEST(
        w.fault(indexed(R"("completions":100001,"parallelism":10001,"backoffLimitPerIndex":1)")) ==
        "[spec.maxFailedIndexes: Required value: must be specified when completions is above 100000, "
        "spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 "
        "and used with backoff limit per index]");
    BOOST_TEST(w.fault(indexed(R"("completions":100001,"parallelism":10000)")) == "");
}

BOOST_AUTO_TEST_CASE(the_host_name_of_the_last_indexed_pod_must_be_valid) {
    refused_jobs w;
    std::string const name(62, 'n');
    BOOST_TEST(w.fault(indexed(R"("completions":1)"), R"("a":"b")", "Never", name) ==
               "metadata.name: Invalid value: \"" + name +
                   "\": will not able to create pod with invalid DNS label: " + name + "-0");
    BOOST_TEST(w.fault(indexed(R"("completions":10)"), R"("a":"b")", "Never", name.substr(1)) == "");
    BOOST_TEST(w.fault(indexed(R"("completions":11)"), R"("a":"b")", "Never", name.substr(1)) != "");
}

BOOST_AUTO_TEST_SUITE_END()
