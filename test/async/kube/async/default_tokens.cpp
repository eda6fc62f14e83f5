#include "async/probe.hpp"

#include <kftrain/kube/api.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/kube/logs.hpp>
#include <kftrain/kube/wait.hpp>
#include <kftrain/kube/with_diagnostics.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include <thread>

using namespace kftrain;
using namespace kftrain::test;
using namespace std::chrono_literals;
using kube::with_diagnostics;

namespace {

std::string const stored =
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"d","resourceVersion":"7"}})";

struct pods : scripted_client {
    pods() = default;

    void refuses(unsigned times = 1) {
        for (unsigned i = 0; i < times; ++i)
            expect("GET", "/api/v1/namespaces/d/pods/a")
                .status(404)
                .piece(status_text("NotFound", 404, "pods \\\"a\\\" not found"));
    }
    void answers() { expect("GET", "/api/v1/namespaces/d/pods/a").piece(stored); }
    template <class Body> void play(Body body) {
        std::exception_ptr thrown;
        asio::co_spawn(context, body(), [&](std::exception_ptr e) { thrown = e; });
        run();
        if (thrown) std::rethrow_exception(thrown);
        BOOST_TEST(link->played());
    }

    kube::api<pod> in_d{client, "d"};
};

void says_not_found(std::exception_ptr const& e) {
    BOOST_REQUIRE(e);
    try {
        std::rethrow_exception(e);
    } catch (error const& x) {
        BOOST_TEST(is_not_found(x.code()));
        BOOST_TEST(x.detail().message == "pods \"a\" not found");
        BOOST_TEST(x.detail().http_status == 404U);
    }
}

void says_aborted(std::exception_ptr const& e, bool more) {
    BOOST_REQUIRE(e);
    try {
        std::rethrow_exception(e);
    } catch (error const& x) {
        BOOST_TEST(x.code() == asio::error::operation_aborted);
        BOOST_TEST(x.detail().message.empty() != more);
    }
}

template <class Executor> asio::awaitable<void, Executor> awaits_in(kube::api<pod> pods) {
    auto const found = co_await pods.async_get("a");
    BOOST_TEST(found.metadata.name == "");
}
template <class Executor> asio::awaitable<void, Executor> deletes_in(kube::api<pod> pods) {
    co_await pods.async_delete("a");
}

} // namespace

BOOST_AUTO_TEST_SUITE(async_default_tokens)

BOOST_AUTO_TEST_CASE(without_a_token_an_operation_is_awaitable) {
    pods c;
    c.answers();
    c.refuses(3);
    c.play([&]() -> asio::awaitable<void> {
        auto const found = co_await c.in_d.async_get("a");
        BOOST_TEST(found.metadata.resource_version == "7");
        std::exception_ptr thrown;
        try {
            co_await c.in_d.async_get("a");
        } catch (...) {
            thrown = std::current_exception();
        }
        says_not_found(thrown);
        diagnostics why;
        try {
            co_await c.in_d.async_get("a", kube::call_options().with_detail(why));
        } catch (error const&) {
            BOOST_TEST(why.message == "pods \"a\" not found");
        }
        auto later = c.in_d.async_get("a");
        try {
            co_await std::move(later)(with_diagnostics(asio::use_awaitable));
        } catch (...) {
            thrown = std::current_exception();
        }
        says_not_found(thrown);
    });
}

BOOST_AUTO_TEST_CASE(options_and_token_are_optional_in_every_operation) {
    pods c;
    std::string const base = "/api/v1/namespaces/d/pods";
    std::string const list = R"({"apiVersion":"v1","kind":"PodList","metadata":{},"items":[]})";
    c.expect("GET", base).piece(list);
    c.expect("GET", base + "?labelSelector=a%3Db").piece(list);
    c.expect("POST", base).piece(stored);
    c.expect("PUT", base + "/a").piece(stored);
    c.expect("PUT", base + "/a/status").piece(stored);
    c.expect("PATCH", base + "/a").piece(stored);
    c.expect("PATCH", base + "/a/status").piece(stored);
    c.expect("DELETE", base + "/a").piece("{}");
    c.expect("DELETE", base + "/a").piece("{}");
    c.expect("GET", base + "/a").piece("text");
    c.expect("GET", base + "/a/log").piece("line\n");
    c.expect("GET", base + "/a/log?previous=true").piece("before\n");
    c.play([&]() -> asio::awaitable<void> {
        pod p;
        p.metadata.name = "a";
        co_await c.in_d.async_list();
        co_await c.in_d.async_list(kube::list_options().with_label_selector("a=b").with_timeout(5s));
        co_await c.in_d.async_create(p);
        co_await c.in_d.async_replace(p);
        co_await c.in_d.async_replace_status(p);
        kube::patch_body const nothing(patch_type::merge, "{}");
        co_await c.in_d.async_patch("a", nothing);
        co_await c.in_d.async_patch_status("a", nothing);
        co_await c.in_d.async_delete("a");
        auto const now = kube::delete_options().with_grace_period_seconds(0).with_retry(false);
        co_await c.in_d.async_delete("a", now);
        auto const text = co_await c.client.async_call(kube::request::get(pod::resource, "d", "a"));
        BOOST_TEST(text == "text");
        auto log = co_await kube::async_logs(c.client, "d", "a");
        auto line = co_await log.async_read_line();
        BOOST_TEST(line == "line");
        auto const before = kube::log_options().with_previous();
        log = co_await kube::async_logs(c.client, "d", "a", before);
        line = co_await log.async_read_line();
        BOOST_TEST(line == "before");
    });
}

BOOST_AUTO_TEST_CASE(coroutines_on_any_executor_get_failures_as_exceptions) {
    pods c;
    c.refuses(3);
    c.expect("DELETE", "/api/v1/namespaces/d/pods/a")
        .status(404)
        .piece(status_text("NotFound", 404, "pods \\\"a\\\" not found"));
    int refused = 0;
    auto const refuse = [&](std::exception_ptr const& e) {
        says_not_found(e);
        ++refused;
    };
    auto const strand = asio::make_strand(c.context);
    asio::co_spawn(strand, awaits_in<asio::strand<asio::io_context::executor_type>>(c.in_d), refuse);
    asio::co_spawn(c.context.get_executor(), awaits_in<asio::io_context::executor_type>(c.in_d), refuse);
    asio::co_spawn(asio::any_io_executor(strand), awaits_in<asio::any_io_executor>(c.in_d), refuse);
    c.run();
    asio::co_spawn(c.context.get_executor(), deletes_in<asio::io_context::executor_type>(c.in_d), refuse);
    c.run();
    BOOST_TEST(refused == 4);
}

BOOST_AUTO_TEST_CASE(a_stored_operation_can_be_started_with_any_token) {
    pods c;
    c.answers();
    c.answers();
    c.refuses(2);
    auto const kept = c.in_d.async_get("a");
    c.run();
    BOOST_TEST(c.link->requests().empty());
    error_code code;
    std::exception_ptr thrown;
    kept([&](error_code ec, pod const&) { code = ec; });
    c.run();
    BOOST_TEST(!code);
    auto found = kept(asio::use_future);
    c.run();
    BOOST_TEST(found.get().metadata.name == "a");
    kept([&](std::exception_ptr e, pod const&) { thrown = e; });
    c.run();
    says_not_found(thrown);
    kept([&](error_code ec, pod const&) { code = ec; });
    c.run();
    BOOST_TEST(is_not_found(code));
}

BOOST_AUTO_TEST_CASE(cancelling_an_awaiting_coroutine_throws_the_diagnostics) {
    pods c;
    c.expect("GET", "/api/v1/namespaces/d/pods/a").hangs();
    asio::cancellation_signal stop;
    std::exception_ptr thrown;
    auto const note = [&](std::exception_ptr e) { thrown = e; };
    asio::co_spawn(c.context, awaits_in<asio::any_io_executor>(c.in_d),
                   asio::bind_cancellation_slot(stop.slot(), note));
    c.run(20ms);
    BOOST_TEST(!thrown);
    stop.emit(asio::cancellation_type::terminal);
    c.run();
    says_aborted(thrown, true);
}

BOOST_AUTO_TEST_CASE(operations_that_are_not_awaited_do_not_start) {
    pods c;
    { auto const never = c.in_d.async_get("a"); }
    c.run();
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(a_failed_wait_throws_the_diagnostics) {
    pods c;
    c.expect("GET", "/api/v1/namespaces/d/pods?fieldSelector=metadata.name%3Da&limit=500&resourceVersion=0")
        .status(403)
        .piece(status_text("Forbidden", 403, "pods is forbidden"));
    c.play([&]() -> asio::awaitable<void> {
        auto const there = [](pod const* p) { return p != nullptr; };
        std::string said;
        try {
            co_await kube::async_wait(c.in_d, "a", there, with_diagnostics(asio::use_awaitable));
        } catch (error const& e) {
            said = e.detail().message;
        }
        BOOST_TEST(said == "pods is forbidden");
    });
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(async_with_diagnostics)

BOOST_AUTO_TEST_CASE(use_awaitable_throws_the_diagnostics) {
    pods c;
    c.refuses(2);
    c.play([&]() -> asio::awaitable<void> {
        std::exception_ptr thrown;
        auto const named = with_diagnostics(asio::use_awaitable); // serves any number of operations
        try {
            co_await c.in_d.async_get("a", named);
        } catch (...) {
            thrown = std::current_exception();
        }
        says_not_found(thrown);
        auto [e, none] = co_await c.in_d.async_get("a", with_diagnostics(asio::as_tuple(asio::use_awaitable)));
        says_not_found(e);
        BOOST_TEST(none.metadata.name.empty());
    });
}

BOOST_AUTO_TEST_CASE(a_deferred_operation_keeps_its_diagnostics) {
    pods c;
    c.refuses();
    auto later = c.in_d.async_get("a", with_diagnostics(asio::deferred));
    c.run();
    std::exception_ptr thrown;
    std::move(later)([&](std::exception_ptr e, pod const&) { thrown = e; });
    c.run();
    says_not_found(thrown);
}

BOOST_AUTO_TEST_CASE(a_future_throws_the_diagnostics) {
    pods c;
    c.refuses();
    c.answers();
    auto refused = c.in_d.async_get("a", with_diagnostics(asio::use_future));
    c.run();
    std::exception_ptr thrown;
    try {
        refused.get();
    } catch (...) {
        thrown = std::current_exception();
    }
    says_not_found(thrown);
    auto found = c.in_d.async_get("a", with_diagnostics(asio::use_future));
    c.run();
    BOOST_TEST(found.get().metadata.resource_version == "7");
}

BOOST_AUTO_TEST_CASE(a_callback_gets_an_exception_and_runs_on_its_executor) {
    pods c;
    c.refuses();
    c.answers();
    asio::thread_pool pool(1);
    std::thread::id ran_on;
    std::exception_ptr thrown;
    auto const note = [&](std::exception_ptr e, pod const&) {
        thrown = e;
        ran_on = std::this_thread::get_id();
    };
    c.in_d.async_get("a", with_diagnostics(asio::bind_executor(pool, note)));
    c.run();
    pool.join();
    says_not_found(thrown);
    BOOST_TEST((ran_on != std::thread::id() && ran_on != std::this_thread::get_id()));
    c.in_d.async_get("a", with_diagnostics(note));
    c.run();
    BOOST_TEST(!thrown);
}

BOOST_AUTO_TEST_CASE(with_diagnostics_also_fills_the_callers_diagnostics) {
    pods c;
    c.refuses();
    diagnostics why;
    std::exception_ptr thrown;
    c.in_d.async_get("a", kube::call_options().with_detail(why),
                     with_diagnostics([&](std::exception_ptr e, pod const&) { thrown = e; }));
    c.run();
    says_not_found(thrown);
    BOOST_TEST(why.message == "pods \"a\" not found");
}

BOOST_AUTO_TEST_CASE(with_diagnostics_forwards_cancellation) {
    pods c;
    c.expect("GET", "/api/v1/namespaces/d/pods/a").hangs();
    asio::cancellation_signal stop;
    std::exception_ptr thrown;
    auto const note = [&](std::exception_ptr e, pod const&) { thrown = e; };
    c.in_d.async_get("a", with_diagnostics(asio::bind_cancellation_slot(stop.slot(), note)));
    c.context.poll();
    BOOST_TEST(!thrown);
    stop.emit(asio::cancellation_type::total);
    c.run();
    says_aborted(thrown, true);
}

BOOST_AUTO_TEST_CASE(operations_of_other_libraries_throw_the_error_code_alone) {
    pods c;
    asio::steady_timer timer(c.context, 1h);
    std::exception_ptr thrown;
    timer.async_wait(with_diagnostics([&](std::exception_ptr e) { thrown = e; }));
    timer.cancel();
    c.run();
    says_aborted(thrown, false);
}

BOOST_AUTO_TEST_CASE(destroying_the_io_context_frees_an_operation_with_diagnostics) {
    auto const token = std::make_shared<int>();
    for (int turns = 0; turns < 8; ++turns) {
        {
            pods c;
            c.expect("GET", "/api/v1/namespaces/d/pods/a").hangs();
            c.in_d.async_get("a", with_diagnostics([token](std::exception_ptr, pod const&) {}));
            for (int i = 0; i < turns; ++i) c.context.poll_one();
        }
        BOOST_TEST(token.use_count() == 1, "after " << turns << " turns");
    }
}

BOOST_AUTO_TEST_SUITE_END()
