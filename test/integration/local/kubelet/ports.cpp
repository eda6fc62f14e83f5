#include "integration/local/kubelet/running_pod.hpp"

#include "kube/streams/spdy_frames.hpp"
#include "kube/streams/websocket_frames.hpp"

#include <kftrain/kube/port_forward.hpp>
#include <kftrain/kube/port_forwarder.hpp>
#include <kftrain/kube/upgraded_stream.hpp>

#include <boost/asio/bind_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/data/test_case.hpp>

#include <netinet/in.h>
#include <sys/socket.h>

BOOST_AUTO_TEST_SUITE(integration_local_ports)

using namespace kubelet_tests;

namespace {

/// A server on port 8000 of 127.0.0.1, in Python; `serve` is called with each connection `c`.
std::string python_server(std::string const& serve) {
    return "exec /usr/bin/python3 -c '\n"
           "import socket, threading, time, struct\n"
           "def serve(c):\n" +
           serve +
           "s = socket.create_server((\"127.0.0.1\", 8000))\n"
           "print(\"ready\", flush=True)\n"
           "while True: threading.Thread(target=serve, args=(s.accept()[0],)).start()'";
}

std::string const echo = python_server("    while b := c.recv(65536): c.sendall(b)\n    c.close()\n");

/// The connections of this process to a port of any address.
int connections_to(std::uint16_t port) {
    int count = 0;
    for (auto const& file : std::filesystem::directory_iterator("/proc/self/fd")) {
        sockaddr_in peer{};
        socklen_t size = sizeof peer;
        if (::getpeername(std::stoi(file.path().filename()), reinterpret_cast<sockaddr*>(&peer), &size) != 0) continue;
        if (peer.sin_family == AF_INET && ntohs(peer.sin_port) == port) ++count;
    }
    return count;
}

struct forwarded_port : running_pod {
    explicit forwarded_port(way w, std::string const& script = echo) : running_pod(w, shell_pod("a", script)) {
        settle();
    }
    forwarded_port(way w, pod const& p, local::isolation mode) : running_pod(w, p, mode) { settle(); }

    /// Waits for the server of the pod.
    void settle() {
        BOOST_REQUIRE(until([&] {
            auto s = connect();
            auto const closed = !s || write(*s, "?");
            return !closed && read(*s).has_value();
        }));
    }
    result<kube::port_stream> connect(std::uint16_t port = 8000) {
        diagnostics why;
        return kube::run_blocking<kube::port_stream>(io.get_executor(), why, [&](auto h) {
            kube::async_port_forward(client, "default", "a", port, kube::port_forward_options().with_detail(why),
                                     std::move(h));
        });
    }
    result<std::string> read(kube::port_stream& s, std::chrono::seconds limit = 40s) {
        return next<std::string>(s, limit);
    }
    error_code close_output(kube::port_stream& s) {
        return code_of([&](auto h) { s.async_close_output(std::move(h)); });
    }
    /// Reads to the end; why it ended.
    failure finish(kube::port_stream& s, std::string& text) {
        for (;;) {
            auto part = read(s);
            if (!part) return part.error();
            text += *part;
        }
    }
    /// Offers only the protocol of servers before Kubernetes 1.31.
    void use_older_protocol() {
        auto const older = std::make_shared<test::faulty_transport>(transport);
        older->before = [](kube::http_request& r) { r.fields.set("Sec-WebSocket-Protocol", "v4.channel.k8s.io"); };
        client = kube::client(older);
    }
};

} // namespace

BOOST_DATA_TEST_CASE(bytes_go_to_the_port_and_back, boost::unit_test::data::make(ways), how) {
    forwarded_port w(how);
    auto s = w.connect();
    BOOST_REQUIRE_MESSAGE(s.has_value(), (s ? "" : s.error().to_string()));
    std::string sent;
    // More than the buffers on the way hold, in both directions at a time.
    for (int i = 0; i < 512; ++i) sent += std::string(16'000, static_cast<char>('a' + i % 26)) + '\0';
    error_code written, closed;
    s->async_write(sent, [&](error_code ec) {
        written = ec;
        s->async_close_output([&](error_code c) { closed = c; });
    });
    std::string received;
    auto const end = w.finish(*s, received);
    BOOST_TEST(end.code == asio::error::eof, end.to_string());
    BOOST_TEST(!written);
    BOOST_TEST(!closed);
    BOOST_TEST((received == sent));
    BOOST_TEST(w.write(*s, "more") == make_error_code(errc::invalid_argument));
}

BOOST_DATA_TEST_CASE(servers_before_1_31_cannot_end_the_input, boost::unit_test::data::make(ways), how) {
    forwarded_port w(how);
    w.use_older_protocol();
    auto s = w.connect();
    BOOST_REQUIRE(s.has_value());
    std::string const sent(3'000'000, 'x');
    error_code written = errc::timeout;
    s->async_write(sent, [&](error_code ec) { written = ec; });
    std::string received;
    while (received.size() < sent.size()) {
        auto part = w.read(*s);
        BOOST_REQUIRE_MESSAGE(part.has_value(), (part ? "" : part.error().to_string()));
        received += *part;
    }
    BOOST_TEST(!written);
    BOOST_TEST((received == sent));
    BOOST_TEST(w.close_output(*s) == make_error_code(errc::not_supported));
}

BOOST_DATA_TEST_CASE(a_port_without_a_listener_is_reported, boost::unit_test::data::make(ways), how) {
    forwarded_port w(how);
    for (bool const older : {false, true}) {
        if (older) w.use_older_protocol();
        auto s = w.connect(8001);
        BOOST_REQUIRE(s.has_value());
        std::string nothing;
        auto const end = w.finish(*s, nothing);
        BOOST_TEST(end.code == make_error_code(errc::unreachable), end.to_string());
        BOOST_TEST(end.detail.message.find("error forwarding port 8001 to pod a, uid ") == 0U, end.detail.message);
        BOOST_TEST(end.detail.message.find("Connection refused") != std::string::npos, end.detail.message);
    }
}

BOOST_AUTO_TEST_CASE(a_server_on_the_ipv6_loopback_is_reached) {
    std::string script = echo;
    script.replace(script.find("(\"127.0.0.1\", 8000)"), 19, "(\"::1\", 8000), family=socket.AF_INET6");
    forwarded_port w(ways[0], script);
    auto s = w.connect();
    BOOST_REQUIRE(s.has_value());
    BOOST_TEST(!w.write(*s, "abc"));
    BOOST_TEST(w.read(*s).value() == "abc");
}

BOOST_DATA_TEST_CASE(the_end_of_the_pods_bytes_is_the_end, boost::unit_test::data::make(ways), how) {
    forwarded_port w(how, python_server("    c.sendall(b\"hello\")\n    c.close()\n"));
    for (bool const older : {false, true}) {
        if (older) w.use_older_protocol();
        auto s = w.connect();
        BOOST_REQUIRE(s.has_value());
        std::string text;
        auto const end = w.finish(*s, text);
        BOOST_TEST(end.code == asio::error::eof, end.to_string());
        BOOST_TEST(text == "hello");
    }
}

BOOST_DATA_TEST_CASE(a_slow_reader_slows_the_pod, boost::unit_test::data::make(ways), how) {
    shared_folder seen;
    auto const file = (seen.path / "count").string();
    forwarded_port w(how, python_server("    n = 0\n"
                                        "    while n < 40000000:\n"
                                        "        c.sendall(bytes(100000)); n += 100000\n"
                                        "        with open(\"" +
                                        file + "\", \"w\") as f: f.write(str(n))\n    c.close()\n"));
    std::filesystem::remove(file);
    auto s = w.connect();
    BOOST_REQUIRE(s.has_value());
    BOOST_REQUIRE(w.read(*s).has_value());
    std::string count;
    // Until it stands still.
    w.until([&] {
        auto const before = std::exchange(count, seen.text("count"));
        w.io.restart();
        w.io.run_for(300ms);
        return !count.empty() && before == count && seen.text("count") == count;
    });
    BOOST_TEST(std::stol("0" + count) < 30'000'000, "after " << count << " bytes of 40000000");
    std::string all;
    BOOST_TEST(w.finish(*s, all).code == asio::error::eof);
    BOOST_TEST(all.size() > 39'000'000U);
}

BOOST_DATA_TEST_CASE(a_read_can_time_out_and_be_cancelled, boost::unit_test::data::make(ways), how) {
    forwarded_port w(how);
    for (bool const older : {false, true}) {
        if (older) w.use_older_protocol();
        auto s = w.connect();
        BOOST_REQUIRE(s.has_value());
        BOOST_TEST(w.read(*s, 1s).error().code == make_error_code(errc::timeout));
        BOOST_TEST(w.read(*s).error().code == make_error_code(asio::error::operation_aborted));

        auto other = w.connect();
        BOOST_REQUIRE(other.has_value());
        w.cancel_read<std::string>(*other);
    }
}

// The pod notices each end: its file has a byte for each connection that ended.
BOOST_DATA_TEST_CASE(a_connection_can_be_given_up_at_any_moment, boost::unit_test::data::make(ways), how) {
    shared_folder seen;
    auto const file = (seen.path / "ends").string();
    forwarded_port w(how, python_server("    c.sendall(b\"hello\")\n"
                                        "    try:\n"
                                        "        while c.recv(10): pass\n"
                                        "    except OSError: pass\n"
                                        "    with open(\"" +
                                        file + "\", \"a\") as f: f.write(\".\")\n"));
    BOOST_REQUIRE(w.until([&] { return !seen.text("ends").empty(); }));
    std::filesystem::remove(file);
    std::size_t begun = 0;
    for (int steps = 0; steps < 40; ++steps) {
        asio::cancellation_signal stop;
        std::optional<error_code> ended;
        kube::port_stream stream;
        bool read = false;
        kube::async_port_forward(w.client, "default", "a", 8000, kube::port_forward_options(),
                                 asio::bind_cancellation_slot(stop.slot(), [&](error_code ec, kube::port_stream s) {
                                     ended = ec;
                                     if (ec) return;
                                     stream = std::move(s);
                                     stream.async_write("x", [](error_code) {});
                                     stream.async_read([&](error_code, std::string const& text) {
                                         if (text == "hello") ++begun;
                                         read = true;
                                     });
                                 }));
        w.io.restart();
        for (int i = 0; i < steps && !read; ++i) w.io.run_one_for(20ms);
        if (!ended) stop.emit(asio::cancellation_type::terminal);
        bool const connected = ended && !*ended;
        stream = kube::port_stream();
        BOOST_REQUIRE(w.until([&] { return ended && (!connected || read); }));
        BOOST_TEST((!*ended || *ended == asio::error::operation_aborted), ended->message());
        w.until([&] { return read || *ended; });
    }
    BOOST_TEST(begun > 0U);
    BOOST_TEST(w.until([&] { return seen.text("ends").size() >= begun; }));
}

// While nothing is read from a client, only the pings of the server notice its end.
BOOST_DATA_TEST_CASE(the_end_of_a_client_is_noticed_without_reading, boost::unit_test::data::make(ways), how) {
    forwarded_port w(how, python_server("    c.sendall(c.recv(1))\n    time.sleep(1000)\n"));
    for (bool const older : {false, true}) {
        if (older) w.use_older_protocol();
        BOOST_TEST_REQUIRE(w.until([] { return connections_to(8000) == 0; }));
        auto s = w.connect();
        BOOST_REQUIRE(s.has_value());
        int written = 0, before = 0;
        std::function<void(error_code)> const write_on = [&](error_code ec) {
            if (!ec) s->async_write(std::string(1'000'000, 'x'), write_on), ++written;
        };
        write_on({});
        do { // until no buffer on the way takes more
            before = written;
            w.io.restart();
            w.io.run_for(300ms);
        } while (before != written);
        BOOST_TEST(connections_to(8000) == 1);
        *s = kube::port_stream();
        BOOST_TEST(w.until([] { return connections_to(8000) == 0; }));
    }
}

BOOST_DATA_TEST_CASE(the_end_of_the_server_ends_the_connection, boost::unit_test::data::make(ways), how) {
    forwarded_port w(how);
    auto s = w.connect();
    BOOST_REQUIRE(s.has_value());
    BOOST_TEST(!w.write(*s, "x"));
    BOOST_TEST(w.read(*s).value() == "x");
    w.server.close(asio::error::connection_refused);
    BOOST_TEST(w.read(*s).error().code == make_error_code(errc::connection_lost));
}

BOOST_AUTO_TEST_CASE(the_end_of_the_pod_ends_the_connection) {
    forwarded_port w(way::https);
    auto s = w.connect();
    BOOST_REQUIRE(s.has_value());
    BOOST_TEST(!w.write(*s, "x"));
    BOOST_TEST(w.read(*s).value() == "x");
    w.remove_pod("a");
    BOOST_TEST(!w.read(*s).has_value());
}

BOOST_AUTO_TEST_CASE(pods_without_a_network_are_reached_at_127_0_0_1) {
    auto script = echo;
    script.replace(script.find("8000"), 4, "18437");
    auto w = std::make_unique<running_pod>(way::in_process, shell_pod("a", script), local::isolation::processes);
    bool answered = false;
    BOOST_TEST(w->until([&] {
        kube::async_port_forward(w->client, "default", "a", 18437, [&](error_code ec, kube::port_stream s) {
            if (ec) return;
            auto kept = std::make_shared<kube::port_stream>(std::move(s));
            kept->async_write("x", [kept](error_code) {});
            kept->async_read([&answered, kept](error_code, std::string const& text) { answered |= text == "x"; });
        });
        w->io.restart();
        w->io.run_for(200ms);
        return answered;
    }));
}

BOOST_AUTO_TEST_CASE(invalid_port_forward_requests_are_rejected) {
    forwarded_port w(way::in_process);
    BOOST_TEST(w.connect(0).error().code == make_error_code(errc::invalid_argument));
    struct {
        std::string query, protocol, message;
    } const cases[] = {
        {"", "v4.channel.k8s.io", "query parameter \"ports\" is required"},
        {"?ports=0", "v4.channel.k8s.io", "ports: expected numbers from 1 to 65535, got \"0\""},
        {"?ports=80,x", "v4.channel.k8s.io", "ports: expected numbers from 1 to 65535, got \"x\""},
        {"?ports=80", "v5.channel.k8s.io",
         "requested protocol(s) are not supported: [v5.channel.k8s.io]; supports [SPDY/3.1+portforward.k8s.io "
         "v4.channel.k8s.io]"},
    };
    for (auto const& c : cases) {
        kube::http_request r;
        r.method = "GET";
        r.target = "/api/v1/namespaces/default/pods/a/portforward" + c.query;
        for (auto const& [name, value] : {std::pair("Connection", "Upgrade"),
                                          {"Upgrade", "websocket"},
                                          {"Sec-WebSocket-Version", "13"},
                                          {"Sec-WebSocket-Key", "x"}})
            r.fields.add(name, value);
        r.fields.add("Sec-WebSocket-Protocol", c.protocol);
        diagnostics why;
        auto const refused = kube::run_blocking<std::string>(w.io.get_executor(), why, [&](auto h) {
            w.client.async_call(r, kube::call_options().with_detail(why), std::move(h));
        });
        BOOST_REQUIRE(!refused.has_value());
        BOOST_TEST(refused.error().detail.message == c.message);
    }
}

BOOST_DATA_TEST_CASE(a_forwarder_can_be_destroyed_at_any_moment, boost::unit_test::data::make(ways), how) {
    using asio::ip::tcp;
    forwarded_port w(how);
    // After as many steps of the io_context.
    for (int steps = 0; steps < 16; ++steps) {
        std::optional<kube::port_forwarder> forwarder(std::in_place, w.client, "default", "a");
        auto const port = forwarder->listen(8000);
        BOOST_REQUIRE(port.has_value());
        tcp::endpoint const here(asio::ip::address_v4::loopback(), *port);
        tcp::socket socket(w.io);
        socket.connect(here);
        asio::write(socket, asio::buffer("text", 4));
        w.io.restart();
        for (int i = 0; i < steps; ++i) w.io.run_one_for(20ms);
        forwarder.reset();
        std::string answer(64, '\0');
        std::optional<error_code> ended;
        asio::async_read(socket, asio::buffer(answer), [&](error_code ec, std::size_t) { ended = ec; });
        BOOST_REQUIRE(w.until([&] { return ended.has_value(); }));
        BOOST_TEST((*ended == asio::error::eof || *ended == asio::error::connection_reset), ended->message());
        error_code refused;
        tcp::socket(w.io).connect(here, refused);
        BOOST_TEST(refused == asio::error::connection_refused);
    }
}

BOOST_AUTO_TEST_CASE(the_handler_of_failures_may_destroy_its_forwarder) {
    forwarded_port w(way::in_process);
    std::optional<kube::port_forwarder> forwarder(std::in_place, w.client, "default", "a");
    std::optional<failure> why;
    forwarder->on_failure([&](std::uint16_t port, failure const& f) {
        BOOST_TEST(port == 8001);
        why = f;
        forwarder.reset();
    });
    BOOST_TEST(forwarder->listen(0).error().code == make_error_code(errc::invalid_argument));
    auto const local = forwarder->listen(8001);
    BOOST_REQUIRE(local.has_value());
    BOOST_TEST((forwarder->listen(8001, *local).error().code == asio::error::address_in_use));
    asio::ip::tcp::socket socket(w.io);
    socket.connect({asio::ip::address_v4::loopback(), *local});
    BOOST_REQUIRE(w.until([&] { return why.has_value(); }));
    BOOST_TEST(why->code == make_error_code(errc::unreachable));
}

BOOST_AUTO_TEST_CASE(a_stream_without_a_connection_aborts) {
    kube::port_stream s;
    check_without_connection<std::string>(s);
}

BOOST_AUTO_TEST_SUITE_END()
