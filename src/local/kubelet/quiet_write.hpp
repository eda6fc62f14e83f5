#ifndef KFTRAIN_SRC_LOCAL_KUBELET_QUIET_WRITE_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_QUIET_WRITE_HPP

#include "kube/async/waiting_caller.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>

namespace kftrain::local {

/// Writes to a pipe without the signal that a pipe without a reader raises.
inline ssize_t write_quietly(int fd, std::string_view bytes) {
    sigset_t broken_pipe, before, pending;
    ::sigemptyset(&broken_pipe);
    ::sigaddset(&broken_pipe, SIGPIPE);
    ::sigpending(&pending);
    ::pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
    auto const written = ::write(fd, bytes.data(), bytes.size());
    int const error = errno;
    timespec const at_once{};
    if (written < 0 && error == EPIPE && ::sigismember(&pending, SIGPIPE) == 0)
        ::sigtimedwait(&broken_pipe, nullptr, &at_once);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
    return written;
}

/** Writes the rest of a text to the input of a process, a non-blocking pipe or terminal that `owner` contains. `owner`
    has `input()` and `is_killed()`. */
template <class Owner>
void write_rest(std::shared_ptr<Owner> const& owner, std::shared_ptr<std::string> const& text, std::size_t sent,
                kube::waiting_caller<> caller) {
    namespace asio = boost::asio;
    auto& input = owner->input();
    while (sent < text->size()) {
        error_code ec = make_error_code(errc::connection_lost);
        if (owner->is_killed()) ec = asio::error::operation_aborted;
        if (!input.is_open()) return caller.complete_later(input.get_executor(), ec);
        auto const n = write_quietly(input.native_handle(), std::string_view(*text).substr(sent));
        if (n > 0) sent += static_cast<std::size_t>(n);
        if (n >= 0 || errno == EINTR) continue;
        if (errno != EAGAIN) return caller.complete_later(input.get_executor(), make_error_code(errc::connection_lost));
        return input.async_wait(asio::posix::stream_descriptor::wait_write,
                                [owner, text, sent, c = std::move(caller)](error_code failed) mutable {
                                    if (failed) return c.complete(failed);
                                    write_rest(owner, text, sent, std::move(c));
                                });
    }
    caller.complete_later(input.get_executor(), error_code());
}

} // namespace kftrain::local

#endif
