#include "cli/cluster/connection/interruption.hpp"

#include <boost/asio/post.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <system_error>

namespace kftrain::cli {
namespace {

/// The write end of the pipe. Signal handlers may use lock-free atomics only.
std::atomic<int> write_end = -1;
std::atomic<bool> signalled = false;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

/// Restores the default action, so that the next signal ends the process.
extern "C" void note_signal(int) {
    int const before = errno;
    ::signal(SIGINT, SIG_DFL);
    ::signal(SIGTERM, SIG_DFL);
    if (!signalled.exchange(true)) (void)!::write(write_end, "", 1);
    errno = before;
}

/// Returns the read end.
int open_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    write_end = ends[1];
    signalled = false;
    return ends[0];
}

/// Without SA_RESTART, so that a blocked write returns and the signal is noticed.
void handle(int number, struct sigaction& before) {
    struct sigaction how{};
    how.sa_handler = &note_signal;
    ::sigemptyset(&how.sa_mask);
    ::sigaddset(&how.sa_mask, SIGINT);
    ::sigaddset(&how.sa_mask, SIGTERM);
    ::sigaction(number, &how, &before);
    if (before.sa_handler == SIG_IGN) ::sigaction(number, &before, nullptr); // as for background commands of a script
}

} // namespace

// asio::signal_set needs a running event loop, which does not run while a write blocks.
interruption::interruption(boost::asio::io_context& context, patient_output::deadline until)
    : context_(context), signal_pipe_(context, open_pipe()), streams_(until, signal_pipe_.native_handle()) {
    handle(SIGINT, interrupt_before_);
    handle(SIGTERM, terminate_before_);
    signal_pipe_.async_wait(boost::asio::posix::stream_descriptor::wait_read, [this](boost::system::error_code ec) {
        if (!ec) end();
    });
}

interruption::~interruption() {
    ::sigaction(SIGINT, &interrupt_before_, nullptr);
    ::sigaction(SIGTERM, &terminate_before_, nullptr);
    ::close(write_end.exchange(-1));
}

bool interruption::is_requested() const noexcept { return signalled; }

void interruption::end() {
    if (ending_) return;
    ending_ = true;
    boost::asio::post(context_, [signal = end_] { signal->emit(boost::asio::cancellation_type::terminal); });
}

} // namespace kftrain::cli
