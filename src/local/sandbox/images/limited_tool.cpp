#include "local/sandbox/images/limited_tool.hpp"

#include "local/sandbox/system.hpp"

#include <array>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace kftrain::local::sandbox {
namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

constexpr std::size_t kept_output = 16'384; ///< bytes of what the program prints
constexpr std::chrono::milliseconds shortest_pause{50};
constexpr int pause_factor = 4; ///< looking takes at most a fifth of the time
constexpr std::int64_t block = 512;

/// Makes everything but `directory` read-only for this process and its children.
void confine_writes(std::string const& directory) {
    check(::unshare(CLONE_NEWNS), "create a mount namespace");
    check(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "make the mounts private");
    check(::mount(directory.c_str(), directory.c_str(), nullptr, MS_BIND, nullptr), "mount " + directory);
    struct mount_attr read_only{};
    read_only.attr_set = MOUNT_ATTR_RDONLY;
    check(::mount_setattr(AT_FDCWD, "/", AT_RECURSIVE, &read_only, sizeof read_only),
          "make the machine read-only for " + directory);
    struct mount_attr writable{};
    writable.attr_clr = MOUNT_ATTR_RDONLY;
    check(::mount_setattr(AT_FDCWD, directory.c_str(), 0, &writable, sizeof writable), "make the output writable");
}

bool exceeds(tree_size const& size, tree_size const& limit) {
    return size.bytes > limit.bytes || size.files > limit.files;
}

[[noreturn]] void execute(tool_run const& tool, int output, pid_t parent) {
    try {
        check(::prctl(PR_SET_PDEATHSIG, SIGKILL), "end with the caller");
        if (::getppid() != parent) ::_exit(125);
        auto const bytes = static_cast<rlim_t>(tool.limit.bytes);
        rlimit const most{bytes, bytes};
        check(::setrlimit(RLIMIT_FSIZE, &most), "limit the size of files");
        rlimit const none{0, 0};
        check(::setrlimit(RLIMIT_CORE, &none), "leave core files out");
        unique_fd const null(check(::open("/dev/null", O_RDONLY | O_CLOEXEC), "open /dev/null"));
        check(::dup2(null.get(), 0), "set standard input");
        check(::dup2(output, 1), "set standard output");
        check(::dup2(output, 2), "set standard error");
        confine_writes(tool.output);
        check(::chdir(tool.directory.c_str()), "enter " + tool.directory);
        for (auto const* const name : {"TMPDIR", "HOME", "XDG_RUNTIME_DIR"}) ::setenv(name, tool.output.c_str(), 1);
        auto arguments = tool.argv;
        std::vector<char*> pointers;
        for (auto& a : arguments) pointers.push_back(a.data());
        pointers.push_back(nullptr);
        ::execvp(pointers[0], pointers.data());
        if (errno == ENOENT) ::_exit(127);
        fail("execute " + tool.argv.front());
    } catch (std::exception const& e) {
        std::string const text = std::string(e.what()) + "\n";
        [[maybe_unused]] auto const n = ::write(output, text.data(), text.size());
    }
    ::_exit(125);
}

/// The last line, without the bullet that umoci begins its lines with.
std::string last_line(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    text.erase(0, text.rfind('\n') + 1);
    auto const start = text.find_first_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ\"/");
    return start == text.npos ? text : text.substr(start);
}

/// The error of a failure that may pass; 0 for others.
int passing_error(int status, std::string const& output) {
    if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGXFSZ ? 0 : EAGAIN;
    return output.find("no space left on device") != output.npos || output.find("disk quota") != output.npos ? ENOSPC
                                                                                                             : 0;
}

std::string sentence_of(tool_run const& tool, int status, std::string const& output) {
    auto const& name = tool.argv.front();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127 && output.empty())
        return name + " is not installed on this machine: install the Debian package " + tool.package;
    if (WIFSIGNALED(status)) return name + " was ended by signal " + std::to_string(WTERMSIG(status));
    return name + ": " + last_line(output);
}

/// A started program, which is killed at the end.
class child_process {
public:
    explicit child_process(pid_t pid) : pid_(pid) {}
    child_process(child_process const&) = delete;
    child_process& operator=(child_process const&) = delete;
    ~child_process() {
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        wait();
    }
    int wait() {
        int status = 0;
        while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
        pid_ = 0;
        return status;
    }

private:
    pid_t pid_;
};

void check_size(tool_run const& tool) {
    auto const size = size_of_tree(tool.output, tool.limit);
    if (size.bytes > tool.limit.bytes)
        throw std::runtime_error("the unpacked image takes more than " + std::to_string(tool.limit.bytes) +
                                 " bytes, the limit image_size of the image store");
    if (size.files > tool.limit.files)
        throw std::runtime_error("the image has more than " + std::to_string(tool.limit.files) +
                                 " files, the limit image_files of the image store");
}

} // namespace

tree_size size_of_tree(std::string const& directory, tree_size const& limit) {
    tree_size size;
    std::error_code ignored;
    fs::recursive_directory_iterator at(directory, fs::directory_options::skip_permission_denied, ignored);
    for (; at != fs::recursive_directory_iterator() && !exceeds(size, limit); at.increment(ignored)) {
        struct stat info{};
        if (::lstat(at->path().c_str(), &info) != 0) continue;
        auto const names = S_ISDIR(info.st_mode) ? std::int64_t{1} : static_cast<std::int64_t>(info.st_nlink);
        size.bytes += static_cast<std::int64_t>(info.st_blocks) * block / (names < 1 ? 1 : names);
        ++size.files;
    }
    return size;
}

void run_tool(tool_run const& tool) {
    std::array<int, 2> ends{};
    check(::pipe2(ends.data(), O_CLOEXEC), "make a pipe");
    unique_fd in(ends[0]);
    unique_fd out(ends[1]);
    auto const self = ::getpid();
    auto const pid = check(::fork(), "fork");
    if (pid == 0) execute(tool, out.get(), self);
    child_process child(pid);
    out.reset();
    std::string output;
    auto next_look = clock::now() + shortest_pause;
    for (bool open = true; open;) {
        auto const left = std::chrono::ceil<std::chrono::milliseconds>(next_look - clock::now()).count();
        std::array<pollfd, 2> watched{pollfd{in.get(), POLLIN, 0}, pollfd{tool.client, POLLIN, 0}};
        if (::poll(watched.data(), watched.size(), left > 0 ? static_cast<int>(left) : 0) < 0 && errno != EINTR)
            fail("wait for " + tool.argv.front());
        if (watched[1].revents != 0) throw abandoned();
        if (watched[0].revents != 0) {
            std::array<char, 4096> piece{};
            auto const n = ::read(in.get(), piece.data(), piece.size());
            open = n > 0 || (n < 0 && errno == EINTR);
            if (n > 0) output.append(piece.data(), static_cast<std::size_t>(n));
            if (output.size() > kept_output) output.erase(0, output.size() - kept_output);
        }
        if (clock::now() < next_look) continue;
        auto const begun = clock::now();
        check_size(tool);
        auto const taken = clock::now() - begun;
        next_look = clock::now() + std::max<clock::duration>(shortest_pause, pause_factor * taken);
    }
    auto const status = child.wait();
    check_size(tool); // the size explains the failure, too
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
    throw failed_step(sentence_of(tool, status, output), passing_error(status, output));
}

void become_namespace_root() {
    auto const user = ::geteuid();
    auto const group = ::getegid();
    if (user == 0) return;
    check(::unshare(CLONE_NEWUSER), "create a user namespace");
    write_file("/proc/self/uid_map", "0 " + std::to_string(user) + " 1");
    write_file("/proc/self/setgroups", "deny");
    write_file("/proc/self/gid_map", "0 " + std::to_string(group) + " 1");
}

} // namespace kftrain::local::sandbox
