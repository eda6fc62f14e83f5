#include "cli/cluster/connection/interruption.hpp"
#include "cli/cluster/connection/job_pod.hpp"
#include "cli/cluster/output/report_failure.hpp"
#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/subcommands.hpp"

#include <kftrain/kube/port_forwarder.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <charconv>
#include <iostream>
#include <optional>

namespace kftrain::cli {
namespace {

namespace asio = boost::asio;

constexpr auto values = asio::as_tuple(asio::use_awaitable);

struct port_forward_arguments {
    port_forward_arguments() = default;

    connection_options where;
    std::string job; ///< KIND/NAME
    std::vector<std::string> ports;
    pod_choice choice;
};

/// A port of this machine and one of the pod.
struct port_pair {
    port_pair() = default;

    std::uint16_t local = 0; ///< 0: any
    std::uint16_t remote = 0;
};

std::optional<std::uint16_t> read_port(std::string_view text) {
    std::uint16_t port = 0;
    auto const read = std::from_chars(text.data(), text.data() + text.size(), port);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size() || port == 0) return std::nullopt;
    return port;
}

/// REMOTE, LOCAL:REMOTE or :REMOTE.
std::optional<port_pair> read_ports(std::string_view text) {
    auto const colon = text.find(':');
    auto const remote = read_port(colon == std::string_view::npos ? text : text.substr(colon + 1));
    auto const local = colon == std::string_view::npos ? remote : read_port(text.substr(0, colon));
    if (!remote || (!local && colon != 0)) return std::nullopt;
    port_pair p;
    p.local = local.value_or(0);
    p.remote = *remote;
    return p;
}

/// Waits for the signal or the time.
asio::awaitable<int> wait_for_end(connection& c, interruption& stop) {
    asio::steady_timer wait(c.context(), c.end().value_or(asio::steady_timer::time_point::max()));
    if (!stop.is_ending()) co_await wait.async_wait(asio::bind_cancellation_slot(stop.slot(), values));
    co_return stop.is_requested() ? interrupted : success;
}

int forward_ports(port_forward_arguments const& arguments) {
    std::vector<port_pair> pairs;
    for (auto const& text : arguments.ports) {
        auto const ports = read_ports(text);
        if (!ports) {
            complain(
                "port-forward: PORT: expected REMOTE, LOCAL:REMOTE or :REMOTE with numbers from 1 to 65535, got \"" +
                text + "\"");
            return bad_usage;
        }
        pairs.push_back(*ports);
    }
    auto const c = connection::open(arguments.where);
    if (!c) return bad_usage;
    auto const target = find_pod(*c, arguments.job, arguments.choice);
    if (!target) return target.exit();
    interruption stop(c->context(), std::nullopt);
    kube::port_forwarder forwarder(c->jobs().get_client(), target->namespace_, target->pod);
    forwarder.on_failure([pod = target->pod](std::uint16_t port, failure const& why) {
        complain("port " + std::to_string(port) + " of pod " + pod + ": " + why.to_string());
    });
    std::string listening;
    for (auto const& ports : pairs) {
        auto const local = forwarder.listen(ports.remote, ports.local);
        if (!local) {
            complain("port-forward: " + local.error().to_string());
            return bad_usage;
        }
        listening += "Forwarding 127.0.0.1:" + std::to_string(*local) + " to port " + std::to_string(ports.remote) +
                     " of pod " + target->pod + '\n';
    }
    std::cout << listening << std::flush;
    return after_output(c->run(wait_for_end(*c, stop)));
}

} // namespace

void add_port_forward(CLI::App& app, int& exit) {
    auto arguments = std::make_shared<port_forward_arguments>();
    auto* const command = app.add_subcommand(
        "port-forward",
        "Forward ports of this machine to a replica of a job\n\n"
        "The command accepts connections on 127.0.0.1 and connects each to the port REMOTE of the replica, until it is "
        "interrupted. A port on which no process of the replica listens is reported for each connection. Without "
        "--rank and --role, the replica is the one with rank 0, or the first of a kind without ranks.");
    add_job_of_pod(*command, arguments->job);
    command
        ->add_option(
            "PORT", arguments->ports,
            "Forward the local port LOCAL to the port REMOTE; REMOTE alone uses the same local port, :REMOTE a "
            "free one")
        ->option_text("[LOCAL:]REMOTE...")
        ->required();
    add_replica_choice(*command, arguments->choice);
    add_connection_flags(*command, arguments->where, "Stop after DURATION, for example 90s or 5m (default: no limit)");
    add_footer(*command,
               {{success, "--timeout expired."},
                {job_failed, "The job or the pod does not exist."},
                {bad_usage, "The arguments cannot be used, or a local port is in use."},
                {cluster_failed, "The cluster cannot be reached or refused the request."},
                {interrupted, "The command was interrupted."}},
               {{"Open TensorBoard of rank 0 at http://127.0.0.1:6006", "kftrain port-forward PyTorchJob/mnist 6006"},
                {"Forward a free port to a worker", "kftrain port-forward TFJob/mnist --role Worker --index 1 :2222"}});
    command->callback([arguments, &exit] { exit = forward_ports(*arguments); });
}

} // namespace kftrain::cli
