#include <kftrain/controllers/job_set.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>

BOOST_AUTO_TEST_SUITE(controllers_job_set)

using namespace kftrain;

namespace {

constexpr time_point now{std::chrono::seconds(1700000000)};

jobset::job_set sample(std::int32_t replicas = 1) {
    jobset::job_set set;
    set.metadata.name = "train";
    set.metadata.namespace_ = "team";
    set.metadata.uid = "set-uid";
    auto& entry = set.spec.replicated_jobs.emplace_back();
    entry.name = "node";
    entry.replicas = replicas;
    entry.template_.spec.template_.spec.containers.emplace_back().name = "c";
    return set;
}

jobset::job_set with_rule(std::string const& action, std::int32_t max_restarts) {
    auto set = sample();
    auto& policy = set.spec.failure_policy.emplace();
    policy.max_restarts = max_restarts;
    policy.rules.emplace_back().action = action;
    return set;
}

batch::job failed_job() {
    batch::job job;
    job.metadata.name = "train-node-0";
    job.metadata.labels["jobset.sigs.k8s.io/replicatedjob-name"] = "node";
    auto& c = job.status.conditions.emplace_back();
    c.type = "Failed";
    c.status = "True";
    c.reason = "BackoffLimitExceeded";
    return job;
}

struct outcome {
    outcome() = default;

    std::size_t created = 0;
    std::vector<std::string> events;    ///< reasons
    std::optional<jobset::job_set> set; ///< with the status that is written
};

outcome look(jobset::job_set const& set, std::vector<any_object> jobs = {}) {
    rules::world seen;
    seen.add("jobs", std::move(jobs));
    controllers::job_set_rules const rules;
    std::shared_ptr<rules::memory const> const remembered;
    auto const plan = rules.make_plan(rules::look<jobset::job_set>(set, seen, remembered, now));
    outcome found;
    for (auto const& step : plan.steps)
        for (auto const& action : step.actions) {
            if (auto const* a = std::get_if<rules::create>(&action); a != nullptr && a->object.is<batch::job>())
                ++found.created;
            if (auto const* a = std::get_if<rules::emit_event>(&action)) found.events.push_back(a->reason);
            if (auto const* a = std::get_if<rules::write_status>(&action))
                found.set = *a->object.get_if<jobset::job_set>();
        }
    return found;
}

/// `Failed ReachedMaxRestarts`, or `restarts 1, counted 0`, after a Job has failed.
std::string after_failure(jobset::job_set const& set) {
    auto const after = look(set, {failed_job()}).set.value();
    if (!after.status.terminal_state.empty())
        return after.status.terminal_state + " " + after.status.conditions.at(0).reason;
    return "restarts " + std::to_string(after.status.restarts) + ", counted " +
           std::to_string(after.status.restarts_count_towards_max);
}

} // namespace

// Actions and limits of kubernetes-sigs/jobset v0.12.0 `pkg/controllers/failure_policy.go`.
BOOST_AUTO_TEST_CASE(restarts_that_ignore_the_limit_do_not_count) {
    BOOST_TEST(after_failure(with_rule("RestartJobSet", 1)) == "restarts 1, counted 1");
    BOOST_TEST(after_failure(with_rule("RestartJobSet", 0)) == "Failed ReachedMaxRestarts");
    BOOST_TEST(after_failure(with_rule("RestartJobSetAndIgnoreMaxRestarts", 0)) == "restarts 1, counted 0");
    BOOST_TEST(after_failure(with_rule("FailJobSet", 1)) == "Failed FailJobSetFailurePolicyAction");
}

// A row of docs/reference/upstream-differences.md.
BOOST_AUTO_TEST_CASE(actions_for_single_jobs_restart_the_set) {
    BOOST_TEST(after_failure(with_rule("RestartJob", 1)) == "restarts 1, counted 1");
    BOOST_TEST(after_failure(with_rule("RestartJob", 0)) == "Failed ReachedMaxRestarts");
    BOOST_TEST(after_failure(with_rule("RestartJobAndIgnoreMaxRestarts", 0)) == "restarts 1, counted 0");
    auto const found = look(with_rule("RestartJobAndIgnoreMaxRestarts", 0), {failed_job()});
    BOOST_TEST(found.events == std::vector<std::string>({"FailurePolicy_failurePolicyRule0",
                                                         "RestartJobSetAndIgnoreMaxRestartsFailurePolicyAction"}),
               boost::test_tools::per_element());
}

// A row of docs/reference/upstream-differences.md.
BOOST_AUTO_TEST_CASE(a_job_set_with_too_many_jobs_creates_none) {
    BOOST_TEST(look(sample(10'000)).created == 10'000u);
    auto const found = look(sample(10'001));
    BOOST_TEST_REQUIRE(found.created == 0u);
    BOOST_TEST(found.events == std::vector<std::string>{"JobCreationFailed"}, boost::test_tools::per_element());
    auto two = sample(2'000'000'000);
    two.spec.replicated_jobs.push_back(two.spec.replicated_jobs.front());
    two.spec.replicated_jobs.back().name = "other";
    BOOST_TEST(look(two).created == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
