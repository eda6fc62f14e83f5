#include "kube/credentials/exec_run.hpp"

#include "base/spawn.hpp"
#include "base/unique_fd.hpp"

#include <boost/asio/post.hpp>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <utility>

namespace kftrain::kube::detail {
namespace {

constexpr std::size_t longest_error_tail = 1024;
constexpr std::size_t longest_turn = 64 * 1024; // then others have theirs
constexpr std::chrono::milliseconds poll_interval{20};
constexpr std::chrono::milliseconds longest_death{1000}; // of what was killed, while others go on
constexpr std::chrono::milliseconds longest_halt{100};   // while this thread waits

using boost::system::error_code;

/// Makes a pipe. Returns an errno value, 0 for success.
int make_pipe(unique_fd& reader, unique_fd& writer) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return errno;
    reader.reset(ends[0]);
    writer.reset(ends[1]);
    return 0;
}

/// Reaps a child, if it ends within this time. False if it does not.
bool reap_child(pid_t pid, int& status, std::chrono::milliseconds limit) noexcept {
    using clock = std::chrono::steady_clock;
    for (auto const until = clock::now() + limit;;) {
        auto const reaped = ::waitpid(pid, &status, WNOHANG);
        if (reaped == pid) return true;
        if (reaped < 0 && errno == ECHILD) { // the application reaps all its children
            status = -1;
            return true;
        }
        if (clock::now() >= until) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

} // namespace

exec_run::exec_run(asio::any_io_executor const& executor)
    : output_(executor), errors_(executor), process_(executor), limit_(executor), poll_(executor) {}

int exec_run::spawn(exec_plan const& plan) {
    unique_fd output, to_output, errors, to_errors;
    if (int const error = make_pipe(output, to_output); error != 0) return error;
    if (int const error = make_pipe(errors, to_errors); error != 0) return error;
    pid_t pid = 0;
    spawn_request plugin;
    plugin.arguments = plan.arguments;
    plugin.variables = plan.variables;
    plugin.descriptors = {{to_output.get(), 1}, {to_errors.get(), 2}};
    plugin.nowhere = {0};
    plugin.signals = spawn_request::group::own;
    plugin.close_others = true; // sockets of Asio would be inherited
    int const error = kftrain::spawn(pid, std::move(plugin));
    if (error != 0) return error;
    pid_ = pid;
    auto const assign = [](asio::posix::stream_descriptor& to, int fd) {
        error_code ec;
        to.assign(fd, ec);
        if (ec) ::close(fd);
        if (!ec) to.non_blocking(true, ec);
    };
    assign(output_.stream, output.release());
    assign(errors_.stream, errors.release());
    return 0;
}

void exec_run::start(exec_plan const& plan, done_function done) {
    done_ = std::move(done);
    output_limit_ = plan.output_limit;
    signal_process_ = plan.signal_process;
    if (int const error = spawn(plan); error != 0) {
        exec_outcome outcome;
        outcome.how = exec_outcome::end::not_started;
        outcome.value = error;
        asio::post(limit_.get_executor(), [self = shared_from_this(), o = std::move(outcome)] { self->report(o); });
        return;
    }
    read(output_);
    read(errors_);
    watch_end();
    limit_.expires_after(plan.timeout);
    limit_.async_wait([weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (!ec && self) self->give_up(exec_outcome::end::timed_out);
    });
}

/// Bytes are taken out of a pipe only here, where they are kept: none are on their way when the command has ended.
void exec_run::read(pipe_end& from) {
    from.stream.async_wait(asio::posix::stream_descriptor::wait_read,
                           [self = shared_from_this(), &from](error_code ec) {
                               if (!ec && self->pid_ != 0 && self->take(from, longest_turn)) self->read(from);
                           });
}

/// Reads all or a part of the bytes in the pipe. Returns false at its end.
bool exec_run::take(pipe_end& from, std::size_t limit) {
    for (std::size_t taken = 0; taken < limit;) {
        auto const n = ::read(from.stream.native_handle(), from.buffer.data(), from.buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
        taken += static_cast<std::size_t>(n);
        from.text.append(from.buffer.data(), static_cast<std::size_t>(n));
        if (&from == &errors_ && from.text.size() > longest_error_tail)
            from.text.erase(0, from.text.size() - longest_error_tail);
        if (&from == &output_ && from.text.size() > output_limit_) return give_up(exec_outcome::end::flooded), false;
    }
    return true;
}

void exec_run::watch_end() {
    int const fd = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
    error_code ec;
    if (fd >= 0) process_.assign(fd, ec);
    if (fd < 0 || ec) {
        if (fd >= 0) ::close(fd);
        return poll_end();
    }
    process_.async_wait(asio::posix::stream_descriptor::wait_read, [self = shared_from_this()](error_code failed) {
        if (!failed && self->pid_ != 0) self->ended();
    });
}

void exec_run::poll_end() {
    poll_.expires_after(poll_interval);
    poll_.async_wait([self = shared_from_this()](error_code ec) {
        if (ec || self->pid_ == 0) return;
        siginfo_t info{};
        bool const runs =
            ::waitid(P_PID, static_cast<id_t>(self->pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
        if (runs) return self->poll_end();
        self->ended();
    });
}

void exec_run::give_up(exec_outcome::end how) {
    if (pid_ == 0 || given_up_) return;
    given_up_ = how;
    if (ending_) return;
    bool const killed = kill_all(); // ended() follows, unless the kernel holds the process, or it runs as another user
    limit_.expires_after(killed ? longest_death : std::chrono::milliseconds(0));
    limit_.async_wait([weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (!ec && self) self->abandon();
    });
}

/// False if the command itself may not be signalled.
bool exec_run::kill_all() noexcept {
    signal_process_(-pid_, SIGKILL);
    return signal_process_(pid_, SIGKILL) == 0 || errno == ESRCH;
}

void exec_run::abandon() {
    if (pid_ == 0) return;
    left_ = std::exchange(pid_, 0);
    exec_outcome outcome;
    outcome.how = *given_up_;
    outcome.error_tail = std::move(errors_.text);
    error_code ignored;
    for (auto* pipe : {&output_, &errors_}) pipe->stream.close(ignored);
    poll_.cancel();
    report(std::move(outcome));
}

bool exec_run::reap() noexcept {
    int status = 0;
    if (left_ != 0 && reap_child(left_, status, {})) left_ = 0;
    return left_ == 0;
}

void exec_run::ended() {
    ending_ = true;
    for (auto* pipe : {&output_, &errors_}) { // others may hold the other end, and keep it open
        if (pipe->stream.is_open()) take(*pipe, output_limit_ + 1);
        error_code ignored;
        pipe->stream.close(ignored);
    }
    exec_outcome outcome;
    int status = -1;
    left_ = std::exchange(pid_, 0);
    if (reap_child(left_, status, longest_halt)) left_ = 0;
    if (given_up_) {
        outcome.how = *given_up_;
    } else if (status == -1) {
        outcome.how = exec_outcome::end::unknown;
    } else if (WIFSIGNALED(status)) {
        outcome.how = exec_outcome::end::killed_by_signal;
        outcome.value = WTERMSIG(status);
    } else {
        outcome.how = exec_outcome::end::exited;
        outcome.value = WEXITSTATUS(status);
    }
    outcome.output = std::move(output_.text);
    outcome.error_tail = std::move(errors_.text);
    report(std::move(outcome));
}

void exec_run::report(exec_outcome outcome) {
    limit_.cancel();
    error_code ignored;
    process_.close(ignored);
    if (auto const done = std::exchange(done_, nullptr)) done(std::move(outcome));
}

void exec_run::stop() noexcept {
    done_ = nullptr;
    reap();
    if (pid_ == 0) return;
    bool const killed = kill_all();
    int status = 0;
    left_ = std::exchange(pid_, 0);
    if (reap_child(left_, status, killed ? longest_halt : std::chrono::milliseconds(0))) left_ = 0;
    error_code ignored;
    for (auto* descriptor : {&output_.stream, &errors_.stream, &process_}) descriptor->close(ignored);
    limit_.cancel();
    poll_.cancel();
}

} // namespace kftrain::kube::detail
