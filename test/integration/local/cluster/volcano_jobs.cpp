#include "integration/local/sandboxed_cluster.hpp"

#include <kftrain/kinds/volcano_job_builder.hpp>
#include <kftrain/objects/core/node.hpp>

BOOST_AUTO_TEST_SUITE(integration_local_volcano_jobs)

using namespace local_tests;

// Jobs of Volcano: an open queue, gangs, and the environment that plugins set. Nodes with a scheduler.

BOOST_AUTO_TEST_CASE(a_job_with_plugins_runs_to_its_end) {
    cluster c;
    auto const job = volcano_job_builder("sh")
                         .in("default")
                         .image("none")
                         .command({"sh", "-c", "cat /etc/volcano/a.host; echo; echo $VC_TASK_INDEX $VC_B_NUM"})
                         .plugin("env")
                         .plugin("svc")
                         .task("a", 2)
                         .task("b", 1)
                         .build();
    BOOST_TEST_REQUIRE(job.has_value(), (job ? "" : job.error().to_string()));
    auto const stored = c.client.submit(*job);
    BOOST_TEST_REQUIRE(stored.has_value(), (stored ? "" : stored.error().to_string()));
    auto const read = c.client.logs(*stored, [&](log_line const& l) { c.output[l.member.pod_name] += l.text + "\n"; });
    BOOST_TEST(read.has_value(), (read ? "" : read.error().to_string()));
    BOOST_TEST((c.wait(*stored).phase() == job_phase::succeeded));
    std::string const hosts = "sh-a-0.sh\nsh-a-1.sh\n";
    BOOST_TEST(c.output["sh-a-0"] == hosts + "0 1\n");
    BOOST_TEST(c.output["sh-a-1"] == hosts + "1 1\n");
    BOOST_TEST(c.output["sh-b-0"] == hosts + "0 1\n");
}

BOOST_AUTO_TEST_CASE(plugins_as_designed_start_the_master_last_and_end_with_it) {
    volcano::volcano_operator_options volcano_options;
    volcano_options.plugins = volcano::framework_plugins::designed;
    volcano_options.order = volcano::launch_order::depends_on;
    auto options = cluster::sandboxed();
    options.rules.set(volcano_options);
    cluster c(std::move(options));
    auto const own = [](std::string text) { return [text](pod_settings& p) { p.command({"sh", "-c", text}); }; };
    auto const job = volcano_job_builder("mpi")
                         .in("default")
                         .image("none")
                         .plugin("mpi", {"--slots=2"})
                         .task("master", 1, own("cat $OMPI_MCA_orte_default_hostfile"))
                         .task("worker", 2, own("exec sleep 600"))
                         .checked_by(volcano_options)
                         .build();
    BOOST_TEST_REQUIRE(job.has_value(), (job ? "" : job.error().to_string()));
    auto const stored = c.client.submit(*job);
    BOOST_TEST_REQUIRE(stored.has_value(), (stored ? "" : stored.error().to_string()));
    BOOST_TEST(stored->get_if<volcano_job>()->spec.tasks[0].depends_on->name.front() == "worker");
    auto const read = c.client.logs(*stored, [&](log_line const& l) { c.output[l.member.pod_name] += l.text + "\n"; });
    BOOST_TEST(read.has_value(), (read ? "" : read.error().to_string()));
    BOOST_TEST((c.wait(*stored).phase() == job_phase::succeeded));
    BOOST_TEST(c.output["mpi-master-0"] == "mpi-worker-0.mpi slots=2\nmpi-worker-1.mpi slots=2\n");
}

/// Its pods run until the file exists, if one is named.
any_job gang_of(std::string const& name, std::int32_t replicas, std::string const& until = "") {
    auto const script = until.empty() ? "true" : "until [ -e " + until + " ]; do sleep 0.1; done";
    auto const sized = [&](pod_settings& p) { p.command({"sh", "-c", script}).cpu("1"); };
    return any_job(volcano_job_builder(name).in("default").image("none").task("w", replicas, sized).build().value());
}

BOOST_AUTO_TEST_CASE(a_gang_waits_until_all_of_it_fits) {
    auto options = cluster::sandboxed();
    options.nodes = 3;
    options.node_resources = {{"cpu", quantity("2")}};
    cluster c(std::move(options));
    auto const file = fresh_folder();
    auto const first = c.client.submit(gang_of("first", 4, file.string()));
    BOOST_TEST_REQUIRE(first.has_value(), (first ? "" : first.error().to_string()));
    BOOST_TEST((c.client.wait(*first, until::running()).has_value()));
    auto const second = c.client.submit(gang_of("second", 4));
    BOOST_TEST_REQUIRE(second.has_value(), (second ? "" : second.error().to_string()));
    std::string reason;
    bool const explained = c.until([&] {
        auto const why = c.client.explain(*second);
        reason = why ? why->to_string() : why.error().to_string();
        return reason.find("2 Schedulable, 2 Unschedulable") != reason.npos; // two of the four would fit
    });
    BOOST_TEST(explained, reason);
    for (auto const* name : {"second-w-0", "second-w-1", "second-w-2", "second-w-3"}) {
        auto const p = c.get_pod(name);
        BOOST_TEST(p.metadata.name == name);
        BOOST_TEST(p.spec.node_name == "");
    }
    std::ofstream(file) << "";
    BOOST_TEST((c.wait(*first).phase() == job_phase::succeeded));
    BOOST_TEST((c.wait(*second).phase() == job_phase::succeeded));
    std::filesystem::remove(file);
}

BOOST_AUTO_TEST_CASE(pods_of_a_deleted_node_start_on_another) {
    auto options = cluster::sandboxed();
    options.nodes = 2;
    cluster c(std::move(options));
    auto const file = fresh_folder();
    // With Never, the operator may count a pod as failed that is being deleted, as upstream does.
    auto const script = "until [ -e " + file.string() + " ]; do sleep 0.1; done";
    auto const job = c.submit(scripts(script, 0, "", "OnFailure"));
    BOOST_TEST((c.client.wait(job, until::running()).has_value()));
    auto const before = c.get_pod("sh-master-0");
    auto const nodes = kube::api<core::node>::all_namespaces(c.local.client());
    bool deleted = false;
    nodes.async_delete(before.spec.node_name, [&](error_code ec) { deleted = !ec; });
    pod after;
    BOOST_TEST(c.until([&] {
        after = c.get_pod("sh-master-0");
        return !after.metadata.uid.empty() && after.metadata.uid != before.metadata.uid &&
               !after.spec.node_name.empty();
    }));
    BOOST_TEST(deleted);
    BOOST_TEST(after.spec.node_name != before.spec.node_name);
    std::ofstream(file) << "";
    BOOST_TEST((c.wait(job).phase() == job_phase::succeeded));
    std::filesystem::remove(file);
}

BOOST_AUTO_TEST_CASE(simulated_pods_end_as_scripted) {
    local::local_cluster_options options;
    options.simulate = 20ms;
    options.nodes = 2;
    cluster c(std::move(options));
    BOOST_TEST((c.wait(c.submit(scripts("this is never run", 3))).phase() == job_phase::succeeded));
    auto failing = scripts("this is never run", 1);
    failing.metadata.name = "failing";
    auto& inits = failing.spec.pytorch_replica_specs["Master"].template_.spec.init_containers;
    inits.resize(2);
    inits[0].name = "sidecar";
    inits[0].restart_policy.emplace() = "Always";
    inits[1].name = "first";
    for (auto& init : inits) init.image = "none";
    failing.spec.pytorch_replica_specs["Master"].template_.metadata.annotations = {{"kftrain.local/exit-code", "3"}};
    BOOST_TEST((c.wait(c.submit(failing)).phase() == job_phase::failed));
    auto const master = c.get_pod("failing-master-0");
    BOOST_TEST_REQUIRE(master.status.container_statuses.size() == 1U);
    BOOST_TEST(master.status.container_statuses[0].state.terminated->exit_code == 3);
    BOOST_TEST_REQUIRE(master.status.init_container_statuses.size() == 2U);
    for (auto const& init : master.status.init_container_statuses)
        BOOST_TEST(init.state.terminated.has_value(), init.name);
    auto restarting = scripts("this is never run", 0, "", "OnFailure");
    restarting.metadata.name = "restarting";
    auto& annotations = restarting.spec.pytorch_replica_specs["Master"].template_.metadata.annotations;
    annotations = {{"kftrain.local/exit-code", "3"}, {"kftrain.local/run", "10ms"}};
    auto const job = c.submit(restarting);
    BOOST_TEST(c.until([&] {
        auto const p = c.get_pod("restarting-master-0");
        return !p.status.container_statuses.empty() && p.status.container_statuses[0].restart_count == 1;
    }));
}

BOOST_AUTO_TEST_CASE(a_wrong_annotation_of_a_simulated_pod_is_an_event) {
    local::local_cluster_options options;
    options.simulate = 20ms;
    cluster c(std::move(options));
    auto wrong = scripts("this is never run", 0);
    wrong.spec.pytorch_replica_specs["Master"].template_.metadata.annotations = {{"kftrain.local/run", "soon"}};
    BOOST_TEST((c.wait(c.submit(wrong)).phase() == job_phase::failed));
    BOOST_TEST(c.until([&] {
        return std::ranges::any_of(c.all<core::event>(), [](auto const& e) {
            return e.reason == "Invalid" && e.involved_object.kind == "Pod" &&
                   e.message == "annotation kftrain.local/run: expected a duration such as 1m30s, got \"soon\"";
        });
    }));
}

BOOST_AUTO_TEST_CASE(sidecars_of_simulated_pods_run_as_long_as_the_pod) {
    local::local_cluster_options options;
    options.simulate = 0ms;
    cluster c(std::move(options));
    auto endless = scripts("this is never run", 0);
    auto& inits = endless.spec.pytorch_replica_specs["Master"].template_.spec.init_containers;
    inits.resize(1);
    inits[0].name = "sidecar";
    inits[0].image = "none";
    inits[0].restart_policy.emplace() = "Always";
    auto const job = c.submit(endless);
    auto const name = endless.metadata.name + "-master-0";
    BOOST_TEST_REQUIRE(c.until([&] { return c.get_pod(name).status.phase == "Running"; }));
    auto const status = c.get_pod(name).status.init_container_statuses.at(0);
    BOOST_TEST(status.state.running.has_value());
    BOOST_TEST(status.ready);
}

BOOST_AUTO_TEST_SUITE_END()
