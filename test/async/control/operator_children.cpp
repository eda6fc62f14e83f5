#include "async/control/operator_cluster.hpp"

#include <kftrain/objects/autoscaling/horizontal_pod_autoscaler.hpp>
#include <kftrain/objects/coscheduling/pod_group.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

BOOST_AUTO_TEST_SUITE(async_operator_children)

using namespace operator_tests;

namespace {

names const pair{"pt-master-0", "pt-worker-0"};

/// Follows what the operator writes about objects of one plural: `POST`, `PUT /pt`, ...
struct written {
    written(operator_cluster& w, std::string plural) {
        w.op->link->before = [this, plural = "/" + std::move(plural)](kube::http_request const& r) {
            auto const at = r.target.find(plural);
            if (r.method != "GET" && at != std::string::npos)
                methods.push_back(r.method + " " + r.target.substr(at + plural.size(), 3));
        };
    }
    names methods;
};

/// Two workers that an autoscaler keeps between one and three.
pytorch_job scaled_sample() {
    auto job = sample(2);
    job.spec.pytorch_replica_specs.erase("Master");
    auto& policy = job.spec.elastic_policy.emplace();
    policy.min_replicas = 1;
    policy.max_replicas = 3;
    auto& metric = policy.metrics.emplace().emplace_back();
    metric.type = "Resource";
    auto& cpu = metric.resource.emplace();
    cpu.name = "cpu";
    cpu.target.type = "Utilization";
    cpu.target.average_utilization = 80;
    return job;
}

} // namespace

BOOST_AUTO_TEST_CASE(pods_wait_for_volcano) {
    operator_cluster w;
    w.start_gang_operator("volcano");
    kube::api<volcano::pod_group> groups(w.user, "corpus");
    w.submit(sample(1));
    w.until([&] { return w.names_of(groups) == names{"pt"}; });
    w.calm();
    BOOST_TEST(w.names_of(w.pods).empty());
    BOOST_TEST(w.job().status.last_reconcile_time.has_value());

    auto group = w.all(groups).front();
    BOOST_TEST(group.spec.min_member == 2);
    group.status.phase = "Inqueue"; // the scheduler
    w.ask<volcano::pod_group>([&](auto h) { groups.async_replace(group, std::move(h)); });
    w.until([&] { return w.names_of(w.services) == pair; });
    expect(w.names_of(w.pods), pair);
    w.calm();
    auto const creations = w.creations(); // none is of the PodGroup
    BOOST_TEST(creations.size() == 4U);

    w.change_job([](pytorch_job& j) { j.spec.run_policy.suspend = true; });
    w.until([&] { return w.names_of(groups).empty() && w.names_of(w.pods).empty(); });
    w.calm();
    auto const reported = w.happenings();
    for (auto const* line : {"Normal JobTerminated Job has been terminated. Deleting PodGroup",
                             "Normal SuccessfulDeletePodGroup Deleted PodGroup: pt"})
        BOOST_TEST((std::find(reported.begin(), reported.end(), line) != reported.end()), line);
}

BOOST_AUTO_TEST_CASE(a_pod_group_written_on_every_pass_causes_no_endless_loop) {
    operator_cluster w;
    w.start_gang_operator("gangs");
    written groups(w, "podgroups");
    w.submit(sample(1));
    w.until([&] { return w.names_of(w.services) == pair; });
    w.calm();
    BOOST_REQUIRE(groups.methods.size() >= 2U);
    BOOST_TEST(groups.methods[0].starts_with("POST"));
    BOOST_TEST(groups.methods[1] == "PUT /pt");
    auto const before = groups.methods.size();
    w.run(300ms);
    BOOST_TEST(groups.methods.size() == before);
}

BOOST_AUTO_TEST_CASE(a_pod_group_of_another_owner_blocks_the_job_until_it_is_gone) {
    operator_cluster w;
    w.start_gang_operator("gangs");
    kube::api<coscheduling::pod_group> groups(w.user, "corpus");
    coscheduling::pod_group foreign;
    foreign.metadata.name = "pt";
    foreign.metadata.namespace_ = "corpus";
    foreign.spec.min_member = 7;
    w.ask<coscheduling::pod_group>([&](auto h) { groups.async_create(foreign, std::move(h)); });
    w.submit(sample(1));
    auto const reported = [&] {
        auto const lines = w.happenings();
        return std::any_of(lines.begin(), lines.end(), [](auto const& l) {
            return l.starts_with("Warning FailedCreatePodGroup Error creating: ");
        });
    };
    w.until(reported);
    w.calm();
    BOOST_TEST(w.names_of(w.pods).empty());
    BOOST_TEST(w.all(groups).front().spec.min_member == 7);
    w.change_job([](pytorch_job& j) { j.spec.run_policy.suspend = true; });
    w.until([&] { return w.conditions() == "Created=True Suspended=True"; });
    w.calm();
    BOOST_TEST(w.names_of(groups) == names{"pt"});
    w.change_job([](pytorch_job& j) { j.spec.run_policy.suspend = false; });
    w.calm();

    kube::run_blocking(w.io.get_executor(), diagnostics(), [&](auto h) {
        groups.async_delete("pt", std::move(h));
    }).value();
    w.until([&] { return w.names_of(w.services) == pair; });
    w.calm();
    BOOST_TEST(w.all(groups).front().spec.min_member == 2);
}

BOOST_AUTO_TEST_CASE(losing_a_child_to_another_owner_triggers_a_reconcile) {
    operator_cluster w;
    w.submit(sample(1));
    w.until([&] { return w.names_of(w.services) == pair; });
    w.calm();
    written pods(w, "pods");
    auto lost = w.ask<pod>([&](auto h) { w.pods.async_get("pt-worker-0", std::move(h)); });
    lost.metadata.owner_references.at(0).name = "elsewhere";
    lost.metadata.owner_references.at(0).uid = "uid-of-elsewhere";
    w.ask<pod>([&](auto h) { w.pods.async_replace(lost, std::move(h)); });
    w.calm();
    // The name is taken until the pod goes.
    BOOST_TEST((std::find(pods.methods.begin(), pods.methods.end(), "POST ") != pods.methods.end()));
    w.op->link->before = {};
}

BOOST_AUTO_TEST_CASE(an_autoscaler_of_another_owner_is_not_changed) {
    operator_cluster w;
    kube::api<autoscaling::horizontal_pod_autoscaler> autoscalers(w.user, "corpus");
    autoscaling::horizontal_pod_autoscaler foreign;
    foreign.metadata.name = "pt";
    foreign.metadata.namespace_ = "corpus";
    foreign.spec.scale_target_ref.kind = "Deployment";
    foreign.spec.scale_target_ref.name = "pt";
    foreign.spec.max_replicas = 9;
    w.ask<autoscaling::horizontal_pod_autoscaler>([&](auto h) { autoscalers.async_create(foreign, std::move(h)); });
    w.submit(scaled_sample());
    w.until([&] { return w.names_of(w.services) == names{"pt-worker-0", "pt-worker-1"}; });
    w.calm();
    BOOST_TEST(w.all(autoscalers).front().spec.max_replicas == 9);
    auto const lines = w.happenings();
    BOOST_TEST(std::any_of(lines.begin(), lines.end(), [](auto const& l) {
        return l.starts_with("Warning FailedCreateHorizontalPodAutoscaler Error creating: ");
    }));
    kube::run_blocking(w.io.get_executor(), diagnostics(), [&](auto h) {
        autoscalers.async_delete("pt", std::move(h));
    }).value();
    w.until([&] { return w.names_of(autoscalers) == names{"pt"}; });
    BOOST_TEST(w.all(autoscalers).front().spec.max_replicas == 3);
}

BOOST_AUTO_TEST_CASE(a_pod_group_conflict_leaves_no_condition_in_the_status) {
    operator_cluster w;
    w.start_gang_operator("gangs");
    kube::api<coscheduling::pod_group> groups(w.user, "corpus");
    int meddled = 0;
    w.op->link->before = [&](kube::http_request const& r) {
        if (r.method != "PUT" || r.target.find("/podgroups/pt") == std::string::npos || ++meddled > 1) return;
        auto const kind = w.server.store().find("scheduling.x-k8s.io", "v1alpha1", "podgroups").value();
        auto const stored = w.server.store().get(kind, "corpus", "pt").value();
        auto theirs = from_json<coscheduling::pod_group>(stored->text()).value();
        theirs.metadata.annotations["meddled"] = "yes";
        groups.async_replace(theirs, [](error_code ec, coscheduling::pod_group const&) { BOOST_TEST(!ec); });
    };
    w.submit(sample(1));
    w.until([&] { return meddled >= 2; });
    w.until([&] { return w.names_of(w.services) == pair; });
    w.calm();
    BOOST_TEST(!w.job().status.last_reconcile_time.has_value());
    BOOST_TEST(w.all(groups).front().metadata.annotations.at("meddled") == "yes");
}

BOOST_AUTO_TEST_CASE(the_autoscaler_is_updated_with_the_job) {
    operator_cluster w;
    kube::api<autoscaling::horizontal_pod_autoscaler> autoscalers(w.user, "corpus");
    w.submit(scaled_sample());
    w.until([&] { return w.names_of(autoscalers) == names{"pt"}; });
    w.calm();
    BOOST_TEST(w.all(autoscalers).front().spec.max_replicas == 3);

    w.change_job([](pytorch_job& j) { j.spec.elastic_policy->max_replicas = 5; });
    w.until([&] { return w.all(autoscalers).front().spec.max_replicas == 5; });
    w.calm();

    auto changed = w.all(autoscalers).front(); // somebody meddles
    changed.spec.max_replicas = 9;
    w.ask<autoscaling::horizontal_pod_autoscaler>([&](auto h) { autoscalers.async_replace(changed, std::move(h)); });
    w.until([&] { return w.all(autoscalers).front().spec.max_replicas == 5; });

    w.change_job([](pytorch_job& j) { j.spec.run_policy.suspend = true; });
    w.until([&] { return w.names_of(autoscalers).empty(); });
    w.change_job([](pytorch_job& j) { j.spec.run_policy.suspend = false; });
    w.until([&] { return w.names_of(autoscalers) == names{"pt"}; });
    w.calm();
}

BOOST_AUTO_TEST_SUITE_END()
