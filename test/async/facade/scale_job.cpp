#include "async/facade/facade_cluster.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/mpi_job_v2beta1.hpp>
#include <kftrain/kinds/volcano_job.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/objects/autoscaling/horizontal_pod_autoscaler.hpp>
#include <kftrain/objects/volcano/command.hpp>
#include <kftrain/objects/volcano/pod_group.hpp>

BOOST_AUTO_TEST_SUITE(async_facade_scale)

using namespace facade_tests;

namespace {

struct cluster_with_elastic_job : facade_cluster {
    cluster_with_elastic_job() {
        good(client.submit(elastic(2, 8)));
        requests.clear();
    }
    void put_autoscaler(std::int32_t least, std::int32_t most, std::string name = "auto", std::string of = "e") {
        autoscaling::horizontal_pod_autoscaler hpa;
        hpa.metadata.name = std::move(name);
        hpa.metadata.namespace_ = "default";
        hpa.spec.scale_target_ref.api_version = "kubeflow.org/v1";
        hpa.spec.scale_target_ref.kind = "PyTorchJob";
        hpa.spec.scale_target_ref.name = std::move(of);
        hpa.spec.min_replicas = least;
        hpa.spec.max_replicas = most;
        server.add_object(any_object(hpa)).value();
    }
    /// Refuses so many writes as if another had come before them.
    void conflict(int times) {
        judge = [times](kube::http_request const& r) mutable -> std::optional<fault> {
            if (r.method != "PATCH" || times-- <= 0) return std::nullopt;
            return fault::answer(409, "Conflict", "the object has been modified");
        };
    }
    std::int32_t workers() {
        return good(client.get(job)).get_if<pytorch_job>()->spec.pytorch_replica_specs.at("Worker").replicas.value();
    }

    job_reference job = job_reference::to<pytorch_job>("", "e");
};

template <class K> K mpi(std::int32_t workers) {
    K j;
    j.metadata.name = "m";
    for (auto const& [type, count] : {std::pair<char const*, std::int32_t>("Launcher", 1), {"Worker", workers}}) {
        test::add_replicas(j.spec.mpi_replica_specs, type, count, "c");
    }
    return j;
}

volcano::job volcano_job(std::int32_t replicas) {
    volcano::job j;
    j.metadata.name = "v";
    auto& t = j.spec.tasks.emplace_back();
    t.name = "worker";
    t.replicas = replicas;
    auto& c = t.template_.spec.containers.emplace_back();
    c.name = "c";
    c.image = "i";
    return j;
}

} // namespace

BOOST_AUTO_TEST_CASE(scaling_reads_autoscalers_once) {
    cluster_with_elastic_job w;
    BOOST_TEST(w.client.scale(w.job, "Worker", 3).has_value());
    BOOST_TEST(w.workers() == 3);
    BOOST_TEST(w.count("GET", "/horizontalpodautoscalers") == 1U);
    BOOST_TEST(w.count("PATCH", "/pytorchjobs/e") == 1U);
}

BOOST_AUTO_TEST_CASE(an_autoscaler_of_the_job_prevents_scaling) {
    cluster_with_elastic_job w;
    w.put_autoscaler(1, 4);
    auto const r = w.client.scale(w.job, "Worker", 3);
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST((r.error().code == errc::invalid_argument));
    BOOST_TEST(r.error().detail.path == "spec.pytorchReplicaSpecs[Worker].replicas");
    BOOST_TEST(
        contains(r.error().detail.message, "3, but HorizontalPodAutoscaler auto keeps this number between 1 and 4"),
        text_of(r.error()));
    BOOST_TEST(w.workers() == 2);
    BOOST_TEST(w.count("PATCH", "") == 0U);
}

BOOST_AUTO_TEST_CASE(an_autoscaler_with_the_same_target_does_not_prevent_scaling) {
    cluster_with_elastic_job w;
    w.put_autoscaler(3, 3);
    BOOST_TEST(w.client.scale(w.job, "Worker", 3).has_value());
    BOOST_TEST(w.workers() == 3);
}

BOOST_AUTO_TEST_CASE(an_autoscaler_on_a_later_page_prevents_scaling) {
    cluster_with_elastic_job w;
    for (int i = 0; i < 500; ++i) w.put_autoscaler(1, 4, "a-" + std::to_string(i), "another");
    w.put_autoscaler(1, 4, "z");
    auto const r = w.client.scale(w.job, "Worker", 3);
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST(contains(r.error().detail.message, "HorizontalPodAutoscaler z keeps this number between 1 and 4"),
               text_of(r.error()));
    BOOST_TEST(w.count("GET", "/horizontalpodautoscalers") == 2U);
}

BOOST_AUTO_TEST_CASE(a_change_is_retried_after_conflicts) {
    for (int const conflicts : {0, 3, 7}) {
        cluster_with_elastic_job w;
        w.conflict(conflicts);
        auto const r = w.client.scale(w.job, "Worker", 3);
        BOOST_TEST(r.has_value(), (r ? "" : text_of(r.error())));
        BOOST_TEST(w.count("PATCH", "") == static_cast<std::size_t>(conflicts) + 1);
        BOOST_TEST(w.workers() == 3);
    }
}

BOOST_AUTO_TEST_CASE(repeated_conflicts_end_a_change) {
    cluster_with_elastic_job w;
    w.conflict(100);
    auto const r = w.client.suspend(w.job);
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST(is_conflict(r.error().code), text_of(r.error()));
    BOOST_TEST(w.count("PATCH", "") == 8U);
}

BOOST_AUTO_TEST_CASE(delays_after_conflicts_do_not_exceed_the_deadline) {
    cluster_with_elastic_job w;
    w.conflict(100);
    BOOST_TEST(w.client.suspend(w.job, kube::call_options().with_timeout(50ms)).has_error());
    BOOST_TEST(w.count("PATCH", "") < 8U); // the rests before the eighth are longer
}

BOOST_AUTO_TEST_CASE(the_deadline_covers_all_requests_together) {
    cluster_with_elastic_job w;
    auto const slow = std::make_shared<test::faulty_transport>(w.server.transport());
    slow->delay = 60ms;
    training_client client{kube::client(slow)};
    auto const r = client.scale(w.job, "Worker", 3, kube::call_options().with_timeout(100ms));
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST((r.error().code == errc::timeout), text_of(r.error()));
    BOOST_TEST(r.error().detail.message.starts_with("scaling of PyTorchJob default/e: not complete after 100 ms"),
               text_of(r.error()));
    BOOST_TEST(client.scale(w.job, "Worker", 3, kube::call_options().with_timeout(0ms)).has_value());
}

BOOST_AUTO_TEST_CASE(without_permission_for_autoscalers_a_job_can_be_scaled) {
    for (unsigned const status : {403U, 404U}) {
        cluster_with_elastic_job w;
        w.judge = [status](kube::http_request const& r) -> std::optional<fault> {
            if (!contains(r.target, "/horizontalpodautoscalers")) return std::nullopt;
            return fault::answer(status, status == 403U ? "Forbidden" : "NotFound", "no");
        };
        diagnostics detail;
        auto const r = w.client.scale(w.job, "Worker", 3, kube::call_options().with_detail(detail));
        BOOST_TEST(r.has_value(), (r ? "" : text_of(r.error())));
        BOOST_TEST(detail.message == "");
    }
}

BOOST_AUTO_TEST_CASE(an_unreachable_server_gets_one_request) {
    cluster_with_elastic_job w;
    w.judge = [](kube::http_request const&) { return fault::error(errc::unreachable); };
    auto const r = w.client.scale(w.job, "Worker", 3, kube::call_options().with_retry(false));
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST(is_unreached(r.error().code), text_of(r.error()));
    BOOST_TEST(w.requests.size() == 1U);
}

BOOST_AUTO_TEST_CASE(mpi_workers_are_scaled_but_not_to_zero) {
    facade_cluster w;
    auto const job = good(w.client.submit(mpi<kubeflow_v2beta1::mpi_job>(2)));
    auto const after = good(w.client.scale(job, "Worker", 5));
    BOOST_TEST(after.get_if<kubeflow_v2beta1::mpi_job>()->spec.mpi_replica_specs.at("Worker").replicas.value() == 5);
    auto const none = w.client.scale(job, "Worker", 0);
    BOOST_TEST_REQUIRE(none.has_error());
    BOOST_TEST((none.error().code == errc::invalid_argument));
    BOOST_TEST(contains(none.error().to_string(), "0, expected 1 to "), text_of(none.error()));
    auto const launcher = w.client.scale(job, "Launcher", 2);
    BOOST_TEST_REQUIRE(launcher.has_error());
    BOOST_TEST(contains(launcher.error().to_string(), "expected Worker"), text_of(launcher.error()));
}

BOOST_AUTO_TEST_CASE(a_gang_that_could_never_start_again_is_refused) {
    facade_cluster w;
    auto job = mpi<kubeflow_v2beta1::mpi_job>(4);
    job.spec.run_policy.scheduling_policy.emplace().min_available = 4;
    auto const stored = good(w.client.submit(job));
    BOOST_TEST(w.client.scale(stored, "Worker", 3).has_value());
    auto const r = w.client.scale(stored, "Worker", 2);
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST(
        contains(r.error().to_string(), "spec.mpiReplicaSpecs[Worker].replicas: 2, but the gang needs at least 4"),
        text_of(r.error()));
}

BOOST_AUTO_TEST_CASE(volcano_jobs_are_scaled_and_suspended_by_command_objects) {
    facade_cluster w;
    volcano::queue queue;
    queue.metadata.name = "default";
    queue.status.state = "Open";
    w.server.add_object(any_object(queue)).value();
    auto const job = good(w.client.submit(volcano_job(2)));
    auto const after = good(w.client.scale(job, "worker", 4));
    BOOST_TEST(after.get_if<volcano::job>()->spec.tasks[0].replicas == 4);
    BOOST_TEST(w.count("GET", "/horizontalpodautoscalers") == 0U);
    BOOST_TEST(w.client.suspend(job).has_value());
    kube::api<volcano::command> const commands(w.client.get_client(), "default");
    std::vector<std::string> actions;
    commands.async_list(kube::list_options(), [&](error_code ec, object_list<volcano::command> const& all) {
        BOOST_TEST(!ec, ec.message());
        for (auto const& c : all.items) actions.push_back(c.action);
    });
    BOOST_TEST_REQUIRE(w.until([&] { return !actions.empty(); }));
    BOOST_TEST(actions == std::vector<std::string>{"AbortJob"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(impossible_scaling_is_refused_without_a_write) {
    facade_cluster w;
    auto const fixed = good(w.client.submit(sample()));
    auto const r = w.client.scale(fixed, "Worker", 2);
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST(contains(r.error().to_string(), "suspend the job first"), text_of(r.error()));
    BOOST_TEST(w.count("PATCH", "") == 0U);
}

BOOST_AUTO_TEST_CASE(finished_jobs_are_neither_scaled_nor_suspended) {
    cluster_with_elastic_job w;
    kube::api<pytorch_job> const jobs(kube::client(w.server.transport()), "default");
    auto job = *good(w.client.get(w.job)).get_if<pytorch_job>();
    auto& c = job.status.conditions.emplace_back();
    c.type = "Succeeded";
    c.status = "True";
    bool done = false;
    jobs.async_replace_status(job, [&](error_code ec, pytorch_job const&) {
        BOOST_TEST(!ec, ec.message());
        done = true;
    });
    BOOST_TEST_REQUIRE(w.until([&] { return done; }));
    for (auto const& r : {w.client.scale(w.job, "Worker", 3), w.client.suspend(w.job), w.client.resume(w.job)}) {
        BOOST_TEST_REQUIRE(r.has_error());
        BOOST_TEST((r.error().code == errc::invalid_argument));
        BOOST_TEST(contains(r.error().detail.message, "the job is finished"), text_of(r.error()));
    }
    BOOST_TEST(w.count("PATCH", "") == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
