#include "async/facade/logs/job_log_cluster.hpp"

#include <kftrain/kinds/mpi_job_v2beta1.hpp>

using namespace job_log_tests;

namespace {

/// An MPIJob, whose launcher's pods have generated names.
struct mpi_job_with_logs : job_log_cluster {
    mpi_job_with_logs() {
        serve<mpi_job>();
        mpi_job job;
        job.metadata.name = "m";
        for (auto const* type : {"Launcher", "Worker"}) test::add_replicas(job.spec.mpi_replica_specs, type, 1, "mpi");
        stored = submit(job);
    }

    void make_pod_of(std::string const& role, std::string name, std::string const& job = "m") {
        pod p;
        p.metadata.name = std::move(name);
        p.metadata.labels.emplace("training.kubeflow.org/operator-name", "mpi-operator");
        p.metadata.labels.emplace("training.kubeflow.org/job-name", job);
        p.metadata.labels.emplace("training.kubeflow.org/job-role", role);
        if (role == "worker") p.metadata.labels.emplace("training.kubeflow.org/replica-index", "0");
        p.spec.node_name = "n";
        test::add_container(p); // named as set() of the world expects
        create(p);
    }
    void finish() { job_log_tests::job_log_cluster::finish<mpi_job>("m"); }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(async_job_logs_by_role, mpi_job_with_logs)

BOOST_AUTO_TEST_CASE(pods_with_generated_names_are_followed_as_they_appear) {
    log("m-launcher-aaaaa/0") = {responds({"first try\n"})};
    log("m-launcher-bbbbb/0") = {responds({"second try\n"})};
    log("m-worker-0/0") = {responds({"sshd\n"})};
    log("x-launcher-ccccc/0") = {responds({"of another job\n"})};
    make_pod_of("launcher", "m-launcher-aaaaa");
    make_pod_of("launcher", "x-launcher-ccccc", "x");
    set("m-launcher-aaaaa", "ended");
    set("x-launcher-ccccc", "ended");
    follow();
    BOOST_REQUIRE(until([&] { return has("m-launcher-aaaaa: first try"); }));
    make_pod_of("worker", "m-worker-0");
    set("m-worker-0", "ended");
    make_pod_of("launcher", "m-launcher-bbbbb");
    set("m-launcher-bbbbb", "ended");
    BOOST_REQUIRE(until([&] { return has("m-launcher-bbbbb: second try") && has("m-worker-0: sshd"); }));
    finish();
    BOOST_TEST(end() == error_code(), detail.message);
    BOOST_TEST(lines.size() == 3U);
}

BOOST_AUTO_TEST_CASE(a_position_keeps_no_deleted_pod_with_a_generated_name) {
    auto stream = client.open_logs(stored, job_log_options().with_role("Launcher"));
    auto const next_line = [&] {
        auto const line = stream.next(kube::next_options().with_timeout(20s));
        return line ? line->text : line.error().to_string();
    };
    for (std::string const name : {"m-launcher-aaaaa", "m-launcher-bbbbb", "m-launcher-ccccc"}) {
        log(name + "/0") = {responds({"from " + name + "\n"})};
        make_pod_of("launcher", name);
        set(name, "ended");
        BOOST_TEST(next_line() == "from " + name);
        BOOST_TEST(stream.position().entries.size() == 1U);
        remove_pod(name);
        BOOST_TEST(until([&] { return stream.position().entries.empty(); }), name);
    }
    finish();
    BOOST_TEST((stream.next(kube::next_options().with_timeout(20s)).error().code == eof));
}

BOOST_AUTO_TEST_CASE(remaining_pods_of_a_finished_job_are_read) {
    log("m-launcher-aaaaa/0") = {responds({"done\n"})};
    make_pod_of("launcher", "m-launcher-aaaaa");
    make_pod_of("worker", "m-worker-0");
    set("m-launcher-aaaaa", "ended");
    finish();
    follow();
    BOOST_REQUIRE(until([&] { return has("m-launcher-aaaaa: done"); }));
    BOOST_TEST(end() == error_code(), detail.message);
}

BOOST_AUTO_TEST_CASE(missing_pods_of_a_role_of_a_finished_job_are_a_loss) {
    make_pod_of("worker", "m-worker-0");
    finish();
    follow();
    check_loss("pods of role Launcher: the pods were deleted before their output was requested");
}

BOOST_AUTO_TEST_CASE(a_deleted_unread_pod_with_a_generated_name_is_a_loss) {
    auto refused = refuses(404, reason::not_found);
    refused.opened = [this] { start_removing("m-launcher-aaaaa"); };
    log("m-launcher-aaaaa/0") = {refused};
    make_pod_of("launcher", "m-launcher-aaaaa");
    set("m-launcher-aaaaa", "ended");
    follow();
    BOOST_REQUIRE(until([&] { return !source->requests.empty(); }));
    finish();
    check_loss("pod m-launcher-aaaaa");
}

BOOST_AUTO_TEST_CASE(destroying_the_io_context_ends_following_by_role) {
    make_pod_of("launcher", "m-launcher-aaaaa");
    set("m-launcher-aaaaa", "running");
    for (int i = 0; i < 20; ++i) log("m-launcher-aaaaa/0").push_back(responds({"line\n"}, errc::connection_lost));
    follow();
    io.restart();
    for (int i = 0; i < 60; ++i) io.poll_one();
}

// Servers store it, as there is no webhook; laid out it would take all memory.
BOOST_AUTO_TEST_CASE(following_a_job_without_an_operator_ends) {
    kube::api<mpi_job> all{client.get_client(), "default"};
    auto j = ask<mpi_job>([&](auto h) { all.async_get("m", std::move(h)); });
    j.spec.mpi_replica_specs["Worker"].replicas = 2'000'000'000;
    ask<mpi_job>([&](auto h) { all.async_replace(j, std::move(h)); });
    follow();
    BOOST_TEST((end() == errc::invalid_job));
    BOOST_TEST(detail.message.find("2000000000") != std::string::npos, detail.message);
}

BOOST_AUTO_TEST_SUITE_END()
