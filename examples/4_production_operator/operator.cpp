// An operator for PyTorchJobs as a program to deploy: leader election, metrics, probes, a clean end on SIGTERM.
#include <kftrain/control/job_operator.hpp>
#include <kftrain/control/status_listener.hpp>
#include <kftrain/kinds/pytorch_job.hpp>
#include <kftrain/kube/default_config.hpp>
#include <kftrain/kube/https_transport.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <cstdlib>
#include <initializer_list>
#include <iostream>
#include <string_view>

namespace asio = boost::asio;
namespace control = kftrain::control;
namespace kube = kftrain::kube;

namespace {

/// Writes a record of the library to the standard error, which is the log of the pod.
void log_record(kftrain::log_level, std::string_view message, std::initializer_list<kftrain::log_field> fields) {
    std::clog << message;
    for (auto const& [name, value] : fields) std::clog << ' ' << name << '=' << value;
    std::clog << '\n';
}

} // namespace

int main(int argc, char** argv) {
    auto const port = static_cast<unsigned short>(argc > 1 ? std::atoi(argv[1]) : 8080);
    try {
        // [operator]
        asio::io_context context;
        asio::cancellation_signal stop, stop_status; // must outlive the runs that they cancel
        auto const config = kube::default_config(kube::process_environment()).value(); // the pod's service account
        auto const transport = kube::make_https_transport(context.get_executor(), config).value();
        auto client_options = kube::client_options().with_user_agent("trainer-operator/1.0");
        auto const requests = control::count_requests(client_options);
        kube::client const client(transport, client_options);

        char const* const host = std::getenv("HOSTNAME"); // the name of the pod
        control::job_operator_options options;
        options.controller.logger = kftrain::logger(&log_record);
        options.leader_election = control::leader_election_options()
                                      .with_name("trainer-operator")
                                      .with_namespace(config.namespace_)
                                      .with_identity(control::make_identity(host == nullptr ? "local" : host));
        control::job_operator<kftrain::pytorch_job> pytorch(client, options);

        auto const answers =
            control::status_listener_options()
                .with_address("0.0.0.0")
                .with_port(port)
                .with_ready([&] { return pytorch.has_synced(); })
                .with_metrics([&] { return control::prometheus_text({pytorch.metrics()}, requests.get()); });
        auto status = control::status_listener::open(context.get_executor(), answers).value();
        status.async_run(asio::bind_cancellation_slot(stop_status.slot(), [](kftrain::error_code) {}));

        int code = 0;
        asio::signal_set signals(context, SIGTERM, SIGINT);
        signals.async_wait([&](kftrain::error_code ec, int) {
            if (!ec) stop.emit(asio::cancellation_type::terminal);
        });
        pytorch.async_run(asio::bind_cancellation_slot(stop.slot(), [&](kftrain::error_code ec) {
            code = is_cancelled(ec) ? 0 : 1; // leadership_lost: end, and let the cluster start the pod again
            std::cerr << "operator ended: " << ec.message() << '\n';
            signals.cancel();
            stop_status.emit(asio::cancellation_type::terminal);
        }));
        context.run();
        return code;
        // [operator end]
    } catch (std::exception const& e) {
        std::cerr << e.what() << '\n';
        return 2;
    }
}
