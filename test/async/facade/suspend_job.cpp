#include "async/facade/facade_cluster.hpp"

#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/mpi_job_v2beta1.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

BOOST_AUTO_TEST_SUITE(async_facade_suspend_job)

using namespace facade_tests;

namespace {

/// A suspended job of which pods of the run before are still on their node.
struct cluster_with_suspended_job : facade_cluster {
    cluster_with_suspended_job() {
        auto job = sample("j", 2);
        job.spec.run_policy.suspend = true;
        stored = good(client.submit(job));
        for (auto const& p : pods_of(stored)) server.add_object(any_object(p)).value();
        requests.clear();
    }

    static std::vector<core::pod> pods_of(any_job const& job) {
        auto running = *job.get_if<pytorch_job>();
        running.spec.run_policy.suspend = false;
        std::vector<core::pod> found;
        for (auto const& object : any_job(running).render())
            if (auto const* const p = object.get_if<core::pod>()) {
                auto& next = found.emplace_back(*p);
                next.metadata.namespace_ = "default";
                next.spec.node_name = "n";
            }
        return found;
    }
    /// As an operator does; on its node the pod goes on until its containers have ended.
    void begin_removal(std::string const& name) { remove(name, kube::delete_options()); }
    void end_removal(std::string const& name) {
        kube::delete_options now;
        now.grace_period_seconds = 0;
        remove(name, now);
    }
    void resume(kube::call_options options = {}) {
        client.async_resume(stored, options.with_detail(detail), [this](error_code ec, any_job const& job) {
            ended = ec;
            if (!ec) BOOST_TEST(!job.suspending().suspended);
        });
    }
    bool is_suspended() { return good(client.get(stored)).suspending().suspended; }
    bool is_watching() const {
        return std::ranges::any_of(targets, [](std::string const& t) { return t.find("watch=") != t.npos; });
    }

    any_job stored;
    std::optional<error_code> ended;
    diagnostics detail;
    std::vector<std::string> targets;
    std::vector<std::string> const all{"j-master-0", "j-worker-0", "j-worker-1"};

private:
    void remove(std::string const& name, kube::delete_options const& how) {
        kube::run_blocking(io.get_executor(), diagnostics(), [&](auto h) {
            pods.async_delete(name, how, std::move(h));
        }).value();
    }

    kube::api<core::pod> pods{kube::client(server.transport()), "default"};
};

/// Records whole targets, which `requests` does not have.
void note_targets(cluster_with_suspended_job& w) {
    w.judge = [&w](kube::http_request const& r) -> std::optional<fault> {
        w.targets.push_back(r.target);
        return std::nullopt;
    };
}

} // namespace

BOOST_AUTO_TEST_CASE(a_job_is_resumed_after_its_old_pods_are_gone) {
    cluster_with_suspended_job w;
    note_targets(w);
    w.begin_removal("j-master-0"); // the operator has not received the others yet
    w.resume();
    BOOST_TEST_REQUIRE(w.until([&] { return w.is_watching(); }));
    for (auto const& name : w.all) {
        BOOST_TEST(!w.ended.has_value());
        BOOST_TEST(w.is_suspended());
        BOOST_TEST(w.count("PATCH", "") == 0U);
        w.end_removal(name);
    }
    BOOST_TEST_REQUIRE(w.until([&] { return w.ended.has_value(); }));
    BOOST_TEST(!*w.ended, w.ended->message());
    BOOST_TEST(!w.is_suspended());
}

BOOST_AUTO_TEST_CASE(a_timeout_names_the_remaining_pods) {
    cluster_with_suspended_job w;
    w.end_removal("j-worker-1");
    w.resume(kube::call_options().with_timeout(200ms));
    BOOST_TEST_REQUIRE(w.until([&] { return w.ended.has_value(); }));
    BOOST_TEST(*w.ended == make_error_code(errc::timeout), w.ended->message());
    BOOST_TEST(contains(w.detail.message, "resumption of PyTorchJob default/j: not complete after 200 ms; pods "
                                          "j-master-0 and j-worker-0 of the run before the suspension still exist"),
               w.detail.message);
    BOOST_TEST(w.is_suspended());
    BOOST_TEST(w.count("PATCH", "") == 0U);
}

BOOST_AUTO_TEST_CASE(a_timeout_names_only_a_few_of_many_pods) {
    cluster_with_suspended_job w;
    auto more = w.pods_of(w.stored).at(0);
    for (int i = 0; i < 4; ++i) {
        more.metadata.name = "j-master-" + std::to_string(i + 1);
        w.server.add_object(any_object(more)).value();
    }
    auto const r = w.client.resume(w.stored, kube::call_options().with_timeout(200ms));
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST(contains(r.error().detail.message, "pods j-master-0, j-master-1, j-master-2, j-master-3 and 3 more of"),
               text_of(r.error()));
}

BOOST_AUTO_TEST_CASE(without_permission_for_pods_a_job_is_resumed_at_once) {
    for (std::string const part : {"/pods?", "watch="}) {
        cluster_with_suspended_job w;
        w.judge = [part](kube::http_request const& r) -> std::optional<fault> {
            if (!contains(r.target, part)) return std::nullopt;
            return fault::answer(403, "Forbidden", "pods is forbidden");
        };
        auto const r = w.client.resume(w.stored);
        BOOST_TEST(r.has_value(), (r ? "" : text_of(r.error())));
        BOOST_TEST(!w.is_suspended());
    }
}

BOOST_AUTO_TEST_CASE(other_read_failures_end_the_call) {
    cluster_with_suspended_job w;
    w.judge = [](kube::http_request const& r) -> std::optional<fault> {
        if (!contains(r.target, "/pods?")) return std::nullopt;
        return fault::answer(400, "BadRequest", "no such selector");
    };
    auto const r = w.client.resume(w.stored);
    BOOST_TEST_REQUIRE(r.has_error());
    BOOST_TEST(contains(r.error().to_string(), "no such selector"), text_of(r.error()));
    BOOST_TEST(w.is_suspended());
}

BOOST_AUTO_TEST_CASE(resuming_does_not_wait_for_pods_of_other_jobs) {
    cluster_with_suspended_job w;
    for (auto const& name : w.all) w.end_removal(name);
    auto const other = good(w.client.submit(sample("other")));
    auto stranger = w.pods_of(w.stored).at(0);
    stranger.metadata.owner_references.at(0).name = "other";
    stranger.metadata.owner_references.at(0).uid = other.metadata().uid;
    w.server.add_object(any_object(stranger)).value();
    auto const r = w.client.resume(w.stored, kube::call_options().with_timeout(5s));
    BOOST_TEST(r.has_value(), (r ? "" : text_of(r.error())));
}

BOOST_AUTO_TEST_CASE(pods_are_listed_only_if_they_matter) {
    facade_cluster w;
    kubeflow_v2beta1::mpi_job mpi;
    mpi.metadata.name = "m";
    for (auto const* type : {"Launcher", "Worker"}) {
        test::add_replicas(mpi.spec.mpi_replica_specs, type, 1, "c");
    }
    mpi.spec.run_policy.suspend = true;
    auto const job = good(w.client.submit(mpi));
    BOOST_TEST(w.client.resume(job).has_value());
    auto const running = good(w.client.submit(sample()));
    BOOST_TEST(w.client.resume(running).has_value());
    BOOST_TEST(w.client.suspend(running).has_value());
    BOOST_TEST(w.count("GET", "/pods") == 0U);
    BOOST_TEST(w.client.resume(running).has_value());
    BOOST_TEST(w.count("GET", "/pods") == 1U);
}

BOOST_AUTO_TEST_CASE(a_resumption_can_be_cancelled_at_any_step) {
    cluster_with_suspended_job w;
    w.time.run_freely(false); // the deadline does not come meanwhile
    for (int turns = 0; turns < 50; ++turns) {
        asio::cancellation_signal stop;
        std::optional<error_code> ended;
        w.client.async_resume(
            w.stored, kube::call_options(),
            asio::bind_cancellation_slot(stop.slot(), [&](error_code ec, any_job const&) { ended = ec; }));
        w.io.restart();
        for (int i = 0; i < turns; ++i) w.io.poll_one();
        stop.emit(asio::cancellation_type::terminal);
        BOOST_TEST_REQUIRE(w.until([&] { return ended.has_value(); }));
        BOOST_TEST(is_cancelled(*ended), ended->message());
    }
}

BOOST_AUTO_TEST_CASE(destroying_the_io_context_destroys_a_pending_resumption) {
    for (int turns = 0; turns < 50; turns += 2) {
        cluster_with_suspended_job w;
        w.client.async_resume(w.stored, kube::call_options(), [](error_code, any_job const&) {});
        w.io.restart();
        for (int i = 0; i < turns; ++i) w.io.poll_one();
    }
}

BOOST_AUTO_TEST_SUITE_END()
