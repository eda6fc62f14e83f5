#ifndef KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_HPP
#define KFTRAIN_SRC_CLI_CLUSTER_CONNECTION_HPP

#include "cli/cluster/contact.hpp"

#include <kftrain/training_client.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): of the library CLI11
class App;      // NOLINT(readability-identifier-naming)
}

namespace kftrain::cli {

/// Where the cluster is, and how long it may take; empty as kubectl has it.
struct connection_options {
    connection_options() = default;

    std::string kubeconfig;
    std::string context;
    std::string namespace_;
    std::optional<std::chrono::milliseconds> timeout;
};

/// What `--timeout` bounds, in the help.
inline constexpr char const* of_the_answer = "How long an answer may take, as 90s or 5m; 0 for no limit [65s]";
/// Adds --kubeconfig, --context, --namespace and --timeout; the options must live as long as the command.
void add_connection_flags(CLI::App& command, connection_options&, std::string const& timeout_help = of_the_answer);
/// Adds `-o`, one of these words; the first is what holds without it.
void add_output_flag(CLI::App& command, std::string& format, std::vector<std::string> const& formats);

/// A cluster that a command talks to. Work of the client runs while the command waits for it.
class connection {
public:
    /// Null after a complaint: nothing was sent yet.
    static std::unique_ptr<connection> open(connection_options const&);
    connection(connection const&) = delete;
    connection& operator=(connection const&) = delete;
    ~connection() = default;

    boost::asio::io_context& context() noexcept { return context_; }
    training_client& jobs() noexcept { return *jobs_; }
    training_client const& jobs() const noexcept { return *jobs_; }

    /// With the timeout of the command line, if there is one.
    template <class Options> Options timed(Options options) const {
        if (options_.timeout) options.timeout = *options_.timeout;
        return options;
    }
    connection_options const& options() const noexcept { return options_; }
    cli::contact& contact() noexcept { return contact_; }
    /** A failure of what was followed. Where the time is over it says what stood in the way at last: `errc::timeout` alone would let
        whoever reads it think that the cluster was there. */
    failure followed(failure f) const;

    /// Runs until somebody says that it is done.
    void run_until(std::atomic<bool> const& done);
    /// Runs a coroutine to its end; what it throws comes out here.
    int run(boost::asio::awaitable<int> main);

private:
    explicit connection(connection_options o) : options_(std::move(o)) {}

    connection_options options_;
    boost::asio::io_context context_;
    cli::contact contact_{context_};
    std::optional<training_client> jobs_; // goes first
};

} // namespace kftrain::cli

#endif
