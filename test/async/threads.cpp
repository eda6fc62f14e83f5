#include "async/probe.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/kftrain.hpp>
#include <kftrain/kube/watch.hpp>
#include <kftrain/local/served_kinds.hpp>
#include <kftrain/objects/core/config_map.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <vector>

using namespace kftrain;
using namespace kftrain::test;
using core::config_map;
using namespace std::chrono_literals;

namespace {

error_code const aborted = asio::error::operation_aborted;

any_job sample(std::string name) {
    return pytorch_job_builder(std::move(name)).image("example.com/train:1").master().build().value();
}

job_reference named(std::string name) { return job_reference::to<pytorch_job>("default", std::move(name)); }

kube::http_request request(std::string method) {
    kube::http_request r;
    r.method = std::move(method);
    r.target = "/x";
    return r;
}

/// An API server and a client, on an io_context that one thread of its own runs.
struct network {
    network() {
        local::serve_job_kinds(server).value();
        thread = std::thread([this] { context.run(); });
    }
    network(network const&) = delete;
    network& operator=(network const&) = delete;
    ~network() {
        if (thread.joinable()) end();
    }
    void end() {
        work.reset();
        thread.join();
    }
    /// Runs a function on the thread of the network.
    template <class Work> auto run_on_thread(Work function) {
        return asio::post(context, asio::use_future(std::move(function))).get();
    }

    asio::io_context context;
    asio::executor_work_guard<asio::io_context::executor_type> work = asio::make_work_guard(context);
    apiserver::api_server server{context.get_executor()};
    kube::client client{server.transport()};
    training_client jobs{client.thread_safe()};
    std::thread thread;
};

} // namespace

BOOST_AUTO_TEST_SUITE(async_threads)

BOOST_AUTO_TEST_CASE(many_threads_start_operations_of_one_client) {
    constexpr int per_thread = 12;
    constexpr int threads = 6;
    network net;
    std::atomic<int> blocking = 0, awaited = 0, elsewhere = 0, futures = 0, watched = 0, thrown = 0;
    asio::thread_pool pool(threads);
    for (int t = 0; t != threads; ++t) {
        asio::post(pool, [&, t] {
            for (int i = 0; i != per_thread; ++i) {
                auto const name = "a-" + std::to_string(t) + "-" + std::to_string(i);
                if (net.jobs.submit(sample(name))) ++blocking;
                auto found = net.jobs.async_get(named(name), asio::use_future);
                if (found.get().metadata().name == name) ++futures;
                job_watch_options one;
                one.with_job(net.jobs.get(named(name)).value());
                auto watch = net.jobs.watch(one);
                if (watch.async_next(asio::use_future).get().state.job.name == name) ++watched;
            }
        });
        asio::co_spawn(
            asio::make_strand(pool),
            [&, t]() -> asio::awaitable<void> {
                for (int i = 0; i != per_thread; ++i) {
                    auto const name = "b-" + std::to_string(t) + "-" + std::to_string(i);
                    auto job = sample(name);
                    auto const stored = co_await net.jobs.async_submit(std::move(job));
                    if (stored.metadata().name == name) ++awaited;
                    if (std::this_thread::get_id() != net.thread.get_id()) ++elsewhere;
                }
            },
            [&](std::exception_ptr e) {
                if (e) ++thrown;
            });
    }
    pool.join();
    constexpr int all = threads * per_thread;
    BOOST_TEST(thrown == 0);
    BOOST_TEST(blocking == all);
    BOOST_TEST(futures == all);
    BOOST_TEST(watched == all);
    BOOST_TEST(awaited == all);
    BOOST_TEST(elsewhere == all);
    auto const list = net.jobs.list();
    BOOST_TEST_REQUIRE(list.has_value());
    BOOST_TEST(list->items.size() == 2U * all);
}

BOOST_AUTO_TEST_CASE(a_handler_without_an_executor_runs_on_that_of_the_client) {
    network net;
    std::promise<std::thread::id> ran;
    kube::api<pod> const pods(net.client.thread_safe(), "default");
    pods.async_get("a", [&](error_code, pod const&) { ran.set_value(std::this_thread::get_id()); });
    BOOST_TEST((ran.get_future().get() == net.thread.get_id()));
}

BOOST_AUTO_TEST_CASE(logs_and_streams_are_read_from_other_threads) {
    network net;
    BOOST_TEST_REQUIRE(net.jobs.submit(sample("a")).has_value());
    job_log_options now;
    now.with_follow(false);
    auto logs = net.jobs.open_logs(named("a"), now);
    auto const ended = logs.next(kube::next_options().with_timeout(20s));
    BOOST_TEST_REQUIRE(ended.has_error());
    BOOST_TEST(ended.error().code == make_error_code(asio::error::eof));
    kube::api<pytorch_job> const stored(net.client.thread_safe(), "default");
    auto watch = kube::async_watch(stored, kube::watch_options(), asio::use_future).get();
    BOOST_TEST(watch.async_next(asio::use_future).get().object->metadata.name == "a");
    watch = {};
    auto jobs = net.jobs.watch();
    std::promise<std::string> pushed;
    jobs.on_change([&, seen = false](job_change const& c) mutable {
        if (!std::exchange(seen, true)) pushed.set_value(c.state.job.name);
    });
    BOOST_TEST(pushed.get_future().get() == "a");
}

BOOST_AUTO_TEST_CASE(a_thread_safe_handle_starts_operations_inline_on_its_executor) {
    scripted_client c;
    c.expect("GET", "/x").piece("hello");
    kube::client const safe = c.client.thread_safe();
    BOOST_TEST(safe.is_thread_safe());
    BOOST_TEST(!c.client.is_thread_safe());
    answer_probe<std::string> p;
    asio::post(c.context, [&] {
        safe.async_call(request("GET"), p.handler());
        BOOST_TEST(c.link->requests().size() == 1U);
    });
    c.run();
    BOOST_TEST(p.value() == "hello");
}

BOOST_AUTO_TEST_CASE(a_cancellation_before_the_dispatched_start_keeps_the_operation_from_beginning) {
    for (auto const type : {asio::cancellation_type::total, asio::cancellation_type::terminal}) {
        scripted_client c;
        answer_probe<std::string> p;
        c.client.thread_safe().async_call(request("POST"), p.handler());
        p.cancel(type);
        BOOST_TEST(!p.called());
        c.run();
        BOOST_TEST(p.ec() == aborted);
        BOOST_TEST(p.calls() == 1U);
        BOOST_TEST(c.link->requests().empty());
        p.cancel(); // the operation has ended, so this has no effect
        c.run();
        BOOST_TEST(p.calls() == 1U);
    }
}

BOOST_AUTO_TEST_CASE(a_later_cancellation_follows_its_type) {
    scripted_client c;
    c.expect("POST", "/x").hangs();
    answer_probe<std::string> p;
    c.client.thread_safe().async_call(request("POST"), p.handler());
    c.run(20ms);
    BOOST_TEST(c.link->requests().size() == 1U);
    p.cancel(asio::cancellation_type::total); // the request may have been carried out
    c.run(20ms);
    BOOST_TEST(!p.called());
    p.cancel(asio::cancellation_type::terminal);
    c.run();
    BOOST_TEST(p.ec() == aborted);
}

BOOST_AUTO_TEST_CASE(destroying_the_io_context_destroys_an_undispatched_operation) {
    auto const token = std::make_shared<int>();
    asio::cancellation_signal stop;
    {
        scripted_client c;
        c.client.thread_safe().async_call(
            request("GET"), asio::bind_cancellation_slot(stop.slot(), [token](error_code, std::string const&) {}));
        BOOST_TEST(token.use_count() == 2);
    }
    BOOST_TEST(token.use_count() == 1);
    stop.emit(asio::cancellation_type::terminal);
}

BOOST_AUTO_TEST_CASE(a_blocking_call_on_the_thread_of_the_client_is_rejected) {
    network net;
    auto const code = net.run_on_thread([&] { return net.jobs.get(named("a")).error().code; });
    BOOST_TEST(code == make_error_code(errc::would_deadlock));
}

BOOST_AUTO_TEST_CASE(a_blocking_call_ends_with_the_io_context) {
    for (int i = 0; i != 100; ++i) { // the io_context may end while the call is being handed over
        std::promise<error_code> ended;
        auto c = std::make_unique<scripted_client>();
        c->expect("GET", "/apis/kubeflow.org/v1/namespaces/default/pytorchjobs/a").hangs();
        auto work = asio::make_work_guard(c->context);
        training_client const jobs(c->client.thread_safe());
        std::thread caller([&] { ended.set_value(jobs.get(named("a")).error().code); });
        c->wait_for_thread([&] { return !c->link->requests().empty(); });
        work.reset();
        c.reset();
        BOOST_TEST(ended.get_future().get() == aborted);
        caller.join();
    }
}

// The checks of a library that is built for debugging.

namespace {

bool checks_threads(kube::client const& c) {
    bool const checks = !kube::detail::client_access::place_of(c).is_plain();
    if (!checks) BOOST_TEST_MESSAGE("this library does not check threads");
    return checks;
}

error_code read_config(kube::client const& c) {
    std::promise<error_code> ended;
    kube::api<config_map> const maps(c, "default");
    maps.async_list([&](error_code ec, auto const&) { ended.set_value(ec); });
    return ended.get_future().get();
}

} // namespace

BOOST_AUTO_TEST_CASE(starting_an_operation_on_a_wrong_thread_is_an_error) {
    network net;
    if (!checks_threads(net.client)) return;
    auto const wrong = make_error_code(errc::wrong_thread);
    BOOST_TEST(!read_config(net.client.thread_safe())); // the client has worked there
    BOOST_TEST(read_config(net.client) == wrong);
    training_client const jobs(net.client);
    BOOST_TEST(jobs.get(named("a")).error().code == wrong);
    auto watch = net.run_on_thread([&] { return jobs.watch(); });
    BOOST_TEST(watch.next().error().code == wrong);
    net.run_on_thread([&] { return watch = job_watch(), 0; });
    // Streams that were opened beside it end with the error, wherever they are read.
    auto const read_there = [&](auto& stream) {
        std::promise<error_code> read;
        net.run_on_thread([&] {
            stream.async_next([&](error_code ec, auto const&) { read.set_value(ec); });
            return 0;
        });
        return read.get_future().get();
    };
    auto misplaced = jobs.watch();
    BOOST_TEST(read_there(misplaced) == wrong);
    net.run_on_thread([&] { return misplaced = job_watch(), 0; });
    auto logs = jobs.open_logs(named("a"));
    BOOST_TEST(read_there(logs) == wrong);
    net.run_on_thread([&] { return logs = job_log_stream(), 0; });
    // Where it belongs, it goes on.
    std::promise<error_code> ended;
    net.run_on_thread([&] {
        kube::api<config_map>(net.client, "default").async_list([&](error_code ec, auto const&) {
            ended.set_value(ec);
        });
        return 0;
    });
    BOOST_TEST(!ended.get_future().get());
    BOOST_TEST(!read_config(net.client.thread_safe()));
    net.end(); // the client goes afterwards
}

BOOST_AUTO_TEST_CASE(any_thread_can_start_operations_while_the_io_context_does_not_run) {
    network net;
    if (!checks_threads(net.client)) return;
    BOOST_TEST(!read_config(net.client.thread_safe()));
    net.end();
    std::optional<error_code> ended;
    kube::api<config_map>(net.client, "default").async_list([&](error_code ec, auto const&) { ended = ec; });
    net.context.restart();
    net.context.run();
    BOOST_TEST_REQUIRE(ended.has_value());
    BOOST_TEST(!*ended);

    scripted_client c; // its run() does not end; the test stops calling it
    c.expect("GET", "/x").piece("a");
    c.expect("GET", "/x").piece("b");
    answer_probe<std::string> first, second;
    auto work = asio::make_work_guard(c.context);
    c.client.async_call(request("GET"), first.handler());
    std::thread([&] { c.context.run_for(20ms); }).join();
    BOOST_TEST(first.value() == "a");
    c.client.async_call(request("GET"), second.handler());
    c.context.run_for(20ms);
    BOOST_TEST(second.value() == "b");
}

BOOST_AUTO_TEST_CASE(threads_that_run_the_io_context_in_turn_are_accepted) {
    scripted_client c;
    if (!checks_threads(c.client)) return;
    c.expect("GET", "/x").piece("a");
    c.expect("GET", "/x").piece("b");
    answer_probe<std::string> first, second;
    auto work = asio::make_work_guard(c.context);
    c.client.async_call(request("GET"), first.handler());
    c.wait_for_thread([&] { return first.called(); });
    std::thread([&] { // while this thread waits, and does not run the io_context
        c.client.async_call(request("GET"), second.handler());
    })
        .join();
    c.wait_for_thread([&] { return second.called(); });
    BOOST_TEST(second.ec() == error_code());
}

BOOST_AUTO_TEST_SUITE_END()
