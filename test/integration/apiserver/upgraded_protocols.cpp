#include "kube/streams/spdy_frames.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/kube/upgraded_stream.hpp>
#include <kftrain/objects/core.hpp>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <deque>

// Requests of clients other than kubectl.

BOOST_AUTO_TEST_SUITE(integration_upgraded_protocols)

using namespace kftrain;
using namespace kftrain::kube::detail;
using namespace std::string_literals;
namespace asio = boost::asio;

namespace {

/// A port that sends back what it receives.
class echo_port final : public apiserver::port_connection {
public:
    explicit echo_port(asio::any_io_executor ex) : executor_(std::move(ex)) {}

    void async_connect(kube::any_handler<void(error_code, std::string)> h) override {
        asio::post(executor_, [h = std::move(h)]() mutable { std::move(h)(error_code(), std::string()); });
    }
    void async_read(kube::any_handler<void(error_code, std::string)> h) override {
        reader_.push_back(std::move(h));
        meet();
    }
    void async_write(std::string bytes, kube::any_handler<void(error_code)> h) override {
        text_ += bytes;
        asio::post(executor_, [h = std::move(h)]() mutable { std::move(h)(error_code()); });
        meet();
    }
    void close_output() noexcept override {
        ended_ = true;
        meet();
    }
    void close() noexcept override { close_output(); }

private:
    void meet() {
        if (reader_.empty() || (text_.empty() && !ended_)) return;
        error_code ec;
        if (text_.empty()) ec = asio::error::eof;
        asio::post(executor_, [h = std::move(reader_.front()), ec, text = std::exchange(text_, "")]() mutable {
            std::move(h)(ec, std::move(text));
        });
        reader_.pop_front();
    }

    asio::any_io_executor executor_;
    std::deque<kube::any_handler<void(error_code, std::string)>> reader_;
    std::string text_;
    bool ended_ = false;
};

class echo_ports final : public apiserver::pod_exec_source {
public:
    explicit echo_ports(asio::any_io_executor ex) : executor_(std::move(ex)) {}

    apiserver::answer<std::shared_ptr<apiserver::exec_process>> start_exec(apiserver::exec_request const&) override {
        return apiserver::refusal(500, reason::internal_error, "no commands");
    }
    apiserver::answer<std::shared_ptr<apiserver::port_connection>>
    open_port(apiserver::port_request const& r) override {
        if (r.port == 81) return apiserver::refusal(500, reason::internal_error, "no such port");
        return std::shared_ptr<apiserver::port_connection>(std::make_shared<echo_port>(executor_));
    }

private:
    asio::any_io_executor executor_;
};

struct spdy_session {
    spdy_session() {
        core::pod p;
        p.metadata.name = "a";
        p.metadata.namespace_ = "default";
        p.spec.node_name = "local";
        auto& c = p.spec.containers.emplace_back();
        c.name = "main";
        c.image = "none";
        server.add_object(any_object(p)).value();
        server.set_exec_source(std::make_shared<echo_ports>(io.get_executor()));
        stream = open();
    }

    std::unique_ptr<kube::upgraded_stream> open() {
        kube::http_request r;
        r.method = "POST";
        r.target = "/api/v1/namespaces/default/pods/a/portforward";
        r.fields.add("Connection", "Upgrade");
        r.fields.add("Upgrade", "SPDY/3.1");
        r.fields.add("X-Stream-Protocol-Version", "portforward.k8s.io");
        std::unique_ptr<kube::body_stream> body;
        server.transport()->async_open(r, [&](error_code ec, kube::streamed_response answer) {
            BOOST_TEST(!ec);
            BOOST_TEST(answer.head.status == 101U);
            BOOST_TEST(answer.head.fields.get("Upgrade") == "SPDY/3.1");
            body = std::move(answer.body);
        });
        until([&] { return body != nullptr; });
        auto* const upgraded = dynamic_cast<kube::upgraded_stream*>(body.get());
        BOOST_REQUIRE(upgraded != nullptr);
        body.release();
        return std::unique_ptr<kube::upgraded_stream>(upgraded);
    }

    template <class Condition> bool until(Condition condition) {
        auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (!condition() && std::chrono::steady_clock::now() < end) {
            io.restart();
            io.run_one_for(std::chrono::milliseconds(10));
        }
        return condition();
    }
    /// In this order: header blocks depend on those before.
    error_code send(std::vector<std::string> const& frames) {
        std::string bytes;
        for (auto const& f : frames) bytes += f;
        std::optional<error_code> done;
        stream->async_write(std::move(bytes), [&](error_code ec) { done = ec; });
        BOOST_REQUIRE(until([&] { return done.has_value(); }));
        return *done;
    }
    /// The next frame as text; the error of the connection if there is none.
    std::string frame() {
        for (;;) {
            if (auto f = parser.next()) {
                if (f->type == spdy_type::ping) continue;
                return std::to_string(static_cast<int>(f->type)) + " " + std::to_string(f->id) +
                       (f->status != 0 ? " status " + std::to_string(f->status) : "") + (f->last ? " last" : "") +
                       (f->data.empty() ? "" : " " + f->data);
            }
            std::optional<error_code> done;
            stream->async_read([&](error_code ec, std::string const& bytes) {
                parser.put(bytes);
                done = ec;
            });
            BOOST_REQUIRE(until([&] { return done.has_value(); }));
            if (*done) return "closed";
        }
    }
    std::string syn(std::uint32_t id, std::string const& type, std::string const& port = "80",
                    std::string const& request = "0") {
        kube::http_fields fields;
        fields.add("streamtype", type);
        fields.add("port", port);
        fields.add("requestid", request);
        return writer.syn_stream(id, fields, type == "error");
    }

    asio::io_context io;
    apiserver::api_server server{io.get_executor()};
    std::unique_ptr<kube::upgraded_stream> stream;
    spdy_parser parser;
    spdy_writer writer;
};

} // namespace

BOOST_AUTO_TEST_CASE(streams_of_spdy_reach_a_port) {
    spdy_session w;
    w.send({w.syn(1, "error"), w.syn(3, "data")});
    BOOST_TEST(w.frame() == "2 1");
    BOOST_TEST(w.frame() == "2 3");
    w.send({spdy_writer::data(3, "hello", false)});
    BOOST_TEST(w.frame() == "0 3 hello");
    // Another connection beside it, whose streams come in the other order.
    w.send({w.syn(5, "data", "80", "1"), w.syn(7, "error", "80", "1"), spdy_writer::data(5, "second", true)});
    BOOST_TEST(w.frame() == "2 5");
    BOOST_TEST(w.frame() == "2 7");
    BOOST_TEST(w.frame() == "0 5 second");
    BOOST_TEST(w.frame() == "0 5 last");
    BOOST_TEST(w.frame() == "0 7 last");
    w.send({spdy_writer::data(3, {}, true)});
    BOOST_TEST(w.frame() == "0 3 last");
    BOOST_TEST(w.frame() == "0 1 last");
}

BOOST_AUTO_TEST_CASE(a_failure_of_one_port_leaves_the_others_alone) {
    spdy_session w;
    w.send({w.syn(1, "error", "81"), w.syn(3, "data", "81")});
    BOOST_TEST(w.frame() == "2 1");
    BOOST_TEST(w.frame() == "2 3");
    auto const why = w.frame();
    BOOST_TEST(why.find("0 1 error forwarding port 81 to pod a, uid ") == 0U, why);
    BOOST_TEST(why.find("no such port") != std::string::npos, why);
    BOOST_TEST(w.frame() == "0 3 last");
    BOOST_TEST(w.frame() == "0 1 last");
    w.send({w.syn(5, "error"), w.syn(7, "data"), spdy_writer::data(7, "x", false)});
    BOOST_TEST(w.frame() == "2 5");
    BOOST_TEST(w.frame() == "2 7");
    BOOST_TEST(w.frame() == "0 7 x");
}

BOOST_AUTO_TEST_CASE(streams_that_make_no_sense_are_reset) {
    spdy_session w;
    w.send({w.syn(1, "data", "0"), w.syn(3, "data", "http"), w.syn(5, "stdout"), w.syn(7, "data"), w.syn(9, "data")});
    BOOST_TEST(w.frame() == "3 1 status 1");
    BOOST_TEST(w.frame() == "3 3 status 1");
    BOOST_TEST(w.frame() == "3 5 status 1");
    BOOST_TEST(w.frame() == "2 7");
    BOOST_TEST(w.frame() == "3 9 status 1"); // the second stream of one request
    // Of streams that do not exist, or exist no more.
    w.send({spdy_writer::data(1, "x", true), spdy_writer::data(99, "x", false),
            spdy_writer::rst_stream(101, spdy_reset::cancel), w.writer.syn_reply(3), w.syn(11, "error"),
            spdy_writer::data(7, "y", false)});
    BOOST_TEST(w.frame() == "2 11");
    BOOST_TEST(w.frame() == "0 7 y");
}

BOOST_AUTO_TEST_CASE(the_number_of_streams_is_limited) {
    spdy_session w;
    std::string all;
    for (std::uint32_t i = 0; i < 600; ++i) all += w.syn(2 * i + 1, "data", "80", std::to_string(i));
    std::optional<error_code> sent;
    w.stream->async_write(all, [&](error_code ec) { sent = ec; });
    std::size_t accepted = 0, refused = 0;
    while (accepted + refused < 600) {
        auto const f = w.frame();
        BOOST_TEST_REQUIRE(f != "closed");
        accepted += f.starts_with("2 ") ? 1 : 0;
        refused += f.ends_with("status 3") ? 1 : 0;
    }
    BOOST_TEST(accepted == 512U);
    BOOST_TEST(refused == 88U);
}

BOOST_AUTO_TEST_CASE(a_peer_that_does_not_read_is_not_read) {
    spdy_session w;
    std::size_t sent = 0;
    for (std::uint32_t id = 1; sent < 500; ++sent) {
        std::string frames; // each is answered by a reset of 16 bytes
        for (int i = 0; i < 1000; ++i, id += 2) frames += w.syn(id, "data", "none");
        auto const done = std::make_shared<bool>(false);
        w.stream->async_write(frames, [done](error_code) { *done = true; });
        w.io.restart();
        for (int i = 0; i < 50 && !*done; ++i) w.io.run_one_for(std::chrono::milliseconds(10));
        if (!*done) break;
    }
    BOOST_TEST(sent < 500U);
}

BOOST_AUTO_TEST_CASE(broken_connections_are_closed_and_the_server_goes_on) {
    for (auto const& bytes : {"\x80\x02garbage"s, "\x80\x03\x00\x01\x00\xff\xff\xff"s,
                              spdy_writer().syn_stream(2, {}, false), spdy_writer().syn_stream(0, {}, false)}) {
        spdy_session w;
        w.send({w.syn(1, "data")});
        BOOST_TEST(w.frame() == "2 1");
        w.stream->async_write(bytes, [](error_code) {});
        BOOST_TEST(w.frame() == "closed");
        w.stream = w.open();
        w.parser = spdy_parser();
        w.writer = spdy_writer();
        w.send({w.syn(1, "data")});
        BOOST_TEST(w.frame() == "2 1");
    }
    spdy_session w; // the second of two streams with one number
    w.send({w.syn(3, "data"), w.syn(3, "error")});
    BOOST_TEST(w.frame() == "closed");
}

BOOST_AUTO_TEST_SUITE_END()
