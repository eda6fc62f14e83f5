#include "unit/controllers/batch_job/played_job.hpp"

#include <kftrain/controllers/registry.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/job/observed_types.hpp>
#include <kftrain/kinds/registry.hpp>

BOOST_AUTO_TEST_SUITE(controllers_batch_job_pods)

using namespace played_jobs;

namespace {

std::size_t steps_for(pod const& p, batch::job const* job) {
    rules::world seen;
    if (job != nullptr) seen.add("job", {any_object(*job)});
    rules::controller_of<controllers::orphaned_job_pod_rules> const controller;
    auto const object = controller.primary().decode(to_json(p)).value(); // a part of the pod
    if (!controller.plans_for(object.get())) return 0;
    return controller.make_plan(object.get(), seen, nullptr, start).steps.size();
}

pod of_sample() {
    played_job w(sample());
    w.settle();
    return w.running();
}

} // namespace

// Pods that no Job counts any more, and pods that are too many. Expected: kubernetes
// pkg/controller/job/job_controller.go (syncOrphanPod, activePodsForRemoval), v1.31.

BOOST_AUTO_TEST_CASE(a_deleted_pod_of_a_missing_job_is_released) {
    auto p = of_sample();
    auto const job = sample();
    BOOST_TEST(steps_for(p, &job) == 0u);
    BOOST_TEST(steps_for(p, nullptr) == 0u); // the Job may be too new to be seen
    p.metadata.deletion_timestamp = start;
    BOOST_TEST(steps_for(p, &job) == 0u);
    BOOST_TEST(steps_for(p, nullptr) == 1u);
    auto again = sample();
    again.metadata.uid = "of a later one";
    BOOST_TEST(steps_for(p, &again) == 1u);
    p.metadata.finalizers.clear();
    BOOST_TEST(steps_for(p, nullptr) == 0u);
}

BOOST_AUTO_TEST_CASE(an_orphaned_pod_is_released_but_not_one_of_another_controller) {
    auto p = of_sample();
    p.metadata.owner_references[0].kind = "Widget";
    p.metadata.deletion_timestamp = start;
    BOOST_TEST(steps_for(p, nullptr) == 0u);
    p.metadata.owner_references.clear();
    BOOST_TEST(steps_for(p, nullptr) == 1u);
}

BOOST_AUTO_TEST_CASE(a_pod_without_the_finalizer_gets_no_plan) {
    auto p = of_sample();
    BOOST_TEST(controllers::orphaned_job_pod_rules::plans_for(p));
    p.metadata.finalizers = {"example.com/other"};
    BOOST_TEST(!controllers::orphaned_job_pod_rules::plans_for(p));
}

BOOST_AUTO_TEST_CASE(excess_pods_that_progressed_least_are_deleted) {
    played_job w(sample([](auto& s) { s.parallelism = 3, s.completions = 3; }));
    w.settle();
    auto at = w.pods.begin();
    auto const first = (at++)->first, waits = (at++)->first, third = at->first;
    w.pods.at(first).spec.node_name = "node";
    w.pods.at(third).spec.node_name = "node";
    w.job.spec.parallelism = 2;
    w.settle();
    BOOST_TEST((w.pods.contains(first) && w.pods.contains(third) && !w.pods.contains(waits)));
    w.job.spec.parallelism = 0;
    w.settle();
    BOOST_TEST(w.pods.empty());
    BOOST_TEST(w.job.status.failed == 0);
}

BOOST_AUTO_TEST_CASE(the_controllers_are_registered_for_a_local_cluster) {
    auto const all = controllers::known_controllers();
    BOOST_REQUIRE(all.size() == 4u);
    BOOST_TEST((all[0]->primary().info->kind == "Job" && all[0]->status() == rules::status_form::subresource));
    BOOST_TEST((all[1]->primary().info->kind == "Pod" && all[1]->looks_at_deleted()));
    BOOST_TEST((all[2]->primary().info->kind == "StatefulSet"));
    BOOST_TEST((all[3]->primary().info->kind == "JobSet"));
}

// A process that runs several of them then has one informer of pods, and keeps each pod once.
BOOST_AUTO_TEST_CASE(all_controllers_watch_pods_by_the_same_type) {
    std::size_t rows = 0;
    auto const check = [&rows](rules::controller_rules const& r, object_type const& type) {
        if (type.info->kind != "Pod" || !type.info->group.empty()) return;
        ++rows;
        BOOST_TEST((&type == &observed_pod_type()), r.primary().info->api_version() << " " << r.primary().info->kind);
    };
    auto const check_all = [&](rules::controller_rules const& r) {
        check(r, r.primary());
        for (auto const& row : r.watches()) check(r, *row.type);
    };
    for (auto const* kind : known_job_rules()) check_all(*kind);
    for (auto const& r : controllers::known_controllers()) check_all(*r);
    BOOST_TEST(rows >= known_job_rules().size());
}

BOOST_AUTO_TEST_SUITE_END()
