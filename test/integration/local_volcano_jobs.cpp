#include "integration/cluster_world.hpp"

#include <kftrain/kinds/volcano_job_builder.hpp>

BOOST_AUTO_TEST_SUITE(integration_local_volcano_jobs)

using namespace cluster_world;

// Jobs of Volcano: a queue that is open, gangs that are let in, and what plugins tell pods.

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
    volcano::volcano_operator_options told;
    told.plugins = volcano::framework_plugins::designed;
    told.order = volcano::launch_order::depends_on;
    auto options = cluster::sandboxed();
    options.rules.set(told);
    cluster c(std::move(options));
    auto const own = [](std::string text) { return [text](pod_settings& p) { p.command({"sh", "-c", text}); }; };
    auto const job = volcano_job_builder("mpi")
                         .in("default")
                         .image("none")
                         .plugin("mpi", {"--slots=2"})
                         .task("master", 1, own("cat $OMPI_MCA_orte_default_hostfile"))
                         .task("worker", 2, own("exec sleep 600"))
                         .checked_by(told)
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

BOOST_AUTO_TEST_SUITE_END()
