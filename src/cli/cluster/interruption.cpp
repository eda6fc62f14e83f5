#include "cli/cluster/interruption.hpp"

#include <boost/asio/post.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <system_error>

namespace kftrain::cli {
namespace {

/// The end of the pipe that the handler writes to: all that a handler may look at.
std::atomic<int> to_tell = -1;
std::atomic<bool> signalled = false;
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

/// The next signal has its usual effect.
extern "C" void note_signal(int) {
    int const before = errno;
    ::signal(SIGINT, SIG_DFL);
    ::signal(SIGTERM, SIG_DFL);
    if (!signalled.exchange(true)) (void)!::write(to_tell, "", 1);
    errno = before;
}

/// Hands back the end to read from.
int open_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    to_tell = ends[1];
    signalled = false;
    return ends[0];
}

/// Without SA_RESTART: a write that nobody takes goes back to where this is seen.
void handle(int number, struct sigaction& before) {
    struct sigaction how{};
    how.sa_handler = &note_signal;
    ::sigemptyset(&how.sa_mask);
    ::sigaddset(&how.sa_mask, SIGINT);
    ::sigaddset(&how.sa_mask, SIGTERM);
    ::sigaction(number, &how, &before);
    if (before.sa_handler == SIG_IGN) ::sigaction(number, &before, nullptr); // as of a script's background commands
}

} // namespace

// A set of signals of Asio would be told of them by the loop alone, which does not run while an output is waited for.
interruption::interruption(boost::asio::io_context& context, std::optional<std::chrono::milliseconds> timeout)
    : context_(context), asked_(context, open_pipe()), streams_(timeout, asked_.native_handle()) {
    handle(SIGINT, interrupt_before_);
    handle(SIGTERM, terminate_before_);
    asked_.async_wait(boost::asio::posix::stream_descriptor::wait_read, [this](boost::system::error_code ec) {
        if (!ec) end();
    });
}

interruption::~interruption() {
    ::sigaction(SIGINT, &interrupt_before_, nullptr);
    ::sigaction(SIGTERM, &terminate_before_, nullptr);
    ::close(to_tell.exchange(-1));
}

bool interruption::is_asked() const noexcept { return signalled; }

void interruption::end() {
    if (ending_) return;
    ending_ = true;
    boost::asio::post(context_, [signal = end_] { signal->emit(boost::asio::cancellation_type::terminal); });
}

} // namespace kftrain::cli
