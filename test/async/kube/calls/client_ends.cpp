#include "async/kube/calls/pod_requests.hpp"

#include <boost/asio/append.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/system_executor.hpp>

#include <thread>

BOOST_AUTO_TEST_SUITE(async_client_ends)

using namespace kftrain;
using namespace kftrain::test;
using namespace pod_requests;
using namespace std::chrono_literals;
using kube::call_options;

// How a call ends that does not succeed: by an error, a cancellation, a deadline, with its client or its context.

BOOST_AUTO_TEST_CASE(each_failing_step_ends_the_call_with_its_error) {
    for (std::size_t step = 0; step < 3; ++step) {
        scripted_client c;
        c.expect("GET", target).piece("a").piece("b");
        c.link->fail_at(step, errc::connection_lost);
        answer_probe<std::string> p;
        c.client.async_call(get(), call_options(), p.handler());
        c.run();
        BOOST_TEST(p.calls() == 1U);
        BOOST_TEST(p.ec() == make_error_code(errc::connection_lost));
        BOOST_TEST(p.value() == "");
    }
}

BOOST_AUTO_TEST_CASE(a_call_can_be_cancelled_at_each_step) {
    for (auto type :
         {asio::cancellation_type::total, asio::cancellation_type::partial, asio::cancellation_type::terminal})
        for (std::size_t step = 0; step < 4; ++step) {
            scripted_client c;
            c.expect("GET", target).piece("a").piece("b");
            answer_probe<std::string> p;
            c.link->hang_at(step, [&] { p.cancel(type); });
            c.client.async_call(get(), call_options(), p.handler());
            c.run();
            BOOST_TEST(p.calls() == 1U);
            BOOST_TEST(p.ec() == error_code(asio::error::operation_aborted));
            BOOST_TEST(c.link->abandoned() == 1U);
        }
}

BOOST_AUTO_TEST_CASE(a_call_can_be_cancelled_at_once_and_while_it_waits) {
    scripted_client c;
    c.expect("GET", target).piece("x");
    c.expect("GET", target).status(429).field("Retry-After", "20");
    answer_probe<std::string> early, waiting;
    c.client.async_call(get(), call_options(), early.handler());
    early.cancel();
    c.run();
    BOOST_TEST(early.ec() == error_code(asio::error::operation_aborted));
    c.client.async_call(get(), call_options(), waiting.handler());
    c.run(50ms);
    BOOST_TEST(!waiting.called());
    waiting.cancel();
    c.run();
    BOOST_TEST(waiting.ec() == error_code(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(a_write_accepts_no_total_cancellation_once_sent) {
    scripted_client c;
    c.expect("POST", "/api/v1/namespaces/d/pods").hangs();
    answer_probe<std::string> p;
    c.link->hang_at(1, [&] {
        p.cancel(asio::cancellation_type::total);
        asio::post(c.context, [&] {
            BOOST_TEST(!p.called());
            p.cancel(asio::cancellation_type::partial);
        });
    });
    c.client.async_call(create(), call_options(), p.handler());
    c.run();
    BOOST_TEST(p.ec() == error_code(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(the_deadline_applies_to_each_step) {
    for (std::size_t step = 0; step < 3; ++step) {
        scripted_client c;
        c.expect("GET", target).piece("a").piece("b");
        c.link->hang_at(step, [] {});
        answer_probe<std::string> p;
        diagnostics why;
        c.client.async_call(get(), call_options().with_timeout(20ms).with_detail(why), p.handler());
        c.run();
        BOOST_TEST(p.ec() == make_error_code(errc::timeout));
        BOOST_TEST(why.message == "GET " + target + ": not complete after 20 ms");
    }
}

BOOST_AUTO_TEST_CASE(a_pending_call_outlives_the_client_object) {
    scripted_client c;
    c.expect("GET", target).piece("x");
    answer_probe<std::string> p;
    {
        auto link = c.link;
        std::optional<kube::client> handle(std::in_place, link);
        handle->async_call(get(), call_options(), p.handler());
    }
    c.run();
    BOOST_TEST(p.value() == "x");
}

BOOST_AUTO_TEST_CASE(a_call_completes_on_its_executor_with_any_transport) {
    // On a thread of its own, to where the handler wants to run.
    auto const complete = [](auto handler, auto value, error_code ec = {}) {
        asio::post(asio::system_executor(), [h = std::move(handler), v = std::move(value), ec]() mutable {
            asio::dispatch(asio::append(std::move(h), ec, std::move(v)));
        });
    };
    using completing = decltype(complete);
    struct careless_body final : kube::body_stream {
        explicit careless_body(completing c) : finish(c) {}
        void async_read(kube::any_handler<void(error_code, std::string)> h) override {
            finish(std::move(h), std::string(), error_code(asio::error::eof));
        }
        completing finish;
    };
    struct careless final : kube::transport {
        careless(asio::any_io_executor e, completing c) : executor(std::move(e)), finish(c) {}
        asio::any_io_executor get_executor() const noexcept override { return executor; }
        void async_open(kube::http_request, kube::any_handler<void(error_code, kube::streamed_response)> h) override {
            kube::streamed_response answer;
            answer.head.status = 200;
            answer.body = std::make_unique<careless_body>(finish);
            finish(std::move(h), std::move(answer));
        }
        asio::any_io_executor executor;
        completing finish;
    };
    asio::io_context context;
    std::thread::id ran_on;
    kube::client(std::make_shared<careless>(context.get_executor(), complete))
        .async_call(get(), call_options().with_timeout(0ms), [&](error_code ec, std::string const&) {
            BOOST_TEST(!ec);
            ran_on = std::this_thread::get_id();
        });
    context.run(); // the call keeps it at work
    BOOST_TEST((ran_on == std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(destroying_the_io_context_destroys_a_call_that_has_not_run) {
    std::weak_ptr<answer_probe<std::string>::state> weak;
    {
        scripted_client c;
        c.expect("GET", target).hangs();
        answer_probe<std::string> p;
        weak = p.share();
        c.client.async_call(get(), call_options(), p.handler());
        c.run(10ms);
        BOOST_TEST(!p.called());
    }
    BOOST_TEST(weak.expired());
}

BOOST_AUTO_TEST_SUITE_END()
