#include "kube/streams/spdy_frames.hpp"
#include "kube/streams/websocket_frames.hpp"

#include <kftrain/kube/blocking.hpp>
#include <kftrain/kube/port_forward.hpp>
#include <kftrain/kube/upgraded_stream.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <deque>

// What servers send that are no API server.

BOOST_AUTO_TEST_SUITE(integration_broken_servers)

using namespace kftrain;
using namespace kftrain::kube::detail;
using namespace std::string_literals;
namespace asio = boost::asio;

namespace {

/// A connection whose peer sends these pieces, and then nothing.
class scripted_peer final : public kube::upgraded_stream {
public:
    scripted_peer(asio::any_io_executor ex, kube::http_fields fields, std::deque<std::string> pieces)
        : upgraded_stream(std::move(fields)), executor_(std::move(ex)), pieces_(std::move(pieces)) {}

    void async_read(kube::any_handler<void(error_code, std::string)> h) override {
        if (!closed_ && pieces_.empty()) return waiting_.push_back(std::move(h));
        error_code ec;
        std::string piece;
        if (closed_) {
            ec = asio::error::operation_aborted;
        } else {
            piece = std::move(pieces_.front());
            pieces_.pop_front();
        }
        asio::post(executor_, [h = std::move(h), ec, piece]() mutable { std::move(h)(ec, piece); });
    }
    void async_write(std::string, kube::any_handler<void(error_code)> h) override {
        asio::post(executor_, [h = std::move(h)]() mutable { std::move(h)(error_code()); });
    }
    void close() noexcept override {
        closed_ = true;
        for (auto& h : std::exchange(waiting_, {}))
            asio::post(executor_, [h = std::move(h)]() mutable {
                std::move(h)(make_error_code(asio::error::operation_aborted), std::string());
            });
    }

private:
    asio::any_io_executor executor_;
    std::deque<std::string> pieces_;
    std::deque<kube::any_handler<void(error_code, std::string)>> waiting_;
    bool closed_ = false;
};

class scripted_server final : public kube::transport {
public:
    explicit scripted_server(asio::any_io_executor ex) : executor_(std::move(ex)) {}

    asio::any_io_executor get_executor() const noexcept override { return executor_; }
    void async_open(kube::http_request r, kube::any_handler<void(error_code, kube::streamed_response)> h) override {
        asio::post(executor_, [this, key = std::string(r.fields.get("Sec-WebSocket-Key")), h = std::move(h)]() mutable {
            kube::streamed_response answer;
            answer.head.status = 101;
            answer.head.fields.add("Upgrade", "websocket");
            answer.head.fields.add("Connection", "Upgrade");
            answer.head.fields.add("Sec-WebSocket-Accept", websocket_accept(key));
            if (!protocol.empty()) answer.head.fields.add("Sec-WebSocket-Protocol", protocol);
            answer.body = std::make_unique<scripted_peer>(executor_, answer.head.fields, pieces);
            std::move(h)(error_code(), std::move(answer));
        });
    }

    std::string protocol;
    std::deque<std::string> pieces;

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

BOOST_AUTO_TEST_SUITE_END()
