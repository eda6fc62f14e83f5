#ifndef KFTRAIN_TEST_INTEGRATION_LOCAL_KUBELET_RUNNING_POD_HPP
#define KFTRAIN_TEST_INTEGRATION_LOCAL_KUBELET_RUNNING_POD_HPP

#include "integration/local/kubelet/kubelet_cluster.hpp"

#include <kftrain/apiserver/listener.hpp>
#include <kftrain/kube/exec.hpp>
#include <kftrain/kube/https_transport.hpp>

#include <boost/asio/bind_executor.hpp>

#include <array>

namespace kubelet_tests {

/// The ways of a client to the server.
enum class way { in_process, http, https };

inline std::ostream& operator<<(std::ostream& out, way w) {
    return out << std::array{"in process", "HTTP", "HTTPS"}.at(static_cast<std::size_t>(w));
}

inline constexpr std::array ways{way::in_process, way::http, way::https};

/// A pod `a` that runs, and a client on one of the ways.
struct running_pod : kubelet_cluster {
    explicit running_pod(way w, std::string const& script = "sleep 1000") : running_pod(w, shell_pod("a", script)) {}
    running_pod(way w, pod const& p, local::isolation mode = local::isolation::namespaces)
        : kubelet_cluster(mode), client(user) {
        start();
        server.set_exec_source(node->exec_source());
        if (w != way::in_process) listen(w == way::https);
        create(p);
        BOOST_REQUIRE(until([&] { return phase("a") == "Running" || phase("a") == "Succeeded"; }));
    }
    ~running_pod() { front.reset(); }

    void listen(bool tls) {
        apiserver::listener_options o;
        o.bearer_token = tls ? "secret" : "";
        kube::config c;
        if (tls) {
            o.tls = apiserver::make_self_signed_identity({"127.0.0.1"}).value();
            c.ca_pem = o.tls->certificate_pem;
            c.token = o.bearer_token;
        }
        front.emplace(apiserver::listener::open(server, std::move(o)).value());
        front->async_run([](error_code) {});
        c.server = front->url();
        transport = kube::make_https_transport(io.get_executor(), c).value();
        client = kube::client(transport);
    }

    result<kube::exec_output> read(kube::exec_stream& s, std::chrono::seconds limit = 40s) {
        return next<kube::exec_output>(s, limit);
    }
    template <class T, class Stream> result<T> next(Stream& s, std::chrono::seconds limit) {
        diagnostics why;
        return kube::run_blocking<T>(io.get_executor(), why, [&](auto h) {
            s.async_read(kube::next_options().with_timeout(limit).with_detail(why), std::move(h));
        });
    }
    template <class Stream> error_code write(Stream& s, std::string text) {
        return code_of([&](auto h) { s.async_write(std::move(text), std::move(h)); });
    }
    error_code close_input(kube::exec_stream& s) {
        return code_of([&](auto h) { s.async_close_input(std::move(h)); });
    }
    /// Checks that a read of `T` waits until it is cancelled.
    template <class T, class Stream> void cancel_read(Stream& s) {
        asio::cancellation_signal stop;
        std::optional<error_code> ended;
        s.async_read(asio::bind_cancellation_slot(stop.slot(), [&](error_code ec, T const&) { ended = ec; }));
        run(20ms);
        BOOST_TEST(!ended.has_value());
        stop.emit(asio::cancellation_type::terminal);
        BOOST_REQUIRE(until([&] { return ended.has_value(); }));
        BOOST_TEST(*ended == make_error_code(asio::error::operation_aborted));
    }
    /// How an operation ends that completes with only an error code.
    template <class Start> error_code code_of(Start start) {
        auto const done = kube::run_blocking(io.get_executor(), diagnostics(), std::move(start));
        return done ? error_code() : done.error().code;
    }

    std::shared_ptr<kube::transport> transport = server.transport();
    kube::client client;
    std::optional<apiserver::listener> front;
};

/// Checks that operations of a stream without a connection complete on the executor of their handler.
template <class Output, class Stream> void check_without_connection(Stream& s) {
    asio::io_context io;
    std::optional<error_code> read, written;
    s.async_read(asio::bind_executor(io, [&](error_code ec, Output) { read = ec; }));
    s.async_write("x", asio::bind_executor(io, [&](error_code ec) { written = ec; }));
    io.run();
    BOOST_REQUIRE((read && written));
    BOOST_TEST(*read == make_error_code(asio::error::operation_aborted));
    BOOST_TEST(*written == make_error_code(asio::error::operation_aborted));
}

} // namespace kubelet_tests

#endif
