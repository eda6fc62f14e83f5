#ifndef KFTRAIN_TEST_CLUSTER_REAL_SERVER_HPP
#define KFTRAIN_TEST_CLUSTER_REAL_SERVER_HPP

#include "async/probe.hpp"
#include "support/noting_transport.hpp"

#include <kftrain/kube/api.hpp>
#include <kftrain/kube/config.hpp>
#include <kftrain/kube/https_transport.hpp>
#include <kftrain/objects/core.hpp>
#include <kftrain/objects/core/config_map.hpp>
#include <kftrain/objects/core/namespace.hpp>

#include <chrono>
#include <cstdlib>
#include <string>

namespace kftrain::test {

/// The servers that `with_server.py` started.
inline std::string variable(char const* variable) {
    char const* const value = std::getenv(variable);
    return value == nullptr ? std::string() : value;
}

/// A client of a real kube-apiserver, and a namespace of its own there, which stays: no controller finishes the
/// deletion of namespaces.
struct real_server {
    explicit real_server(std::string name, char const* kubeconfig = "KFTRAIN_CLUSTER")
        : ns(std::move(name)), link(connect(kubeconfig)) {
        core::namespace_ space;
        space.metadata.name = ns;
        answer_probe<core::namespace_> p;
        kube::api<core::namespace_>::all_namespaces(client).async_create(space, p.handler());
        BOOST_TEST_REQUIRE(completed(p));
        BOOST_TEST_REQUIRE(p.ec() == error_code());
    }

    std::shared_ptr<noting_transport> connect(char const* kubeconfig) {
        auto const file = variable(kubeconfig);
        BOOST_TEST_REQUIRE(!file.empty(), kubeconfig << " names no kubeconfig: start this by with_server.py");
        auto const config = kube::load_kubeconfig(file);
        BOOST_TEST_REQUIRE(config.has_value());
        auto made = kube::make_https_transport(context.get_executor(), *config);
        BOOST_TEST_REQUIRE(made.has_value());
        return std::make_shared<noting_transport>(*made);
    }
    template <class Done> bool until(Done const& done) {
        using namespace std::chrono_literals;
        auto const end = std::chrono::steady_clock::now() + 60s;
        while (!done() && std::chrono::steady_clock::now() < end) {
            context.restart();
            context.run_for(5ms);
        }
        return done();
    }
    template <class Probe> bool completed(Probe const& p) {
        return until([&] { return p.called(); });
    }
    /// Starts an operation with a handler and waits for its end.
    template <class T, class Start> answer_probe<T> await_result(Start const& start) {
        answer_probe<T> p;
        start(p.handler());
        BOOST_TEST_REQUIRE(completed(p));
        return p;
    }
    core::config_map create(std::string const& name, std::string const& label = "x") {
        core::config_map map;
        map.metadata.name = name;
        map.metadata.labels["app"] = label;
        map.data["k"] = "v";
        auto p = await_result<core::config_map>([&](auto h) { maps.async_create(map, std::move(h)); });
        BOOST_TEST_REQUIRE(p.ec() == error_code());
        return p.value();
    }
    /// A request that the library has no verb for.
    answer_probe<std::string> send(std::string method, std::string target, std::string body) {
        kube::http_request r;
        r.method = std::move(method);
        r.target = std::move(target);
        r.fields.add("Content-Type", "application/json");
        r.body = std::move(body);
        return await_result<std::string>(
            [&](auto h) { client.async_call(r, kube::call_options().with_detail(why), std::move(h)); });
    }
    bool exists(std::string const& name) {
        return !await_result<core::config_map>([&](auto h) { maps.async_get(name, std::move(h)); }).ec();
    }

    asio::io_context context;
    std::string ns;
    std::shared_ptr<noting_transport> link;
    kube::client client{link};
    kube::api<core::config_map> maps{client, ns};
    diagnostics why;
};

} // namespace kftrain::test

#endif
