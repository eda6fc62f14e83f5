#include "integration/cluster_world.hpp"

#include <kftrain/kinds/volcano_job_builder.hpp>

using namespace cluster_world;

// Jobs of Volcano: a queue that is open, gangs that are let in, and what plugins tell pods.

BOOST_AUTO_TEST_SUITE(integration_local_volcano_jobs)

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

BOOST_AUTO_TEST_SUITE_END()
