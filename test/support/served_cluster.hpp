#ifndef KFTRAIN_TEST_SUPPORT_SERVED_CLUSTER_HPP
#define KFTRAIN_TEST_SUPPORT_SERVED_CLUSTER_HPP

#include "local/cluster/job_resources.hpp"
#include "support/faulty_transport.hpp"
#include "support/object_operations.hpp"
#include "support/simulated_time.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/objects/core/namespace.hpp>

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace kftrain::test {

/// The time of tests with sockets, processes or threads.
class real_time {
public:
    explicit real_time(asio::io_context& io) : io_(io) {}

    /// Runs until this holds. False if it does not within this time.
    template <class Predicate> bool run_until(Predicate holds, std::chrono::seconds limit = std::chrono::seconds(40)) {
        auto const deadline = std::chrono::steady_clock::now() + limit;
        while (!holds()) {
            if (std::chrono::steady_clock::now() > deadline) return false;
            advance(std::chrono::milliseconds(20));
        }
        return true;
    }
    void advance(std::chrono::milliseconds t) {
        io_.restart();
        io_.run_for(t);
    }

private:
    asio::io_context& io_;
};

/** An API server in the process. The test reads and writes objects as `user`, whose requests nothing disturbs; the code
    under test uses `link`. See README.md. */
template <class Time> struct basic_served_cluster : object_operations<basic_served_cluster<Time>> {
    explicit basic_served_cluster(apiserver::api_server_options options = {})
        : server(io.get_executor(), std::move(options)) {}
    basic_served_cluster(basic_served_cluster const&) = delete;
    basic_served_cluster& operator=(basic_served_cluster const&) = delete;

    /// Serves a kind of jobs.
    void serve(rules::job_rules const& kind) { server.register_resource(local::resource_for(kind)).value(); }
    template <class K> void serve() { serve(job_rules_for<K>()); }
    /// Serves the kinds of objects that the operator of a kind creates and that Kubernetes itself does not have.
    void serve_children(rules::job_rules const& kind) {
        for (auto& d : local::child_resources_for(kind)) server.register_resource(std::move(d)).value();
    }
    void make_namespace(std::string name) {
        core::namespace_ n;
        n.metadata.name = std::move(name);
        server.add_object(any_object(std::move(n))).value();
    }

    /// Lets time pass until this holds. False if it does not hold for far too long.
    template <class Condition, class... Limit> bool until(Condition condition, Limit... limit) {
        return time.run_until(condition, limit...);
    }
    void run(std::chrono::milliseconds t) { time.advance(t); }

    asio::io_context io;
    Time time = begin_time();
    apiserver::api_server server;
    kube::client user{server.transport()};
    std::shared_ptr<faulty_transport> link = std::make_shared<faulty_transport>(server.transport());

private:
    Time begin_time() {
        if constexpr (std::is_same_v<Time, real_time>)
            return real_time(io);
        else
            return simulated_time::install_free(io);
    }
};

/// In simulated time that passes by itself.
using served_cluster = basic_served_cluster<simulated_time&>;
/// In real time.
using live_cluster = basic_served_cluster<real_time>;

} // namespace kftrain::test

#endif
