#include "async/kube/calls/pod_requests.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/system/system_error.hpp>

#include <thread>

BOOST_AUTO_TEST_SUITE(async_client)

using namespace kftrain;
using namespace kftrain::test;
using namespace pod_requests;
using namespace std::chrono_literals;
using kube::call_options;

BOOST_AUTO_TEST_CASE(a_call_reads_the_whole_body_and_does_not_complete_inline) {
    scripted_client c;
    c.expect("GET", target).piece("{\"a\"").piece(":").piece("1}");
    answer_probe<std::string> p;
    asio::post(c.context, [&] {
        c.client.async_call(get(), call_options(), p.handler());
        BOOST_TEST(!p.called());
    });
    c.run();
    BOOST_TEST(p.calls() == 1U);
    BOOST_TEST(p.ec() == error_code());
    BOOST_TEST(p.value() == "{\"a\":1}");
    BOOST_TEST(c.link->played());
    BOOST_TEST(c.link->abandoned() == 0U);
}

BOOST_AUTO_TEST_CASE(an_unusable_request_is_reported_through_the_handler) {
    scripted_client c;
    answer_probe<std::string> p;
    diagnostics why;
    asio::post(c.context, [&] {
        c.client.async_call(request::get(pod::resource, "d", "a/b"), call_options().with_detail(why), p.handler());
        BOOST_TEST(!p.called());
    });
    c.run();
    BOOST_TEST(p.ec() == make_error_code(errc::invalid_argument));
    BOOST_TEST(why.path == "name");
    BOOST_TEST(c.link->steps() == 0U);
}

BOOST_AUTO_TEST_CASE(a_failed_answer_becomes_a_reason_with_its_status) {
    scripted_client c;
    c.expect("GET", target).status(404).piece(status_text("NotFound", 404, "pods a not found"));
    answer_probe<std::string> p;
    diagnostics why;
    c.client.async_call(get(), call_options().with_detail(why), p.handler());
    c.run();
    BOOST_TEST(is_not_found(p.ec()));
    BOOST_TEST(p.value() == "");
    BOOST_TEST(why.message == "pods a not found");
    BOOST_TEST(why.server_reason == "NotFound");
    BOOST_TEST(why.http_status == 404U);
}

BOOST_AUTO_TEST_CASE(the_reason_of_the_status_object_overrides_the_http_status) {
    scripted_client c;
    c.expect("POST", "/api/v1/namespaces/d/pods").status(409).piece(status_text("AlreadyExists", 409, "exists"));
    c.expect("POST", "/api/v1/namespaces/d/pods").status(409).piece("conflict, says a proxy");
    c.expect("GET", target).status(409);
    answer_probe<std::string> a, b, d;
    c.client.async_call(create(), call_options(), a.handler());
    c.run();
    c.client.async_call(create(), call_options(), b.handler());
    c.run();
    c.client.async_call(get(), call_options(), d.handler());
    c.run();
    BOOST_TEST(is_already_exists(a.ec()));
    BOOST_TEST(is_already_exists(b.ec()));
    BOOST_TEST(is_conflict(d.ec()));
}

BOOST_AUTO_TEST_CASE(failures_without_a_status_object_have_a_message) {
    scripted_client c;
    std::string const page(5000, 'x');
    c.expect("GET", target).status(403).field("Content-Type", "text/html").piece("<p>" + page);
    c.expect("GET", target).status(403).field("Content-Type", "image/png").piece("\x89PNG");
    diagnostics why;
    answer_probe<std::string> a, b;
    c.client.async_call(get(), call_options().with_detail(why), a.handler());
    c.run();
    BOOST_TEST(a.ec() == make_error_code(reason::forbidden));
    BOOST_TEST(why.message == "GET " + target + ": HTTP status 403: <p>" + page.substr(0, 2045));
    c.client.async_call(get(), call_options().with_detail(why), b.handler());
    c.run();
    BOOST_TEST(why.message == "GET " + target + ": HTTP status 403");
}

BOOST_AUTO_TEST_CASE(an_answer_above_the_limit_is_refused) {
    scripted_client c(kube::client_options().with_body_limit(10));
    c.expect("GET", target).piece("12345").piece("67890");
    c.expect("GET", target).piece("12345").piece("678901").piece("more");
    answer_probe<std::string> a, b;
    c.client.async_call(get(), call_options(), a.handler());
    c.run();
    c.client.async_call(get(), call_options(), b.handler());
    c.run();
    BOOST_TEST(a.value() == "1234567890");
    BOOST_TEST(b.ec() == make_error_code(errc::too_large));
    BOOST_TEST(c.link->abandoned() == 1U);
}

BOOST_AUTO_TEST_CASE(memory_for_a_content_length_is_reserved_in_steps) {
    auto const mebi = std::size_t(1024) * 1024;
    std::string const piece(16 * 1024, 'x');
    struct {
        char const* announced;
        std::size_t least, most;
    } const cases[] = {
        {"400000", 400'000, 2 * mebi},                 // at once
        {"500000000", 32 * 1024, 2 * mebi},            // more than was sent makes believe
        {"18446744073709551615", 32 * 1024, 2 * mebi}, //
        {"99999999999999999999999", 0, 2 * mebi},      // no number
        {"-1", 0, 2 * mebi},                           //
        {"0", 0, 2 * mebi},                            // too little: what comes counts
    };
    for (auto const& k : cases) {
        scripted_client c;
        c.expect("GET", target).field("Content-Length", k.announced).piece(piece).piece(piece);
        answer_probe<std::string> p;
        c.client.async_call(get(), call_options(), p.handler());
        c.run();
        BOOST_TEST(p.ec() == error_code());
        BOOST_TEST(p.value() == piece + piece);
        BOOST_TEST(p.value().capacity() >= k.least, k.announced);
        BOOST_TEST(p.value().capacity() <= k.most, k.announced);
    }
    scripted_client small(kube::client_options().with_body_limit(40'000));
    small.expect("GET", target).field("Content-Length", "39999999").piece(piece).piece(piece);
    answer_probe<std::string> p;
    small.client.async_call(get(), call_options(), p.handler());
    small.run();
    BOOST_TEST(p.value().capacity() <= 64U * 1024);
}

BOOST_AUTO_TEST_CASE(status_429_is_retried_for_any_method) {
    scripted_client c;
    std::string const pods = "/api/v1/namespaces/d/pods";
    c.expect("POST", pods).status(429).piece(status_text("TooManyRequests", 429, "slow down"));
    c.expect("POST", pods).status(503).field("Retry-After", "0");
    c.expect("POST", pods).status(201).piece("{}");
    answer_probe<std::string> p;
    diagnostics why;
    c.client.async_call(create(), call_options().with_detail(why), p.handler());
    c.run();
    BOOST_TEST(p.ec() == error_code());
    BOOST_TEST(p.value() == "{}");
    BOOST_TEST(why.message == "");
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(status_5xx_is_retried_for_reads_only) {
    scripted_client c;
    for (unsigned status : {500U, 502U, 503U, 504U}) c.expect("GET", target).status(status);
    c.expect("GET", target).piece("{}");
    c.expect("POST", "/api/v1/namespaces/d/pods").status(503);
    answer_probe<std::string> a, b;
    c.client.async_call(get(), call_options(), a.handler());
    c.run();
    BOOST_TEST(a.ec() == error_code());
    c.client.async_call(create(), call_options(), b.handler());
    c.run();
    BOOST_TEST(b.ec() == make_error_code(reason::service_unavailable));
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(retries_end_with_the_attempts_and_can_be_disabled) {
    scripted_client c(kube::client_options().with_max_attempts(3));
    for (int i = 0; i < 4; ++i) c.expect("GET", target).status(500);
    answer_probe<std::string> a, b;
    c.client.async_call(get(), call_options().with_retry(false), a.handler());
    c.run();
    BOOST_TEST(c.link->requests().size() == 1U);
    c.client.async_call(get(), call_options(), b.handler());
    c.run();
    BOOST_TEST(c.link->requests().size() == 4U);
    BOOST_TEST(b.ec() == make_error_code(reason::internal_error));
}

BOOST_AUTO_TEST_CASE(an_unreachable_server_is_retried_for_any_method) {
    scripted_client c;
    error_code const refused = asio::error::connection_refused;
    for (int i = 0; i < 5; ++i) c.expect("POST", "/api/v1/namespaces/d/pods").refuses(refused);
    answer_probe<std::string> p;
    diagnostics why;
    c.client.async_call(create(), call_options().with_detail(why), p.handler());
    c.run();
    BOOST_TEST(p.ec() == refused);
    BOOST_TEST(why.message.starts_with("POST /api/v1/namespaces/d/pods: "), why.message);
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(a_retry_delay_beyond_the_deadline_fails_at_once) {
    scripted_client c;
    c.expect("GET", target).status(429).field("Retry-After", "30").piece(status_text("TooManyRequests", 429, "busy"));
    answer_probe<std::string> p;
    diagnostics why;
    c.client.async_call(get(), call_options().with_timeout(5s).with_detail(why), p.handler());
    c.run(0ms);
    BOOST_TEST(p.called());
    BOOST_TEST(p.ec() == make_error_code(reason::too_many_requests));
    BOOST_TEST(why.message == "busy");
}

BOOST_AUTO_TEST_CASE(the_handler_runs_on_its_own_executor) {
    scripted_client c;
    c.expect("GET", target).piece("x");
    asio::thread_pool pool(1);
    std::thread::id ran_on;
    c.client.async_call(get(), call_options(), asio::bind_executor(pool, [&](error_code, std::string const&) {
                            ran_on = std::this_thread::get_id();
                        }));
    c.run();
    pool.join();
    BOOST_TEST((ran_on != std::thread::id() && ran_on != std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(every_kind_of_completion_token_works) {
    scripted_client c;
    for (int i = 0; i < 4; ++i) c.expect("GET", target).piece(std::to_string(i));
    c.expect("GET", target).status(404);
    auto future = c.client.async_call(get(), call_options(), asio::use_future);
    c.run();
    BOOST_TEST(future.get() == "0");
    std::string text;
    auto deferred = c.client.async_call(get(), call_options(), asio::deferred);
    std::move(deferred)([&](error_code, std::string t) { text = std::move(t); });
    c.run();
    BOOST_TEST(text == "1");
    auto body = [&]() -> asio::awaitable<void> {
        auto plain = co_await c.client.async_call(get(), call_options(), asio::use_awaitable);
        BOOST_TEST(plain == "2");
        auto [ec, tuple] = co_await c.client.async_call(get(), call_options(), asio::as_tuple(asio::use_awaitable));
        BOOST_TEST(tuple == "3");
        error_code thrown;
        try {
            co_await c.client.async_call(get(), call_options(), asio::use_awaitable);
        } catch (boost::system::system_error const& e) {
            thrown = e.code();
        }
        BOOST_TEST(is_not_found(thrown));
    };
    asio::co_spawn(c.context, body(), asio::detached);
    c.run();
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(a_stream_returns_its_body_in_pieces_after_the_deadline_for_opening) {
    scripted_client c;
    c.expect("GET", target).piece("a").piece("b").hangs();
    answer_probe<std::unique_ptr<kube::body_stream>> p;
    c.client.async_stream(get(), call_options().with_timeout(30ms), p.handler());
    c.run();
    BOOST_TEST_REQUIRE(p.ec() == error_code());
    answer_probe<std::string> a, b, pending;
    p.value()->async_read(a.handler());
    c.run();
    BOOST_TEST(a.value() == "a");
    p.value()->async_read(b.handler());
    c.run();
    BOOST_TEST(b.value() == "b");
    p.value()->async_read(pending.handler());
    c.run(60ms);
    BOOST_TEST(!pending.called());
    pending.cancel();
    c.run();
    BOOST_TEST(pending.ec() == error_code(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_CASE(a_failed_stream_request_is_not_retried) {
    scripted_client c;
    c.expect("GET", target).status(429).field("Retry-After", "0").piece(status_text("TooManyRequests", 429, "busy"));
    answer_probe<std::unique_ptr<kube::body_stream>> p;
    diagnostics why;
    c.client.async_stream(get(), call_options().with_detail(why), p.handler());
    c.run();
    BOOST_TEST(p.ec() == make_error_code(reason::too_many_requests));
    BOOST_TEST(p.value() == nullptr);
    BOOST_TEST(why.message == "busy");
    BOOST_TEST(c.link->requests().size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
