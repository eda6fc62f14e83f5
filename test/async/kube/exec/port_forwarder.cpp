#include "async/probe.hpp"

#include "kube/streams/websocket_frames.hpp"

#include <kftrain/kube/port_forwarder.hpp>
#include <kftrain/kube/upgraded_stream.hpp>

#include <boost/asio/ip/tcp.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

BOOST_AUTO_TEST_SUITE(async_port_forwarder)

using namespace kftrain;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

/// A connection to a server before Kubernetes 1.31, whose protocol has no end of the bytes to the pod.
struct pod_connection {
    void answer(error_code ec, std::string bytes = {}) {
        if (!waiting) return;
        asio::post(executor, asio::append(std::move(*std::exchange(waiting, {})), ec, std::move(bytes)));
    }
    /// The pod closes its side.
    void end() {
        using namespace kube::detail;
        answer({}, write_frame(frame_type::close, close_payload(1000), std::nullopt));
    }

    asio::any_io_executor executor;
    std::optional<kube::any_handler<void(error_code, std::string)>> waiting;
    bool closed = false;
};
using connection_ptr = std::shared_ptr<pod_connection>;

class pod_stream final : public kube::upgraded_stream {
public:
    pod_stream(kube::http_fields f, connection_ptr c) : kube::upgraded_stream(std::move(f)), to_(std::move(c)) {}
    pod_stream(pod_stream const&) = delete;
    pod_stream& operator=(pod_stream const&) = delete;
    ~pod_stream() override { end(); }

    void async_read(kube::any_handler<void(error_code, std::string)> handler) override {
        to_->waiting.emplace(std::move(handler));
    }
    void async_write(std::string, kube::any_handler<void(error_code)> handler) override {
        asio::post(to_->executor, asio::append(std::move(handler), error_code()));
    }
    void close() noexcept override { end(); }

private:
    void end() const noexcept {
        to_->closed = true;
        to_->answer(asio::error::operation_aborted);
    }

    connection_ptr to_;
};

/// A pod that accepts every connection and sends nothing by itself.
struct silent_pod final : kube::transport {
    explicit silent_pod(asio::any_io_executor ex) : executor(std::move(ex)) {}

    asio::any_io_executor get_executor() const noexcept override { return executor; }
    void async_open(kube::http_request r, kube::any_handler<void(error_code, kube::streamed_response)> h) override {
        kube::streamed_response answer;
        answer.head.status = refuses ? 500 : 101;
        if (refuses) answer.body = std::make_unique<test::ready_body>(executor, "no");
        if (!refuses) {
            kube::http_fields fields;
            fields.add("Sec-WebSocket-Accept", kube::detail::websocket_accept(r.fields.get("Sec-WebSocket-Key")));
            fields.add("Sec-WebSocket-Protocol", "v4.channel.k8s.io");
            auto const& c = connections.emplace_back(std::make_shared<pod_connection>());
            c->executor = executor;
            answer.body = std::make_unique<pod_stream>(std::move(fields), c);
        }
        asio::post(executor, asio::append(std::move(h), error_code(), std::move(answer)));
    }
    std::size_t open() const {
        return static_cast<std::size_t>(std::ranges::count(connections, false, &pod_connection::closed));
    }

    asio::any_io_executor executor;
    std::vector<connection_ptr> connections;
    bool refuses = false;
};

struct forwarded {
    forwarded() {
        forwarder->on_failure([this](std::uint16_t, failure const& why) { failures.push_back(why); });
    }

    tcp::socket connect(std::uint16_t port) {
        tcp::socket s(context);
        s.connect({asio::ip::address_v4::loopback(), port});
        return s;
    }
    /// Runs what is ready until that holds; no simulated time passes.
    template <class Condition> bool until(Condition holds) {
        auto const end = std::chrono::steady_clock::now() + 20s;
        for (time.settle(); !holds() && std::chrono::steady_clock::now() < end; time.settle()) context.run_one_for(1ms);
        return holds();
    }
    /// Whether the forwarder has left nothing behind that could still run.
    bool is_over() {
        return until([&] { return context.stopped(); });
    }

    asio::io_context context;
    test::simulated_time& time = test::simulated_time::install(context);
    std::shared_ptr<silent_pod> pod = std::make_shared<silent_pod>(context.get_executor());
    std::optional<kube::port_forwarder> forwarder{std::in_place, kube::client(pod), "default", "a"};
    std::vector<failure> failures;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_connection_ends_some_time_after_the_local_program) {
    forwarded w;
    auto const port = w.forwarder->listen(80).value();
    auto local = w.connect(port);
    BOOST_TEST_REQUIRE(w.until([&] { return w.pod->open() == 1; }));
    local.close();
    w.time.settle();
    w.time.advance(29s);
    BOOST_TEST(w.pod->open() == 1U);
    auto const closed_after = [&](std::chrono::seconds limit) {
        for (auto passed = 0s; w.pod->open() != 0 && passed != limit; ++passed) w.time.advance(1s);
        return w.pod->open() == 0;
    };
    BOOST_TEST(closed_after(60s));
    BOOST_TEST(w.failures.empty());
    w.forwarder.reset();
    BOOST_TEST(w.is_over());
}

BOOST_AUTO_TEST_CASE(a_connection_ends_at_once_if_both_sides_have_ended) {
    for (bool const pod_first : {true, false}) {
        forwarded w;
        auto local = w.connect(w.forwarder->listen(80).value());
        BOOST_TEST_REQUIRE(w.until([&] { return w.pod->open() == 1 && w.pod->connections[0]->waiting; }));
        if (pod_first) w.pod->connections[0]->end();
        std::string rest(1, '\0');
        error_code ended;
        if (pod_first) {
            local.async_read_some(asio::buffer(rest), [&](error_code ec, std::size_t) { ended = ec; });
            BOOST_TEST(w.until([&] { return ended == asio::error::eof; }));
        }
        local.close();
        if (!pod_first) {
            w.time.settle();
            w.pod->connections[0]->end();
        }
        BOOST_TEST(w.until([&] { return w.pod->open() == 0; }));
        w.forwarder.reset();
        BOOST_TEST(w.is_over());
        BOOST_TEST(w.failures.empty());
    }
}

BOOST_AUTO_TEST_CASE(nothing_goes_on_after_destruction) {
    forwarded w;
    std::vector<tcp::socket> locals;
    auto const port = w.forwarder->listen(80).value();
    for (int i = 0; i != 3; ++i) locals.push_back(w.connect(port));
    BOOST_TEST_REQUIRE(w.until([&] { return w.pod->open() == 3; }));
    locals[0].close(); // waits for the pod
    w.time.settle();
    w.forwarder.reset();
    BOOST_TEST(w.is_over());
    BOOST_TEST(w.pod->open() == 0U);
    BOOST_TEST(w.failures.empty());
}

BOOST_AUTO_TEST_CASE(at_most_256_connections_are_open_to_all_ports_together) {
    forwarded w;
    std::array<std::uint16_t, 3> const ports{w.forwarder->listen(80).value(), w.forwarder->listen(81).value(),
                                             w.forwarder->listen(82).value()};
    std::vector<tcp::socket> locals;
    for (std::size_t i = 0; i != 260; ++i) locals.push_back(w.connect(ports[i % ports.size()]));
    BOOST_TEST_REQUIRE(w.until([&] { return w.pod->connections.size() >= 256; }));
    for (int i = 0; i != 3; ++i) w.time.settle();
    BOOST_TEST(w.pod->connections.size() == 256U);
    for (std::size_t i = 0; i != 4; ++i) w.pod->connections[i]->answer(errc::connection_lost);
    BOOST_TEST(w.until([&] { return w.pod->connections.size() == 260; }));
    BOOST_TEST(w.pod->open() == 256U);
    BOOST_TEST(w.failures.size() == 4U);
    w.forwarder.reset();
    BOOST_TEST(w.is_over());
}

BOOST_AUTO_TEST_CASE(thousands_of_connections_leave_no_descriptor_open) {
    forwarded w;
    auto const port = w.forwarder->listen(80).value();
    auto const descriptors = [] {
        return std::ranges::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                                     std::filesystem::directory_iterator());
    };
    auto const connect = [&](std::size_t at_once) {
        w.pod->connections.clear();
        std::vector<tcp::socket> locals;
        for (std::size_t i = 0; i != at_once; ++i) locals.push_back(w.connect(port));
        BOOST_TEST_REQUIRE(w.until([&] {
            auto const read = [](connection_ptr const& c) { return c->waiting.has_value(); };
            return w.pod->connections.size() == at_once && std::ranges::all_of(w.pod->connections, read);
        }));
        for (auto const& c : w.pod->connections) c->end();
        locals.clear();
        BOOST_TEST_REQUIRE(w.until([&] { return w.pod->open() == 0; }));
    };
    connect(1);
    auto const before = descriptors();
    for (int i = 0; i != 2000; ++i) connect(1);
    connect(200);
    BOOST_TEST(w.until([&] { return descriptors() == before; }));
    BOOST_TEST(w.failures.empty());
}

BOOST_AUTO_TEST_CASE(a_failure_handler_may_destroy_the_forwarder) {
    forwarded w;
    w.pod->refuses = true;
    unsigned calls = 0;
    w.forwarder->on_failure([&](std::uint16_t port, failure const&) {
        BOOST_TEST(port == 80);
        ++calls;
        w.forwarder.reset();
    });
    auto const port = w.forwarder->listen(80).value();
    auto const first = w.connect(port), second = w.connect(port);
    BOOST_TEST(w.is_over());
    BOOST_TEST(calls == 1U);
}

/// Without a descriptor for another connection.
BOOST_AUTO_TEST_CASE(a_handler_of_a_failed_accept_may_destroy_the_forwarder) {
    for (bool const destroys : {true, false}) {
        forwarded w;
        unsigned calls = 0;
        rlimit before{};
        getrlimit(RLIMIT_NOFILE, &before);
        w.forwarder->on_failure([&](std::uint16_t, failure const& why) {
            ++calls;
            setrlimit(RLIMIT_NOFILE, &before);
            BOOST_TEST(why.detail.message.starts_with("cannot accept a connection: "), why.detail.message);
            if (destroys) w.forwarder.reset();
        });
        auto const local = w.connect(w.forwarder->listen(80).value());
        auto none = before;
        none.rlim_cur = 0;
        setrlimit(RLIMIT_NOFILE, &none);
        BOOST_TEST(w.until([&] { return calls == 1; }));
        setrlimit(RLIMIT_NOFILE, &before);
        if (destroys) {
            BOOST_TEST(w.is_over());
            continue;
        }
        w.time.settle();
        BOOST_TEST(w.pod->open() == 0U);
        w.time.advance(1s);
        BOOST_TEST(w.until([&] { return w.pod->open() == 1; }));
        w.forwarder.reset();
        BOOST_TEST(w.is_over());
    }
}

BOOST_AUTO_TEST_SUITE_END()
