#include "async/kube/calls/pod_requests.hpp"

#include <stdexcept>
#include <vector>

BOOST_AUTO_TEST_SUITE(async_client_hooks)

using namespace kftrain;
using namespace kftrain::test;
using namespace pod_requests;
using namespace std::chrono_literals;
using kube::call_options;
using kube::client_options;
using kube::request_report;

namespace {

std::string const busy = status_text("TooManyRequests", 429, "later", R"(,"details":{"retryAfterSeconds":0})");

/// Records the calls of the hooks in order: `attempt 1 get pods 429`, `call 2 get pods 200`.
struct ledger {
    client_options options() {
        auto const note = [this](char const* what) {
            return [this, what](request_report const& r) {
                lines.push_back(std::string(what) + " " + std::to_string(r.attempts) + " " + r.subject.verb + " " +
                                r.subject.resource + " " + std::to_string(r.status));
                reports.push_back(r);
            };
        };
        return client_options()
            .with_user_agent("trainer/1")
            .with_on_attempt(note("attempt"))
            .with_on_request(note("call"));
    }

    std::vector<std::string> lines;
    std::vector<request_report> reports;
};

void expect(std::vector<std::string> const& got, std::vector<std::string> const& wanted) {
    BOOST_TEST(got == wanted, boost::test_tools::per_element());
}

} // namespace

/// The arguments of a client's hooks, and the effects that these may have.

BOOST_AUTO_TEST_CASE(each_attempt_and_each_call_is_reported_once) {
    ledger reported;
    scripted_client c(reported.options());
    c.expect("GET", target).status(429).field("Retry-After", "0").piece(busy);
    c.expect("GET", target).piece("{\"a\"").piece(":1}");
    answer_probe<std::string> p;
    c.client.async_call(get(), p.handler());
    c.run();
    BOOST_TEST(!p.ec());
    expect(reported.lines, {"attempt 1 get pods 429", "attempt 2 get pods 200", "call 2 get pods 200"});
    auto const& [refused, good, all] = std::tie(reported.reports[0], reported.reports[1], reported.reports[2]);
    BOOST_TEST(is_too_many_requests(refused.error));
    BOOST_TEST(refused.message == "later");
    BOOST_TEST(!all.error);
    BOOST_TEST(all.message == "");
    BOOST_TEST(good.bytes_received == 7U);
    BOOST_TEST(all.bytes_received == 7U + busy.size());
    BOOST_TEST(all.subject.namespace_ == "d");
    BOOST_TEST(all.subject.name == "a");
    BOOST_TEST(all.method == "GET");
    BOOST_TEST(all.target == target);
    BOOST_TEST(all.user_agent.starts_with("trainer/1 ("));
    BOOST_TEST((all.duration >= good.duration));
}

BOOST_AUTO_TEST_CASE(a_refused_write_is_reported_with_the_details_for_an_audit) {
    ledger reported;
    scripted_client c(reported.options());
    c.expect("POST", "/api/v1/namespaces/d/pods")
        .status(403)
        .field("Audit-Id", "x-1")
        .piece(status_text("Forbidden", 403, "no, never"));
    answer_probe<std::string> p;
    c.client.async_call(create(), p.handler());
    c.run();
    expect(reported.lines, {"attempt 1 create pods 403", "call 1 create pods 403"});
    auto const& r = reported.reports[1];
    BOOST_TEST(r.subject.mutates());
    BOOST_TEST(is_forbidden(r.error));
    BOOST_TEST(r.message == "no, never");
    BOOST_TEST(r.audit_id == "x-1");
    BOOST_TEST(r.bytes_sent == 2U);
}

BOOST_AUTO_TEST_CASE(calls_without_an_answer_are_reported_too) {
    for (bool const cancels : {false, true}) {
        ledger reported;
        scripted_client c(reported.options());
        c.expect("GET", target).piece("a").hangs();
        answer_probe<std::string> p;
        c.client.async_call(get(), call_options().with_timeout(cancels ? 0ms : 20ms), p.handler());
        c.run(10ms);
        if (cancels) p.cancel();
        c.run();
        error_code const ended = cancels ? error_code(asio::error::operation_aborted) : make_error_code(errc::timeout);
        BOOST_TEST(p.ec() == ended);
        BOOST_TEST_REQUIRE(reported.reports.size() == 2U);
        for (auto const& r : reported.reports) BOOST_TEST(r.error == ended);
    }
}

BOOST_AUTO_TEST_CASE(a_call_that_times_out_in_the_rate_limit_is_reported_without_attempts) {
    ledger reported;
    scripted_client c(reported.options().with_requests_per_second(0.001).with_burst(1));
    c.expect("GET", target).piece("{}");
    answer_probe<std::string> first, late;
    c.client.async_call(get(), first.handler());
    c.client.async_call(get(), call_options().with_timeout(5ms), late.handler());
    c.run();
    expect(reported.lines, {"call 0 get pods 0", "attempt 1 get pods 200", "call 1 get pods 200"});
}

BOOST_AUTO_TEST_CASE(a_stream_is_reported_when_its_header_has_arrived) {
    ledger reported;
    scripted_client c(reported.options());
    c.expect("GET", target).piece("line");
    answer_probe<std::unique_ptr<kube::body_stream>> stream;
    c.client.async_stream(get(), stream.handler());
    c.run(20ms);
    expect(reported.lines, {"attempt 1 get pods 200", "call 1 get pods 200"});
    BOOST_TEST(reported.reports[1].bytes_received == 0U);
}

BOOST_AUTO_TEST_CASE(a_hook_can_add_header_fields) {
    int requests = 0;
    scripted_client c(client_options().with_before_request(
        [&](kube::http_request& r) { r.fields.set("traceparent", "00-" + std::to_string(++requests)); }));
    c.expect("GET", target).status(429).field("Retry-After", "0").piece(busy);
    c.expect("GET", target).piece("{}");
    answer_probe<std::string> p;
    c.client.async_call(get(), p.handler());
    c.run();
    BOOST_TEST(!p.ec());
    BOOST_TEST(c.link->requests().at(0).fields.get("traceparent") == "00-1");
    BOOST_TEST(c.link->requests().at(1).fields.get("traceparent") == "00-2");
}

BOOST_AUTO_TEST_CASE(credentials_that_a_hook_adds_are_hidden) {
    scripted_client c(client_options().with_before_request(
        [](kube::http_request& r) { r.fields.set("Authorization", "Bearer hook-s3cret"); }));
    c.expect("GET", target).status(401).piece(status_text("Unauthorized", 401, "unknown token hook-s3cret"));
    answer_probe<std::string> p;
    diagnostics why;
    c.client.async_call(get(), call_options().with_detail(why), p.handler());
    c.run();
    BOOST_TEST(is_unauthorized(p.ec()));
    BOOST_TEST(why.message == "unknown token [hidden]");
}

BOOST_AUTO_TEST_CASE(exceptions_of_hooks_are_logged_and_ignored) {
    std::vector<std::string> logged;
    auto options = client_options()
                       .with_before_request([](kube::http_request& r) {
                           r.method = "DELETE";
                           throw std::runtime_error("before");
                       })
                       .with_on_attempt([](request_report const&) { throw std::runtime_error("attempt"); })
                       .with_on_request([](request_report const&) { throw 1; });
    options.logger = logger([&](log_level, std::string_view message, std::initializer_list<log_field> fields) {
        logged.push_back(std::string(message) + ": " + fields.begin()->second);
    });
    scripted_client c(options);
    c.expect("GET", target).piece("{}");
    answer_probe<std::string> p;
    c.client.async_call(get(), p.handler());
    c.run();
    BOOST_TEST(!p.ec());
    BOOST_TEST(p.value() == "{}");
    expect(logged, {"a hook of the client threw an exception: before_request",
                    "a hook of the client threw an exception: on_attempt",
                    "a hook of the client threw an exception: on_request"});
}

BOOST_AUTO_TEST_SUITE_END()
