#include "async/probe.hpp"

#include <kftrain/kube/logs.hpp>

#include <boost/asio/error.hpp>

#include <vector>

BOOST_AUTO_TEST_SUITE(async_logs)

using namespace kftrain;
using namespace kftrain::test;
using namespace std::chrono_literals;

namespace {

error_code const eof = asio::error::eof;

struct logged : scripted_client {
    scripted_exchange& log() { return expect("GET", "/api/v1/namespaces/d/pods/p/log?follow=true"); }
    void open() {
        kube::async_logs(client, "d", "p", kube::log_options().with_follow(), opens.handler());
        run();
        if (!opens.ec()) stream = std::move(opens.value());
    }
    std::string line() {
        answer_probe<std::string> p;
        stream.async_read_line(p.handler());
        run();
        last = p.ec();
        return p.value();
    }

    answer_probe<kube::log_stream> opens;
    kube::log_stream stream;
    error_code last;
};

} // namespace

BOOST_AUTO_TEST_CASE(lines_are_split_independently_of_the_pieces) {
    logged c;
    c.log().piece("on").piece("e\ntwo\n\nfo").piece("ur").piece("\n").piece("rest");
    c.open();
    for (auto const* expected : {"one", "two", "", "four", "rest"}) {
        BOOST_TEST(c.line() == expected);
        BOOST_TEST(c.last == error_code());
        BOOST_TEST(c.stream.cut_off() == (std::string_view(expected) == "rest"));
    }
    BOOST_TEST(c.line() == "");
    BOOST_TEST(c.last == eof);
    c.line();
    BOOST_TEST(c.last == eof);
}

BOOST_AUTO_TEST_CASE(a_failure_status_instead_of_a_log_is_an_error) {
    auto const text = status_text("Forbidden", 403, "pods p is forbidden");
    for (std::size_t const first : {std::size_t(1), text.size() / 2, text.size()}) {
        logged c;
        c.log().field("Content-Type", "application/json").piece(text.substr(0, first)).piece(text.substr(first) + "\n");
        c.open();
        BOOST_TEST(is_forbidden(c.opens.ec()));
    }
}

BOOST_AUTO_TEST_CASE(text_of_a_log_that_resembles_a_status_is_text) {
    auto const text = status_text("Forbidden", 403, "pods p is forbidden");
    struct {
        char const* type;
        std::string body;
    } const cases[] = {
        {"text/plain", text},
        {"", text},
        {"application/json", text + "\nmore"},
        {"application/json", "more\n" + text},
        {"application/json", text.substr(0, text.size() / 2)},
        {"application/json", R"({"kind":"Status","apiVersion":"v1","status":"Success"})"},
        {"application/json", R"({"kind":"Status","apiVersion":"config.gatekeeper.sh/v1alpha1","status":"Failure"})"},
        {"application/json", R"({"level":"info","kind":"Pod"})"},
        {"application/json", "{" + std::string(100'000, ' ') + text.substr(1)},
    };
    for (auto const& sample : cases) {
        logged c;
        auto& answer = c.log();
        if (*sample.type != '\0') answer.field("Content-Type", sample.type);
        for (std::size_t at = 0; at < sample.body.size(); at += 1000) answer.piece(sample.body.substr(at, 1000));
        c.open();
        BOOST_TEST_REQUIRE(c.opens.ec() == error_code(), sample.body);
        std::string read;
        for (auto line = c.line(); !c.last; line = c.line()) read += (read.empty() ? "" : "\n") + line;
        BOOST_TEST(read == sample.body);
        BOOST_TEST(c.last == eof);
    }
}

BOOST_AUTO_TEST_CASE(events_before_a_failure_are_delivered_first) {
    logged c;
    c.log().piece("one\ntw").breaks(errc::connection_lost);
    c.open();
    BOOST_TEST(c.line() == "one");
    BOOST_TEST(c.line() == "tw");
    BOOST_TEST(c.last == error_code());
    c.line();
    BOOST_TEST(c.last == make_error_code(errc::connection_lost));
}

BOOST_AUTO_TEST_CASE(a_long_line_is_returned_in_parts) {
    scripted_client c;
    c.expect("GET", "/x").piece("abcdefgh").piece("ij\nk\n");
    kube::http_request r;
    r.method = "GET";
    r.target = "/x";
    answer_probe<std::unique_ptr<kube::body_stream>> p;
    c.client.async_stream(r, kube::call_options(), p.handler());
    c.run();
    kube::log_stream s(std::move(p.value()), c.client.get_executor(), 4);
    for (auto const* expected : {"abcd", "efgh", "ij", "k"}) {
        answer_probe<std::string> line;
        s.async_read_line(line.handler());
        c.run();
        BOOST_TEST(line.value() == expected);
        BOOST_TEST(!s.cut_off());
        BOOST_TEST(s.line_continues() == (std::string_view(expected).size() == 4));
    }
}

BOOST_AUTO_TEST_CASE(a_rejected_log_request_fails_when_the_log_is_opened) {
    logged c;
    c.log().status(400).piece(status_text("BadRequest", 400, "container is waiting to start: ContainerCreating"));
    c.open();
    BOOST_TEST(c.opens.ec() == make_error_code(reason::bad_request));
}

BOOST_AUTO_TEST_CASE(a_pending_read_can_be_cancelled_and_ends_with_the_stream) {
    for (bool cancel : {true, false}) {
        logged c;
        c.log().piece("one\n").hangs();
        c.open();
        BOOST_TEST(c.line() == "one");
        answer_probe<std::string> p;
        c.stream.async_read_line(p.handler());
        BOOST_TEST(!p.called());
        c.run(5ms);
        BOOST_TEST(!p.called());
        if (cancel)
            p.cancel();
        else
            kube::log_stream dropped = std::move(c.stream);
        c.run();
        BOOST_TEST(p.calls() == 1U);
        BOOST_TEST(p.ec() == error_code(asio::error::operation_aborted));
    }
}

BOOST_AUTO_TEST_CASE(a_read_that_times_out_ends_the_log) {
    logged c;
    c.log().piece("one\n").hangs();
    c.open();
    BOOST_TEST(c.line() == "one");
    answer_probe<std::string> p;
    diagnostics why;
    c.stream.async_read_line(kube::next_options().with_timeout(1ms).with_detail(why), p.handler());
    c.run();
    BOOST_TEST(p.ec() == make_error_code(errc::timeout));
    BOOST_TEST(!why.message.empty());
    c.line();
    BOOST_TEST(c.last == error_code(asio::error::operation_aborted));
}

BOOST_AUTO_TEST_SUITE_END()
