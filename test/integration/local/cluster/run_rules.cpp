#include "support/run_rules.hpp"

#include "integration/local/sandboxed_cluster.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/apiserver/listener.hpp>
#include <kftrain/kube/blocking.hpp>
#include <kftrain/local/kubelet.hpp>

#include <boost/asio/ip/tcp.hpp>

#include <optional>

BOOST_AUTO_TEST_SUITE(integration_run_rules)

using namespace run_rules;

namespace {

logger counting(std::shared_ptr<int> const& token) {
    return logger([token](log_level, std::string_view, std::initializer_list<log_field>) {});
}

/// With a client that has connected and sends nothing.
struct listening final : subject {
    listening(asio::io_context& io, std::shared_ptr<int> const& token) : server(io.get_executor()) {
        apiserver::listener_options o;
        o.log = counting(token);
        o.handshake_timeout = std::chrono::seconds(1); // what the end of a run waits for
        auto identity = apiserver::make_self_signed_identity({"127.0.0.1"});
        BOOST_REQUIRE(identity.has_value());
        o.tls = *std::move(identity);
        auto opened = apiserver::listener::open(server, std::move(o));
        BOOST_REQUIRE(opened.has_value());
        it.emplace(*std::move(opened));
        guest.connect({asio::ip::address_v4::loopback(), it->port()});
    }
    void run(run_handler handler) override { it->async_run(std::move(handler)); }
    void destroy() override { it.reset(); }

    apiserver::api_server server;
    std::optional<apiserver::listener> it;
    asio::io_context guests;
    asio::ip::tcp::socket guest{guests};
};

template <class Started> void start(asio::io_context& io, Started& it) {
    diagnostics detail;
    auto const started = kube::run_blocking(io.get_executor(), detail, [&](auto h) {
        it.async_start(local::start_options().with_detail(detail), std::move(h));
    });
    BOOST_REQUIRE_MESSAGE(started.has_value(), (started ? "" : started.error().to_string()));
}

struct kubelet_that_runs final : subject {
    kubelet_that_runs(asio::io_context& io, std::shared_ptr<int> const& token) : server(io.get_executor()) {
        local::kubelet_options o;
        o.directory = local_tests::fresh_folder();
        o.mode = local::isolation::processes;
        o.logger = counting(token);
        it.emplace(kube::client(server.transport()), o);
        start(io, *it);
    }
    void run(run_handler handler) override { it->async_run(std::move(handler)); }
    void destroy() override { it.reset(); }

    apiserver::api_server server;
    std::optional<local::kubelet> it;
};

struct cluster_that_runs final : subject {
    cluster_that_runs(asio::io_context& io, std::shared_ptr<int> const& token) {
        local::local_cluster_options o;
        o.directory = local_tests::fresh_folder();
        o.mode = local::isolation::processes;
        o.listen.emplace();
        o.logger = counting(token);
        it.emplace(io, o);
        start(io, *it);
    }
    void run(run_handler handler) override { it->async_run(std::move(handler)); }
    void destroy() override { it.reset(); }

    std::optional<local::local_cluster> it;
};

template <class T> std::unique_ptr<subject> a(asio::io_context& io, std::shared_ptr<int> const& token) {
    return std::make_unique<T>(io, token);
}

/// The subjects release their resources at the end of a run, so they cannot run again.
void check_all(maker const& make) {
    runs_once_at_a_time(make);
    runs_again(make, false);
    keeps_both_at_work(make);
    ends_when_destroyed(make);
    ends_when_cancelled(make);
    leaves_nothing(make);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_listener_follows_the_rules_for_runs) { check_all(a<listening>); }
BOOST_AUTO_TEST_CASE(a_kubelet_follows_the_rules_for_runs) { check_all(a<kubelet_that_runs>); }
BOOST_AUTO_TEST_CASE(a_local_cluster_follows_the_rules_for_runs) { check_all(a<cluster_that_runs>); }

BOOST_AUTO_TEST_CASE(operations_that_were_not_started_do_not_run) {
    asio::io_context io;
    local::local_cluster cluster(io, local::local_cluster_options());
    std::optional<error_code> ended;
    cluster.async_run([&](error_code ec) { ended = ec; });
    io.run();
    BOOST_REQUIRE(ended.has_value());
    BOOST_TEST(*ended == make_error_code(errc::invalid_argument), ended->message());
    start(io, cluster); // can be started yet
}

BOOST_AUTO_TEST_SUITE_END()
