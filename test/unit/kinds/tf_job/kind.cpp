#include <kftrain/kinds/tf_job.hpp>

#include "support/job_plan.hpp"

#include <kftrain/job/member_lookup.hpp>
#include <kftrain/job/prepared_job.hpp>
#include <kftrain/kinds/registry.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_tf_job)

using namespace kftrain;

namespace {

using lines = std::vector<std::string>;

std::string tasks(std::string_view type, int count) {
    return "    " + std::string(type) + ": {replicas: " + std::to_string(count) +
           ", template: {spec: {containers: [{name: tensorflow, image: 'i:1'}, {name: side, image: 'i:1'}]}}}\n";
}

/// A job with these replica types, and these further lines of its spec.
tf_job job(std::string const& types, std::string const& more = "") {
    return from_yaml<tf_job>("metadata: {name: dist, namespace: kf, uid: u}\nspec:\n" + more + "  tfReplicaSpecs:\n" +
                             types)
        .value();
}

std::string config_of(tf_job const& j, std::string_view pod_name, operator_options const& reported = {}) {
    member_lookup const oracle{any_job(j), reported};
    for (auto const& container : oracle.environment_of(oracle.of_pod(pod_name).value()))
        for (auto const& v : container.env)
            if (v.name == "TF_CONFIG")
                return container.container == "tensorflow" ? v.value : "in " + container.container;
    return "none";
}

lines faults(tf_job const& j) {
    lines found;
    for (auto const& i : any_job(j).validate()) found.push_back(i.rule + " | " + i.message);
    return found;
}

std::string const usual = tasks("Chief", 1) + tasks("PS", 1) + tasks("Worker", 2);
std::string const dynamic = "  enableDynamicWorker: true\n";

} // namespace

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/tensorflow/tensorflow.go`.
BOOST_AUTO_TEST_CASE(each_task_gets_all_tasks_in_the_order_of_their_types) {
    BOOST_TEST(config_of(job(usual), "dist-worker-1") ==
               R"({"cluster":{"chief":["dist-chief-0.kf.svc:2222"],"ps":["dist-ps-0.kf.svc:2222"],)"
               R"("worker":["dist-worker-0.kf.svc:2222","dist-worker-1.kf.svc:2222"]},)"
               R"("task":{"type":"worker","index":1},"environment":"cloud"})");
}

BOOST_AUTO_TEST_CASE(a_dynamic_worker_gets_only_itself_and_the_parameter_servers) {
    auto const j = job(usual, dynamic);
    BOOST_TEST(config_of(j, "dist-worker-1") ==
               R"({"cluster":{"worker":{"1":"dist-worker-1.kf.svc:2222"},"ps":["dist-ps-0.kf.svc:2222"]},)"
               R"("task":{"type":"worker","index":1}})");
    BOOST_TEST(config_of(j, "dist-ps-0") ==
               R"({"cluster":{"worker":{},"ps":["dist-ps-0.kf.svc:2222"]},"task":{"type":"ps","index":0}})");
    BOOST_TEST(config_of(j, "dist-chief-0") ==
               R"({"cluster":{"worker":{},"ps":[]},"task":{"type":"chief","index":0}})");
    BOOST_TEST(
        config_of(job(tasks("Worker", 2), dynamic), "dist-worker-0") ==
        R"({"cluster":{"worker":{"0":"dist-worker-0.kf.svc:2222"},"ps":null},"task":{"type":"worker","index":0}})");
}

BOOST_AUTO_TEST_CASE(a_single_task_gets_no_variables_and_unknown_types_do_not_count) {
    BOOST_TEST(config_of(job(tasks("Worker", 1)), "dist-worker-0") == "none");
    BOOST_TEST(config_of(job(tasks("Worker", 1) + tasks("Gizmo", 3)), "dist-worker-0") == "none");
    BOOST_TEST(config_of(job(tasks("Chief", 1) + tasks("Worker", 1) + tasks("Gizmo", 1)), "dist-gizmo-0") ==
               R"({"cluster":{"chief":["dist-chief-0.kf.svc:2222"],"gizmo":["dist-gizmo-0.kf.svc:2222"],)"
               R"("worker":["dist-worker-0.kf.svc:2222"]},"task":{"type":"gizmo","index":0},"environment":"cloud"})");
}

BOOST_AUTO_TEST_CASE(the_cluster_domain_is_an_operator_option) {
    tf_operator_options reported;
    reported.cluster_domain = "example.org";
    auto const text = config_of(job(tasks("Worker", 2)), "dist-worker-0", operator_options().set(reported));
    BOOST_TEST(text.find(R"("dist-worker-1.kf.svc.example.org:2222")") != std::string::npos, text);
}

BOOST_AUTO_TEST_CASE(a_job_without_a_namespace_uses_the_default_one) {
    auto j = job(tasks("Worker", 2));
    j.metadata.namespace_.clear();
    BOOST_TEST(config_of(j, "dist-worker-0").find("dist-worker-1.default.svc:2222") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(tasks_have_no_ranks) {
    member_lookup const oracle{any_job(job(usual))};
    BOOST_TEST(!oracle.layout().world_size.has_value());
    BOOST_TEST(oracle.of_rank(0).error().detail.message ==
               "rank 0: TensorFlow identifies tasks by type and index, and has no ranks across all tasks");
}

BOOST_AUTO_TEST_CASE(chiefs_or_else_the_first_worker_get_the_master_role) {
    auto const bearers = [](tf_job const& j) {
        lines names;
        for (auto const& c : any_job(j).render())
            if (auto const* p = c.get_if<pod>(); p && p->metadata.labels.contains("training.kubeflow.org/job-role"))
                names.push_back(p->metadata.name);
        return names;
    };
    BOOST_TEST(bearers(job(tasks("Chief", 2) + tasks("Worker", 1))) == (lines{"dist-chief-0", "dist-chief-1"}));
    BOOST_TEST(bearers(job(tasks("PS", 1) + tasks("Worker", 2))) == lines{"dist-worker-0"});
    BOOST_TEST(bearers(job(tasks("PS", 1))).empty());
}

BOOST_AUTO_TEST_CASE(defaults_are_filled_in) {
    auto j = job(tasks("worker", 2));
    job_rules_for<tf_job>().set_defaults(&j);
    BOOST_TEST(j.spec.success_policy.value() == "");
    auto const& worker = j.spec.tf_replica_specs.at("Worker");
    BOOST_TEST(worker.restart_policy == "Never");
    BOOST_TEST(worker.template_.spec.containers[0].ports.at(0).container_port_ == 2222);
    BOOST_TEST(worker.template_.spec.containers[1].ports.empty());
}

BOOST_AUTO_TEST_CASE(a_job_has_one_chief_by_either_name) {
    BOOST_TEST(faults(job(tasks("Chief", 3))).empty());
    BOOST_TEST(faults(job(tasks("Chief", 1) + tasks("Master", 1))) ==
               lines{"tf.chief-and-master | spec.tfReplicaSpecs: Forbidden: must not have more than 1 Chief or Master "
                     "role"});
}

BOOST_AUTO_TEST_CASE(unknown_types_are_admitted_and_get_pods) {
    auto const j = job(tasks("Chief", 1) + tasks("Gizmo", 1));
    BOOST_TEST(faults(j).empty());
    BOOST_TEST(member_lookup(any_job(j)).of_pod("dist-gizmo-0").has_value());
}

BOOST_AUTO_TEST_CASE(an_update_cannot_change_the_manager) {
    auto const before = job(usual);
    auto after = before;
    after.spec.run_policy.managed_by = "kueue.x-k8s.io/multikueue";
    auto const found = any_job(after).validate_update(before);
    BOOST_TEST_REQUIRE(found.size() == 1U);
    BOOST_TEST(found[0].message ==
               "spec.runPolicy.managedBy: Invalid value: \"kueue.x-k8s.io/multikueue\": field is immutable");
}

BOOST_AUTO_TEST_CASE(dynamic_workers_are_scaled_while_they_run) {
    BOOST_TEST(any_job(job(usual)).scaling().places.empty());
    any_job const j(job(usual, dynamic));
    auto const s = j.scaling();
    BOOST_TEST_REQUIRE(s.places.size() == 1U);
    BOOST_TEST(s.places[0].now == 2);
    BOOST_TEST(s.places[0].least.value() == 1);
    auto const patch = prepared_job::stored(j).scaled("Worker", 5);
    BOOST_TEST(std::get<rules::patch>(patch.value()).text ==
               R"({"spec":{"tfReplicaSpecs":{"Worker":{"replicas":5}}}})");
}

namespace {

/// The condition and message of the job if its pods are in these phases.
std::string verdict(tf_job const& j, std::map<std::string, std::string> const& phases, int code = 0) {
    kubeflow_v1::observed seen;
    for (auto const& c : any_job(j).render()) {
        if (auto const* p = c.get_if<pod>()) {
            pod stored = *p;
            auto const phase = phases.find(stored.metadata.name);
            stored.status.phase = phase == phases.end() ? "Running" : phase->second;
            if (stored.status.phase == "Succeeded" || stored.status.phase == "Failed") {
                auto& ended = stored.status.container_statuses.emplace_back();
                ended.name = "tensorflow";
                ended.state.terminated.emplace().exit_code = code;
            }
            seen.pods.push_back(std::make_shared<pod const>(std::move(stored)));
        } else if (auto s = c.share<service>()) {
            seen.services.push_back(std::move(s));
        }
    }
    std::string text;
    for (auto const& step : plan_of(any_job(j), seen, time_point()).steps)
        for (auto const& action : step.actions)
            if (auto const* w = std::get_if<rules::write_status>(&action))
                for (auto const& c : w->object.get_if<tf_job>()->status.conditions)
                    if (c.status == "True" && c.type != "Created") text += (text.empty() ? "" : " ") + c.type;
    return text;
}

} // namespace

BOOST_AUTO_TEST_CASE(the_first_worker_decides_unless_the_policy_is_all_workers) {
    std::string const two = tasks("PS", 1) + tasks("Worker", 2);
    BOOST_TEST(verdict(job(two), {{"dist-worker-0", "Succeeded"}}) == "Succeeded");
    BOOST_TEST(verdict(job(two), {{"dist-worker-1", "Succeeded"}}) == "Running");
    BOOST_TEST(verdict(job(two), {{"dist-worker-0", "Succeeded"}}, 1) == "Running"); // by its exit code, too
    auto const waiting = job(two, "  successPolicy: AllWorkers\n");
    BOOST_TEST(verdict(waiting, {{"dist-worker-0", "Succeeded"}}) == "Running");
    BOOST_TEST(verdict(waiting, {{"dist-worker-0", "Succeeded"}, {"dist-worker-1", "Succeeded"}}) == "Succeeded");
}

BOOST_AUTO_TEST_CASE(success_does_not_hide_simultaneous_failures) {
    BOOST_TEST(verdict(job(usual), {{"dist-chief-0", "Succeeded"}, {"dist-worker-1", "Failed"}}) == "Succeeded Failed");
}

BOOST_AUTO_TEST_CASE(failed_dynamic_workers_do_not_fail_the_job) {
    BOOST_TEST(verdict(job(usual), {{"dist-worker-1", "Failed"}}) == "Failed");
    BOOST_TEST(verdict(job(usual, dynamic), {{"dist-worker-1", "Failed"}}) == "Running");
    BOOST_TEST(verdict(job(usual, dynamic), {{"dist-ps-0", "Failed"}}) == "Failed");
}

BOOST_AUTO_TEST_CASE(unknown_types_do_not_affect_the_status) {
    BOOST_TEST(verdict(job(tasks("Chief", 1) + tasks("Gizmo", 1)), {{"dist-gizmo-0", "Failed"}}) == "Running");
}

/// Upstream has a slot 0 of every type: it would create and delete its pod in turns.
BOOST_AUTO_TEST_CASE(a_type_with_negative_replicas_gets_no_pod_and_keeps_none) {
    any_job const j(job(tasks("Chief", 1) + tasks("Worker", -1)));
    BOOST_TEST(faults(*j.get_if<tf_job>()).empty(), boost::test_tools::per_element());
    auto const names_of = [](rules::plan const& plan, auto const& name_in) {
        lines names;
        for (auto const& step : plan.steps)
            for (auto const& action : step.actions)
                if (auto name = name_in(action); !name.empty()) names.push_back(std::move(name));
        return names;
    };
    kubeflow_v1::observed seen;
    auto const created = names_of(plan_of(j.with_defaults(), seen, time_point()), [](rules::action const& a) {
        auto const* const one = std::get_if<rules::create>(&a);
        return one == nullptr || one->object.get_if<pod>() == nullptr ? std::string() : one->object.metadata().name;
    });
    BOOST_TEST(created == lines{"dist-chief-0"}, boost::test_tools::per_element());
    auto left = std::make_shared<pod>();
    left->metadata.name = "dist-worker-0";
    left->metadata.namespace_ = "kf";
    left->metadata.uid = "p";
    left->metadata.labels = {{"training.kubeflow.org/replica-type", "worker"},
                             {"training.kubeflow.org/replica-index", "0"}};
    seen.pods.push_back(left);
    auto const deleted = names_of(plan_of(j.with_defaults(), seen, time_point()), [](rules::action const& a) {
        auto const* const one = std::get_if<rules::remove>(&a);
        return one == nullptr ? std::string() : one->of.name;
    });
    BOOST_TEST(deleted == lines{"dist-worker-0"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
