// Runs the controller of Sweeps with leader election: without arguments on an API server in this process, with
// `--cluster` on the cluster that kubectl would use.
#include "sweep_rules.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/control/controller_operator.hpp>
#include <kftrain/control/leader_election.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/default_config.hpp>
#include <kftrain/kube/https_transport.hpp>
#include <kftrain/kube/informer.hpp>
#include <kftrain/local/served_kinds.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <csignal>
#include <exception>
#include <initializer_list>
#include <iostream>
#include <string_view>

namespace asio = boost::asio;
namespace kube = kftrain::kube;

namespace {

// [run]
/// Writes a record of the library to the standard error. Without a logger, failures of the rules are not visible.
void log_record(kftrain::log_level, std::string_view message, std::initializer_list<kftrain::log_field> fields) {
    std::clog << message;
    for (auto const& [name, value] : fields) std::clog << ' ' << name << '=' << value;
    std::clog << '\n';
}

/// A controller that works only while this process holds the Lease `sweep-controller`.
kftrain::control::controller_operator sweep_controller(kube::client const& client, std::string const& host) {
    kftrain::control::controller_operator_options options;
    options.leader_election = kftrain::control::leader_election_options()
                                  .with_name("sweep-controller")
                                  .with_namespace("default")
                                  .with_identity(kftrain::control::make_identity(host));
    options.controller.logger = kftrain::logger(&log_record);
    auto const rules = std::make_shared<kftrain::rules::controller_of<acme::sweep_rules>>();
    return kftrain::control::controller_operator(rules, client, options);
}
// [run end]

// [use]
asio::awaitable<void> create_sweep(kube::api<acme::sweep> sweeps) {
    acme::sweep s;
    s.metadata.name = "rates";
    s.spec.image = "example.com/train:1";
    s.spec.learning_rates = {"0.1", "0.01", "0.001"};
    s.spec.workers = 2;
    auto const stored = co_await sweeps.async_create(s);
    std::cout << stored.metadata.name << " created\n";
}
// [use end]

// [cluster]
/// Runs the controller until SIGINT or SIGTERM.
int run_on_cluster() {
    asio::io_context context;
    auto const config = kube::default_config(kube::process_environment()).value(); // what kubectl would use
    kube::client const client(kube::make_https_transport(context.get_executor(), config).value());
    auto controller = sweep_controller(client, "host-1");
    asio::cancellation_signal stop; // must outlive the run
    asio::signal_set signals(context, SIGINT, SIGTERM);
    signals.async_wait([&](kftrain::error_code ec, int) {
        if (!ec) stop.emit(asio::cancellation_type::terminal);
    });
    kftrain::error_code ended;
    controller.async_run(asio::bind_cancellation_slot(stop.slot(), [&](kftrain::error_code ec) {
        ended = ec;
        signals.cancel();
    }));
    context.run();
    std::cerr << ended.message() << '\n';
    return ended == asio::error::operation_aborted ? 0 : 1;
}
// [cluster end]

/// Creates a Sweep on a server in this process, and waits until the controller has made its jobs.
int run_in_process() {
    asio::io_context context;
    kftrain::apiserver::api_server server(context.get_executor());
    kftrain::local::serve_job_kinds(server).value();
    server.register_resource(kftrain::apiserver::resource_definition(acme::sweep::resource)).value();
    kube::client const client(server.transport());
    kube::api<acme::sweep> const sweeps(client, "default");

    asio::cancellation_signal stop; // must outlive the run
    bool done = false;
    kube::informer<acme::sweep> informer(sweeps);
    informer.on_event([&](kube::object_event<acme::sweep> const& e) {
        if (e.object->status.created != 3) return;
        std::cout << e.object->status.created << " PyTorchJobs\n";
        done = true;
        stop.emit(asio::cancellation_type::terminal);
    });
    informer.async_run(asio::detached);

    auto controller = sweep_controller(client, "host-1");
    controller.async_run(asio::bind_cancellation_slot(stop.slot(), [&](kftrain::error_code) { context.stop(); }));
    asio::co_spawn(context, create_sweep(sweeps), asio::detached);
    context.run_for(std::chrono::seconds(60));
    return done ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return argc > 1 && argv[1] == std::string_view("--cluster") ? run_on_cluster() : run_in_process();
    } catch (std::exception const& e) {
        std::cerr << e.what() << '\n';
        return 2;
    }
}
