#include "local/sandbox/containers/container.hpp"

#include "local/sandbox/channel.hpp"
#include "local/sandbox/containers/container_user.hpp"
#include "local/sandbox/containers/control_groups.hpp"
#include "local/sandbox/mounts/mounts.hpp"
#include "local/sandbox/processes.hpp"
#include "local/sandbox/system.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sched.h>
#include <signal.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <vector>

namespace kftrain::local::sandbox {
namespace {

/// A root file system that a container has instead of that of the machine.
struct container_root {
    container_root() = default;

    std::string lower;             ///< the files of the image, which stay as they are; empty: the root of the machine
    std::string layer;             ///< an empty directory for what the container writes
    std::string working_directory; ///< is created if it does not exist; may be empty
    bool read_only = false;
};

constexpr std::array<char const*, 2> system_files{"/etc/hosts", "/etc/resolv.conf"};

/// Those of the machine that a container has: some that every program expects, terminals, shared memory, and
/// accelerators.
std::vector<std::string> devices() {
    constexpr std::array<std::string_view, 11> usual{"null", "zero", "full", "random",     "urandom", "tty",
                                                     "pts",  "shm",  "dri",  "infiniband", "kfd"};
    std::vector<std::string> found;
    std::error_code ignored;
    for (auto const& entry : std::filesystem::directory_iterator("/dev", ignored)) {
        auto const name = entry.path().filename().string();
        bool const wanted = std::ranges::find(usual, name) != usual.end() || name.starts_with("nvidia");
        if (wanted && !entry.is_symlink(ignored)) found.push_back(entry.path().string());
    }
    return found;
}

/// A directory for them, with the usual links.
void make_devices() {
    if (::mkdir("/dev", 0755) != 0 && errno != EEXIST) fail("create /dev in the image");
    check(::mount("tmpfs", "/dev", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=755,size=1m"), "mount /dev");
    constexpr std::array<std::pair<char const*, char const*>, 5> links{{{"/proc/self/fd", "/dev/fd"},
                                                                        {"/proc/self/fd/0", "/dev/stdin"},
                                                                        {"/proc/self/fd/1", "/dev/stdout"},
                                                                        {"/proc/self/fd/2", "/dev/stderr"},
                                                                        {"pts/ptmx", "/dev/ptmx"}}};
    for (auto const& [target, link] : links) check(::symlink(target, link), std::string("create ") + link);
}

/// Of a system that made this file at its start.
void replace_dangling_link(char const* path) {
    struct stat info{};
    if (::lstat(path, &info) == 0 && S_ISLNK(info.st_mode) && ::stat(path, &info) != 0)
        check(::unlink(path), std::string("replace the link ") + path);
}

std::string path_of(unique_fd const& fd) { return "/proc/self/fd/" + std::to_string(fd.get()); }

unique_fd open_path(std::string const& path) {
    return unique_fd(check(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC), "open \"" + path + "\""));
}

/// The root of the container has the owner and the mode of this directory.
void make_upper(std::string const& path, unique_fd const& lower) {
    struct stat info{};
    check(::fstat(lower.get(), &info), "inspect the root of the image");
    check(::mkdir(path.c_str(), S_IRWXU), "create \"" + path + "\"");
    check(::chmod(path.c_str(), info.st_mode & 07777U), "set the mode of \"" + path + "\"");
    // An ordinary user cannot, and the directory is then his.
    [[maybe_unused]] auto const owned = ::chown(path.c_str(), info.st_uid, info.st_gid);
}

/// Mounts the image with its layer; returns the place.
std::string mount_overlay(container_root const& root) {
    auto const lower = open_path(root.lower);
    make_upper(root.layer + "/upper", lower);
    auto const place = root.layer + "/root";
    for (auto const& path : {root.layer + "/work", place})
        check(::mkdir(path.c_str(), S_IRWXU), "create \"" + path + "\"");
    auto const upper = open_path(root.layer + "/upper");
    auto const work = open_path(root.layer + "/work");
    // Paths may contain the separators of these options; those of descriptors do not.
    auto options = "lowerdir=" + path_of(lower) + ",upperdir=" + path_of(upper) + ",workdir=" + path_of(work);
    if (is_in_user_namespace()) options += ",userxattr";
    if (::mount("overlay", place.c_str(), "overlay", MS_NODEV, options.c_str()) == 0) return place;
    int const error = errno;
    std::string why = "mount overlayfs on \"" + root.lower + "\" with the layer \"" + root.layer + "\"";
    if (error == ENODEV) why += " (the kernel has no overlayfs)";
    if (error == EPERM) why += " (ordinary users need Linux 5.11, and the machine must permit it)";
    if (error == EINVAL) why += " (the file system of the layer, for example another overlayfs, cannot hold one)";
    errno = error;
    fail(why);
}

/** Makes the image with its writable layer the root of this process, which must have a mount namespace of its own. It
    has `/proc`, `/sys`, common devices, `/etc/hosts` and `/etc/resolv.conf` of the pod, and `mounts`. Links in the
    image are followed inside the image, so that no path of it leads to the machine. Device files of the image have no
    effect. Throws a sentence; needs overlayfs and, for ordinary users, Linux 5.11. */
void enter_root(container_root const& root, std::vector<bind_request> mounts) {
    std::vector<bind_request> all;
    auto const add = [&](std::string const& path) {
        auto& one = all.emplace_back();
        one.source = path;
        one.target = path;
    };
    auto const add_all = [&](std::vector<std::string> const& paths) {
        for (auto const& path : paths) add(path);
    };
    for (auto const* const path : {"/proc", "/sys"}) add(path);
    for (auto const* const path : system_files) add(path);
    add_all(devices());
    for (auto& m : mounts) all.push_back(std::move(m));
    bind_plan plan(std::move(all));
    plan.detach();
    auto const place = mount_overlay(root);
    check(::chdir(place.c_str()), "enter the root of the image");
    check(static_cast<int>(::syscall(SYS_pivot_root, ".", ".")), "change to the root of the image");
    // From here on no path leads to the machine.
    check(::umount2(".", MNT_DETACH), "detach the root of the machine");
    check(::chdir("/"), "enter the root of the image");
    for (auto const* const file : system_files) replace_dangling_link(file);
    make_devices();
    plan.apply(mount_point_link());
    std::error_code reported_later; // by the attempt to enter it
    if (!root.working_directory.empty()) std::filesystem::create_directories(root.working_directory, reported_later);
    if (root.read_only)
        check(::mount(nullptr, "/", nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NODEV, nullptr),
              "make the root of the image read-only");
}

struct program {
    std::vector<std::string> arguments;
    std::vector<std::string> environment;
    std::vector<bind_request> mounts;
    std::string working_directory;
    mount_point_link link;
    container_streams streams;
    bool has_terminal = false;
    std::optional<container_root> root;          ///< absent: that of the machine
    unique_fd joined;                            ///< the mounts of another container, which this one enters
    std::array<int, 2> groups_of_limits{-1, -1}; ///< see control_group_link::entry
    bool shows_limits = false;                   ///< its groups take the place of those of the machine
    std::optional<std::string> user;             ///< absent: that of the sandbox
    std::vector<std::int64_t> groups;            ///< further groups
    restrictions limits;
};

std::optional<container_root> root_of(boost::json::object const& request) {
    auto const* const member = request.if_contains("root");
    if (member == nullptr) return std::nullopt;
    auto const& object = member->as_object();
    container_root root;
    root.lower = text_of(object, "lower");
    root.layer = text_of(object, "layer");
    root.read_only = object.at("read_only").as_bool();
    root.working_directory = text_of(request, "working_dir");
    return root;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (auto& text : texts) list.push_back(text.data());
    list.push_back(nullptr);
    return list;
}

void reset_signals() {
    for (int s = 1; s < NSIG; ++s) ::signal(s, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

std::vector<std::int64_t> numbers_of(boost::json::object const& request, std::string_view member) {
    std::vector<std::int64_t> all;
    if (auto const* const found = request.if_contains(member))
        for (auto const& item : found->as_array()) all.push_back(item.as_int64());
    return all;
}

/// Leaves the user alone if the request names none.
void become_user(program& what) {
    container_user user;
    if (what.user) {
        user = find_user(*what.user);
        constexpr std::string_view home = "HOME=";
        if (std::ranges::none_of(what.environment, [&](auto const& v) { return v.starts_with(home); }))
            what.environment.push_back(std::string(home) + user.home);
    } else {
        user.uid = ::geteuid();
        user.gid = ::getegid();
    }
    for (auto const group : what.groups) user.groups.push_back(static_cast<gid_t>(group));
    become(user, what.limits);
}

void prepare(program& what, pid_t init) {
    check(::setsid(), "start a session");
    check(::prctl(PR_SET_PDEATHSIG, SIGKILL), "die with the container");
    if (::getppid() != init) ::_exit(125);
    for (int const fd : what.groups_of_limits)
        if (fd >= 0) check(::write(fd, "0", 1), "enter the control group of the container");
    if (what.joined) {
        check(::setns(what.joined.get(), CLONE_NEWNS), "enter the mounts of the container");
    } else if (what.root || !what.mounts.empty() || what.shows_limits) {
        check(::unshare(CLONE_NEWNS), "create a mount namespace");
        make_mounts_private();
        if (what.shows_limits) mount_own_groups();
        if (what.root)
            enter_root(*what.root, what.mounts);
        else
            bind_plan(what.mounts).apply(what.link);
    }
    unique_fd const null(check(::open("/dev/null", O_RDONLY | O_CLOEXEC), "open /dev/null"));
    auto const& streams = what.streams;
    check(::dup2(streams.input < 0 ? null.get() : streams.input, 0), "set standard input");
    check(::dup2(streams.output, 1), "set standard output");
    check(::dup2(streams.error < 0 ? streams.output : streams.error, 2), "set standard error");
    if (what.has_terminal) check(::ioctl(0, TIOCSCTTY, 0), "set the terminal");
    if (!what.working_directory.empty())
        check(::chdir(what.working_directory.c_str()), "enter working directory \"" + what.working_directory + "\"");
    ::umask(022);
    reset_signals();
    become_user(what);
}

[[noreturn]] void execute(program& what) {
    auto arguments = pointers(what.arguments);
    auto environment = pointers(what.environment);
    environ = environment.data(); // the search path is the container's, not ours
    ::execvp(arguments[0], arguments.data());
    int const error = errno;
    auto const sentence = "cannot execute \"" + what.arguments[0] + "\"";
    if (is_shortage(error)) {
        errno = error;
        fail(sentence);
    }
    auto const line = "kftrain: " + sentence + ": " + std::generic_category().message(error) + "\n";
    [[maybe_unused]] auto const written = ::write(2, line.data(), line.size());
    ::_exit(error == ENOENT || error == ENOTDIR ? 127 : 126);
}

/// The message of the report pipe, which is closed when the program runs.
struct start_report {
    pid_t program = 0; ///< 0: not even forked
    int error = 0;
    std::array<char, 2048> sentence{}; ///< ended by a NUL; empty: no failure
};

void send_report(int pipe, start_report const& r) {
    // Below PIPE_BUF, so it arrives in one piece.
    [[maybe_unused]] auto const written = ::write(pipe, &r, sizeof r);
}

void report_failure(int pipe, pid_t program, std::exception const& e) {
    start_report r;
    r.program = program;
    if (auto const* system = dynamic_cast<std::system_error const*>(&e)) r.error = system->code().value();
    std::strncpy(r.sentence.data(), e.what(), r.sentence.size() - 1);
    send_report(pipe, r);
}

[[noreturn]] void run(program& what, int report, pid_t init) {
    start_report self;
    self.program = ::getpid();
    send_report(report, self);
    try {
        prepare(what, init);
        execute(what);
    } catch (std::exception const& e) {
        report_failure(report, self.program, e);
    }
    ::_exit(125);
}

[[noreturn]] void run_init(program& what, int report, pid_t caller) {
    try {
        auto const self = ::getpid();
        auto const& streams = what.streams;
        run_container_init(caller,
                           {streams.output, streams.input, streams.error, report, what.link.socket(), what.joined.get(),
                            what.groups_of_limits[0], what.groups_of_limits[1]},
                           [&] { run(what, report, self); });
    } catch (std::exception const& e) {
        report_failure(report, 0, e);
    }
    ::_exit(1);
}

/// The last report before the pipe is closed.
start_report read_reports(int pipe) {
    start_report last;
    for (;;) {
        start_report r;
        auto const size = ::read(pipe, &r, sizeof r);
        if (size < 0 && errno == EINTR) continue;
        if (size != sizeof r) return last;
        last = r;
    }
}

constexpr int caller_died = SIGTERM;

/// Reaps what the program left behind and has ended; true if the program itself has.
bool reap_others(pid_t program) {
    for (;;) {
        siginfo_t info{};
        if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return false;
        if (info.si_pid == program) return true;
        ::waitpid(info.si_pid, nullptr, 0);
    }
}

} // namespace

started_container start_container(boost::json::object const& request, container_streams streams, bool namespaces,
                                  int requests, pid_t joined, std::vector<unique_fd> const& groups) {
    program what;
    what.arguments = texts_of(request, "argv");
    what.environment = texts_of(request, "env");
    what.working_directory = text_of(request, "working_dir");
    what.mounts = binds_of(request);
    what.streams = streams;
    auto const* const terminal = request.if_contains("has_terminal");
    what.has_terminal = terminal != nullptr && terminal->is_bool() && terminal->get_bool();
    what.link = mount_point_link(requests, text_of(request, "pod"));
    for (std::size_t i = 0; i < groups.size(); ++i) what.groups_of_limits.at(i) = groups[i].get();
    what.shows_limits = namespaces && !groups.empty();
    what.root = root_of(request);
    if (request.contains("user")) what.user = text_of(request, "user");
    what.groups = numbers_of(request, "groups");
    what.limits.dropped_capabilities = numbers_of(request, "dropped_capabilities");
    what.limits.no_new_privileges = request.contains("no_new_privileges");
    auto const label =
        "container \"" + text_of(request, "container") + "\" of pod \"" + text_of(request, "pod") + "\": ";
    if (what.arguments.empty()) throw std::invalid_argument(label + "expected a command, got none");
    if (!namespaces && what.root)
        throw std::invalid_argument(label + "an image with a root file system requires namespaces, and this node runs "
                                            "plain processes");
    if (joined != 0) {
        auto const mounts = "/proc/" + std::to_string(joined) + "/ns/mnt";
        what.joined.reset(
            check(::open(mounts.c_str(), O_RDONLY | O_CLOEXEC), label + "open the mounts of the container"));
    }
    if (!namespaces && !what.mounts.empty())
        throw std::invalid_argument(label + "mounting \"" + what.mounts.front().target +
                                    "\" requires namespaces, and this node runs plain processes");

    std::array<int, 2> ends{};
    check(::pipe2(ends.data(), O_CLOEXEC), label + "make a pipe");
    unique_fd const in(ends[0]);
    unique_fd out(ends[1]);
    auto const caller = ::getpid();
    started_container started;
    started.init = check(::fork(), label + "fork");
    if (started.init == 0) run_init(what, out.get(), caller);
    out.reset();
    auto const report = read_reports(in.get());
    started.program = report.program;
    std::string sentence = report.sentence.data();
    if (started.program > 0 && sentence.empty()) return started;
    ::waitpid(started.init, nullptr, 0);
    if (started.program > 0) ::waitpid(started.program, nullptr, 0);
    if (sentence.empty()) throw failed_step(label + "the container was killed during its start", EAGAIN);
    throw failed_step(label + sentence, report.error);
}

void run_container_init(pid_t caller, std::initializer_list<int> kept, std::function<void()> const& program) {
    sigset_t watched;
    ::sigemptyset(&watched);
    ::sigaddset(&watched, SIGCHLD);
    ::sigaddset(&watched, caller_died);
    check(::sigprocmask(SIG_BLOCK, &watched, nullptr), "block signals");
    check(::prctl(PR_SET_PDEATHSIG, caller_died), "end with the pod");
    if (::getppid() != caller) ::_exit(1);
    adopt_orphans();
    close_others(kept);
    auto const pid = check(::fork(), "fork");
    if (pid == 0) program();
    for (int const fd : kept) ::close(fd);
    for (;;) {
        int const signal = ::sigwaitinfo(&watched, nullptr);
        if (signal == caller_died && ::getppid() != caller) break; // else somebody in the container sent it
        if (signal == SIGCHLD && reap_others(pid)) {
            kill_below({pid});
            ::_exit(0);
        }
    }
    kill_descendants();
    ::_exit(1);
}

} // namespace kftrain::local::sandbox
