#ifndef KFTRAIN_SRC_KUBE_CREDENTIALS_EXEC_RUN_HPP
#define KFTRAIN_SRC_KUBE_CREDENTIALS_EXEC_RUN_HPP

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>

#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace kftrain::kube::detail {

namespace asio = boost::asio;

/// The command to run, and its limits.
struct exec_plan {
    exec_plan() = default;

    std::vector<std::string> arguments; ///< the command first; without a slash it is looked for in PATH
    std::vector<std::string> variables; ///< `NAME=value`, all of them
    std::chrono::milliseconds timeout{0};
    std::size_t output_limit = 0;
    int (*signal_process)(pid_t, int) = ::kill;
};

/// How a run ended.
struct exec_outcome {
    enum class end { exited, killed_by_signal, unknown, not_started, timed_out, flooded };

    exec_outcome() = default;

    end how = end::unknown;
    int value = 0;          ///< code, signal, or errno of `not_started`
    std::string output;     ///< all of it, except after `flooded`
    std::string error_tail; ///< the end of the standard error
};

/** A command that runs in the background; only its handler waits for it. It leads its own process group, reads nothing,
    and inherits no descriptors beyond its three. */
class exec_run : public std::enable_shared_from_this<exec_run> {
public:
    using done_function = std::function<void(exec_outcome)>;

    explicit exec_run(asio::any_io_executor const& executor);
    exec_run(exec_run const&) = delete;
    exec_run& operator=(exec_run const&) = delete;
    ~exec_run() { stop(); }

    /// Calls `done` when the command has ended, unless stop() comes before; never from inside this function.
    void start(exec_plan const& plan, done_function done);
    /** Kills the command and its process group, and reaps it. `done` is not called any more. Processes that must not be
        killed, or do not end immediately, are left behind. */
    void stop() noexcept;
    /// Reaps what was left behind. False while it runs.
    bool reap() noexcept;

private:
    struct pipe_end {
        explicit pipe_end(asio::any_io_executor const& executor) : stream(executor) {}

        asio::posix::stream_descriptor stream;
        std::string text;
        std::array<char, 4096> buffer{};
    };

    int spawn(exec_plan const& plan);
    void read(pipe_end& from);
    bool take(pipe_end& from, std::size_t limit);
    void watch_end();
    void poll_end();
    void give_up(exec_outcome::end how);
    bool kill_all() noexcept;
    void abandon();
    void ended();
    void report(exec_outcome outcome);

    pipe_end output_;
    pipe_end errors_;
    asio::posix::stream_descriptor process_; // where the kernel has such a descriptor
    asio::steady_timer limit_;
    asio::steady_timer poll_;
    std::size_t output_limit_ = 0;
    int (*signal_process_)(pid_t, int) = ::kill;
    pid_t pid_ = 0;
    pid_t left_ = 0; // a process whose end is no longer awaited
    bool ending_ = false;
    std::optional<exec_outcome::end> given_up_;
    done_function done_;
};

} // namespace kftrain::kube::detail

#endif
