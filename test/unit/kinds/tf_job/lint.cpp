#include <kftrain/kinds/tf_job.hpp>

#include <kftrain/job/any_job.hpp>
#include <kftrain/model/codec.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_tf_job_lint)

using namespace kftrain;

namespace {

using lines = std::vector<std::string>;

/// The findings of the rules of the kind, without its prefix.
lines findings(std::map<std::string, int> const& types, std::string const& more = "") {
    std::string text = "metadata: {name: tf}\nspec:\n" + more + "  tfReplicaSpecs:\n";
    for (auto const& [type, count] : types)
        text += "    " + type + ": {replicas: " + std::to_string(count) +
                ", template: {spec: {containers: [{name: tensorflow, image: 'i:1'}]}}}\n";
    lines found;
    for (auto const& i : any_job(from_yaml<tf_job>(text).value()).lint())
        if (i.rule.starts_with("lint.tf.")) found.push_back(i.rule.substr(8) + " " + i.message);
    return found;
}

} // namespace

BOOST_AUTO_TEST_CASE(good_jobs_have_no_findings) {
    std::string const ended = "  runPolicy: {cleanPodPolicy: Running}\n"; // which ends the parameter servers
    BOOST_TEST(findings({{"Chief", 1}, {"Evaluator", 1}, {"PS", 2}, {"Worker", 3}}, ended).empty());
    BOOST_TEST(findings({{"Worker", 3}}, "  successPolicy: AllWorkers\n").empty());
    BOOST_TEST(findings({{"PS", 1}, {"Worker", 3}}, ended + "  enableDynamicWorker: true\n").empty());
}

BOOST_AUTO_TEST_CASE(a_job_needs_an_end_condition) {
    BOOST_TEST(findings({{"PS", 1}}, "  runPolicy: {cleanPodPolicy: Running}\n") ==
               lines{"no-end spec.tfReplicaSpecs: has no replicas of type Chief or Worker, "
                     "expected at least one of these types"});
}

BOOST_AUTO_TEST_CASE(a_success_policy_without_effect_is_reported) {
    BOOST_TEST(
        findings({{"Worker", 2}}, "  successPolicy: Some\n") ==
        lines{"success-policy spec.successPolicy: \"Some\" acts like the default, expected AllWorkers or no value"});
    BOOST_TEST(findings({{"Chief", 1}, {"Worker", 2}}, "  successPolicy: AllWorkers\n") ==
               lines{"success-policy spec.successPolicy: \"AllWorkers\" has no effect because the job has a chief, "
                     "expected no value"});
}

BOOST_AUTO_TEST_CASE(unknown_and_duplicate_task_types_are_reported) {
    BOOST_TEST(findings({{"Chief", 2}, {"Evaluator", 2}}) ==
               (lines{"task-type spec.tfReplicaSpecs[Chief].replicas: 2, expected 1",
                      "task-type spec.tfReplicaSpecs[Evaluator].replicas: 2, expected 1"}));
    BOOST_TEST(findings({{"Master", 1}}) ==
               lines{"task-type spec.tfReplicaSpecs[Master]: is not a task type of TensorFlow 2, expected Chief"});
    BOOST_TEST(findings({{"Chief", 1}, {"Gizmo", 1}}) ==
               lines{"replica-type spec.tfReplicaSpecs[Gizmo]: is not a task type of TensorFlow, expected Chief, "
                     "Evaluator, PS or Worker"});
}

BOOST_AUTO_TEST_CASE(dynamic_workers_with_a_chief_are_reported) {
    BOOST_TEST(findings({{"Chief", 1}, {"Worker", 2}}, "  enableDynamicWorker: true\n") ==
               lines{"dynamic-task spec.tfReplicaSpecs[Chief]: receives no address of another task, expected only PS "
                     "and Worker with spec.enableDynamicWorker"});
}

BOOST_AUTO_TEST_SUITE_END()
