#include <kftrain/controllers/autoscaler.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/objects/autoscaling/horizontal_pod_autoscaler.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(controllers_autoscaler)

using namespace kftrain;
using namespace std::chrono_literals;
using autoscaling::horizontal_pod_autoscaler;

// Expected: kubernetes pkg/controller/podautoscaler/{horizontal,replica_calculator}.go, v1.31.
namespace {

scale_paths paths_of_workers() {
    scale_paths p;
    p.spec_replicas = ".spec.pytorchReplicaSpecs.Worker.replicas";
    p.status_replicas = ".status.replicaStatuses.Worker.active";
    p.label_selector = ".status.replicaStatuses.Worker.selector";
    return p;
}

/// An autoscaler and its job, whose pods all run at once.
struct scaled_job {
    explicit scaled_job(std::int32_t replicas) {
        job.metadata.name = "train";
        job.metadata.namespace_ = "team";
        job.spec.pytorch_replica_specs["Worker"].replicas = replicas;
        run();
        h.metadata.name = "h";
        h.metadata.namespace_ = "team";
        h.spec.scale_target_ref.kind = "PyTorchJob";
        h.spec.scale_target_ref.name = "train";
        h.spec.scale_target_ref.api_version = "kubeflow.org/v1";
        h.spec.min_replicas = 1;
        h.spec.max_replicas = 100;
    }
    autoscaling::metric_target& external(std::string name) {
        auto& m = h.spec.metrics.emplace_back();
        m.type = "External";
        m.external.emplace().metric.name = std::move(name);
        return m.external->target;
    }
    /// An external metric that demands a number of workers.
    void demand(std::int32_t workers) {
        if (h.spec.metrics.empty()) {
            auto& target = external("queue");
            target.type = "AverageValue";
            target.average_value = quantity("10");
        }
        values("queue=" + std::to_string(workers * 10));
    }
    void values(std::string text) { h.metadata.annotations["kftrain.local/metrics"] = std::move(text); }
    void run() {
        auto& status = job.status.replica_statuses["Worker"];
        status.active = replicas();
        status.selector = "job=train";
    }
    std::int32_t replicas() const { return job.spec.pytorch_replica_specs.at("Worker").replicas.value(); }

    /// Returns the number of workers after one pass, `wait` later.
    std::int32_t once(std::chrono::seconds wait = 0s) {
        now += wait;
        rules::world seen;
        seen.add("target", exists ? std::vector<any_object>{any_object(job)} : std::vector<any_object>());
        events.clear();
        auto const plan = controller.make_plan(rules::look<horizontal_pod_autoscaler>(h, seen, memory, now));
        for (auto const& step : plan.steps)
            for (auto const& action : step.actions) std::visit([this](auto const& a) { carry_out(a); }, action);
        memory = plan.remember;
        again = plan.requeue_at;
        return replicas();
    }
    void carry_out(rules::scale const& a) {
        BOOST_TEST(a.of.name == "train");
        job.spec.pytorch_replica_specs["Worker"].replicas = a.replicas;
        if (runs) run();
    }
    void carry_out(rules::write_status const& a) { h.status = a.object.get_if<horizontal_pod_autoscaler>()->status; }
    void carry_out(rules::emit_event const& a) { events += a.reason + ": " + a.message + "\n"; }
    template <class Other> void carry_out(Other const&) { BOOST_ERROR("an action that was not expected"); }

    std::string condition(std::string_view type) const {
        for (auto const& c : h.status.conditions)
            if (c.type == type) return c.status + " " + c.reason + ": " + c.message;
        return {};
    }

    pytorch_job job;
    horizontal_pod_autoscaler h;
    std::shared_ptr<rules::memory const> memory;
    std::optional<time_point> again;
    time_point now{std::chrono::hours(500000)};
    std::string events;
    bool exists = true;
    bool runs = true; ///< new pods run at once
    controllers::autoscaler_rules controller{{{object_type_of<pytorch_job>, paths_of_workers()}}};
};

} // namespace

BOOST_AUTO_TEST_CASE(a_job_is_scaled_up_with_conditions_and_an_event) {
    scaled_job w(2);
    w.demand(4);
    BOOST_TEST(w.once() == 4);
    BOOST_TEST(w.events == "SuccessfulRescale: New size: 4; reason: external metric queue(nil) above target\n");
    BOOST_TEST(w.condition("AbleToScale") ==
               "True SucceededRescale: the HPA controller was able to update the target scale to 4");
    BOOST_TEST(w.condition("ScalingActive") == "True ValidMetricFound: the HPA was able to successfully calculate a "
                                               "replica count from external metric queue(nil)");
    BOOST_TEST(w.condition("ScalingLimited") ==
               "False DesiredWithinRange: the desired count is within the acceptable range");
    BOOST_TEST(w.h.status.current_replicas == 2);
    BOOST_TEST(w.h.status.desired_replicas == 4);
    BOOST_TEST((w.h.status.last_scale_time == w.now));
    BOOST_TEST(w.h.status.current_metrics.front().external->current.average_value->canonical() == "20");
    BOOST_TEST((w.again == w.now + 15s));
    BOOST_TEST(w.once(15s) == 4);
    BOOST_TEST(w.events == "");
    BOOST_TEST(w.condition("AbleToScale") == "True ReadyForNewScale: recommended size matches current size");
    BOOST_TEST(!w.again.has_value());
}

BOOST_AUTO_TEST_CASE(a_difference_of_ten_percent_is_tolerated) {
    auto const after = [](std::string const& value) {
        scaled_job w(10);
        w.external("queue").average_value = quantity("10");
        w.values("queue=" + value);
        return w.once();
    };
    BOOST_TEST(after("109") == 10);
    BOOST_TEST(after("111") == 12);
    BOOST_TEST(after("90") == 10);
}

BOOST_AUTO_TEST_CASE(each_type_of_metric_has_its_formula) {
    auto const with = [](auto set, std::string const& values) {
        scaled_job w(4);
        auto& m = w.h.spec.metrics.emplace_back();
        set(m);
        w.values(values);
        auto const workers = std::to_string(w.once());
        return workers + w.events.substr(0, w.events.find('\n'));
    };
    std::string const reason = "SuccessfulRescale: New size: 6; reason: ";
    auto const cpu = [](autoscaling::metric_spec& m) {
        m.type = "Resource";
        m.resource.emplace().name = "cpu";
        m.resource->target.type = "Utilization";
        m.resource->target.average_utilization = 80;
    };
    BOOST_TEST(with(cpu, "memory=1,cpu=120") ==
               "6" + reason + "cpu resource utilization (percentage of request) above target");
    auto const memory = [](autoscaling::metric_spec& m) {
        m.type = "ContainerResource";
        m.container_resource.emplace().name = "memory";
        m.container_resource->container = "pytorch";
        m.container_resource->target.average_value = quantity("2Gi");
    };
    BOOST_TEST(with(memory, "memory=3Gi") == "6" + reason + "memory resource above target");
    auto const pods = [](autoscaling::metric_spec& m) {
        m.type = "Pods";
        m.pods.emplace().metric.name = "samples";
        m.pods->target.average_value = quantity("500m");
    };
    BOOST_TEST(with(pods, "samples=750m") == "6" + reason + "pods metric samples above target");
    auto const object = [](autoscaling::metric_spec& m) {
        m.type = "Object";
        m.object.emplace().metric.name = "lag";
        m.object->described_object.kind = "Topic";
        m.object->target.value = quantity("10");
    };
    BOOST_TEST(with(object, "lag=15") == "6" + reason + "Topic metric lag above target");
    auto const external = [](autoscaling::metric_spec& m) {
        m.type = "External";
        m.external.emplace().metric.name = "lag";
        m.external->metric.selector.emplace().match_labels = {{"topic", "a"}};
        m.external->target.average_value = quantity("10");
    };
    BOOST_TEST(with(external, "lag=60") ==
               "6" + reason +
                   "external metric lag(&LabelSelector{MatchLabels:map[string]string{topic: a,},"
                   "MatchExpressions:[]LabelSelectorRequirement{},}) above target");
    auto const nothing = [](autoscaling::metric_spec& m) { m.type = "Other"; };
    BOOST_TEST(with(nothing, "") == "4InvalidMetricSourceType: unknown metric source type \"Other\"");
}

BOOST_AUTO_TEST_CASE(pods_that_do_not_run_yet_use_nothing) {
    scaled_job w(2);
    w.runs = false;
    auto& m = w.h.spec.metrics.emplace_back();
    m.type = "Pods";
    m.pods.emplace().metric.name = "samples";
    m.pods->target.average_value = quantity("1");
    w.values("samples=2");
    BOOST_TEST(w.once() == 4);
    BOOST_TEST(w.once(15s) == 4); // two pods with twice the target still demand four
    w.run();
    BOOST_TEST(w.once(15s) == 8);
}

BOOST_AUTO_TEST_CASE(the_largest_proposal_wins_and_a_missing_value_prevents_scaling_down) {
    scaled_job w(4);
    w.demand(2);
    w.external("other").average_value = quantity("10");
    w.values("queue=20,other=50");
    BOOST_TEST(w.once() == 5);
    w.values("queue=60");
    BOOST_TEST(w.once(15s) == 6); // up, by the known metric
    w.values("queue=20");
    BOOST_TEST(w.once(1h) == 6);
    std::string const fault = "failed to get other external metric value: no value of other in the annotation "
                              "kftrain.local/metrics";
    BOOST_TEST(w.events == "FailedGetExternalMetric: " + fault +
                               "\nFailedComputeMetricsReplicas: invalid metrics (1 "
                               "invalid out of 2), first error is: " +
                               fault + "\n");
    BOOST_TEST(w.condition("ScalingActive") ==
               "False FailedGetExternalMetric: the HPA was unable to compute the replica count: " + fault);
    w.values("queue=20,other=many");
    w.once();
    BOOST_TEST(w.events.find("expected a quantity of at least 0, got \"many\"") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(bounds_are_enforced_with_reasons) {
    scaled_job w(2);
    w.h.spec.max_replicas = 3;
    w.demand(50);
    BOOST_TEST(w.once() == 3);
    BOOST_TEST(w.condition("ScalingLimited") ==
               "True TooManyReplicas: the desired replica count is more than the maximum replica count");
    w.h.spec.min_replicas = 2;
    w.demand(0);
    BOOST_TEST(w.once(1h) == 2);
    BOOST_TEST(w.condition("ScalingLimited") ==
               "True TooFewReplicas: the desired replica count is less than the minimum replica count");
    w.h.spec.min_replicas = 7;
    w.h.spec.max_replicas = 9;
    BOOST_TEST(w.once() == 7);
    BOOST_TEST(w.events ==
               "SuccessfulRescale: New size: 7; reason: Current number of replicas below Spec.MinReplicas\n");
    w.h.spec.min_replicas = 1;
    w.h.spec.max_replicas = 5;
    BOOST_TEST(w.once() == 5);
    BOOST_TEST(w.events ==
               "SuccessfulRescale: New size: 5; reason: Current number of replicas above Spec.MaxReplicas\n");
}

BOOST_AUTO_TEST_CASE(scaling_down_waits_for_the_stabilization_window) {
    scaled_job w(2);
    w.demand(4);
    BOOST_TEST(w.once() == 4);
    w.demand(1);
    BOOST_TEST(w.once(15s) == 4);
    BOOST_TEST(w.condition("AbleToScale") == "True ScaleDownStabilized: recent recommendations were higher than "
                                             "current one, applying the highest recent recommendation");
    BOOST_TEST(w.again.has_value());
    w.demand(3); // within the window the highest recommendation counts
    BOOST_TEST(w.once(150s) == 4);
    w.demand(1);
    BOOST_TEST(w.once(134s) == 4);
    BOOST_TEST(w.once(1s) == 3); // 300 seconds after the recommendation of 4
    BOOST_TEST(w.events == "SuccessfulRescale: New size: 3; reason: All metrics below target\n");
    BOOST_TEST(w.once(164s) == 3);
    BOOST_TEST(w.once(1s) == 1);
}

BOOST_AUTO_TEST_CASE(scaling_up_is_limited_to_4_pods_or_100_percent_in_15_seconds) {
    scaled_job w(1);
    w.demand(40);
    BOOST_TEST(w.once() == 5);
    BOOST_TEST(w.condition("ScalingLimited") ==
               "True ScaleUpLimit: the desired replica count is increasing faster than the maximum scale rate");
    BOOST_TEST(w.once(14s) == 5); // the period is not over
    BOOST_TEST(w.once(1s) == 10);
    BOOST_TEST(w.once(15s) == 20);
    BOOST_TEST(w.once(15s) == 40);
}

BOOST_AUTO_TEST_CASE(behavior_sets_windows_and_policies) {
    scaled_job w(10);
    auto& behavior = w.h.spec.behavior.emplace();
    auto& down = behavior.scale_down.emplace();
    down.stabilization_window_seconds = 0;
    for (auto const& [type, value] : {std::pair("Pods", 3), std::pair("Percent", 50)}) {
        auto& p = down.policies.emplace_back();
        p.type = type;
        p.value = value;
        p.period_seconds = 60;
    }
    w.demand(1);
    BOOST_TEST(w.once() == 5); // the larger change
    BOOST_TEST(w.condition("ScalingLimited") ==
               "True ScaleDownLimit: the desired replica count is decreasing faster than the maximum scale rate");
    BOOST_TEST(w.once(59s) == 5);
    down.select_policy = "Min";
    BOOST_TEST(w.once(1s) == 2);
    down.select_policy = "Disabled";
    BOOST_TEST(w.once(1h) == 2);
    auto& up = behavior.scale_up.emplace();
    up.stabilization_window_seconds = 60;
    w.demand(6);
    BOOST_TEST(w.once(1s) == 2);
    BOOST_TEST(w.condition("AbleToScale") == "True ScaleUpStabilized: recent recommendations were lower than current "
                                             "one, applying the lowest recent recommendation");
    BOOST_TEST(w.once(59s) == 6);
}

BOOST_AUTO_TEST_CASE(a_target_that_cannot_be_scaled_is_reported) {
    scaled_job w(2);
    w.demand(4);
    w.exists = false;
    BOOST_TEST(w.once() == 2);
    BOOST_TEST(w.condition("AbleToScale") == "False FailedGetScale: the HPA controller was unable to get the target's "
                                             "current scale: pytorchjobs.kubeflow.org \"train\" not found");
    BOOST_TEST(w.events == "FailedGetScale: pytorchjobs.kubeflow.org \"train\" not found\n");
    w.exists = true;
    w.h.spec.scale_target_ref.kind = "TFJob";
    w.once();
    BOOST_TEST(w.events.find("TFJob") != std::string::npos);
    w.h.spec.scale_target_ref.kind = "PyTorchJob";
    w.job.status.replica_statuses.clear();
    w.once();
    BOOST_TEST(w.condition("ScalingActive") == "False InvalidSelector: the HPA target's scale is missing a selector");
    w.run();
    w.job.spec.pytorch_replica_specs["Worker"].replicas = 0;
    BOOST_TEST(w.once() == 0);
    BOOST_TEST(w.condition("ScalingActive") ==
               "False ScalingDisabled: scaling is disabled since the replica count of the target is zero");
}

BOOST_AUTO_TEST_CASE(a_refused_write_is_in_the_status) {
    scaled_job w(2);
    w.demand(4);
    rules::world seen;
    seen.add("target", {any_object(w.job)});
    auto const plan = w.controller.make_plan(rules::look<horizontal_pod_autoscaler>(w.h, seen, nullptr, w.now));
    auto const& refused = plan.steps.front().refused.value();
    w.carry_out(rules::write_status(refused.filled(refused.object, "no")));
    BOOST_TEST(w.condition("AbleToScale") ==
               "False FailedUpdateScale: the HPA controller was unable to update the target scale: no");
}

BOOST_AUTO_TEST_SUITE_END()
