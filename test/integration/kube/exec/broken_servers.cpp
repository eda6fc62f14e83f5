#include "kube/streams/spdy_frames.hpp"
#include "kube/streams/websocket_frames.hpp"
#include "support/simulated_time.hpp"

#include <kftrain/kube/blocking.hpp>
#include <kftrain/kube/exec.hpp>
#include <kftrain/kube/port_forward.hpp>
#include <kftrain/kube/upgraded_stream.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <deque>

// Responses that no API server sends.

BOOST_AUTO_TEST_SUITE(integration_broken_servers)

using namespace kftrain;
using namespace kftrain::kube::detail;
using namespace std::chrono_literals;
using namespace std::string_literals;
namespace asio = boost::asio;

namespace {

/// The behaviour after the first piece of a connection, or before it.
enum class course : std::uint8_t {
    falls_silent, ///< the other pieces follow, then nothing
    resumes,      ///< the other pieces follow after a while, then the end
    breaks,       ///< the connection is lost after a while
    unreachable,  ///< there is no connection
};

/// Sends these pieces.
class scripted_peer final : public kube::upgraded_stream {
public:
    scripted_peer(asio::any_io_executor ex, kube::http_fields fields, std::deque<std::string> pieces,
                  std::chrono::seconds away, course how)
        : upgraded_stream(std::move(fields)),
          executor_(ex),
          pieces_(std::move(pieces)),
          how_(how),
          away_(away),
          wait_(ex) {}

    void async_read(kube::any_handler<void(error_code, std::string)> h) override {
        wait_.expires_after(++reads_ == 2 ? away_ : 0s);
        if (how_ == course::falls_silent && pieces_.empty()) wait_.expires_at(timer::time_point::max());
        wait_.async_wait([this, h = std::move(h)](error_code ec) mutable {
            if (!ec && reads_ > 1 && how_ == course::breaks) ec = errc::connection_lost;
            if (!ec && pieces_.empty()) ec = asio::error::eof;
            std::string piece;
            if (!ec) {
                piece = std::move(pieces_.front());
                pieces_.pop_front();
            }
            std::move(h)(ec, std::move(piece));
        });
    }
    void async_write(std::string, kube::any_handler<void(error_code)> h) override {
        asio::post(executor_, [h = std::move(h)]() mutable { std::move(h)(error_code()); });
    }
    void close() noexcept override { wait_.cancel(); }

private:
    asio::any_io_executor executor_;
    std::deque<std::string> pieces_;
    course how_;
    std::chrono::seconds away_;
    timer wait_;
    int reads_ = 0;
};

/// Switches each request to a WebSocket with a scripted_peer.
class scripted_server final : public kube::transport {
public:
    explicit scripted_server(asio::any_io_executor ex) : executor_(std::move(ex)) {}

    asio::any_io_executor get_executor() const noexcept override { return executor_; }
    void async_open(kube::http_request r, kube::any_handler<void(error_code, kube::streamed_response)> h) override {
        ++requests;
        error_code ec;
        kube::streamed_response answer;
        if (how == course::unreachable) {
            ec = asio::error::connection_refused;
        } else {
            auto& [status, fields] = answer.head;
            status = 101;
            fields.add("Upgrade", "websocket");
            fields.add("Connection", "Upgrade");
            fields.add("Sec-WebSocket-Accept", websocket_accept(std::string(r.fields.get("Sec-WebSocket-Key"))));
            if (!protocol.empty()) fields.add("Sec-WebSocket-Protocol", protocol);
            answer.body = std::make_unique<scripted_peer>(executor_, fields, pieces, away, how);
        }
        auto const wait = std::make_shared<timer>(executor_, ec ? away : 0s);
        wait->async_wait([wait, ec, h = std::move(h), a = std::move(answer)](error_code) mutable {
            std::move(h)(ec, std::move(a));
        });
    }

    std::string protocol;
    std::deque<std::string> pieces;
    course how = course::falls_silent;
    std::chrono::seconds away{0};
    int requests = 0;

private:
    asio::any_io_executor executor_;
};

std::string message(std::string const& payload) { return write_frame(frame_type::binary, payload, std::nullopt); }

} // namespace

BOOST_AUTO_TEST_CASE(a_client_reports_what_a_broken_server_sends) {
    auto const tunnel = "SPDY/3.1+portforward.k8s.io"s, channels = "v4.channel.k8s.io"s;
    auto const too_long = "\x82\x7f\xff\xff\xff\xff\xff\xff\xff\xff"s;
    auto const lost = make_error_code(errc::connection_lost), broken = make_error_code(errc::protocol);
    struct {
        std::string protocol;
        std::deque<std::string> pieces;
        error_code expected;
        std::string why;
    } const cases[] = {
        {"", {}, broken, "expected the protocol SPDY/3.1+portforward.k8s.io or v4.channel.k8s.io, got \"\""},
        {"v5.channel.k8s.io",
         {},
         broken,
         "expected the protocol SPDY/3.1+portforward.k8s.io or v4.channel.k8s.io, got \"v5.channel.k8s.io\""},
        {tunnel, {"\xff\xff"}, broken, ""},
        {tunnel, {message("\x80\x02garbage")}, broken, ""},
        {tunnel, {message(""), too_long}, errc::too_large, ""},
        {tunnel, {message(spdy_writer::rst_stream(3, spdy_reset::refused_stream))}, lost, ""},
        {tunnel,
         {message(spdy_writer::data(1, "no such port", true) + spdy_writer::data(3, {}, true))},
         errc::unreachable,
         "no such port"},
        {tunnel, {message(spdy_writer().syn_stream(1, {}, false))}, broken, ""},
        {tunnel, {write_frame(frame_type::close, close_payload(1000), std::nullopt)}, lost, ""},
        {channels,
         {message("\x01\x50"), message("\x01"), message("\1\0no such port"s)},
         errc::unreachable,
         "no such port"},
        {channels, {too_long}, errc::too_large, ""},
        {channels,
         {message("\x00\x50\x00"s), write_frame(frame_type::close, close_payload(1000), std::nullopt)},
         make_error_code(asio::error::eof),
         ""},
    };
    for (auto const& c : cases) {
        asio::io_context io;
        auto const server = std::make_shared<scripted_server>(io.get_executor());
        server->protocol = c.protocol;
        server->pieces = c.pieces;
        kube::client const client(server);
        diagnostics why;
        auto stream = kube::run_blocking<kube::port_stream>(io.get_executor(), why, [&](auto h) {
            kube::async_port_forward(client, "default", "a", 80, kube::port_forward_options().with_detail(why),
                                     std::move(h));
        });
        failure end = stream ? failure(error_code(), diagnostics()) : stream.error();
        if (stream) {
            auto const limit = std::chrono::seconds(30);
            auto const part = kube::run_blocking<std::string>(io.get_executor(), why, [&](auto h) {
                stream->async_read(kube::next_options().with_timeout(limit).with_detail(why), std::move(h));
            });
            BOOST_REQUIRE(!part.has_value());
            end = part.error();
        }
        BOOST_TEST(end.code == c.expected, end.code.message() << " of " << c.expected.message());
        BOOST_TEST(end.detail.message == c.why);
    }
}

// After any number of steps, also between the arrival of a ping and its answer.
BOOST_AUTO_TEST_CASE(a_cancelled_read_always_ends_the_stream) {
    for (int steps = 0; steps < 12; ++steps) {
        asio::io_context io;
        auto const server = std::make_shared<scripted_server>(io.get_executor());
        server->protocol = "v5.channel.k8s.io";
        server->pieces = {write_frame(frame_type::ping, "", std::nullopt)};
        diagnostics why;
        auto stream = kube::run_blocking<kube::exec_stream>(io.get_executor(), why, [&](auto h) {
            kube::async_exec(kube::client(server), "default", "a", {"true"}, std::move(h));
        });
        BOOST_REQUIRE(stream.has_value());
        asio::cancellation_signal stop;
        error_code first, second;
        stream->async_read(
            asio::bind_cancellation_slot(stop.slot(), [&](error_code ec, kube::exec_output) { first = ec; }));
        io.restart();
        for (int i = 0; i < steps; ++i) io.poll_one();
        stop.emit(asio::cancellation_type::terminal);
        io.poll();
        if (!first) break; // the ping was read before
        BOOST_TEST(first == asio::error::operation_aborted);
        stream->async_read([&](error_code ec, kube::exec_output) { second = ec; });
        io.restart();
        io.poll();
        BOOST_TEST(second == asio::error::operation_aborted, "after " << steps << " steps");
    }
}

namespace {

/// Opens a stream by `start` and reads it to its end; returns its text and its error.
template <class Stream, class Start> std::string text_and_end(course how, std::chrono::seconds away, Start start) {
    asio::io_context io;
    test::simulated_time::install_free(io);
    auto const server = std::make_shared<scripted_server>(io.get_executor());
    server->how = how;
    server->away = away;
    if (std::is_same_v<Stream, kube::exec_stream>) {
        server->protocol = "v5.channel.k8s.io";
        server->pieces = {message("\1one"), message("\1two"),
                          message("\3"
                                  R"({"metadata":{},"status":"Success"})")};
    } else {
        server->protocol = "v4.channel.k8s.io";
        server->pieces = {message("\0\x50\0"s + "one"), message("\0two"s),
                          write_frame(frame_type::close, close_payload(1000), std::nullopt)};
    }
    kube::client const client(server);
    diagnostics why;
    auto stream = kube::run_blocking<Stream>(io.get_executor(), why, [&](auto h) { start(client, std::move(h)); });
    BOOST_TEST(server->requests == 1); // nothing is done twice
    if (!stream) return "(" + stream.error().code.message() + ")";
    std::string text;
    for (;;) {
        error_code ended = errc::timeout;
        auto const take = [&](error_code ec, auto part) {
            ended = ec;
            if constexpr (std::is_same_v<decltype(part), std::string>)
                text += part;
            else
                text += part.text;
        };
        stream->async_read(take);
        io.restart();
        // The stream sends pings as long as it lives.
        while (ended == make_error_code(errc::timeout) && io.run_one() != 0) {}
        if (ended) return text + "(" + ended.message() + ")";
    }
}

} // namespace

BOOST_AUTO_TEST_CASE(an_outage_ends_in_a_recovery_or_one_error) {
    auto const message_of = [](auto code) { return "(" + error_code(code).message() + ")"; };
    auto const eof = message_of(asio::error::eof), lost = message_of(make_error_code(errc::connection_lost));
    for (auto const away : {1s, 5s, 30s}) {
        auto const check = [&](std::string const& what, auto run) {
            BOOST_TEST_CONTEXT(what << ", away for " << away.count() << " s") {
                BOOST_TEST(run(course::resumes) == "onetwo" + eof);
                BOOST_TEST(run(course::breaks) == "one" + lost);
                BOOST_TEST(run(course::unreachable) == message_of(asio::error::connection_refused));
            }
        };
        check("exec", [&](course how) {
            return text_and_end<kube::exec_stream>(how, away, [](kube::client const& c, auto h) {
                kube::async_exec(c, "default", "a", {"true"}, std::move(h));
            });
        });
        check("attach", [&](course how) {
            return text_and_end<kube::exec_stream>(
                how, away, [](kube::client const& c, auto h) { kube::async_attach(c, "default", "a", std::move(h)); });
        });
        check("port-forward", [&](course how) {
            return text_and_end<kube::port_stream>(how, away, [](kube::client const& c, auto h) {
                kube::async_port_forward(c, "default", "a", 80, std::move(h));
            });
        });
    }
}

BOOST_AUTO_TEST_SUITE_END()
