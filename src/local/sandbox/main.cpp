// Holds the namespaces of one node of a local cluster. Started by the library only, which talks to it over descriptor
// 3.
//
// The process started here, the supervisor, stays outside: it starts the node's first process, makes mount points for
// its pods, waits until it ends for whatever reason, and removes these and the node's directory. As root no user
// namespace is made, so that containers own and chown files as they would on a real node; anybody else becomes the
// single user 0 of a user namespace.

#include "local/sandbox/channel.hpp"
#include "local/sandbox/containers/control_groups.hpp"
#include "local/sandbox/images/image_unpacker.hpp"
#include "local/sandbox/mounts/mount_points.hpp"
#include "local/sandbox/node_init.hpp"
#include "local/sandbox/processes.hpp"
#include "local/sandbox/run_directory.hpp"

#include <boost/json/serialize.hpp>

#include <array>
#include <iostream>
#include <optional>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string_view>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace kftrain::local::sandbox {
namespace {

namespace json = boost::json;

constexpr int control = 3;

struct arguments {
    arguments() = default;

    std::string own_directory;
    std::string isolation = "automatic";
};

void map_user(pid_t child) {
    auto const proc = "/proc/" + std::to_string(child);
    write_file(proc + "/uid_map", "0 " + std::to_string(::geteuid()) + " 1");
    write_file(proc + "/setgroups", "deny"); // the kernel's condition for an ordinary user's gid_map
    write_file(proc + "/gid_map", "0 " + std::to_string(::getegid()) + " 1");
}

struct started_node {
    started_node() = default;

    pid_t pid = 0;
    unique_fd link;     ///< closed by our end, whatever that is, which ends the node
    unique_fd requests; ///< of its pods
};

/// Starts the node's first process and waits until it is set up. Throws a sentence.
started_node start_node(bool namespaces, bool user_namespace, std::string const& reason) {
    int kinds = 0;
    if (namespaces) kinds = CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNET | CLONE_NEWPID;
    if (user_namespace) kinds |= CLONE_NEWUSER;
    auto [ours, theirs] = make_socket_pair();
    auto [requests_end, node_end] = make_socket_pair();
    auto const pid = fork_into(kinds, user_namespace ? "create the node's user and other namespaces"
                                                     : "create the node's namespaces");
    if (pid == 0) {
        node_settings settings;
        settings.control = control;
        settings.start = theirs.get();
        ours.reset();
        requests_end.reset();
        settings.requests = node_end.get();
        settings.namespaces = namespaces;
        settings.fallback_reason = reason;
        run_node_init(settings);
    }
    theirs.reset();
    node_end.reset();
    std::string error;
    try {
        if (user_namespace) map_user(pid);
        send(ours.get(), json::object{{"begin", true}});
        datagram report;
        if (receive(ours.get(), report) == transfer::closed)
            error = "the node's first process ended immediately";
        else if (report.body.contains("error"))
            error = text_of(report.body, "error");
    } catch (std::exception const& e) {
        error = e.what();
    }
    if (error.empty()) {
        started_node node;
        node.pid = pid;
        node.link = std::move(ours);
        node.requests = std::move(requests_end);
        return node;
    }
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    throw std::runtime_error(error);
}

/// The reason why a machine refuses namespaces, in words that its user can look up.
std::string reason_of(std::exception const& e) {
    std::string reason = e.what();
    auto const* const failed = dynamic_cast<std::system_error const*>(&e);
    if (failed != nullptr && failed->code() == std::errc::no_space_on_device)
        reason += " (a limit of the kernel, user.max_*_namespaces, is reached)";
    else if (failed == nullptr ? ::geteuid() != 0
                               : failed->code() == std::errc::operation_not_permitted ||
                                     failed->code() == std::errc::permission_denied)
        reason += " (this machine or container does not permit user namespaces)";
    return reason;
}

started_node start_in_namespaces() {
    if (::geteuid() == 0) {
        try {
            return start_node(true, false, {});
        } catch (std::system_error const& e) {
            if (e.code() != std::errc::operation_not_permitted) throw; // root without the right to, as in a container
        }
    }
    return start_node(true, true, {});
}

started_node start(std::string const& isolation) {
    if (isolation == "processes") return start_node(false, false, {});
    try {
        return start_in_namespaces();
    } catch (std::exception const& e) {
        auto const reason = reason_of(e);
        if (isolation == "namespaces") throw std::runtime_error(reason);
        return start_node(false, false, reason);
    }
}

/// The resources of pods that the supervisor keeps outside of their namespaces.
struct pod_services {
    explicit pod_services(std::string const& node_directory) : points(node_directory), groups(points, node_directory) {}
    pod_services(pod_services const&) = delete;
    pod_services& operator=(pod_services const&) = delete;

    /// Answers one request of a pod; false when no requester is left.
    bool answer(int link);

    mount_points points;
    control_groups groups;
};

bool pod_services::answer(int link) {
    datagram message;
    if (receive(link, message) == transfer::closed) return false;
    if (message.fds.empty()) return true; // no process waits for a reply
    json::object reply;
    std::vector<unique_fd> fds;
    try {
        if (message.body.contains("ended")) {
            auto const pod = text_of(message.body, "ended");
            groups.forget(pod);
            points.forget(pod);
        } else if (message.body.contains("group")) {
            groups.answer(message.body, reply, fds);
        } else {
            points.answer(message.body, reply);
        }
    } catch (std::system_error const& e) {
        reply["error"] = e.what();
        reply["errno"] = e.code().value();
    } catch (std::exception const& e) {
        reply["error"] = e.what();
    }
    std::vector<int> numbers;
    for (auto const& fd : fds) numbers.push_back(fd.get());
    try {
        send(message.fds.front().get(), reply, numbers);
    } catch (std::system_error const&) {
        return true; // the requester has ended meanwhile
    }
    return true;
}

/// Serves the node until it ends; a signal to us or the end of our parent ends it.
std::string wait_for_end(started_node& node, pod_services& services, sigset_t const& watched_signals, int parent) {
    unique_fd const signals(check(::signalfd(-1, &watched_signals, SFD_CLOEXEC), "watch signals"));
    for (;;) {
        std::array<pollfd, 3> watched{pollfd{signals.get(), POLLIN, 0}, pollfd{parent, POLLIN, 0},
                                      pollfd{node.requests.get(), POLLIN, 0}};
        if (::poll(watched.data(), watched.size(), -1) < 0) continue;
        if (watched[1].revents != 0) {
            // A fork of the library's process may still hold the control socket.
            ::kill(node.pid, SIGKILL);
            parent = -1;
        }
        if (watched[2].revents != 0 && !services.answer(node.requests.get())) node.requests.reset();
        if (watched[0].revents == 0) continue;
        signalfd_siginfo info{};
        if (::read(signals.get(), &info, sizeof info) != sizeof info) continue;
        if (info.ssi_signo != SIGCHLD) {
            ::kill(node.pid, SIGKILL);
            continue;
        }
        int status = 0;
        for (pid_t pid = 0; (pid = ::waitpid(-1, &status, WNOHANG)) > 0;) {
            if (pid != node.pid) continue;
            if (WIFSIGNALED(status)) return "the node was killed by signal " + std::to_string(WTERMSIG(status));
            return {};
        }
    }
}

int supervise(arguments const& a) {
    unique_fd const parent(static_cast<int>(::syscall(SYS_pidfd_open, ::getppid(), 0))); // optional: needs Linux 5.3
    close_others({control, parent.get()});
    auto const in_use = lock_run_directory(a.own_directory);
    [[maybe_unused]] auto const root = ::chdir("/");
    sigset_t handled;
    ::sigemptyset(&handled);
    for (int const s : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2}) ::sigaddset(&handled, s);
    ::sigprocmask(SIG_BLOCK, &handled, nullptr);
    std::string complaint;
    pod_services services(a.own_directory);
    try {
        adopt_orphans();
        auto node = start(a.isolation);
        complaint = wait_for_end(node, services, handled, parent.get());
    } catch (std::exception const& e) {
        complaint = e.what();
    }
    kill_descendants();
    services.points.clear();
    if (!a.own_directory.empty()) {
        auto const left = remove_run_directory(a.own_directory);
        if (complaint.empty()) complaint = left;
    }
    if (complaint.empty()) return 0;
    try {
        send(control, json::serialize(json::object{{"failed", complaint}}), {}, false);
    } catch (std::exception const&) {
        return 1; // the parent has gone
    }
    return 1;
}

/// Serves one request for an image; see image_unpacker.hpp. The caller waits for the reply, not for this process.
int serve_one_image() {
    close_others({control});
    if (::fork() > 0) return 0;
    ::setsid();
    [[maybe_unused]] auto const root = ::chdir("/");
    try {
        datagram message;
        if (receive(control, message) == transfer::done) serve_image(message.body, control);
    } catch (std::exception const&) {
        return 1; // the caller has ended
    }
    return 0;
}

std::optional<arguments> parse(int count, char** values) {
    arguments a;
    for (int i = 1; i + 1 < count; i += 2) {
        std::string const name = values[i];
        std::string const value = values[i + 1];
        if (name == "--own-directory" && value.size() > 1 && value.front() == '/')
            a.own_directory = value;
        else if (name == "--isolation" && (value == "automatic" || value == "namespaces" || value == "processes"))
            a.isolation = value;
        else
            return {};
    }
    if (count % 2 == 0) return {};
    return a;
}

} // namespace
} // namespace kftrain::local::sandbox

int main(int count, char** values) {
    using namespace kftrain::local::sandbox;
    struct stat info{};
    if (count == 2 && std::string_view(values[1]) == "--serve-image" && ::fstat(control, &info) == 0 &&
        S_ISSOCK(info.st_mode))
        return serve_one_image();
    auto const a = parse(count, values);
    if (!a || ::fstat(control, &info) != 0 || !S_ISSOCK(info.st_mode)) {
        std::cerr << "usage: kftrain-sandbox [--own-directory DIR] [--isolation automatic|namespaces|processes]\n"
                     "       kftrain-sandbox --serve-image\n"
                     "Started by the kftrain library with a message socket as descriptor 3.\n";
        return 2;
    }
    return supervise(*a);
}
