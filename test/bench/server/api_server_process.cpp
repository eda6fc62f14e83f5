#include "bench/server/api_server_process.hpp"

#include "bench/support/measurement.hpp"
#include "local/cluster/job_resources.hpp"

#include <kftrain/apiserver/api_server.hpp>
#include <kftrain/apiserver/listener.hpp>
#include <kftrain/job/job_rules.hpp>
#include <kftrain/kinds/pytorch_job.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <signal.h>

namespace kftrain::bench {
namespace {

void show_at_signal(boost::asio::signal_set& signals, std::function<void(double)> const& show) {
    signals.async_wait([&](error_code ec, int) {
        if (ec) return;
        show(live_heap_mb());
        show_at_signal(signals, show);
    });
}

} // namespace

void serve_api(unsigned short port, std::function<void(server_address const&)> const& ready,
               std::function<void(double)> const& show) {
    boost::asio::io_context context(1);
    apiserver::api_server server(context.get_executor());
    auto const& kind = job_rules_for<pytorch_job>();
    local::serve_kind(server, kind, {}).value();

    apiserver::listener_options options;
    options.port = port;
    options.tls = apiserver::make_self_signed_identity().value();
    options.bearer_token = "bench";
    server_address address;
    address.ca_pem = options.tls->certificate_pem;
    address.token = options.bearer_token;
    auto listener = apiserver::listener::open(server, std::move(options)).value();
    address.url = listener.url();

    boost::asio::signal_set end(context, SIGTERM, SIGINT), shows(context, SIGUSR1);
    end.async_wait([&](error_code, int) {
        listener.stop();
        shows.cancel();
    });
    show_at_signal(shows, show);
    listener.async_run([](error_code) {});
    ready(address);
    context.run();
}

server_process::server_process(serve_function const& serve)
    : process_(std::make_unique<child_process>([&](child_process::send_function const& send) {
          auto const ready = [&](server_address const& a) {
              for (auto const* text : {&a.url, &a.ca_pem, &a.token}) send(*text);
          };
          serve(ready, [&](double megabytes) { send(std::to_string(megabytes)); });
      })) {
    for (auto* text : {&address_.url, &address_.ca_pem, &address_.token}) *text = process_->receive();
}

server_process::server_process()
    : server_process([](ready_function const& ready, show_function const& show) { serve_api(0, ready, show); }) {}

double server_process::live_heap_mb() const {
    process_->signal(SIGUSR1);
    return std::stod(process_->receive());
}

} // namespace kftrain::bench
