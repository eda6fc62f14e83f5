#include "unit/job/sample.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/objects/autoscaling/horizontal_pod_autoscaler.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_pytorch_job_autoscaler)

using namespace sample;

namespace {

using lines = std::vector<std::string>;

/// As in corpus: pytorchjob/curated/elastic-hpa.
pytorch_job elastic() {
    pytorch_job j = job(0, 2);
    auto& policy = j.spec.elastic_policy.emplace();
    policy.min_replicas = 1;
    policy.max_replicas = 3;
    policy.metrics = from_json<std::vector<autoscaling::metric_spec>>(
                         R"([{"resource":{"name":"cpu","target":{"averageUtilization":80,"type":"Utilization"}},)"
                         R"("type":"Resource"}])")
                         .value();
    return j;
}

autoscaling::horizontal_pod_autoscaler autoscaler_of(pytorch_job const& j) {
    return *any_job(j).render().front().get_if<autoscaling::horizontal_pod_autoscaler>();
}

observed with(autoscaling::horizontal_pod_autoscaler hpa, pytorch_job const& j) {
    observed world = world_of(j, "Running");
    hpa.metadata.uid = "uid-of-hpa";
    hpa.metadata.resource_version = "42";
    world.others.clear();
    world.add(std::move(hpa));
    return world;
}

lines planned_lines(pytorch_job const& j, observed const& world) {
    return reported(sample::make_plan(j, world, at(9)));
}

} // namespace

BOOST_AUTO_TEST_CASE(with_metrics_the_autoscaler_is_created_first) {
    BOOST_TEST(reported(sample::make_plan(elastic(), observed(), at(0))).front() ==
               "create horizontalpodautoscalers pt");
    BOOST_TEST(to_json(autoscaler_of(elastic())) ==
               R"({"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"pt",)"
               R"("namespace":"team","ownerReferences":[{"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob",)"
               R"("name":"pt","uid":"uid-of-pt","controller":true,"blockOwnerDeletion":true}]},"spec":)"
               R"({"scaleTargetRef":{"kind":"PyTorchJob","name":"pt","apiVersion":"kubeflow.org/v1"},)"
               R"("minReplicas":1,"maxReplicas":3,"metrics":[{"type":"Resource","resource":{"name":"cpu",)"
               R"("target":{"type":"Utilization","averageUtilization":80}}}]}})");
}

BOOST_AUTO_TEST_CASE(without_metrics_there_is_no_autoscaler) {
    pytorch_job j = elastic();
    j.spec.elastic_policy->metrics.reset();
    BOOST_TEST(reported(sample::make_plan(j, observed(), at(0))).front() == "create pods pt-worker-0");
    // An empty list is a list.
    j.spec.elastic_policy->metrics.emplace();
    BOOST_TEST(reported(sample::make_plan(j, observed(), at(0))).front() == "create horizontalpodautoscalers pt");
}

BOOST_AUTO_TEST_CASE(an_equal_autoscaler_is_kept_and_a_different_one_replaced) {
    pytorch_job j = running(elastic());
    auto const hpa = autoscaler_of(j);
    BOOST_TEST(planned_lines(j, with(hpa, j)).empty());
    j.spec.elastic_policy->max_replicas = 5;
    auto const todo = sample::make_plan(j, with(hpa, j), at(9));
    BOOST_TEST_REQUIRE(reported(todo).size() == 1U);
    auto const next =
        *std::get<rules::replace>(actions_of(todo)[0]).object.get_if<autoscaling::horizontal_pod_autoscaler>();
    BOOST_TEST(next.spec.max_replicas == 5);
    BOOST_TEST(next.metadata.resource_version == "42");
    BOOST_TEST(next.metadata.uid == "");
}

BOOST_AUTO_TEST_CASE(a_suspended_job_has_no_autoscaler) {
    pytorch_job j = running(elastic());
    auto const hpa = autoscaler_of(j);
    j.spec.run_policy.suspend = true;
    BOOST_TEST(planned_lines(j, with(hpa, j)).front() == "delete horizontalpodautoscalers pt");
    BOOST_TEST(planned_lines(j, observed()).front() != "create horizontalpodautoscalers pt");
}

BOOST_AUTO_TEST_CASE(the_autoscaler_outlives_its_metrics_and_the_job) {
    pytorch_job j = running(elastic());
    auto const hpa = autoscaler_of(j);
    auto const world = with(hpa, j);
    j.spec.elastic_policy->metrics.reset();
    BOOST_TEST(planned_lines(j, world).empty());
    j = running(elastic());
    set_condition(j.status, "Succeeded", "True", "PyTorchJobSucceeded", "", at(5));
    for (auto const& line : planned_lines(j, world)) BOOST_TEST(line == "status");
}

BOOST_AUTO_TEST_CASE(an_autoscaler_that_the_job_does_not_control_is_left_alone_and_reported) {
    pytorch_job j = running(elastic());
    auto const own = autoscaler_of(j);
    j.spec.elastic_policy->max_replicas = 5;
    std::vector<autoscaling::horizontal_pod_autoscaler> foreign(4, own);
    foreign[0].metadata.owner_references.clear();
    foreign[1].metadata.owner_references[0].uid = "uid-of-an-earlier-pt";
    foreign[2].metadata.owner_references[0].controller = false;
    auto& two = foreign[3].metadata.owner_references; // of two controllers the first counts
    two.insert(two.begin(), two.front());
    two.front().uid = "uid-of-another";
    for (auto const& hpa : foreign) {
        auto const todo = sample::make_plan(j, with(hpa, j), at(9));
        BOOST_TEST_REQUIRE(actions_of(todo).size() == 1U);
        auto const event = std::get<rules::emit_event>(actions_of(todo)[0]);
        BOOST_TEST(event.type == "Warning");
        BOOST_TEST(event.reason == "FailedCreateHorizontalPodAutoscaler");
        BOOST_TEST(event.message ==
                   "Error creating: HorizontalPodAutoscaler \"pt\" exists and is not controlled by PyTorchJob \"pt\"; "
                   "the operator does not change it, and this job is not scaled by its metrics");
        pytorch_job suspended = j;
        suspended.spec.run_policy.suspend = true;
        for (auto const& line : planned_lines(suspended, with(hpa, j)))
            BOOST_TEST(line.find("horizontalpodautoscalers") == line.npos, line);
    }
}

BOOST_AUTO_TEST_CASE(autoscalers_are_watched) {
    auto const rows = job_rules_for<pytorch_job>().watches();
    BOOST_TEST_REQUIRE(rows.size() == 4U);
    for (auto const& row : rows.subspan(2)) { // by controller, and by name
        BOOST_TEST(row.type->info->kind == "HorizontalPodAutoscaler");
        BOOST_TEST(row.label_selector == "");
    }
}

BOOST_AUTO_TEST_SUITE_END()
