#ifndef KFTRAIN_SRC_LOCAL_KUBELET_QUIET_WRITE_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_QUIET_WRITE_HPP

#include <cerrno>
#include <csignal>
#include <ctime>
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

} // namespace kftrain::local

#endif
