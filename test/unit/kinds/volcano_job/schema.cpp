#include "unit/kinds/volcano_job/sample.hpp"

#include <kftrain/model/schema.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_volcano_job_schema)

using namespace volcano_sample;

BOOST_AUTO_TEST_CASE(only_a_few_values_are_rejected_by_the_schema) {
    auto const& compiled = job_rules_for<volcano_job>().schema();
    auto const answers = [&](std::string const& spec) {
        std::string out;
        for (auto const& i : schema_issues(compiled, R"({"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job",)"
                                                     R"("metadata":{"name":"j"},"spec":)" +
                                                         spec + "}")
                                 .value())
            out += i.message + "\n";
        return out;
    };
    BOOST_TEST(answers("{}") == "");
    BOOST_TEST(answers(R"({"minSuccess":0})").starts_with("spec.minSuccess: Invalid value: 0"));
    BOOST_TEST(answers(R"({"volumes":[{}]})").starts_with("spec.volumes[0].mountPath: Required value"));
}

BOOST_AUTO_TEST_CASE(a_job_survives_a_round_trip) {
    auto j = complete(job_of("j", {task("a", 2)}));
    j.spec.plugins["svc"];
    j.spec.policies = {on("PodFailed", "RestartJob")};
    j.spec.policies[0].timeout = std::chrono::seconds(90);
    j.status.unknown_count = 3;
    j.status.task_status_count["a"].phase["Running"] = 2;
    j.status.running_duration = std::chrono::milliseconds(1500);
    auto const text = to_json(j);
    BOOST_TEST(text.find(R"("svc":[])") != std::string::npos);
    BOOST_TEST(text.find(R"("timeout":"1m30s")") != std::string::npos);
    BOOST_TEST(text.find(R"("unknown":3)") != std::string::npos);
    BOOST_TEST(text.find(R"("runningDuration":"1.5s")") != std::string::npos);
    BOOST_TEST((from_json<volcano_job>(text).value() == j));
}

BOOST_AUTO_TEST_SUITE_END()
