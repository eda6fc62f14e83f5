#include "async/kube/calls/pod_requests.hpp"
#include "async/kube/watch/watched_pods.hpp"
#include "support/faulty_transport.hpp"

#include <kftrain/kube/informer.hpp>
#include <kftrain/kube/wait.hpp>

BOOST_AUTO_TEST_SUITE(async_client_answers)

using namespace kftrain;
using namespace kftrain::test;
using namespace pod_requests;
using namespace std::chrono_literals;
using kube::call_options;

// Parts of answers beside the code: times of retries, and secrets that servers repeat.

BOOST_AUTO_TEST_CASE(a_retry_after_that_overflows_is_not_ignored) {
    for (auto const* value : {"99999999999", "99999999999999999999999"}) {
        scripted_client c;
        c.expect("GET", target).status(429).field("Retry-After", value);
        answer_probe<std::string> p;
        c.client.async_call(get(), call_options(), p.handler()); // the deadline comes first, so there is no second try
        c.run();
        BOOST_TEST(p.ec() == make_error_code(reason::too_many_requests));
        BOOST_TEST(c.link->played());
    }
}

BOOST_AUTO_TEST_CASE(an_invalid_retry_after_is_ignored) {
    for (auto const* value : {"soon", "-1", "0.5"}) {
        scripted_client c;
        c.expect("POST", "/api/v1/namespaces/d/pods").status(503).field("Retry-After", value);
        answer_probe<std::string> p;
        c.client.async_call(create(), call_options(), p.handler());
        c.run();
        BOOST_TEST(p.ec() == make_error_code(reason::service_unavailable), value);
        BOOST_TEST(c.link->played());
    }
}

BOOST_AUTO_TEST_CASE(messages_hide_credentials_in_header_fields_of_the_caller) {
    scripted_client c;
    c.expect("GET", target)
        .status(500)
        .field("Content-Type", "text/plain")
        .piece("sent: Basic dXNlcjpodW50ZXIy, hunter2");
    auto request = get().value();
    request.fields.add("Authorization", "Basic dXNlcjpodW50ZXIy"); // user:hunter2
    answer_probe<std::string> p;
    diagnostics why;
    c.client.async_call(request, call_options().with_detail(why).with_retry(false), p.handler());
    c.run();
    BOOST_TEST(why.message == "GET " + target + ": HTTP status 500: sent: Basic [hidden], [hidden]");
}

BOOST_AUTO_TEST_CASE(an_html_page_is_an_error) {
    std::string const page = "<html>log in, " + std::string(5000, '.') + "</html>";
    scripted_client c;
    c.expect("GET", target).field("Content-Type", "Text/HTML; charset=utf-8").piece(page);
    answer_probe<std::string> p;
    diagnostics why;
    c.client.async_call(get(), call_options().with_detail(why), p.handler());
    c.run();
    BOOST_TEST(p.ec() == make_error_code(errc::protocol));
    BOOST_TEST(why.message ==
               "GET " + target + ": expected JSON of a Kubernetes API server, got text/html: " + page.substr(0, 200));

    answer_probe<std::unique_ptr<kube::body_stream>> stream;
    c.expect("GET", target).field("Content-Type", "text/html").piece(page);
    c.client.async_stream(get(), call_options(), stream.handler());
    c.run();
    BOOST_TEST(stream.ec() == make_error_code(errc::protocol));

    // A service behind the server's own proxy answers what it likes.
    auto request = get().value();
    request.target += "/proxy/index.html";
    c.expect("GET", request.target).field("Content-Type", "text/html").piece("<p>");
    answer_probe<std::string> through;
    c.client.async_call(request, call_options(), through.handler());
    c.run();
    BOOST_TEST(!through.ec());

    // The name of an object makes no proxy of it.
    auto const named = request::get(pod::resource, "d", "proxy");
    c.expect("GET", named->target).field("Content-Type", "text/html").piece(page);
    answer_probe<std::string> p_of_name;
    c.client.async_call(named, call_options(), p_of_name.handler());
    c.run();
    BOOST_TEST(p_of_name.ec() == make_error_code(errc::protocol));
    BOOST_TEST(c.link->played());
}

// RFC 9110, 8.3.1: types are compared without regard to case.
BOOST_AUTO_TEST_CASE(a_failure_status_in_a_stream_is_found_for_any_case_of_the_content_type) {
    for (auto const* type : {"application/json", "Application/JSON; charset=utf-8"})
        for (auto const* query : {"", "?fieldManager=watch=", "?watch=false"}) {
            scripted_client c;
            auto r = *get();
            r.target += query;
            c.expect("GET", r.target).field("Content-Type", type).piece(status_text("Forbidden", 403, "no"));
            answer_probe<std::unique_ptr<kube::body_stream>> p;
            c.client.async_stream(r, call_options(), p.handler());
            c.run();
            BOOST_TEST(is_forbidden(p.ec()), type << query << ": " << p.ec().message());
        }
}

BOOST_AUTO_TEST_CASE(the_text_of_a_failure_is_shown_for_any_case_of_the_content_type) {
    scripted_client c;
    c.expect("GET", target).status(403).field("Content-Type", "Text/Plain").piece("by the gate");
    answer_probe<std::string> p;
    diagnostics why;
    c.client.async_call(get(), call_options().with_detail(why), p.handler());
    c.run();
    BOOST_TEST(why.message == "GET " + target + ": HTTP status 403: by the gate");
}

BOOST_AUTO_TEST_CASE(watches_log_no_credentials) {
    watched_pods c;
    std::string logged;
    kube::client_options options;
    options.logger = logger(
        [&](log_level, std::string_view message, std::initializer_list<log_field> fields) {
            logged += message;
            for (auto const& [key, value] : fields) logged += " " + value;
            logged += '\n';
        },
        log_level::debug);
    std::string repaired;
    options.on_repair = [&](resource_info const& what, failure const& why) {
        repaired += std::string(what.plural) + ": " + why.to_string() + "\n";
    };
    c.first_list().piece(pod_list("5", {}));
    c.watch("5")
        .piece(event_text("ADDED", R"({"metadata":{"name":"a","resourceVersion":"6"},"spec":{"priority":"hunter2"}})"))
        .piece(event_text("ERROR", status_text("InternalError", 500, "you sent hunter2")));
    auto const discreet = std::make_shared<faulty_transport>(c.link);
    discreet->hide = [](std::string text) {
        constexpr std::string_view word = "hunter2";
        for (auto at = text.find(word); at != text.npos; at = text.find(word)) text.replace(at, word.size(), "***");
        return text;
    };
    kube::client const quiet(discreet, options);
    kube::informer<pod> pods(kube::api<pod>(quiet, "d"));
    answer_probe<void> runs;
    pods.async_run(runs.handler());
    c.run(100ms);
    runs.cancel();
    c.run();
    BOOST_TEST(logged.find("you sent ***") != logged.npos, logged);
    BOOST_TEST(logged.find("got \"***\"") != logged.npos, logged);
    BOOST_TEST(logged.find("hunter2") == logged.npos, logged);
    BOOST_TEST(repaired == "pods: Pod d/a: spec.priority: expected int32, got \"***\"\npods: you sent ***\n");
}

// client-go rest/request.go, Result.Error(): any status besides Success is an error with any HTTP status.
BOOST_AUTO_TEST_CASE(a_failure_status_in_a_200_response_is_an_error) {
    for (auto const* method : {"GET", "POST", "PUT", "PATCH", "DELETE"})
        for (unsigned const http : {200U, 201U, 202U}) {
            scripted_client c;
            c.expect(method, target).status(http).piece(status_text("Forbidden", 403, "pods a is forbidden"));
            auto r = *get();
            r.method = method;
            answer_probe<std::string> p;
            diagnostics why;
            c.client.async_call(r, call_options().with_detail(why), p.handler());
            c.run();
            BOOST_TEST(is_forbidden(p.ec()), method << p.ec().message());
            BOOST_TEST(why.message == "pods a is forbidden");
            BOOST_TEST(why.http_status == 403U);
        }
}

BOOST_AUTO_TEST_CASE(a_failure_status_is_found_in_any_layout) {
    struct {
        char const* text;
        reason expected;
    } const cases[] = {
        {R"({"apiVersion":"v1","code":409,"kind":"Status","message":"m","reason":"Conflict","status":"Failure"})",
         reason::conflict},
        {" {\n  \"status\": \"Failure\",\n  \"kind\": \"Status\",\n  \"apiVersion\": \"v1\",\n  \"code\": 404\n}\n",
         reason::not_found},
        {R"({"kind":"Status","apiVersion":"v1","status":"Failure"})", reason::unknown},
        {R"({"kind":"Status","apiVersion":"v1"})", reason::unknown},
    };
    for (auto const& sample : cases) {
        scripted_client c;
        c.expect("DELETE", target).piece(sample.text);
        answer_probe<std::string> p;
        c.client.async_call(request::remove(pod::resource, "d", "a"), call_options(), p.handler());
        c.run();
        BOOST_TEST(p.ec() == make_error_code(sample.expected), sample.text);
    }
}

BOOST_AUTO_TEST_CASE(only_failure_statuses_of_v1_are_errors) {
    for (auto const* text : {R"({"kind":"Status","apiVersion":"v1","status":"Success"})",
                             R"({"kind":"Status","apiVersion":"config.gatekeeper.sh/v1alpha1","status":"Failure"})",
                             R"({"kind":"Status","apiVersion":"v1","status":{"phase":"Failure"}})",
                             R"({"kind":"Pod","apiVersion":"v1","status":{"kind":"Status","status":"Failure"}})",
                             R"({"status":"Failure","message":"of no kind"})", "{\"kind\":\"Status\"", ""}) {
        scripted_client c;
        c.expect("GET", target).piece(text);
        answer_probe<std::string> p;
        c.client.async_call(get(), call_options(), p.handler());
        c.run();
        BOOST_TEST(p.ec() == error_code(), text);
        BOOST_TEST(p.value() == text);
    }
}

BOOST_AUTO_TEST_CASE(the_code_of_a_failure_status_decides_about_retries) {
    scripted_client c;
    c.expect("GET", target).piece(status_text("ServiceUnavailable", 503, "later"));
    c.expect("GET", target).piece("{}");
    c.expect("POST", "/api/v1/namespaces/d/pods").piece(status_text("ServiceUnavailable", 503, "later"));
    answer_probe<std::string> a, b;
    c.client.async_call(get(), call_options(), a.handler());
    c.run();
    c.client.async_call(create(), call_options(), b.handler());
    c.run();
    BOOST_TEST(a.value() == "{}");
    BOOST_TEST(b.ec() == make_error_code(reason::service_unavailable));
    BOOST_TEST(c.link->played());
}

BOOST_AUTO_TEST_SUITE_END()
