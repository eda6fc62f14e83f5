#include "cli/local_state.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>

namespace kftrain::cli {
namespace {

failure last_error(std::string what) {
    failure f;
    f.code = error_code(errno, boost::system::system_category());
    f.detail.message = std::move(what) + ": " + f.code.message();
    return f;
}

} // namespace

result<int> local_state::lock() const {
    std::error_code ec;
    std::filesystem::create_directories(directory_, ec);
    if (ec) {
        errno = ec.value();
        return last_error("cannot make " + directory_.string());
    }
    // In a folder of somebody else's, the files below could lead anywhere.
    struct stat info{};
    if (::lstat(directory_.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != ::geteuid()) {
        errno = EPERM;
        return last_error("expected a directory of your own at " + directory_.string());
    }
    if (::chmod(directory_.c_str(), S_IRWXU) != 0) return last_error("cannot protect " + directory_.string());
    int const fd = ::open(lock_file().c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return last_error("cannot open " + lock_file().string());
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
        auto f =
            last_error(errno == EWOULDBLOCK ? "another command is starting a local cluster in " + directory_.string()
                                            : "cannot lock " + lock_file().string());
        ::close(fd);
        return f;
    }
    // Whoever held the lock before has left its process id behind.
    if (::ftruncate(fd, 0) != 0) {
        auto f = last_error("cannot write " + lock_file().string());
        ::close(fd);
        return f;
    }
    return fd;
}

bool local_state::claim(int fd) const {
    std::string const text = std::to_string(::getpid()) + "\n";
    return ::ftruncate(fd, 0) == 0 && ::pwrite(fd, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

bool local_state::starting() const {
    int const fd = ::open(lock_file().c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    bool const held = ::flock(fd, LOCK_SH | LOCK_NB) != 0;
    ::close(fd);
    return held && !server();
}

std::optional<pid_t> local_state::server() const {
    int const fd = ::open(lock_file().c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return std::nullopt;
    bool const free = ::flock(fd, LOCK_SH | LOCK_NB) == 0;
    std::array<char, 32> text{};
    ssize_t const size = ::pread(fd, text.data(), text.size(), 0);
    ::close(fd);
    pid_t pid = 0;
    if (free || size <= 0 || std::from_chars(text.data(), text.data() + size, pid).ec != std::errc{})
        return std::nullopt;
    return pid;
}

result<void> local_state::write_kubeconfig(std::string const& text) const {
    int const fd = ::open(kubeconfig().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return last_error("cannot write " + kubeconfig().string());
    result<void> outcome;
    if (::write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        outcome = last_error("cannot write " + kubeconfig().string());
    ::close(fd);
    return outcome;
}

void local_state::remove_kubeconfig() const noexcept {
    std::error_code ignored;
    std::filesystem::remove(kubeconfig(), ignored);
}

} // namespace kftrain::cli
