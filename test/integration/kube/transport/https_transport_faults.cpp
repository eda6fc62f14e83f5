#include "integration/kube/transport/wired_client.hpp"

#include "kube/streams/websocket_frames.hpp"

#include <kftrain/kube/exec.hpp>
#include <kftrain/kube/port_forwarder.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>

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
        wire_server s({responds(bytes)});
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
    wire_server s({responds("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")});
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
        wire_server s({responds(bytes)});
        wired w(s);
        w.get();
        BOOST_TEST(w.last == make_error_code(errc::protocol), bytes);
    }
}

BOOST_AUTO_TEST_CASE(long_heads_are_accepted_up_to_the_limit) {
    auto const head = [](std::size_t size) {
        return responds("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\nWarning: " +
                        std::string(size, 'w') + "\r\n\r\na");
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
    wire_server s({responds("HTTP/1.1 201 Created\r\nConnection: close\r\nContent-Length: 2\r\n" + fields + "\r\n{}")});
    wired w(s);
    BOOST_TEST(w.call("POST", "/x", "{}") == "{}");
}

BOOST_AUTO_TEST_CASE(chunk_extensions_and_trailers_are_bounded) {
    for (std::string const begin : {"1;x=", "0\r\nTrailer: "}) {
        wire_server s(
            {responds("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + begin + std::string(3'000'000, 'x'))});
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

namespace {

std::string binary(std::string const& text) {
    return kube::detail::write_frame(kube::detail::frame_type::binary, text, std::nullopt);
}

/// Switches to WebSocket with this protocol, and sends these bytes.
wire_server::script switches(std::string protocol, std::string bytes) {
    return [protocol = std::move(protocol), bytes = std::move(bytes)](wire_peer& p) {
        auto const request = p.read_request();
        std::string const name = "Sec-WebSocket-Key: ";
        auto const at = request.find(name) + name.size();
        auto const key = request.substr(at, request.find('\r', at) - at);
        p.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
               "Sec-WebSocket-Accept: " +
               kube::detail::websocket_accept(key) + "\r\nSec-WebSocket-Protocol: " + protocol + "\r\n\r\n" + bytes);
        p.wait_for_end();
    };
}

struct broken_switch {
    std::string name;
    wire_server::script script;
    error_code expected;
    std::string message; ///< a part of it
};

std::vector<broken_switch> broken_switches(std::string const& protocol) {
    std::string const denied =
        R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"no rights","reason":)"
        R"("Forbidden","code":403})";
    auto const answer = [](std::string const& status, std::string const& type, std::string const& body) {
        return responds("HTTP/1.1 " + status + "\r\nContent-Type: " + type +
                        "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    };
    return {
        {"a Status", answer("403 Forbidden", "application/json", denied), reason::forbidden, "no rights"},
        {"HTML", answer("502 Bad Gateway", "text/html", "<html>Bad Gateway</html>"), reason::internal_error,
         ": HTTP status 502: <html>Bad Gateway</html>"},
        {"no switch", answer("200 OK", "text/plain", "fine"), errc::protocol, "the server did not switch to WebSocket"},
        {"an end", responds(""), errc::connection_lost, ": connection "},
        {"a cut head", responds("HTTP/1.1 101 Swi"), errc::connection_lost, ": connection "},
        {"an HTTP error after the switch", switches(protocol, "HTTP/1.1 500 Internal Server Error\r\n\r\n"),
         errc::protocol, ""},
        {"another protocol", switches("v3.channel.k8s.io", ""), errc::protocol, ", got \"v3.channel.k8s.io\""},
    };
}

} // namespace

BOOST_AUTO_TEST_CASE(a_command_on_a_broken_server_ends_with_one_error) {
    for (auto const& c : broken_switches("v5.channel.k8s.io")) {
        wire_server s({c.script});
        wired w(s);
        answer_probe<kube::exec_stream> opened;
        kube::async_exec(kube::client(w.link), "default", "a", {"true"}, kube::exec_options().with_detail(w.why),
                         opened.handler());
        w.run();
        auto ec = opened.ec();
        if (!ec) {
            answer_probe<kube::exec_output> p;
            opened.value().async_read(kube::next_options().with_detail(w.why), p.handler());
            w.run();
            ec = p.ec();
        }
        BOOST_TEST(ec == c.expected, c.name << ": " << ec.message());
        BOOST_TEST(w.why.message.find(c.message) != std::string::npos, c.name << ": " << w.why.message);
        BOOST_TEST(s.accepted() == 1U);
    }
}

BOOST_AUTO_TEST_CASE(a_forwarder_survives_a_broken_server) {
    using asio::ip::tcp;
    auto const cases = broken_switches("v4.channel.k8s.io");
    std::vector<wire_server::script> scripts;
    for (auto const& c : cases) scripts.push_back(c.script);
    using kube::detail::frame_type;
    scripts.push_back(
        switches("v4.channel.k8s.io",
                 binary(std::string("\0\x50\0hello", 8)) +
                     kube::detail::write_frame(frame_type::close, kube::detail::close_payload(1000), std::nullopt)));
    wire_server s(scripts);
    wired w(s);
    kube::port_forwarder forwarder(kube::client(w.link), "default", "a");
    std::vector<failure> failures;
    forwarder.on_failure([&](std::uint16_t, failure const& why) { failures.push_back(why); });
    auto const port = forwarder.listen(80).value();
    for (std::size_t i = 0; i <= cases.size(); ++i) {
        tcp::socket local(w.context);
        local.connect({asio::ip::address_v4::loopback(), port});
        std::string received;
        std::optional<error_code> ended;
        asio::async_read(local, asio::dynamic_buffer(received), [&](error_code ec, std::size_t) { ended = ec; });
        w.context.restart();
        while (!ended && w.context.run_one_for(20s) != 0) {}
        BOOST_TEST_REQUIRE(ended.has_value());
        if (i == cases.size()) {
            BOOST_TEST(received == "hello");
            break;
        }
        BOOST_TEST(received.empty(), cases[i].name);
        BOOST_TEST_REQUIRE(failures.size() == i + 1);
        BOOST_TEST(failures[i].code == cases[i].expected, cases[i].name << ": " << failures[i].to_string());
        BOOST_TEST(failures[i].detail.message.find(cases[i].message) != std::string::npos, failures[i].to_string());
    }
    BOOST_TEST(failures.size() == cases.size());
}

BOOST_AUTO_TEST_SUITE_END()
