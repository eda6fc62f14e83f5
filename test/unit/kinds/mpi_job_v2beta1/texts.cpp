#include "kinds/mpi_job_v2beta1/kind.hpp"
#include "unit/kinds/mpi_job_v2beta1/sample.hpp"

#include <kftrain/job/prepared_job.hpp>

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_mpi_job_v2beta1_texts)

using namespace mpi_sample;

namespace {

mpi_job example(std::int32_t workers, std::string implementation, std::optional<std::int32_t> slots, bool launcher) {
    mpi_job j = job("a", "n", workers);
    j.spec.mpi_implementation = std::move(implementation);
    j.spec.slots_per_worker = slots;
    if (launcher) j.spec.run_launcher_as_worker = true;
    return complete(std::move(j));
}

mpi_operator_options in_domain(std::string domain) {
    mpi_operator_options options;
    options.cluster_domain = std::move(domain);
    return options;
}

} // namespace

BOOST_AUTO_TEST_CASE(hostfiles_depend_on_the_implementation) {
    mpi_operator_options const plain;
    BOOST_TEST(hostfile(example(2, "OpenMPI", 2, false), plain) ==
               "a-worker-0.a.n.svc slots=2\na-worker-1.a.n.svc slots=2\n");
    BOOST_TEST(hostfile(example(2, "Intel", 10, false), plain) == "a-worker-0.a.n.svc:10\na-worker-1.a.n.svc:10\n");
    BOOST_TEST(hostfile(example(1, "MPICH", 1, true), in_domain("corp.example")) ==
               "a-launcher.a.n.svc.corp.example:1\na-worker-0.a.n.svc.corp.example:1\n");
    BOOST_TEST(hostfile(example(1, "", {}, true), plain) == "a-launcher.a.n.svc slots=1\na-worker-0.a.n.svc slots=1\n");
    BOOST_TEST(hostfile(example(0, "", {}, true), plain) == "a-launcher.a.n.svc slots=1\n");
    BOOST_TEST(hostfile(example(0, "", {}, false), plain) == "");
    BOOST_TEST(hostfile(example(1, "", 0, false), in_domain("cluster.local")) ==
               "a-worker-0.a.n.svc.cluster.local slots=0\n");
}

BOOST_AUTO_TEST_CASE(releases_before_0_7_ignore_the_cluster_domain) {
    auto options = in_domain("cluster.local");
    options.release = mpi_operator_release::v0_6_0;
    BOOST_TEST(hostfile(example(1, "", {}, false), options) == "a-worker-0.a.n.svc slots=1\n");
}

BOOST_AUTO_TEST_CASE(scripts_name_running_workers_without_slots) {
    mpi_operator_options const plain;
    BOOST_TEST(discovery_script(example(2, "Intel", 10, false), {}, plain) == "#!/bin/sh\n");
    BOOST_TEST(discovery_script(example(1, "", {}, true), {}, plain) == "#!/bin/sh\necho a-launcher.a.n.svc\n");
    BOOST_TEST(discovery_script(example(1, "", {}, false), {"a-worker-0"}, in_domain("cluster.local")) ==
               "#!/bin/sh\necho a-worker-0.a.n.svc.cluster.local\n");
}

BOOST_AUTO_TEST_CASE(hostfile_and_discovery_script_differ_in_order) {
    // eleven-workers
    mpi_operator_options const plain;
    auto const j = example(11, "", {}, false);
    std::vector<std::string> running;
    std::string numeric;
    for (int i = 0; i < 11; ++i) {
        running.push_back("a-worker-" + std::to_string(i));
        numeric += running.back() + ".a.n.svc slots=1\n";
    }
    std::string textual = "#!/bin/sh\n";
    for (int i : {0, 1, 10, 2, 3, 4, 5, 6, 7, 8, 9}) textual += "echo a-worker-" + std::to_string(i) + ".a.n.svc\n";
    BOOST_TEST(hostfile(j, plain) == numeric);
    BOOST_TEST(discovery_script(j, running, plain) == textual);
}

BOOST_AUTO_TEST_CASE(workers_are_matched_by_name) {
    auto const j = job("tensor-r1", "n", 1);
    BOOST_TEST(worker_index(j, "tensor-r1-worker-12").value() == 12);
    for (auto other : {"tensor-r1-worker-", "tensor-r1-worker-01", "tensor-r1-worker--1", "tensor-r1-worker-1x",
                       "tensor-r1-launcher", "tensor-r-worker-1", "tensor-r1-worker-99999999999", ""})
        BOOST_TEST(!worker_index(j, other), other);
}

BOOST_AUTO_TEST_CASE(members_have_ranks_in_hostfile_order) {
    auto const all = prepared_job::stored(example(2, "", 4, false)).layout();
    BOOST_TEST(all.members.size() == 3U);
    BOOST_TEST(all.world_size.value() == 2);
    BOOST_TEST(all.processes_per_member.value() == 4);
    BOOST_TEST(all.domain == "a.n.svc");
    auto const& launcher = all.members[0];
    BOOST_TEST(launcher.role == "Launcher");
    BOOST_TEST(launcher.pod_name == ""); // the name is generated
    BOOST_TEST(launcher.host_name() == "a-launcher");
    BOOST_TEST(!launcher.rank);
    BOOST_TEST(all.members[1].pod_name == "a-worker-0");
    BOOST_TEST(all.members[1].host_name() == "a-worker-0");
    BOOST_TEST(all.members[1].rank.value() == 0);
    BOOST_TEST(all.members[2].rank.value() == 1);

    auto const alone = prepared_job::stored(example(0, "", 4, false)).layout();
    BOOST_TEST(alone.members.size() == 1U);
    BOOST_TEST((!alone.world_size && !alone.processes_per_member));

    auto const working = prepared_job::stored(example(2, "", 4, true)).layout();
    BOOST_TEST(working.world_size.value() == 3);
    BOOST_TEST(working.members[0].rank.value() == 0);
    BOOST_TEST(working.members[2].rank.value() == 2);
}

BOOST_AUTO_TEST_CASE(pods_are_distinguished_by_role_and_name) {
    auto const j = example(2, "", 1, false);
    auto const all = prepared_job::stored(j).layout();
    object_meta pod;
    pod.labels = role_labels(j, "launcher");
    pod.name = "a-launcher-x7k2p";
    BOOST_TEST(all.of(pod) == &all.members[0]);
    pod.labels = role_labels(j, "worker");
    BOOST_TEST(all.of(pod) == nullptr);
    pod.name = "a-worker-1";
    BOOST_TEST(all.of(pod) == nullptr); // without its index
    pod.labels["training.kubeflow.org/replica-index"] = "1";
    BOOST_TEST(all.of(pod) == &all.members[2]);
    pod.name = "a-worker-0";
    BOOST_TEST(all.of(pod) == nullptr);
    pod.labels.clear();
    BOOST_TEST(all.of(pod) == nullptr);
}

BOOST_AUTO_TEST_CASE(jobs_are_scaled_by_their_workers) {
    auto const j = job("a", "n", 2);
    auto const three = std::get<rules::patch>(prepared_job::stored(j).scaled("Worker", 3).value());
    BOOST_TEST(three.text == R"({"spec":{"mpiReplicaSpecs":{"Worker":{"replicas":3}}}})");
    BOOST_TEST(three.of.name == "a");
    auto const none =
        prepared_job::stored(j).scaled("Worker", 0); // scale-to-zero: the operator would leave the job alone
    BOOST_TEST((none.error().code == errc::invalid_argument));
    BOOST_TEST(none.error().to_string() == "spec.mpiReplicaSpecs[Worker].replicas: 0, expected 1 to 100000");
    BOOST_TEST(!prepared_job::stored(j).scaled("Launcher", 2));
    BOOST_TEST(!prepared_job::stored(job("a", "n", 0)).scaled("Worker", 1));
    BOOST_TEST(
        !prepared_job::stored(job(std::string(54, 'a'), "n", 10)).scaled("Worker", 11)); // the names get too long
}

BOOST_AUTO_TEST_SUITE_END()
