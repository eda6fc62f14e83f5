#include "local/sandbox/system.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <vector>

namespace kftrain::local::sandbox {

void fail(std::string const& step) { throw std::system_error(errno, std::generic_category(), step); }

bool is_shortage(int error) noexcept {
    switch (error) {
    case EAGAIN: // processes
    case EDQUOT:
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
    case ENOSPC: // also of namespaces
        return true;
    default: return false;
    }
}

pid_t fork_into(int namespaces, std::string const& step) {
    // Unlike unshare() + fork() this also works several times per process for PID namespaces. Not clone3: common
    // seccomp profiles refuse it because they cannot look into its argument.
    auto const flags =
        static_cast<unsigned long>(static_cast<unsigned>(namespaces)) | static_cast<unsigned long>(SIGCHLD);
#if defined(__s390__) || defined(__s390x__)
    auto const pid = ::syscall(SYS_clone, 0UL, flags, 0UL, 0UL, 0UL);
#else
    auto const pid = ::syscall(SYS_clone, flags, 0UL, 0UL, 0UL, 0UL);
#endif
    return static_cast<pid_t>(check(pid, step));
}

void close_others(std::initializer_list<int> keep) {
    std::vector<int> open;
    for (auto const& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        auto const fd = std::stoi(entry.path().filename().string());
        if (fd > 2 && std::find(keep.begin(), keep.end(), fd) == keep.end()) open.push_back(fd);
    }
    for (int const fd : open) ::close(fd); // the listing's own descriptor is closed twice: harmless without threads
}

std::pair<unique_fd, unique_fd> make_socket_pair() {
    std::array<int, 2> ends{};
    check(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), "make a socket pair");
    return {unique_fd(ends[0]), unique_fd(ends[1])};
}

bool is_in_user_namespace() {
    std::ifstream map("/proc/self/uid_map");
    std::uint64_t inside = 0;
    std::uint64_t outside = 0;
    std::uint64_t count = 0;
    map >> inside >> outside >> count;
    constexpr std::uint64_t all = 4'294'967'295;
    return count != all;
}

void write_file(std::string const& path, std::string const& text) {
    unique_fd const file(check(::open(path.c_str(), O_WRONLY | O_CLOEXEC), "open " + path));
    check(::write(file.get(), text.data(), text.size()), "write \"" + text + "\" to " + path);
}

} // namespace kftrain::local::sandbox
