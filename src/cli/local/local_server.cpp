#include "cli/local/local_server.hpp"

#include <kftrain/kube/config.hpp>
#include <kftrain/local/local_cluster.hpp>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <random>

namespace kftrain::cli {
namespace {

namespace asio = boost::asio;

logger to_log() {
    return logger([](log_level, std::string_view message, std::initializer_list<log_field> fields) {
        std::cerr << message;
        for (auto const& [key, value] : fields) std::cerr << ' ' << key << '=' << value;
        std::cerr << std::endl;
    });
}

/// Each watch needs a descriptor, and the usual limit of 1024 is low. Pods inherit the limit, so it is not raised
/// further than needed.
void allow_many_connections() {
    constexpr rlim_t wanted = 8192;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
    limit.rlim_cur = std::min(wanted, limit.rlim_max);
    ::setrlimit(RLIMIT_NOFILE, &limit); // on failure, fewer connections are possible
}

/// As those that mkdtemp() chooses.
std::string random_letters() {
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    std::random_device system;
    std::uniform_int_distribution<std::size_t> place(0, letters.size() - 1);
    std::string out(6, ' ');
    for (char& c : out) c = letters[place(system)];
    return out;
}

} // namespace

int serve(local_options const& options, held_state& state, std::function<void(std::string const& why_not)> ready) {
    allow_many_connections();
    local::local_cluster_options o;
    // Chosen here, so that it is recorded for `local down`. The node creates it and marks it at once.
    auto const directory = "/tmp/kftrain-" + random_letters();
    static_cast<local::pod_options&>(o) = options.pods;
    o.directory = directory;
    o.mode = options.mode;
    o.rules = options.flags;
    o.nodes = options.nodes;
    o.simulate = options.simulate;
    o.data_directory = options.data_directory.string();
    o.node_resources = options.node_resources;
    o.logger = to_log();
    o.listen.emplace().port = options.port;
    o.listen->users = options.users;

    asio::io_context context;
    local::local_cluster cluster(context, o);
    asio::signal_set signals(context, SIGINT, SIGTERM);
    asio::cancellation_signal stop;
    int exit = success;
    diagnostics detail;

    cluster.async_start(local::start_options().with_detail(detail), [&](error_code ec) {
        if (ec) {
            exit = cluster_failed;
            return ready(failure(ec, detail).to_string());
        }
        cluster.async_run(asio::bind_cancellation_slot(stop.slot(), [&](error_code ended) {
            if (!is_cancelled(ended)) {
                std::cerr << "the local cluster failed: " << ended.message() << std::endl;
                exit = cluster_failed;
            }
            signals.cancel();
        }));
        signals.async_wait([&](error_code cancelled, int) {
            if (!cancelled) stop.emit(asio::cancellation_type::terminal);
        });
        auto noted = state.write_kubeconfig(kube::to_kubeconfig(*cluster.config(), "kftrain", cluster.user_configs()));
        if (noted) noted = state.claim(directory);
        if (!noted) {
            exit = cluster_failed;
            ready(noted.error().to_string());
            return stop.emit(asio::cancellation_type::terminal);
        }
        if (!cluster.fallback_reason().empty())
            std::cerr << "pods run without a sandbox: " << cluster.fallback_reason() << '\n';
        ready({});
    });
    context.run();
    state.remove_kubeconfig();
    return exit;
}

} // namespace kftrain::cli
