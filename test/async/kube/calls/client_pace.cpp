#include "async/kube/calls/pod_requests.hpp"

#include <kftrain/base/logger.hpp>

#include <algorithm>
#include <vector>

BOOST_AUTO_TEST_SUITE(async_client_pace)

using namespace kftrain;
using namespace kftrain::test;
using namespace pod_requests;
using namespace std::chrono_literals;
using kube::call_options;
using kube::client_options;

namespace {

std::string const busy = status_text("TooManyRequests", 429, "later");

/// "{}", packed by gzip.
std::string packed_object() {
    constexpr unsigned char bytes[] = {0x1f, 0x8b, 8, 0,    0,    0,    0,    0, 0, 3, 0xab,
                                       0xae, 5,    0, 0x43, 0xbf, 0xa6, 0xa3, 2, 0, 0, 0};
    return std::string(reinterpret_cast<char const*>(bytes), sizeof(bytes));
}

} // namespace

/// The rate of requests, the user agent, and headers of responses.

BOOST_AUTO_TEST_CASE(all_calls_share_one_retry_budget) {
    scripted_client c(client_options().with_retry_reserve(1).with_retry_share(0));
    c.expect("GET", target).status(429).piece(busy);
    c.expect("GET", target).piece("{}");
    c.expect("GET", target).status(429).piece(busy);
    answer_probe<std::string> first, second;
    diagnostics why;
    c.client.async_call(get(), first.handler());
    c.run();
    BOOST_TEST(first.ec() == error_code());
    c.client.async_call(get(), call_options().with_detail(why), second.handler());
    c.run();
    BOOST_TEST(is_too_many_requests(second.ec()));
    BOOST_TEST(why.message == "later");
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(each_request_adds_to_the_retry_budget) {
    scripted_client c(client_options().with_retry_reserve(1).with_retry_share(1));
    for (int i = 0; i < 3; ++i) {
        c.expect("GET", target).status(429).piece(busy);
        c.expect("GET", target).piece("{}");
    }
    for (int i = 0; i < 3; ++i) {
        answer_probe<std::string> p;
        c.client.async_call(get(), p.handler());
        c.run();
        BOOST_TEST(p.ec() == error_code(), i);
    }
}

BOOST_AUTO_TEST_CASE(requests_above_the_rate_limit_wait_unless_urgent) {
    scripted_client c(client_options().with_requests_per_second(0.2).with_burst(1));
    c.expect("GET", target).piece("{}");
    c.expect("GET", target).piece("{}");
    answer_probe<std::string> first, waiting, urgent;
    c.client.async_call(get(), first.handler());
    c.client.async_call(get(), waiting.handler());
    c.client.async_call(get(), call_options().with_urgent(), urgent.handler());
    c.run(20ms);
    BOOST_TEST(first.ec() == error_code());
    BOOST_TEST(urgent.called());
    BOOST_TEST(!waiting.called());
    waiting.cancel();
    c.run();
    BOOST_TEST(waiting.ec() == error_code(asio::error::operation_aborted));
    BOOST_TEST(c.link->requests().size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_call_that_the_rate_limit_delays_beyond_its_timeout_fails) {
    scripted_client c(client_options().with_requests_per_second(0.001).with_burst(1));
    c.expect("GET", target).piece("{}");
    answer_probe<std::string> first, late;
    c.client.async_call(get(), first.handler());
    c.client.async_call(get(), call_options().with_timeout(5ms), late.handler());
    c.run();
    BOOST_TEST(late.ec() == make_error_code(errc::timeout));
}

BOOST_AUTO_TEST_CASE(cancelled_and_timed_out_calls_use_no_rate_limit_tokens) {
    scripted_client c(client_options().with_requests_per_second(2).with_burst(1));
    c.expect("GET", target).piece("{}");
    c.expect("GET", target).piece("{}");
    std::vector<answer_probe<std::string>> hopeless(100);
    answer_probe<std::string> first, gone, next;
    diagnostics why;
    c.client.async_call(get(), first.handler());
    c.run_until([&] { return first.called(); });
    for (auto& p : hopeless) c.client.async_call(get(), call_options().with_timeout(5ms).with_detail(why), p.handler());
    c.client.async_call(get(), gone.handler());
    c.run_until([&] { return std::ranges::all_of(hopeless, [](auto const& p) { return p.called(); }); });
    for (auto const& p : hopeless) BOOST_TEST(p.ec() == make_error_code(errc::timeout));
    BOOST_TEST(why.message ==
               "GET " + target + ": the client-side rate limit would delay the request past its deadline");
    gone.cancel();
    c.run_until([&] { return gone.called(); });
    c.client.async_call(get(), call_options().with_timeout(10s), next.handler());
    c.run();
    BOOST_TEST(next.ec() == error_code());
}

BOOST_AUTO_TEST_CASE(streams_bypass_the_rate_limit) {
    scripted_client c(client_options().with_requests_per_second(0.001).with_burst(1));
    c.expect("GET", target).piece("{}");
    c.expect("GET", target).piece("line");
    answer_probe<std::string> first;
    answer_probe<std::unique_ptr<kube::body_stream>> stream;
    c.client.async_call(get(), first.handler());
    c.client.async_stream(get(), stream.handler());
    c.run(20ms);
    BOOST_TEST(stream.called());
}

BOOST_AUTO_TEST_CASE(a_disruption_budget_refusal_is_not_retried) {
    scripted_client c;
    c.expect("POST", target + "/eviction")
        .status(429)
        .piece(
            status_text("TooManyRequests", 429, "Cannot evict pod",
                        R"(,"details":{"causes":[{"reason":"DisruptionBudget","message":"the budget b needs 2"}]})"));
    answer_probe<std::string> p;
    diagnostics why;
    c.client.async_call(request::evict("d", "a"), call_options().with_detail(why), p.handler());
    c.run();
    BOOST_TEST(is_too_many_requests(p.ec()));
    BOOST_TEST_REQUIRE(why.causes.size() == 1U);
    BOOST_TEST(why.causes[0].message == "the budget b needs 2");
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_CASE(the_user_agent_contains_the_program) {
    scripted_client c(client_options().with_user_agent("trainer/1.2"));
    c.expect("GET", target).piece("{}");
    answer_probe<std::string> p;
    c.client.async_call(get(), p.handler());
    c.run();
    auto const sent = c.link->requests().at(0).fields.get("User-Agent");
    BOOST_TEST(sent.starts_with("trainer/1.2 (linux"), sent);
    BOOST_TEST(sent.find(") kftrain/") != sent.npos, sent);
}

BOOST_AUTO_TEST_CASE(gzip_responses_are_requested_and_decompressed) {
    scripted_client c(client_options().with_gzip());
    c.expect("GET", target).field("Content-Encoding", "gzip").piece(packed_object());
    c.expect("POST", "/api/v1/namespaces/d/pods").piece("{}");
    c.expect("GET", target).piece("a");
    answer_probe<std::string> read, written;
    answer_probe<std::unique_ptr<kube::body_stream>> stream;
    c.client.async_call(get(), read.handler());
    c.client.async_call(create(), written.handler());
    c.client.async_stream(get(), stream.handler());
    c.run();
    BOOST_TEST(read.value() == "{}");
    BOOST_TEST(c.link->requests().at(0).fields.get("Accept-Encoding") == "gzip");
    BOOST_TEST(c.link->requests().at(1).fields.get("Accept-Encoding") == "");
    BOOST_TEST(c.link->requests().at(2).fields.get("Accept-Encoding") == "");
}

BOOST_AUTO_TEST_CASE(a_compressed_failure_is_decoded_and_damaged_gzip_is_an_error) {
    scripted_client c;
    auto damaged = packed_object();
    damaged.back() = 'x';
    c.expect("GET", target).status(404).field("Content-Encoding", "gzip").piece(packed_object());
    c.expect("GET", target).field("Content-Encoding", "gzip").piece(damaged);
    answer_probe<std::string> refused, broken;
    c.client.async_call(get(), refused.handler());
    c.run();
    BOOST_TEST(is_not_found(refused.ec()));
    c.client.async_call(get(), broken.handler());
    c.run();
    BOOST_TEST(broken.ec() == make_error_code(errc::protocol));
}

BOOST_AUTO_TEST_CASE(long_warnings_are_truncated_and_excess_ones_counted) {
    client_options options;
    std::size_t logged = 0;
    options.logger = logger([&](log_level, std::string_view, std::initializer_list<log_field>) { ++logged; });
    scripted_client c(options);
    auto& answer = c.expect("GET", target).field("Warning", "299 - \"" + std::string(100'000, 'x') + "\"");
    for (int i = 0; i < 100; ++i) answer.field("Warning", "299 - \"w" + std::to_string(i) + "\"");
    answer.piece("{}");
    answer_probe<std::string> p;
    diagnostics why;
    c.client.async_call(get(), call_options().with_detail(why), p.handler());
    c.run();
    BOOST_TEST_REQUIRE(why.warnings.size() == 64U);
    BOOST_TEST(why.warnings[0].size() == 4099U);
    BOOST_TEST(logged == 64U);
}

BOOST_AUTO_TEST_CASE(warnings_go_to_the_call_and_the_hook_and_once_to_the_logger) {
    std::vector<std::string> hooked, logged;
    client_options options;
    options.with_on_warning(
        [&](kube::server_warning const& w) { hooked.push_back(w.method + " " + w.target + ": " + w.text); });
    options.logger = logger(
        [&](log_level, std::string_view message, std::initializer_list<log_field>) { logged.emplace_back(message); });
    scripted_client c(options);
    for (unsigned const status : {200U, 404U, 200U})
        c.expect("GET", target).status(status).field("Warning", R"(299 - "v1 goes away", 299 - "b")").piece("{}");
    for (int i = 0; i < 3; ++i) {
        answer_probe<std::string> p;
        diagnostics why;
        c.client.async_call(get(), call_options().with_detail(why), p.handler());
        c.run();
        BOOST_TEST_REQUIRE(why.warnings.size() == 2U);
        BOOST_TEST(why.warnings[0] == "v1 goes away");
    }
    BOOST_TEST(hooked.size() == 6U);
    BOOST_TEST(hooked[0] == "GET " + target + ": v1 goes away");
    BOOST_TEST(logged.size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
