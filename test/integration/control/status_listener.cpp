#include <kftrain/control/status_listener.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <list>
#include <optional>

BOOST_AUTO_TEST_SUITE(integration_status_listener)

using namespace kftrain;
using namespace kftrain::control;
using namespace std::chrono_literals;
using tcp = asio::ip::tcp;

namespace {

struct served {
    explicit served(status_listener_options o = {}) {
        auto opened = status_listener::open(io.get_executor(), std::move(o));
        BOOST_REQUIRE_MESSAGE(opened.has_value(), (opened ? "" : opened.error().to_string()));
        it.emplace(std::move(*opened));
        it->async_run(asio::bind_cancellation_slot(stop.slot(), [this](error_code ec) { ended = ec; }));
    }
    template <class Done> void until(Done const& done) {
        auto const limit = std::chrono::steady_clock::now() + 20s;
        while (!done() && std::chrono::steady_clock::now() < limit) {
            io.restart();
            io.run_one_for(5ms);
        }
        BOOST_TEST_REQUIRE(done());
    }

    asio::io_context io;
    asio::cancellation_signal stop;
    std::optional<error_code> ended;
    std::optional<status_listener> it;
};

/// A client that sends pieces and reads until the listener closes.
struct peer {
    explicit peer(served& s) : socket(s.io) {
        socket.connect({asio::ip::address_v4::loopback(), s.it->port()});
        asio::async_read(socket, asio::dynamic_buffer(got), [this](error_code, std::size_t) { closed = true; });
    }
    void send(std::string const& text) {
        error_code ignored;
        asio::write(socket, asio::buffer(text), ignored);
    }
    std::string status() const { return got.substr(0, got.find("\r\n")); }

    tcp::socket socket;
    std::string got;
    bool closed = false;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_request_is_answered_and_the_connection_closed) {
    served s(status_listener_options().with_metrics([] { return std::string(300'000, 'x'); }));
    peer p(s);
    for (auto const* piece : {"GET /met", "rics HTTP/1.1\r\nHost: a\r\n", "\r\n"}) {
        BOOST_TEST(!p.closed);
        p.send(piece);
        s.io.restart();
        s.io.run_for(5ms);
    }
    s.until([&] { return p.closed; });
    BOOST_TEST(p.status() == "HTTP/1.1 200 OK");
    BOOST_TEST(p.got.ends_with(std::string(300'000, 'x')));
}

BOOST_AUTO_TEST_CASE(an_unread_request_body_does_not_prevent_the_response) {
    served s;
    peer p(s);
    p.send("POST /metrics HTTP/1.1\r\nContent-Length: 100000\r\n\r\n" + std::string(100'000, 'b'));
    s.until([&] { return !p.got.empty(); });
    s.until([&] { return p.closed; });
    BOOST_TEST(p.status() == "HTTP/1.1 405 Method Not Allowed");
}

BOOST_AUTO_TEST_CASE(an_endless_request_header_is_rejected) {
    served s;
    peer p(s);
    p.send("GET /healthz HTTP/1.1\r\nX: " + std::string(9000, 'x'));
    s.until([&] { return p.closed; });
    BOOST_TEST(p.status() == "HTTP/1.1 431 Request Header Fields Too Large");
}

BOOST_AUTO_TEST_CASE(slow_connections_are_closed) {
    status_listener_options o;
    o.time_limit = 50ms;
    o.metrics = [] { return std::string(20'000'000, 'x'); };
    served s(o);
    peer silent(s);
    silent.send("GET /heal");
    s.until([&] { return silent.closed; });
    BOOST_TEST(silent.got == "");
    tcp::socket deaf(s.io); // requests much, and reads nothing
    deaf.connect({asio::ip::address_v4::loopback(), s.it->port()});
    asio::write(deaf, asio::buffer(std::string("GET /metrics HTTP/1.1\r\n\r\n")));
    s.io.restart();
    s.io.run_for(200ms);
    std::string rest;
    error_code ec;
    asio::read(deaf, asio::dynamic_buffer(rest), ec);
    BOOST_TEST(rest.size() < 20'000'000U);
}

BOOST_AUTO_TEST_CASE(the_oldest_connection_is_closed_at_the_connection_limit) {
    status_listener_options o;
    o.max_connections = 3;
    served s(o);
    std::list<peer> idle;
    for (int i = 0; i < 3; ++i) {
        idle.emplace_back(s);
        s.io.restart();
        s.io.run_for(5ms);
    }
    peer p(s);
    p.send("GET /healthz HTTP/1.1\r\n\r\n");
    s.until([&] { return p.got.ends_with("ok"); });
    s.until([&] { return idle.front().closed; });
    BOOST_TEST(!idle.back().closed);
}

BOOST_AUTO_TEST_CASE(cancelling_or_destroying_a_status_listener_closes_its_connections) {
    for (bool const destroyed : {false, true}) {
        served s;
        peer p(s);
        s.io.restart();
        s.io.run_for(5ms);
        if (destroyed)
            s.it.reset();
        else
            s.stop.emit(asio::cancellation_type::terminal);
        s.until([&] { return p.closed && s.ended; });
        BOOST_TEST(*s.ended == asio::error::operation_aborted);
        if (destroyed) continue;
        std::optional<error_code> again;
        s.it->async_run([&](error_code ec) { again = ec; });
        s.until([&] { return again.has_value(); });
        BOOST_TEST(*again == make_error_code(errc::ended));
    }
}

BOOST_AUTO_TEST_CASE(a_destroyed_status_listener_calls_no_callbacks) {
    bool called_before = false;
    for (int steps = 0; !called_before && steps < 40; ++steps) BOOST_TEST_CONTEXT("destroyed after step " << steps) {
            bool gone = false, called_after = false;
            served s(status_listener_options().with_metrics([&] {
                (gone ? called_after : called_before) = true;
                return std::string();
            }));
            peer p(s);
            p.send("GET /metrics HTTP/1.1\r\n\r\n"); // is there when it is accepted, and so read at once
            for (int i = 0; i < steps; ++i) s.io.poll_one();
            s.it.reset();
            gone = true;
            s.until([&] { return p.closed; });
            BOOST_TEST(!called_after);
        }
    BOOST_TEST(called_before); // all moments until then were tried
}

BOOST_AUTO_TEST_CASE(a_second_concurrent_run_of_a_status_listener_fails) {
    served s;
    std::optional<error_code> second;
    s.it->async_run([&](error_code ec) { second = ec; });
    s.until([&] { return second.has_value(); });
    BOOST_TEST(*second == make_error_code(errc::already_running));
    BOOST_TEST(!s.ended.has_value());
}

BOOST_AUTO_TEST_CASE(an_address_that_cannot_be_bound_is_reported) {
    served s;
    auto const taken = status_listener::open(s.io.get_executor(), status_listener_options().with_port(s.it->port()));
    BOOST_TEST_REQUIRE(!taken.has_value());
    BOOST_TEST(taken.error().to_string().find("cannot listen on 127.0.0.1 port ") != std::string::npos);
    auto const nowhere =
        status_listener::open(s.io.get_executor(), status_listener_options().with_address("localhost"));
    BOOST_TEST_REQUIRE(!nowhere.has_value());
    BOOST_TEST(nowhere.error().to_string() == "address: expected an IP address, got \"localhost\"");
}

BOOST_AUTO_TEST_SUITE_END()
