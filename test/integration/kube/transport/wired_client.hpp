#ifndef KFTRAIN_TEST_INTEGRATION_KUBE_TRANSPORT_WIRED_CLIENT_HPP
#define KFTRAIN_TEST_INTEGRATION_KUBE_TRANSPORT_WIRED_CLIENT_HPP

#include "async/probe.hpp"
#include "support/wire_server.hpp"

#include <kftrain/kube/client.hpp>
#include <kftrain/kube/https_transport.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <string>
#include <thread>

namespace kftrain::test {

using namespace std::chrono_literals;

/// A client of a wire_server.
struct wired {
    explicit wired(wire_server const& s, kube::config c = {}, kube::https_options o = {}) {
        if (c.server.empty()) c.server = "http://127.0.0.1";
        c.server += ":" + s.port();
        auto made = kube::make_https_transport(context.get_executor(), c, o);
        BOOST_TEST_REQUIRE(made.has_value());
        link = std::move(*made);
    }
    static kube::http_request request(std::string method, std::string target, std::string body = "") {
        kube::http_request r;
        r.method = std::move(method);
        r.target = std::move(target);
        r.body = std::move(body);
        return r;
    }
    void run(std::chrono::milliseconds limit = 20s) {
        context.restart();
        context.run_for(limit);
    }
    /// The body, or the error as text.
    std::string call(std::string method, std::string target, std::string body = "") {
        answer_probe<std::string> p;
        kube::client(link).async_call(request(std::move(method), std::move(target), std::move(body)),
                                      kube::call_options().with_retry(false).with_detail(why), p.handler());
        run();
        last = p.ec();
        return p.ec() ? "error: " + p.ec().message() : p.value();
    }
    std::string get(std::string target = "/x") { return call("GET", std::move(target)); }

    asio::io_context context;
    std::shared_ptr<kube::transport> link;
    error_code last;
    diagnostics why;
};

inline kube::config trusting(certificate_authority const& ca) {
    kube::config c;
    c.server = "https://127.0.0.1";
    c.ca_pem = ca.certificate();
    return c;
}

/// Serves requests until the peer goes.
inline wire_server::script const answers_hello = [](wire_peer& p) {
    while (!p.read_request().empty()) p.answer("hello");
};

inline error_code const lost = errc::connection_lost;

inline void short_while() { std::this_thread::sleep_for(30ms); }

/// Answers one request with these bytes and closes.
inline wire_server::script responds(std::string bytes) {
    return [bytes = std::move(bytes)](wire_peer& p) {
        p.read_request();
        p.send(bytes);
    };
}

} // namespace kftrain::test

#endif
