#include "async/facade/follow/job_watch_cluster.hpp"

#include "support/run_rules.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>

BOOST_AUTO_TEST_SUITE(async_job_watch_ends)

using namespace job_watch_tests;

namespace {

/// A cluster with a job, its pods, two watches and two waits.
struct busy : job_watch_cluster {
    busy() {
        submit("a", 2);
        make_pods("a");
        watch = client.watch(pytorch_jobs());
        other = client.watch(pytorch_jobs());
        for (auto const& c : {until::finished(), until::all_ranks_ready()})
            client.async_wait(job_reference::to<pytorch_job>("default", "a"), c,
                              [this, t = token](error_code ec, any_job const&) { waits.push_back(ec); });
    }
    void start_next() {
        reading = true;
        watch.async_next([this, t = token](error_code ec, job_change const&) {
            reading = false;
            next_error = ec;
            if (!ec && !stopped) start_next();
        });
    }
    void stop() {
        stopped = true;
        watch = job_watch();
    }
    void turn(int turns) {
        io.restart();
        for (int i = 0; i < turns; ++i) io.poll_one();
    }
    void disturb() {
        auto all = pods();
        for (auto const* p : {"a-master-0", "a-worker-0", "a-worker-1"})
            all.async_patch_status(p, kube::patch_body(patch_type::merge, R"({"status":{"phase":"Running"}})"),
                                   [](error_code, pod const&) {});
    }

    std::shared_ptr<int> token = std::make_shared<int>();
    job_watch watch, other;
    std::vector<error_code> waits;
    std::optional<error_code> next_error;
    bool reading = false;
    bool stopped = false;
};

/// Owns the watch, so that only the call keeps its frame.
asio::awaitable<void> watch_on(training_client client, std::shared_ptr<int> token) {
    auto watch = client.watch(pytorch_jobs());
    for (;;) {
        job_change const change = co_await watch.async_next(asio::use_awaitable);
        ++*token;
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(a_watch_can_be_destroyed_at_any_step) {
    for (int turns = 0; turns < 120; turns += 4) {
        busy w;
        w.start_next();
        w.turn(turns / 2);
        w.disturb();
        w.turn(turns);
        w.stop();
        BOOST_TEST_REQUIRE(w.until([&] { return !w.reading; }));
        BOOST_TEST((!*w.next_error || is_cancelled(*w.next_error)), w.next_error->message());
        // The other one goes on.
        w.set_condition("a", "Succeeded");
        BOOST_TEST(w.until([&] { return w.waits.size() == 2; }));
        followed t(std::move(w.other));
        t.all(100ms);
        BOOST_TEST((t.last == w.truth()));
    }
}

BOOST_AUTO_TEST_CASE(destroying_the_io_context_destroys_all_waits_and_watches) {
    std::weak_ptr<int> left;
    for (int turns = 0; turns < 120; ++turns) {
        {
            busy w;
            left = w.token;
            w.start_next();
            w.other.on_change([t = w.token](job_change const&) {});
            w.turn(turns / 2);
            w.disturb();
            w.turn(turns);
        }
        BOOST_TEST(left.expired(), "left after " << turns << " turns");
    }
}

BOOST_AUTO_TEST_CASE(a_callback_can_destroy_its_watch) {
    busy w;
    int pushed = 0;
    w.other.on_change([&](job_change const&) {
        ++pushed;
        w.other = job_watch();
        w.stop();
    });
    w.start_next();
    BOOST_TEST(w.until([&] { return !w.reading; }));
    w.disturb();
    w.run(100ms);
    BOOST_TEST(pushed == 1);

    busy again;
    again.watch.async_next([&](error_code, job_change const&) {
        again.watch = again.client.watch(pytorch_jobs());
        again.start_next();
    });
    BOOST_TEST(again.until([&] { return again.next_error.has_value(); }));
    BOOST_TEST(!*again.next_error);
}

/// The condition is evaluated by the informer that the wait shares with others.
BOOST_AUTO_TEST_CASE(a_condition_can_end_other_waits_and_watches) {
    busy w;
    asio::cancellation_signal stop;
    std::optional<error_code> ended, stopped;
    auto const job = job_reference::to<pytorch_job>("default", "a");
    w.client.async_wait(
        job, until::holds("never", [](job_state const&) { return false; }),
        asio::bind_cancellation_slot(stop.slot(), [&](error_code ec, any_job const&) { stopped = ec; }));
    w.client.async_wait(job,
                        until::holds("spoils",
                                     [&](job_state const& s) {
                                         stop.emit(asio::cancellation_type::total);
                                         w.watch = job_watch();
                                         w.other = job_watch();
                                         return !s.ranks.empty();
                                     }),
                        [&](error_code ec, any_job const&) { ended = ec; });
    BOOST_TEST(w.until([&] { return ended && stopped; }));
    BOOST_TEST(!*ended);
    BOOST_TEST(is_cancelled(*stopped));
}

namespace {

using namespace run_rules;

/// Waits for the end of a job that has none.
struct waited_for final : subject {
    waited_for(asio::io_context& io, std::shared_ptr<int> const& t) : server(io.get_executor()), token(t) {
        BOOST_REQUIRE(server.register_resource(local::resource_for(job_rules_for<pytorch_job>())).has_value());
        client.emplace(kube::client(server.transport()));
        auto stored = client->submit(job_watch_cluster::sample("j"));
        BOOST_REQUIRE_MESSAGE(stored.has_value(), (stored ? "" : stored.error().to_string()));
        job = *stored;
    }
    void run(run_handler handler) override {
        auto const never = [t = token](job_state const&) { return false; };
        auto shared = std::make_shared<run_handler>(std::move(handler));
        auto const slot = asio::get_associated_cancellation_slot(*shared);
        auto const executor = asio::get_associated_executor(*shared, client->get_executor());
        client->async_wait(
            job, until::holds("never", never),
            asio::bind_cancellation_slot(slot, asio::bind_executor(executor, [shared](error_code ec, any_job const&) {
                                             std::move (*shared)(ec);
                                         })));
    }
    void destroy() override { client.reset(); }

    apiserver::api_server server;
    std::shared_ptr<int> token;
    std::optional<training_client> client;
    any_job job;
};

std::unique_ptr<subject> wait_for_a_job(asio::io_context& io, std::shared_ptr<int> const& token) {
    return std::make_unique<waited_for>(io, token);
}

} // namespace

BOOST_AUTO_TEST_CASE(waiting_keeps_both_executors_running) { keeps_both_at_work(wait_for_a_job); }
BOOST_AUTO_TEST_CASE(waiting_ends_when_it_is_cancelled) { ends_when_cancelled(wait_for_a_job); }
BOOST_AUTO_TEST_CASE(destroying_the_io_context_destroys_the_wait) { leaves_nothing(wait_for_a_job); }

BOOST_AUTO_TEST_CASE(destroying_the_io_context_destroys_a_coroutine_that_awaits_a_change) {
    auto const token = std::make_shared<int>(0);
    {
        job_watch_cluster w;
        w.submit("a");
        asio::co_spawn(w.io, watch_on(w.client, token), asio::detached);
        BOOST_REQUIRE(w.until([&] { return *token == 1; }));
        w.run(20ms);
        BOOST_TEST(token.use_count() > 1);
    }
    BOOST_TEST(token.use_count() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
