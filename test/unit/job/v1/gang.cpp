#include "unit/job/sample.hpp"

#include <kftrain/objects/coscheduling/pod_group.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(job_gang)

using namespace sample;

namespace {

using lines = std::vector<std::string>;

operator_options under(std::string scheduler) {
    training_operator_options options;
    options.gang_scheduler_name = std::move(scheduler);
    return operator_options().set(options);
}

rules::plan planned(pytorch_job const& j, observed const& world, std::string scheduler, int now = 0) {
    return plan_of(j, world, at(now), under(std::move(scheduler)));
}

template <class K> K created(rules::plan const& p) {
    for (auto const& a : actions_of(p))
        if (auto const* c = std::get_if<rules::create>(&a))
            if (auto const* object = c->object.get_if<K>()) return *object;
    throw std::out_of_range("no such creation");
}

template <class K> K replaced(rules::plan const& p) {
    for (auto const& a : actions_of(p))
        if (auto const* c = std::get_if<rules::replace>(&a))
            if (auto const* object = c->object.get_if<K>()) return *object;
    throw std::out_of_range("no such replacement");
}

/// A master that requests 1 CPU with a sidecar of 100m, and workers with limits only: 2 CPUs, 4Gi.
pytorch_job wanting(std::int32_t workers) {
    pytorch_job j = job(1, workers);
    auto& master = j.spec.pytorch_replica_specs["Master"].template_.spec;
    master.containers[0].resources.requests.emplace("cpu", "1");
    master.containers[0].resources.requests.emplace("memory", "2Gi");
    core::container side;
    side.name = "side";
    side.image = "example.com/side:1";
    side.resources.requests.emplace("cpu", "100m");
    master.containers.push_back(side);
    auto& worker = j.spec.pytorch_replica_specs["Worker"].template_.spec;
    worker.containers[0].resources.limits.emplace("cpu", "2");
    worker.containers[0].resources.limits.emplace("memory", "4Gi");
    return j;
}

std::string amount(resource_list const& list, std::string_view name) {
    auto const it = list.find(name);
    return it == list.end() ? "none" : it->second.text();
}

observed with_group(volcano::pod_group group, std::string phase) {
    group.metadata.uid = "uid-of-group";
    group.status.phase = std::move(phase);
    observed world;
    world.add(std::move(group));
    return world;
}

} // namespace

BOOST_AUTO_TEST_CASE(without_a_gang_scheduler_there_is_no_group) {
    for (auto name : {"", "None"}) {
        auto const todo = reported(planned(job(1, 1), observed(), name));
        BOOST_TEST(todo.front() == "create pods pt-master-0");
        BOOST_TEST(job_rules_for<pytorch_job>().with(under(name))->watches().size() == 4U);
    }
}

// corpus: pytorchjob/curated/gang-volcano
BOOST_AUTO_TEST_CASE(the_volcano_pod_group_is_created_first_and_pods_wait_for_it) {
    pytorch_job j = wanting(2);
    j.metadata.annotations["note"] = "1";
    auto const todo = planned(j, observed(), "Volcano", 7);
    lines const expected{"create podgroups pt", "status"};
    BOOST_TEST(reported(todo) == expected, boost::test_tools::per_element());
    auto const group = created<volcano::pod_group>(todo);
    BOOST_TEST(group.metadata.name == "pt");
    BOOST_TEST(group.metadata.annotations.at("note") == "1");
    BOOST_TEST_REQUIRE(group.metadata.owner_references.size() == 1U);
    BOOST_TEST(group.metadata.owner_references[0].uid == "uid-of-pt");
    BOOST_TEST(group.spec.min_member == 3);
    BOOST_TEST(group.spec.queue == "default");
    BOOST_TEST(group.spec.priority_class_name == "");
    BOOST_TEST(amount(*group.spec.min_resources, "cpu") == "5100m");
    BOOST_TEST(amount(*group.spec.min_resources, "memory") == "10Gi");
    auto const status = status_after(j, todo);
    BOOST_TEST((status.last_reconcile_time == at(7)));
    BOOST_TEST(!status.start_time.has_value());
    BOOST_TEST(conditions(status) == "Created=True");
}

BOOST_AUTO_TEST_CASE(pods_wait_while_the_group_is_pending) {
    pytorch_job const j = wanting(2);
    auto const group = created<volcano::pod_group>(planned(j, observed(), "volcano"));
    for (auto phase : {"", "Pending"}) {
        auto const todo = planned(j, with_group(group, phase), "volcano", 1);
        lines const expected{"replace podgroups pt", "status"};
        BOOST_TEST(reported(todo) == expected, boost::test_tools::per_element());
    }
    for (auto phase : {"Inqueue", "Running", "Unknown"}) {
        auto const todo = reported(planned(j, with_group(group, phase), "volcano", 1));
        BOOST_TEST_REQUIRE(todo.size() == 8U);
        BOOST_TEST(todo[0] == "replace podgroups pt");
        BOOST_TEST(todo[1] == "create pods pt-master-0");
    }
}

BOOST_AUTO_TEST_CASE(an_existing_pod_group_keeps_its_queue_and_other_fields) {
    pytorch_job j = wanting(2);
    auto group = created<volcano::pod_group>(planned(j, observed(), "volcano"));
    group.metadata.resource_version = "42";
    group.metadata.labels["mine"] = "kept";
    group.spec.queue = "research";
    group.spec.min_member = 99;
    j.spec.run_policy.scheduling_policy.emplace().queue = "other";
    auto const next = replaced<volcano::pod_group>(planned(j, with_group(group, "Inqueue"), "volcano", 1));
    BOOST_TEST(next.metadata.resource_version == "42");
    BOOST_TEST(next.metadata.labels.at("mine") == "kept");
    BOOST_TEST(next.status.phase == "Inqueue");
    BOOST_TEST(next.spec.queue == "research");
    BOOST_TEST(next.spec.min_member == 3);
}

// corpus: pytorchjob/curated/gang-volcano-policy
BOOST_AUTO_TEST_CASE(the_scheduling_policy_of_the_job_is_used) {
    pytorch_job j = wanting(2);
    auto& policy = j.spec.run_policy.scheduling_policy.emplace();
    policy.min_available = 2;
    policy.queue = "research";
    policy.priority_class = "high";
    policy.schedule_timeout_seconds = 120;
    policy.min_resources.emplace().emplace("cpu", "3");
    policy.min_resources->emplace("nvidia.com/gpu", "2");
    auto const volcano = created<volcano::pod_group>(planned(j, observed(), "volcano")).spec;
    BOOST_TEST(volcano.min_member == 2);
    BOOST_TEST(volcano.queue == "research");
    BOOST_TEST(volcano.priority_class_name == "high");
    BOOST_TEST(amount(*volcano.min_resources, "nvidia.com/gpu") == "2");
    BOOST_TEST(amount(*volcano.min_resources, "memory") == "none");
    auto const plugins = created<coscheduling::pod_group>(planned(j, observed(), "scheduler-plugins-scheduler")).spec;
    BOOST_TEST(plugins.min_member == 2);
    BOOST_TEST(plugins.schedule_timeout_seconds.value() == 120);
    BOOST_TEST(amount(plugins.min_resources, "cpu") == "3");
}

BOOST_AUTO_TEST_CASE(resources_are_counted_for_as_many_pods_as_must_start) {
    pytorch_job j = wanting(4);
    for (auto const& [available, cpu] :
         {std::pair<std::int32_t, char const*>(5, "9100m"), {1, "1100m"}, {3, "5100m"}, {99, "9100m"}, {0, "none"}}) {
        j.spec.run_policy.scheduling_policy.emplace().min_available = available;
        auto const group = created<volcano::pod_group>(planned(j, observed(), "volcano"));
        BOOST_TEST(group.spec.min_member == available);
        BOOST_TEST(amount(*group.spec.min_resources, "cpu") == cpu);
    }
}

// training-operator-v1.md §4.7: partial requests hide the limits, init containers do not count
BOOST_AUTO_TEST_CASE(limits_count_only_where_there_are_no_requests) {
    pytorch_job j = job(0, 2);
    auto& spec = j.spec.pytorch_replica_specs["Worker"].template_.spec;
    spec.containers[0].resources.requests.emplace("cpu", "0.5");
    spec.containers[0].resources.limits.emplace("memory", "1Gi");
    core::container init;
    init.name = "init";
    init.resources.requests.emplace("cpu", "8");
    spec.init_containers.push_back(init);
    auto const list = *created<volcano::pod_group>(planned(j, observed(), "volcano")).spec.min_resources;
    BOOST_TEST(amount(list, "cpu") == "1");
    BOOST_TEST(amount(list, "memory") == "none");
}

BOOST_AUTO_TEST_CASE(pods_do_not_wait_for_a_scheduler_plugins_group) {
    auto const todo = reported(planned(wanting(1), observed(), "scheduler-plugins-scheduler"));
    lines const expected{"create podgroups pt",     "create pods pt-master-0",     "create services pt-master-0",
                         "create pods pt-worker-0", "create services pt-worker-0", "status"};
    BOOST_TEST(todo == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(pods_refer_to_gang_and_scheduler) {
    pytorch_job const j = job(1, 1);
    auto const volcano = *any_job(j).render(under("volcano"))[3].get_if<pod>();
    BOOST_TEST(volcano.spec.scheduler_name == "volcano");
    BOOST_TEST(volcano.metadata.annotations.at("scheduling.k8s.io/group-name") == "pt");
    BOOST_TEST(volcano.metadata.annotations.at("volcano.sh/task-spec") == "worker");
    auto const plugins = *any_job(j).render(under("gangs"))[1].get_if<pod>();
    BOOST_TEST(plugins.spec.scheduler_name == "gangs");
    BOOST_TEST(plugins.metadata.labels.at("scheduling.x-k8s.io/pod-group") == "pt");
    BOOST_TEST(plugins.metadata.annotations.empty());
}

BOOST_AUTO_TEST_CASE(another_scheduler_of_a_template_is_kept_and_reported) {
    pytorch_job j = job(1, 1);
    j.spec.pytorch_replica_specs["Worker"].template_.spec.scheduler_name = "mine";
    auto const todo = planned(j, observed(), "gangs");
    auto const lines_of = reported(todo);
    BOOST_TEST(std::count(lines_of.begin(), lines_of.end(), "event Warning SetPodTemplateSchedulerName") == 2);
    auto const children = any_job(j).render(under("gangs"));
    BOOST_TEST(children[1].get_if<pod>()->spec.scheduler_name == "gangs");
    BOOST_TEST(children[3].get_if<pod>()->spec.scheduler_name == "mine");
    j.spec.pytorch_replica_specs["Worker"].template_.spec.scheduler_name = "gangs";
    BOOST_TEST(reported(planned(j, observed(), "gangs")).size() == lines_of.size() - 2);
}

BOOST_AUTO_TEST_CASE(a_suspended_or_finished_job_loses_its_group) {
    pytorch_job j = wanting(1);
    auto const group = created<volcano::pod_group>(planned(j, observed(), "volcano"));
    j = running(j);
    j.spec.run_policy.suspend = true;
    auto const suspended = reported(planned(j, with_group(group, "Running"), "volcano", 5));
    lines const expected{"event Normal JobTerminated", "delete podgroups pt", "event Normal PyTorchJobSuspended",
                         "status"};
    BOOST_TEST(suspended == expected, boost::test_tools::per_element());

    j.spec.run_policy.suspend.reset();
    set_condition(j.status, "Succeeded", "True", "PyTorchJobSucceeded", "", at(5));
    lines const finished{"event Normal JobTerminated", "delete podgroups pt"};
    BOOST_TEST((reported(planned(j, with_group(group, "Running"), "volcano", 6)).size() >= 2U));
    auto const at_end = reported(planned(j, with_group(group, "Running"), "volcano", 6));
    BOOST_TEST(lines(at_end.begin(), at_end.begin() + 2) == finished, boost::test_tools::per_element());
    // Upstream emits the event of the deletion although nothing is left to delete.
    lines const again{"event Normal JobTerminated", "event Normal SuccessfulDeletePodGroup"};
    auto const later = reported(planned(j, observed(), "volcano", 7));
    BOOST_TEST(lines(later.begin(), later.begin() + 2) == again, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_group_that_the_job_does_not_control_is_left_alone_and_reported) {
    for (std::string const scheduler : {"volcano", "gangs"}) {
        pytorch_job j = wanting(1);
        auto const todo = planned(j, observed(), scheduler);
        auto const group = std::get<rules::create>(actions_of(todo).front()).object;
        auto const stored = [&](auto const& change) {
            observed world;
            auto const put = [&](auto typed) {
                change(typed.metadata.owner_references);
                typed.metadata.uid = "uid-of-group";
                world.add(std::move(typed));
            };
            if (auto const* v = group.get_if<volcano::pod_group>())
                put(*v);
            else
                put(*group.get_if<coscheduling::pod_group>());
            return world;
        };
        std::vector<observed> const foreign{
            stored([](auto& owners) { owners.clear(); }),
            stored([](auto& owners) { owners[0].uid = "uid-of-an-earlier-pt"; }),
            stored([](auto& owners) { owners[0].controller.reset(); }),
        };
        for (auto const& world : foreign) {
            auto const waiting = planned(j, world, scheduler, 3);
            lines const expected{"event Warning FailedCreatePodGroup", "status"};
            BOOST_TEST(reported(waiting) == expected, boost::test_tools::per_element());
            BOOST_TEST(std::get<rules::emit_event>(actions_of(waiting)[0]).message ==
                       "Error creating: PodGroup \"pt\" exists and is not controlled by PyTorchJob \"pt\"; the "
                       "operator does not change it, and no pods are created until it is deleted");
            BOOST_TEST((status_after(j, waiting).last_reconcile_time == at(3)));

            pytorch_job ended = running(j);
            ended.spec.run_policy.suspend = true;
            for (auto const& line : reported(planned(ended, world, scheduler, 5)))
                BOOST_TEST((line != "delete podgroups pt" && line != "event Normal SuccessfulDeletePodGroup"), line);
        }
        BOOST_TEST(reported(planned(j, stored([](auto&) {}), scheduler)).front() == "replace podgroups pt");
    }
}

BOOST_AUTO_TEST_CASE(an_empty_map_of_min_resources_is_ignored) {
    pytorch_job j = wanting(1);
    auto& worker = j.spec.pytorch_replica_specs["Worker"].template_.spec.containers[0].resources;
    worker = from_json<core::resource_requirements>(R"({"requests":{},"limits":{"cpu":"2"}})").value();
    auto const group = created<volcano::pod_group>(planned(j, observed(), "volcano"));
    BOOST_TEST(amount(*group.spec.min_resources, "cpu") == "3100m");
    worker = from_json<core::resource_requirements>(R"({"requests":{"memory":"1Gi"},"limits":{"cpu":"2"}})").value();
    auto const other = created<volcano::pod_group>(planned(j, observed(), "volcano"));
    BOOST_TEST(amount(*other.spec.min_resources, "cpu") == "1100m");
}

BOOST_AUTO_TEST_CASE(a_rejected_pod_group_is_reported_in_the_status) {
    auto const todo = planned(wanting(1), observed(), "gangs", 3);
    auto const& first = todo.steps.at(0);
    BOOST_TEST((first.actions.size() == 1U && std::holds_alternative<rules::create>(first.actions[0])));
    BOOST_TEST_REQUIRE(first.refused.has_value());
    auto const status = first.refused->object.get_if<pytorch_job>()->status;
    BOOST_TEST((status.last_reconcile_time == at(3)));
    BOOST_TEST(conditions(status) == "Created=True");
    BOOST_TEST(!status_after(pytorch_job(), todo).last_reconcile_time.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
