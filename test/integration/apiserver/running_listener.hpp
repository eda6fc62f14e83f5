#ifndef KFTRAIN_TEST_INTEGRATION_APISERVER_RUNNING_LISTENER_HPP
#define KFTRAIN_TEST_INTEGRATION_APISERVER_RUNNING_LISTENER_HPP

#include "support/temporary_directory.hpp"

#include <kftrain/apiserver/listener.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/test/unit_test.hpp>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <future>
#include <thread>

namespace listener_tests {

using namespace kftrain;
using namespace kftrain::apiserver;
using namespace std::chrono_literals;
namespace asio = boost::asio;
using tcp = asio::ip::tcp;

inline std::string const pods = "/api/v1/namespaces/default/pods";

/// A log of two pieces.
struct short_log final : kube::body_stream {
    explicit short_log(asio::any_io_executor ex) : executor(std::move(ex)) {}
    void async_read(kube::any_handler<void(error_code, std::string)> h) override {
        auto const n = ++reads;
        asio::post(executor, [h = std::move(h), n]() mutable {
            if (n > 2)
                std::move(h)(asio::error::eof, std::string());
            else
                std::move(h)(error_code(), "line " + std::to_string(n) + "\n");
        });
    }
    asio::any_io_executor executor;
    int reads = 0;
};

struct log_source final : pod_log_source {
    explicit log_source(asio::any_io_executor ex) : executor(std::move(ex)) {}
    answer<std::unique_ptr<kube::body_stream>> open_log(log_request const&) override {
        return std::unique_ptr<kube::body_stream>(std::make_unique<short_log>(executor));
    }
    asio::any_io_executor executor;
};

/// A server on a thread of its own.
struct running {
    explicit running(listener_options o = {}, api_server_options of_server = {})
        : server(context.get_executor(), std::move(of_server)) {
        resource_definition job;
        job.group = "kubeflow.org";
        job.version = "v1";
        job.kind = "PyTorchJob";
        job.plural = "pytorchjobs";
        job.columns = {{"State", "string", ".status.conditions[-1:].type"},
                       {"Age", "date", ".metadata.creationTimestamp"}};
        BOOST_REQUIRE(server.register_resource(job).has_value());
        server.set_log_source(std::make_shared<log_source>(context.get_executor()));
        auto opened = listener::open(server, std::move(o));
        BOOST_REQUIRE(opened.has_value());
        port = opened->port();
        url = opened->url();
        front.emplace(std::move(*opened));
        front->async_run([this](error_code ec) { ended.set_value(ec); });
        thread = std::thread([this] { context.run(); });
    }
    ~running() {
        if (thread.joinable()) stop();
    }
    error_code stop() {
        front->stop();
        auto const ec = ended.get_future().get();
        thread.join();
        return ec;
    }
    void set(std::string const& method, std::string const& target, std::string const& body, unsigned expected) const;

    asio::io_context context{1};
    api_server server;
    std::optional<listener> front;
    std::promise<error_code> ended;
    unsigned short port = 0;
    std::string url;
    std::thread thread;
};

/// A blocking connection that gives up after a few seconds.
struct client {
    explicit client(running const& r) : client(r.port) {}
    explicit client(unsigned short port) : client() { connect(port); }
    /// A socket that is not connected yet.
    client() { socket.open(tcp::v4()); }
    void connect(unsigned short port) {
        socket.connect(tcp::endpoint(asio::ip::address_v4::loopback(), port));
        timeval const limit{5, 0};
        ::setsockopt(socket.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    }
    void send(std::string const& bytes) {
        error_code ec;
        asio::write(socket, asio::buffer(bytes), ec);
    }
    /// Returns the bytes that arrive until `stop` or the end.
    std::string until(std::string_view stop) {
        std::array<char, 4096> part{};
        while (text.find(stop) == text.npos) {
            auto const n = ::recv(socket.native_handle(), part.data(), part.size(), 0);
            if (n <= 0) {
                closed = n == 0 || errno == ECONNRESET;
                break;
            }
            text.append(part.data(), static_cast<std::size_t>(n));
        }
        auto const at = std::min(text.find(stop), text.size());
        auto out = text.substr(0, std::min(at + stop.size(), text.size()));
        text.erase(0, out.size());
        return out;
    }
    std::string rest() { return until(std::string_view("\0never\0", 7)); }

    asio::io_context context;
    tcp::socket socket{context};
    std::string text;
    bool closed = false;
};

inline std::string http(std::string const& method, std::string const& target, std::string const& body = "",
                        std::string const& fields = "") {
    return method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n" + fields + "\r\n" + body;
}

/// A client that the server accepts, which it may do a moment after another connection ended.
inline std::unique_ptr<client> admitted_client(running const& s) {
    for (int tries = 0;; ++tries) {
        auto c = std::make_unique<client>(s);
        c->send(http("GET", "/healthz"));
        if (c->until("\r\n\r\nok").ends_with("ok")) return c;
        BOOST_REQUIRE(tries < 10'000);
    }
}

inline std::string pod_json(std::string const& name, std::string const& extra = "") {
    return R"({"metadata":{"name":")" + name + R"("},"spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}])" +
           extra + "}}";
}

inline void running::set(std::string const& method, std::string const& target, std::string const& body,
                         unsigned expected) const {
    client c(port);
    auto const type = method == "PATCH" ? "application/merge-patch+json" : "application/json";
    c.send(http(method, target, body, std::string("Connection: close\r\nContent-Type: ") + type + "\r\n"));
    BOOST_TEST(c.rest().substr(9, 3) == std::to_string(expected));
}

struct ended_process {
    int status = -1;
    std::string output;
};

inline ended_process shell(std::string const& command) {
    ended_process out;
    auto* const pipe = ::popen((command + " 2>&1").c_str(), "r");
    std::array<char, 4096> part{};
    while (auto const n = std::fread(part.data(), 1, part.size(), pipe)) out.output.append(part.data(), n);
    auto const status = ::pclose(pipe);
    out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return out;
}

inline bool installed(std::string const& program) { return shell("command -v " + program).status == 0; }

struct secure : test::temporary_directory {
    secure() : identity(make_self_signed_identity({"example.test"}).value()) {
        listener_options o;
        o.tls = identity;
        o.bearer_token = "secret";
        server.emplace(std::move(o));
        ca = write("ca.pem", identity.certificate_pem);
        kubeconfig = write("config", "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
                                     "clusters: [{name: c, cluster: {server: \"" +
                                         server->url + "\", certificate-authority: " + ca +
                                         "}}]\n"
                                         "users: [{name: u, user: {token: secret}}]\n"
                                         "contexts: [{name: c, context: {cluster: c, user: u}}]\n");
    }
    ended_process curl(std::string const& target,
                       std::string const& options = "-H 'Authorization: Bearer secret'") const {
        return shell("curl -sS --max-time 5 --cacert " + ca + " " + options + " '" + server->url + target + "'");
    }
    ended_process kubectl(std::string const& arguments) const {
        return shell("HOME=" + path.string() + " timeout 20 kubectl --kubeconfig " + kubeconfig + " " + arguments);
    }

    tls_identity identity;
    std::optional<running> server;
    std::string ca, kubeconfig;
};

inline std::string const job =
    R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJob","metadata":{"name":"train"},"spec":{}})";

} // namespace listener_tests

#endif
