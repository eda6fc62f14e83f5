#ifndef KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_CONNECTION_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_CONNECTION_HPP

#include "cli/cluster/connection/contact.hpp"

#include <kftrain/training_client.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace CLI { // NOLINT(readability-identifier-naming): of the library CLI11
class App;      // NOLINT(readability-identifier-naming)
}

namespace kftrain::cli {

/// The cluster and the time limit. Empty fields have the defaults of kubectl.
struct connection_options {
    connection_options() = default;

    std::string kubeconfig;
    std::string context;
    std::string namespace_;
    std::optional<std::chrono::milliseconds> timeout;
    /// In a pod, use its service account, unless KUBECONFIG is set: HOME of a pod of the local cluster is a directory
    /// of the machine, whose kubeconfig is for another cluster.
    bool in_pod = false;
};

/// The usual help of `--timeout`.
inline constexpr char const* timeout_of_command =
    "Give up after DURATION, for example 90s or 5m; 0 for no limit (default: 65s for each request)";
/// Adds --kubeconfig, --context, --namespace and --timeout to a command for jobs on a cluster. The options must live as
/// long as the command.
void add_connection_flags(CLI::App& command, connection_options&, std::string const& timeout_help = timeout_of_command);

/// The cluster of a command. The client works only while the command waits for it.
class connection {
public:
    using steady = std::chrono::steady_clock;

    /// Prints a message and returns null if the configuration cannot be used. Sends nothing.
    static std::unique_ptr<connection> open(connection_options const&);
    connection(connection const&) = delete;
    connection& operator=(connection const&) = delete;
    ~connection() = default;

    boost::asio::io_context& context() noexcept { return context_; }
    training_client& jobs() noexcept { return *jobs_; }
    training_client const& jobs() const noexcept { return *jobs_; }

    /// The end of --timeout, which begins with the command; absent without a limit.
    std::optional<steady::time_point> const& end() const noexcept { return end_; }
    /// The rest of --timeout: 0 without a limit, otherwise at least 1 ms.
    std::chrono::milliseconds left() const;
    /// Sets the timeout to the rest of --timeout, if it is given.
    template <class Options> Options timed(Options options) const {
        if (options_.timeout) options.timeout = left();
        return options;
    }
    connection_options const& options() const noexcept { return options_; }
    cli::contact& contact() noexcept { return contact_; }
    /// Adds the last failure of a request to a timeout. Otherwise the message would suggest that the cluster answered.
    failure followed(failure f) const;

    /// Runs the client until the flag is set.
    void run_until(std::atomic<bool> const& done);
    /// Runs a coroutine to its end and rethrows its exception.
    int run(boost::asio::awaitable<int> main);

private:
    connection(connection_options o, std::optional<steady::time_point> end) : options_(std::move(o)), end_(end) {}

    connection_options options_;
    std::optional<steady::time_point> end_;
    boost::asio::io_context context_;
    cli::contact contact_{context_};
    std::optional<training_client> jobs_; // destroyed first
};

} // namespace kftrain::cli

#endif
