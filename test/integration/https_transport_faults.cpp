#include "integration/wired_client.hpp"

#include <boost/asio/error.hpp>

#include <optional>

BOOST_AUTO_TEST_SUITE(integration_https_transport_faults)

using namespace kftrain;
using namespace kftrain::test;

// Servers that break off, send something other than HTTP, send nothing, or cannot be reached.

BOOST_AUTO_TEST_CASE(a_truncated_body_is_a_lost_connection) {
    for (auto const* bytes :
         {"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe", "HTTP/1.1 200 OK\r\nContent-Le"}) {
        wire_server s({says(bytes)});
        wired w(s);
        w.get();
        BOOST_TEST(w.last == lost, bytes);
    }
}

BOOST_AUTO_TEST_CASE(a_reset_is_a_lost_connection) {
    wire_server s({[](wire_peer& p) {
        p.read_request();
        p.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc");
        short_while();
        p.reset();
    }});
    wired w(s);
    w.get();
    BOOST_TEST(w.last == lost);
}

BOOST_AUTO_TEST_CASE(events_before_the_failure_are_returned_first) {
    wire_server s({says("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")});
    wired w(s);
    answer_probe<kube::streamed_response> head;
    w.link->async_open(wired::request("GET", "/"), head.handler());
    w.run();
    BOOST_TEST_REQUIRE(head.ec() == error_code());
    std::string text;
    error_code end;
    while (!end) {
        answer_probe<std::string> p;
        head.value().body->async_read(p.handler());
        w.run();
        text += p.value();
        end = p.ec();
    }
    BOOST_TEST(text == "abc");
    BOOST_TEST(end == lost);
}

BOOST_AUTO_TEST_CASE(invalid_http_is_a_protocol_error) {
    for (auto const* bytes : {"SSH-2.0-OpenSSH_9.2\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
                              "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"}) {
        wire_server s({says(bytes)});
        wired w(s);
        w.get();
        BOOST_TEST(w.last == make_error_code(errc::protocol), bytes);
    }
}

BOOST_AUTO_TEST_CASE(long_heads_are_accepted_up_to_the_limit) {
    auto const head = [](std::size_t size) {
        return says("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\nWarning: " + std::string(size, 'w') +
                    "\r\n\r\na");
    };
    wire_server s({head(65'400), head(70'000), head(1'000'000), head(2'000'000)});
    wired w(s);
    for (int i = 0; i < 3; ++i) BOOST_TEST(w.get() == "a");
    w.get();
    BOOST_TEST(w.last == make_error_code(errc::too_large));
}

BOOST_AUTO_TEST_CASE(many_warnings_do_not_turn_success_into_failure) {
    std::string fields;
    for (int i = 0; i < 4000; ++i) fields += "Warning: 299 - \"unknown field " + std::to_string(i) + "\"\r\n";
    wire_server s({says("HTTP/1.1 201 Created\r\nConnection: close\r\nContent-Length: 2\r\n" + fields + "\r\n{}")});
    wired w(s);
    BOOST_TEST(w.call("POST", "/x", "{}") == "{}");
}

BOOST_AUTO_TEST_CASE(chunk_extensions_and_trailers_are_bounded) {
    for (std::string const begin : {"1;x=", "0\r\nTrailer: "}) {
        wire_server s(
            {says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + begin + std::string(3'000'000, 'x'))});
        wired w(s);
        w.get();
        BOOST_TEST(w.last == make_error_code(errc::too_large), begin);
    }
}

BOOST_AUTO_TEST_CASE(a_silent_server_times_out) {
    bool silent = false;
    wire_server s({[&](wire_peer& p) {
        p.read_request();
        silent = p.wait_for_end();
    }});
    wired w(s);
    answer_probe<std::string> p;
    kube::client(w.link).async_call(wired::request("GET", "/"), kube::call_options().with_timeout(40ms), p.handler());
    w.run();
    BOOST_TEST(p.ec() == make_error_code(errc::timeout));
    w.link.reset();
}

BOOST_AUTO_TEST_CASE(a_closed_port_is_a_refused_connection) {
    std::optional<wired> w;
    {
        wire_server s({});
        w.emplace(s);
    }
    w->get();
    BOOST_TEST(w->last == error_code(asio::error::connection_refused));
}

BOOST_AUTO_TEST_CASE(host_names_are_resolved) {
    wire_server s({answers_hello});
    kube::config c;
    c.server = "http://localhost"; // [::1] refuses, if it comes first
    wired w(s, c);
    BOOST_TEST(w.get() == "hello");
    w.link.reset();
    wire_server t({});
    c.server = "http://no-such-name.invalid";
    wired x(t, c);
    x.get();
    BOOST_TEST(x.last);
}

BOOST_AUTO_TEST_SUITE_END()
