#include "unit/kinds/mpi_job_v2beta1/cluster.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_mpi_job_v2beta1_scale)

using namespace mpi_sample;

// Expected: requests, events and statuses recorded from mpi-operator v0.8.0 in the case that is named.
namespace {

void scale(cluster& c, std::int32_t workers) { c.job.spec.mpi_replica_specs["Worker"].replicas = workers; }
void suspend(cluster& c, bool yes) { c.job.spec.run_policy.suspend = yes; }

lines hosts(cluster const& c, std::string const& key) {
    lines all;
    std::string const& text = c.world.config_map->data.at(key);
    for (std::size_t at = 0; (at = text.find("-worker-", at)) != std::string::npos; ++at)
        all.push_back("w" + text.substr(at + 8, text.find('.', at) - at - 8));
    return all;
}

/// Like remove, as a server does it with pods that a kubelet runs: they stay until that has ended them.
cluster with_slow_pods(cluster c) {
    for (auto& p : c.world.workers) {
        core::pod next = *p;
        next.metadata.deletion_timestamp = at(0);
        p = std::make_shared<core::pod const>(next);
    }
    return c;
}

cluster shrinking(mpi_operator_options options, std::int32_t to) {
    mpi_job j = job("rlsc", "corpus", 3);
    j.spec.run_launcher_as_worker = true;
    cluster c(j, std::move(options));
    c.pass(0);
    for (std::int32_t i = 0; i < 3; ++i) c.run_worker(worker_name(j, i));
    c.pass(1);
    scale(c, to);
    return c;
}

} // namespace

BOOST_AUTO_TEST_CASE(scaling_to_three_and_one_updates_hosts) {
    cluster c(job("em", "ml", 2)); // elastic
    c.pass(0);
    BOOST_TEST(hosts(c, "hostfile") == (lines{"w0", "w1"}));
    BOOST_TEST(hosts(c, "discover_hosts.sh") == lines{});
    c.run_worker("em-worker-0");
    c.run_worker("em-worker-1");
    c.pass(1);
    BOOST_TEST(hosts(c, "discover_hosts.sh") == (lines{"w0", "w1"}));
    scale(c, 3); // the file follows the job at once, the script the pods
    BOOST_TEST(c.pass(2) == (lines{"replace ConfigMap em-config", "create Pod em-worker-2"}));
    BOOST_TEST(hosts(c, "hostfile") == (lines{"w0", "w1", "w2"}));
    BOOST_TEST(hosts(c, "discover_hosts.sh") == (lines{"w0", "w1"}));
    c.run_worker("em-worker-2");
    c.pass(3);
    BOOST_TEST(hosts(c, "discover_hosts.sh") == (lines{"w0", "w1", "w2"}));
    BOOST_TEST(c.counts() == R"(Launcher{}Worker{"active":3})");
    scale(c, 1);
    BOOST_TEST(c.pass(4) ==
               (lines{"replace ConfigMap em-config", "remove Pod em-worker-1", "remove Pod em-worker-2", "status"}));
    BOOST_TEST(hosts(c, "hostfile") == (lines{"w0"}));
    BOOST_TEST(hosts(c, "discover_hosts.sh") == (lines{"w0", "w1", "w2"}));
    BOOST_TEST(c.pass(5) == (lines{"replace ConfigMap em-config"}));
    BOOST_TEST(hosts(c, "discover_hosts.sh") == (lines{"w0"}));
    BOOST_TEST(c.counts() == R"(Launcher{}Worker{"active":1})");
}

BOOST_AUTO_TEST_CASE(terminating_workers_are_deleted_again) {
    cluster c(job("et", "ml", 3)); // elastic-terminating
    c.pass(0);
    scale(c, 1);
    cluster slow = with_slow_pods(c);
    lines const expected{"replace ConfigMap et-config", "remove Pod et-worker-1", "remove Pod et-worker-2"};
    BOOST_TEST(slow.pass(1) == expected);
    slow = with_slow_pods(c);
    BOOST_TEST(slow.pass(2) == expected);
    BOOST_TEST(slow.worker("et-worker-0") != nullptr);
}

BOOST_AUTO_TEST_CASE(eleven_workers_lose_the_highest_indices) {
    cluster c(job("el", "ml", 11));
    c.pass(0);
    scale(c, 9);
    auto const done = c.pass(1);
    BOOST_TEST(done == (lines{"replace ConfigMap el-config", "remove Pod el-worker-9", "remove Pod el-worker-10"}));
}

BOOST_AUTO_TEST_CASE(a_launcher_that_works_keeps_the_right_workers) {
    BOOST_TEST(shrinking({}, 2).pass(2) ==
               (lines{"replace ConfigMap rlsc-config", "remove Pod rlsc-worker-2", "status"}));
    BOOST_TEST(shrinking({}, 1).pass(2) == (lines{"replace ConfigMap rlsc-config", "remove Pod rlsc-worker-1",
                                                  "remove Pod rlsc-worker-2", "status"}));
    // launcher-as-worker-scale-down: upstream since v0.7.0 takes labels, which count from 1, for indices
    mpi_operator_options shifted;
    shifted.shifted_scale_down = true;
    cluster c = shrinking(shifted, 2);
    BOOST_TEST(c.pass(2) == (lines{"replace ConfigMap rlsc-config", "remove Pod rlsc-worker-1",
                                   "remove Pod rlsc-worker-2", "create Pod rlsc-worker-1", "status"}));
    BOOST_TEST(c.pass(3) == (lines{"replace ConfigMap rlsc-config"}));
    // One that a kubelet has is still there, and counted, when the pass looks for it.
    cluster slow = shrinking(shifted, 2);
    slow.change_worker("rlsc-worker-1", [](core::pod& p) { p.spec.node_name = "node"; });
    BOOST_TEST(slow.pass(2) == (lines{"replace ConfigMap rlsc-config", "remove Pod rlsc-worker-1",
                                      "remove Pod rlsc-worker-2", "status"}));
    BOOST_TEST(slow.counts() == R"(Launcher{}Worker{"active":2})");
    shifted.release = mpi_operator_release::v0_6_0; // where labels are indices
    BOOST_TEST(shrinking(shifted, 2).pass(2) ==
               (lines{"replace ConfigMap rlsc-config", "remove Pod rlsc-worker-2", "status"}));
}

BOOST_AUTO_TEST_CASE(pods_of_others_are_not_deleted) {
    cluster c(job("em", "ml", 1));
    c.pass(0);
    core::pod foreign = *c.worker("em-worker-0");
    foreign.metadata.name = "em-worker-5";
    foreign.metadata.owner_references.clear();
    c.world.workers.push_back(std::make_shared<core::pod const>(foreign));
    BOOST_TEST(c.pass(1) == lines{});
}

BOOST_AUTO_TEST_CASE(jobs_can_be_created_suspended) {
    mpi_job j = job("susc", "corpus", 2); // suspend-create-resume
    j.spec.run_policy.suspend = true;
    cluster c(j);
    BOOST_TEST(c.pass(0) == (lines{"Normal MPIJobCreated: MPIJob corpus/susc is created.", "create Service susc",
                                   "create ConfigMap susc-config", "create Secret susc-ssh", "create Job susc-launcher",
                                   "Normal MPIJobSuspended: MPIJob suspended", "status"}));
    BOOST_TEST(c.conditions() == (lines{"Created=True/MPIJobCreated", "Suspended=True/MPIJobSuspended",
                                        "Running=False/MPIJobSuspended"}));
    BOOST_TEST(c.counts() == "Launcher{}Worker{}");
    BOOST_TEST(!c.job.status.start_time);
    BOOST_TEST(c.world.launcher->spec.suspend.value());

    auto& launcher = c.job.spec.mpi_replica_specs["Launcher"].template_;
    launcher.metadata.labels["x"] = "1";
    launcher.metadata.annotations["y"] = "2";
    launcher.spec.node_selector["pool"] = "a";
    launcher.spec.tolerations.emplace_back().key = "gpu";
    launcher.spec.service_account_name = "other";
    BOOST_TEST(c.pass(1) == lines{});

    c.change_launcher([](batch::job& l) { l.spec.template_.metadata.labels["job-name"] = "susc-launcher"; });
    cluster old = c;
    suspend(c, false);
    BOOST_TEST(c.pass(2) == (lines{"create Pod susc-worker-0", "create Pod susc-worker-1", "replace Job susc-launcher",
                                   "Normal MPIJobResumed: MPIJob resumed", "status"}));
    BOOST_TEST(c.conditions() ==
               (lines{"Created=True/MPIJobCreated", "Running=False/MPIJobSuspended", "Suspended=False/MPIJobResumed"}));
    BOOST_TEST((c.job.status.start_time == at(2)));
    auto const& pod = c.world.launcher->spec.template_;
    BOOST_TEST(c.world.launcher->spec.suspend.value() == false);
    BOOST_TEST(pod.metadata.labels.at("x") == "1");
    BOOST_TEST(pod.metadata.labels.at("job-name") == "susc-launcher");
    BOOST_TEST(pod.metadata.annotations.at("y") == "2");
    BOOST_TEST(pod.spec.node_selector.at("pool") == "a");
    BOOST_TEST(pod.spec.tolerations.size() == 1U);
    BOOST_TEST(pod.spec.service_account_name == ""); // cannot be changed any more

    old.options = release(mpi_operator_release::v0_6_0);
    suspend(old, false);
    old.pass(2);
    BOOST_TEST(!old.world.launcher->spec.template_.metadata.labels.contains("x"));
    BOOST_TEST(old.world.launcher->spec.suspend.value() == false);
}

BOOST_AUTO_TEST_CASE(running_jobs_are_suspended_and_resumed) {
    mpi_job j = job("susr", "corpus", 2); // suspend-running
    cluster c(j);
    c.pass(0);
    for (auto name : {"susr-worker-0", "susr-worker-1"}) c.run_worker(name);
    c.launcher_pod("susr-launcher-x", "Running");
    c.pass(3);
    suspend(c, true);
    BOOST_TEST(c.pass(4) == (lines{"replace Job susr-launcher", "remove Pod susr-worker-0", "remove Pod susr-worker-1",
                                   "Normal MPIJobSuspended: MPIJob suspended", "status"}));
    BOOST_TEST(c.conditions() == (lines{"Created=True/MPIJobCreated", "Suspended=True/MPIJobSuspended",
                                        "Running=False/MPIJobSuspended"}));
    BOOST_TEST(find_condition(c.job.status, "Running")->message == "MPIJob corpus/susr is suspended.");
    BOOST_TEST((c.job.status.start_time == at(0)));
    c.world.launcher_pods.clear();
    BOOST_TEST(c.pass(5) == (lines{"replace ConfigMap susr-config", "status"})); // no worker runs any more

    c.change_launcher([](batch::job& l) {
        l.status.start_time = at(0);
        l.metadata.resource_version = "7";
    });
    suspend(c, false);
    auto const done = c.pass(6);
    BOOST_TEST(done ==
               (lines{"create Pod susr-worker-0", "create Pod susr-worker-1", "replace status of Job susr-launcher",
                      "replace Job susr-launcher", "Normal MPIJobResumed: MPIJob resumed", "status"}));
    BOOST_TEST(!c.world.launcher->status.start_time);
    BOOST_TEST(c.world.launcher->metadata.resource_version == "");
    BOOST_TEST((c.job.status.start_time == at(6)));
}

BOOST_AUTO_TEST_CASE(suspending_does_not_wait_for_pods) {
    mpi_job j = job("waits", "corpus", 2); // wait-for-workers-suspended
    j.spec.launcher_creation_policy = "WaitForWorkersReady";
    j.spec.run_policy.suspend = true;
    cluster c(j);
    c.pass(0);
    BOOST_TEST_REQUIRE(c.world.launcher != nullptr);
    suspend(c, false);
    c.pass(1);
    BOOST_TEST(c.world.launcher->spec.suspend.value() == false);
}

BOOST_AUTO_TEST_CASE(gangs_follow_the_job) {
    mpi_operator_options gang;
    gang.gang_scheduling = "volcano";
    cluster c(job("gvd", "corpus", 2), gang); // gang-volcano-defaults, gang-volcano-policy
    BOOST_TEST(c.pass(0) ==
               (lines{"Normal MPIJobCreated: MPIJob corpus/gvd is created.", "create Service gvd",
                      "create ConfigMap gvd-config", "create Secret gvd-ssh", "create PodGroup gvd",
                      "create Pod gvd-worker-0", "create Pod gvd-worker-1", "create Job gvd-launcher", "status"}));
    BOOST_TEST(c.pass(1) == lines{});
    scale(c, 3);
    BOOST_TEST(c.pass(2) == (lines{"replace ConfigMap gvd-config", "replace PodGroup gvd", "create Pod gvd-worker-2"}));
    suspend(c, true);
    BOOST_TEST(c.pass(3) == (lines{"replace Job gvd-launcher", "remove Pod gvd-worker-0", "remove Pod gvd-worker-1",
                                   "remove Pod gvd-worker-2", "remove PodGroup gvd",
                                   "Normal MPIJobSuspended: MPIJob suspended", "status"}));
    BOOST_TEST(c.pass(4) == lines{});
}

BOOST_AUTO_TEST_SUITE_END()
