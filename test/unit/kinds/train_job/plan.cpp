#include "kinds/train_job/kind.hpp"
#include "unit/kinds/train_job/sample.hpp"

#include <kftrain/objects/coscheduling/pod_group.hpp>

#include <limits>

BOOST_AUTO_TEST_SUITE(kinds_train_job_plan)

using namespace train_job_sample;

namespace {

constexpr time_point created{std::chrono::seconds(1700000000)};
constexpr time_point now = created + std::chrono::seconds(10);

struct seen {
    seen() = default;

    std::map<std::string, any_object> applied; ///< by kind
    std::vector<std::string> events;           ///< messages
};

/// The steps and reports of a plan with these objects in the cluster.
seen look(train_job const& j, any_object const& r, jobset::job_set const* set = nullptr, any_object const& gang = {}) {
    rules::world world;
    world.add(trainer::row::runtimes, {r});
    if (set != nullptr) world.add(trainer::row::job_sets, {*set});
    if (!gang.empty()) world.add(trainer::row::gangs, {gang});
    auto const plan = job_rules_for<train_job>().make_plan(&j, world, nullptr, now);
    seen found;
    for (auto const& step : plan.steps)
        for (auto const& action : step.actions) {
            if (auto const* a = std::get_if<rules::apply>(&action))
                found.applied.emplace(a->object.resource().kind, a->object);
            if (auto const* a = std::get_if<rules::emit_event>(&action)) found.events.push_back(a->message);
        }
    return found;
}

train_job suspended(std::string const& trainer = "{}") {
    auto j = job("t", trainer);
    j.spec.suspend = true;
    return j;
}

/// A job with a runtime of two entries, of which the second, which does not train, has these many replicas.
any_object with_side(std::int32_t replicas) {
    auto r = *runtime("{torch: {}}").get_if<trainer::cluster_training_runtime>();
    auto& side = r.spec.template_.spec.replicated_jobs.emplace_back();
    side.name = "side";
    side.replicas = replicas;
    return r;
}

constexpr std::string_view too_many = "the job has more than 100000 pods, the limit of kftrain";

} // namespace

// Trainer v2.3.0 applies the whole JobSet at each reconcile while the job or the JobSet is suspended.
BOOST_AUTO_TEST_CASE(a_removed_patch_is_removed_from_the_job_set_of_a_suspended_job) {
    auto patched = suspended();
    patched.spec.runtime_patches =
        from_yaml<trainer::train_job_spec>(
            "{runtimeRef: {name: r}, runtimePatches: [{manager: acme.io/p, trainingRuntimeSpec: {template: {spec: "
            "{replicatedJobs: [{name: node, template: {spec: {template: {spec: {nodeSelector: {zone: a}}}}}}]}}}}]}")
            .value()
            .runtime_patches;
    auto const selector = [](any_object const& o) {
        return o.get_if<jobset::job_set>()->spec.replicated_jobs.at(0).template_.spec.template_.spec.node_selector;
    };
    auto const r = runtime("{torch: {}}");
    auto const first = look(patched, r).applied;
    BOOST_TEST_REQUIRE(first.contains("JobSet"));
    BOOST_TEST(selector(first.at("JobSet")).at("zone") == "a");
    auto stored = *first.at("JobSet").get_if<jobset::job_set>();

    auto const second = look(suspended(), r, &stored).applied;
    BOOST_TEST_REQUIRE(second.contains("JobSet"));
    BOOST_TEST(selector(second.at("JobSet")).empty());
    stored.spec.suspend = false;
    BOOST_TEST(look(suspended(), r, &stored).applied.contains("JobSet"));
    auto const running = job("t", "{}");
    BOOST_TEST(!look(running, r, &stored).applied.contains("JobSet"));
    stored.spec.suspend = true;
    BOOST_TEST(look(running, r, &stored).applied.contains("JobSet"));
}

// Trainer v2.3.0 updates an existing PodGroup only while the job is suspended.
BOOST_AUTO_TEST_CASE(a_smaller_pod_group_replaces_that_of_a_suspended_job) {
    auto const r = runtime("{torch: {}}", "", "podGroupPolicy: {coscheduling: {}}, ");
    auto const both = look(suspended("{resourcesPerNode: {requests: {cpu: 1, memory: 1Gi}}}"), r).applied;
    BOOST_TEST_REQUIRE(both.contains("PodGroup"));
    auto const one =
        look(suspended("{resourcesPerNode: {requests: {cpu: 1}}}"), r, nullptr, both.at("PodGroup")).applied;
    BOOST_TEST_REQUIRE(one.contains("PodGroup"));
    BOOST_TEST(one.at("PodGroup").get_if<coscheduling::pod_group>()->spec.min_resources.size() == 1u);
    auto const running = job("t", "{resourcesPerNode: {requests: {cpu: 1}}}");
    BOOST_TEST(!look(running, r, nullptr, both.at("PodGroup")).applied.contains("PodGroup"));
}

BOOST_AUTO_TEST_CASE(a_deadline_beyond_all_time_does_not_end_a_job) {
    auto j = job("t", "{}");
    j.metadata.creation_timestamp = created;
    j.spec.active_deadline_seconds = 60;
    BOOST_TEST((trainer::deadline_of(j).value() == created + std::chrono::seconds(60)));
    j.spec.active_deadline_seconds = std::numeric_limits<std::int64_t>::max();
    BOOST_TEST((trainer::deadline_of(j).value() > now));
    BOOST_TEST(trainer::judge(j, nullptr, now).conditions.empty());
}

// A row of docs/reference/upstream-differences.md.
BOOST_AUTO_TEST_CASE(a_job_of_too_many_pods_is_refused) {
    auto const torch = runtime("{torch: {}}");
    auto const most = job("t", "{numNodes: 100000}");
    BOOST_TEST(trainer::validate(most, torch).empty());
    BOOST_TEST(trainer::lay_out(most, torch).members.size() == 100'000u);
    auto const one_more = job("t", "{numNodes: 100001}");
    auto const found = trainer::validate(one_more, torch);
    BOOST_TEST_REQUIRE(found.size() == 1u);
    BOOST_TEST(found[0].rule == "kftrain.replica-limit");
    BOOST_TEST(found[0].path == "spec.trainer.numNodes");
    BOOST_TEST(found[0].message == "spec.trainer.numNodes: Forbidden: " + std::string(too_many));
    BOOST_TEST_REQUIRE(trainer::lay_out(one_more, torch).members.empty());
    BOOST_TEST(trainer::lay_out(one_more, torch).rank_note == too_many);
    BOOST_TEST_REQUIRE(!trainer::render(one_more, torch).has_value());

    auto const huge = job("t", "{numNodes: 2000000000}");
    BOOST_TEST(trainer::lay_out(huge, torch).members.empty());
    auto const refused = trainer::render(huge, mpi_runtime("{runLauncherAsNode: true}"));
    BOOST_TEST_REQUIRE(!refused.has_value());
    BOOST_TEST((refused.error().code == errc::invalid_argument));
    auto const reported = look(huge, torch);
    BOOST_TEST(!reported.applied.contains("JobSet"));
    BOOST_TEST(reported.events ==
                   std::vector<std::string>{"TrainJob resources reconciliation failed: " + std::string(too_many)},
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(replicas_of_the_runtime_count_among_the_pods) {
    auto const j = job("t", "{}");
    BOOST_TEST(trainer::validate(j, with_side(99'999)).empty());
    auto const found = trainer::validate(j, with_side(100'000));
    BOOST_TEST_REQUIRE(found.size() == 1u);
    BOOST_TEST(found[0].path == "spec.runtimeRef");
    BOOST_TEST(trainer::lay_out(j, with_side(2'000'000'000)).members.empty());
}

BOOST_AUTO_TEST_SUITE_END()
