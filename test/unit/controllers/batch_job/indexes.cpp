#include "controllers/batch_job/indexes.hpp"
#include "unit/controllers/batch_job/played_job.hpp"

BOOST_AUTO_TEST_SUITE(controllers_batch_job_indexed)

using namespace played_jobs;
using controllers::batch_jobs::index_set;

namespace {

batch::job indexed(std::int32_t completions, std::int32_t parallelism,
                   std::function<void(batch::job_spec&)> const& change = {}) {
    return sample([&](auto& s) {
        s.completion_mode = "Indexed";
        s.completions = completions;
        s.parallelism = parallelism;
        if (change) change(s);
    });
}

} // namespace

// Expected: kubernetes pkg/controller/job/indexed_job_utils.go, success_policy.go, v1.31.

BOOST_AUTO_TEST_CASE(indexes_are_written_as_ranges) {
    auto const text = [](std::string_view t, int end = 100) { return index_set::parse(t, end).to_string(); };
    BOOST_TEST(text("") == "");
    BOOST_TEST(text("1,3-5") == "1,3-5");
    BOOST_TEST(text("1-2") == "1,2");
    BOOST_TEST(text("4,3,5") == "3-5");
    BOOST_TEST(text("1-9", 4) == "1-3");
    BOOST_TEST(text("7,x,9-", 100) == "7");
    auto set = index_set::parse("0,2-4", 10);
    BOOST_TEST(set.size() == 4);
    BOOST_TEST((set.has(0) && !set.has(1) && set.has(3) && !set.has(5)));
    BOOST_TEST(set.next_absent(0) == 1);
    BOOST_TEST(set.next_absent(2) == 5);
    set.add(1);
    BOOST_TEST(set.to_string() == "0-4");
    BOOST_TEST(set.common(index_set::parse("3-8", 10)) == 2);
}

BOOST_AUTO_TEST_CASE(a_pod_has_its_index) {
    played_job w(indexed(2, 2));
    w.settle();
    BOOST_REQUIRE(w.pods.size() == 2u);
    auto const& p = w.running("1");
    BOOST_TEST(p.metadata.generate_name == "train-1-");
    BOOST_TEST(p.metadata.labels.find("batch.kubernetes.io/job-completion-index")->second == "1");
    BOOST_TEST(p.spec.hostname == "train-1");
    auto const& env = p.spec.containers.at(0).env.at(0);
    BOOST_TEST(env.name == "JOB_COMPLETION_INDEX");
    BOOST_TEST(env.value_from->field_ref->field_path == "metadata.labels['batch.kubernetes.io/job-completion-index']");
}

BOOST_AUTO_TEST_CASE(each_index_is_counted_as_succeeded_once) {
    played_job w(indexed(4, 2));
    w.settle();
    w.end(w.running("1"), 0);
    w.settle();
    BOOST_TEST(w.job.status.completed_indexes == "1");
    BOOST_TEST(w.job.status.succeeded == 1);
    w.running("2"); // the next one that is missing
    w.end(w.running("0"), 0);
    w.end(w.running("2"), 0);
    w.settle();
    BOOST_TEST(w.job.status.completed_indexes == "0-2");
    w.end(w.running("3"), 0);
    w.settle();
    BOOST_TEST(w.job.status.completed_indexes == "0-3");
    BOOST_TEST(w.job.status.succeeded == 4);
    BOOST_TEST(w.conditions().ends_with("Complete=True CompletionsReached"));
    BOOST_TEST(w.made == 4);
}

BOOST_AUTO_TEST_CASE(a_failed_index_is_retried) {
    played_job w(indexed(2, 2));
    w.settle();
    w.end(w.running("0"), 1);
    w.settle();
    w.now += 10s;
    w.settle();
    BOOST_TEST(w.running("0").metadata.name == "train-0-3");
    BOOST_TEST(w.job.status.failed == 1);
}

BOOST_AUTO_TEST_CASE(one_of_two_pods_with_the_same_index_is_deleted) {
    played_job w(indexed(2, 2));
    w.settle();
    auto twin = w.running("0");
    twin.metadata.name = "twin";
    twin.metadata.uid = "twin";
    twin.spec.node_name = "node"; // has come further
    w.pods.emplace("twin", twin);
    w.settle();
    BOOST_TEST(w.pods.size() == 2u);
    BOOST_TEST(w.running("0").metadata.name == "twin");
    BOOST_TEST(w.job.status.failed == 0);
}

BOOST_AUTO_TEST_CASE(the_backoff_limit_per_index_fails_only_the_index) {
    played_job w(indexed(2, 2, [](auto& s) { s.backoff_limit_per_index = 1; }));
    w.settle();
    BOOST_TEST(w.running("0").metadata.annotations["batch.kubernetes.io/job-index-failure-count"] == "0");
    auto const first = w.running("0").metadata.name;
    w.end(w.running("0"), 1);
    w.settle();
    // The failed pod stays until the next one has taken over its count of failures.
    BOOST_TEST(!w.pods.at(first).metadata.finalizers.empty());
    w.now += 10s;
    w.settle();
    BOOST_TEST(w.running("0").metadata.annotations["batch.kubernetes.io/job-index-failure-count"] == "1");
    BOOST_TEST(w.pods.at(first).metadata.finalizers.empty());
    w.end(w.running("0"), 1);
    w.settle();
    BOOST_TEST(w.job.status.failed_indexes.value() == "0");
    BOOST_TEST(w.conditions() == "");
    w.end(w.running("1"), 0);
    w.settle();
    BOOST_TEST(w.job.status.failed == 2);
    BOOST_TEST(w.job.status.completed_indexes == "1");
    BOOST_TEST(w.conditions() == "FailureTarget=True FailedIndexes; Failed=True FailedIndexes");
    BOOST_TEST(w.job.status.conditions[1].message == "Job has failed indexes");
}

BOOST_AUTO_TEST_CASE(too_many_failed_indexes_end_the_job) {
    played_job w(indexed(3, 3, [](auto& s) { s.backoff_limit_per_index = 0, s.max_failed_indexes = 0; }));
    w.settle();
    w.end(w.running("2"), 1);
    w.settle();
    BOOST_TEST(w.conditions() == "FailureTarget=True MaxFailedIndexesExceeded; Failed=True MaxFailedIndexesExceeded");
    BOOST_TEST(w.job.status.failed_indexes.value() == "2");
}

BOOST_AUTO_TEST_CASE(a_success_policy_ends_the_job_with_the_pods_that_remain) {
    played_job w(indexed(3, 3, [](auto& s) {
        s.success_policy.emplace().rules.emplace_back().succeeded_indexes = "0,2";
        s.success_policy->rules[0].succeeded_count = 1;
    }));
    w.settle();
    w.end(w.running("1"), 0);
    w.settle();
    BOOST_TEST(w.conditions() == "");
    w.end(w.running("2"), 0);
    w.settle();
    BOOST_TEST(w.conditions() == "SuccessCriteriaMet=True SuccessPolicy; Complete=True SuccessPolicy");
    BOOST_TEST(w.job.status.conditions[1].message == "Matched rules at index 0");
    BOOST_TEST(w.job.status.completed_indexes == "1,2");
    BOOST_TEST(w.job.status.active == 0);
}

BOOST_AUTO_TEST_SUITE_END()
