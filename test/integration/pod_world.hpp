#ifndef KFTRAIN_TEST_INTEGRATION_POD_WORLD_HPP
#define KFTRAIN_TEST_INTEGRATION_POD_WORLD_HPP

#include "integration/kubelet_world.hpp"

#include <kftrain/apiserver/listener.hpp>
#include <kftrain/kube/https_transport.hpp>

#include <array>

namespace kubelet_world {

/// The ways of a client to the server.
enum class way { in_process, http, https };

inline std::ostream& operator<<(std::ostream& out, way w) {
    return out << std::array{"in process", "HTTP", "HTTPS"}.at(static_cast<std::size_t>(w));
}

inline constexpr std::array ways{way::in_process, way::http, way::https};

/// A pod `a` that runs, and a client on one of the ways.
struct pod_world : world {
    explicit pod_world(way w, std::string const& script = "sleep 1000") : pod_world(w, shell_pod("a", script)) {}
    pod_world(way w, pod const& p, local::isolation mode = local::isolation::namespaces) : world(mode), client(direct) {
        start();
        server.set_exec_source(node->exec_source());
        if (w != way::in_process) listen(w == way::https);
        create(p);
        BOOST_REQUIRE(until([&] { return phase("a") == "Running" || phase("a") == "Succeeded"; }));
    }
    pod_world(pod_world const&) = delete;
    pod_world& operator=(pod_world const&) = delete;
    ~pod_world() { front.reset(); }

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

    std::shared_ptr<kube::transport> transport = server.transport();
    kube::client client;
    std::optional<apiserver::listener> front;
};

} // namespace kubelet_world

#endif
