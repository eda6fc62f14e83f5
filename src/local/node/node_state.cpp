#include "local/node/node_state.hpp"

#include "base/spawn.hpp"
#include "local/node/sandbox_helper.hpp"
#include "local/sandbox/processes.hpp"
#include "local/sandbox/run_directory.hpp"

#include <boost/asio/error.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

namespace kftrain::local {
namespace {

constexpr int helper_socket = 3;
constexpr std::chrono::seconds orderly_end{5};

error_code from_errno(int value) { return {value, boost::system::system_category()}; }

char const* name_of(isolation mode) {
    switch (mode) {
    case isolation::namespaces: return "namespaces";
    case isolation::processes: return "processes";
    case isolation::automatic: break;
    }
    return "automatic";
}

} // namespace

namespace json = boost::json;

void node::state::finish(pending p, error_code ec, std::string sentence, sandbox::unique_fd fd) {
    if (ec) explain(p.detail, std::move(sentence));
    if (!ec && p.on_success) p.on_success();
    if (auto* plain = std::get_if<plain_handler>(&p.handler))
        complete(std::move(*plain), ec);
    else
        complete_with(std::move(std::get<fd_handler>(p.handler)), ec, std::move(fd));
}

void node::state::request(json::object body, pending p, std::vector<int> const& fds) {
    if (now != phase::running) {
        finish(std::move(p), errc::helper_failed,
               failed.empty() ? "the node is not running" : "the node is not running: " + failed);
        return;
    }
    auto const id = ++last_id;
    body["id"] = id;
    outgoing message;
    message.id = id;
    message.text = json::serialize(body);
    for (int const fd : fds) {
        // A copy, since the message may have to wait for room.
        message.fds.emplace_back(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
        if (!message.fds.back()) {
            auto const ec = error_code(errno, boost::system::system_category());
            finish(std::move(p), ec, "output descriptor " + std::to_string(fd) + ": " + ec.message());
            return;
        }
    }
    requests.emplace(id, std::move(p));
    queue.push_back(std::move(message));
    flush();
}

void node::state::flush() {
    while (!writing && !queue.empty()) {
        std::vector<int> fds;
        for (auto const& fd : queue.front().fds) fds.push_back(fd.get());
        auto result = sandbox::transfer::closed;
        try {
            auto const& first = queue.front();
            result = sandbox::send(socket.native_handle(), first.text, fds, false, first.id);
        } catch (std::system_error const& e) {
            if (sandbox::is_shortage(e.code().value())) {
                refused(error_code(e.code().value(), boost::system::system_category()), e.what());
                continue;
            }
            failed = e.what(); // a socket that refuses one message is of no use for the next
            ::shutdown(socket.native_handle(), SHUT_WR);
        }
        if (result == sandbox::transfer::closed) return; // reading sees the end and notifies all waiters
        if (result == sandbox::transfer::done) {
            queue.pop_front();
            continue;
        }
        writing = true;
        socket.async_wait(asio::posix::stream_descriptor::wait_write, [self = shared_from_this()](error_code ec) {
            self->writing = false;
            if (!ec && self->now != phase::ended) self->flush();
        });
    }
}

void node::state::refused(error_code ec, std::string sentence) {
    auto const at = requests.find(queue.front().id);
    queue.pop_front();
    if (at == requests.end()) return;
    auto p = std::move(at->second);
    requests.erase(at);
    finish(std::move(p), ec, std::move(sentence));
}

void node::state::read() {
    socket.async_wait(asio::posix::stream_descriptor::wait_read, [self = shared_from_this()](error_code ec) {
        if (ec || self->now == phase::ended) return; // closed meanwhile, the helper is no more
        auto result = sandbox::transfer::done;
        while (result == sandbox::transfer::done) {
            sandbox::datagram message;
            try {
                result = sandbox::receive(self->socket.native_handle(), message, false);
                if (result == sandbox::transfer::done) self->dispatch(message);
            } catch (std::exception const& e) {
                self->failed = e.what();
                self->kill_helper();
                result = sandbox::transfer::closed;
            }
        }
        if (result == sandbox::transfer::closed)
            self->ended();
        else
            self->read();
    });
}

void node::state::dispatch(sandbox::datagram& message) {
    auto const& body = message.body;
    if (body.contains("id")) return answered(message);
    if (auto const* exit = body.if_contains("exited")) return exited(exit->as_object());
    if (body.contains("failed")) {
        failed = sandbox::text_of(body, "failed");
    } else if (body.contains("pod_gone")) {
        auto& pod = pods[sandbox::text_of(body, "pod_gone")];
        pod.gone = true;
        exit_status killed;
        killed.signal = SIGKILL; // what the kernel does to the rest of a PID namespace
        for (auto& [name, container] : pod.containers) settle(container, killed);
    } else if (auto const* ready = body.if_contains("ready")) {
        mode = sandbox::text_of(ready->as_object(), "isolation") == "processes" ? isolation::processes
                                                                                : isolation::namespaces;
        fallback_reason = sandbox::text_of(ready->as_object(), "reason");
        if (now != phase::starting || !starting) return;
        now = phase::running;
        auto p = std::move(*starting);
        starting.reset();
        finish(std::move(p), {}, {});
    }
}

void node::state::answered(sandbox::datagram& message) {
    auto const at = requests.find(sandbox::number_of(message.body, "id"));
    if (at == requests.end()) return;
    auto p = std::move(at->second);
    requests.erase(at);
    if (limits_fallback_reason.empty() && message.body.contains("unlimited"))
        limits_fallback_reason = sandbox::text_of(message.body, "unlimited");
    if (message.cut) {
        finish(std::move(p), error_code(EMFILE, boost::system::system_category()),
               "no file descriptor is available for the answer of the sandbox helper");
        return;
    }
    if (!message.body.contains("error")) {
        finish(std::move(p), {}, {}, message.fds.empty() ? sandbox::unique_fd() : std::move(message.fds.front()));
        return;
    }
    error_code ec = errc::invalid_argument;
    if (message.body.contains("errno"))
        ec.assign(static_cast<int>(sandbox::number_of(message.body, "errno")), boost::system::system_category());
    finish(std::move(p), ec, sandbox::text_of(message.body, "error"));
}

void node::state::exited(json::object const& event) {
    exit_status status;
    if (event.contains("signal"))
        status.signal = static_cast<int>(sandbox::number_of(event, "signal"));
    else
        status.code = static_cast<int>(sandbox::number_of(event, "code"));
    status.out_of_memory = event.contains("out_of_memory");
    settle(pods[sandbox::text_of(event, "pod")].containers[sandbox::text_of(event, "container")], status);
}

void node::state::settle(container_record& container, exit_status status) {
    if (container.status) return;
    container.status = status;
    auto waiters = std::move(container.waiters);
    container.waiters.clear();
    for (auto& w : waiters) complete(std::move(w.handler), error_code(), status);
}

void node::state::forget(std::string const& pod) {
    exit_status killed;
    killed.signal = SIGKILL;
    for (auto& [name, container] : pods[pod].containers) settle(container, killed);
    pods.erase(pod);
}

int spawn_sandbox_helper(pid_t& pid, std::vector<std::string> arguments, int socket) {
    spawn_request helper;
    helper.arguments = std::move(arguments);
    helper.descriptors = {{socket, helper_socket}};
    helper.nowhere = {0, 1};
    if (::fcntl(2, F_GETFD) < 0) helper.nowhere.push_back(2);
    // Ctrl-C in the user's terminal must not reach it. It closes the other descriptors that it inherits itself.
    helper.signals = spawn_request::group::session;
    return spawn(pid, std::move(helper));
}

error_code node::state::prepare_directory(std::string& sentence) {
    auto& directory = options.run_directory;
    if (directory.empty()) {
        std::string made = "/tmp/kftrain-XXXXXX";
        if (::mkdtemp(made.data()) == nullptr) {
            sentence = "cannot create a directory in /tmp";
            return from_errno(errno);
        }
        directory = made;
        return {};
    }
    auto const refuse = [&](std::string_view why, error_code ec = errc::invalid_argument) {
        sentence.assign("run directory \"").append(directory.string()).append("\": ").append(why);
        return ec;
    };
    if (!directory.is_absolute()) return refuse("expected an absolute path");
    if (::mkdir(directory.c_str(), S_IRWXU) == 0) return {};
    if (errno != EEXIST) {
        auto const ec = from_errno(errno);
        return refuse(ec.message(), ec);
    }
    // The directory is removed at the end, so it must not contain files of others.
    std::error_code ec;
    if (!std::filesystem::is_directory(std::filesystem::symlink_status(directory, ec)))
        return refuse("exists and is not a directory");
    if (std::filesystem::is_empty(directory, ec) && !ec) return {};
    bool const dead = sandbox::remove_dead_run_directory(directory.string()); // that of a node that was killed
    if (dead && ::mkdir(directory.c_str(), S_IRWXU) == 0) return {};
    return refuse("expected an empty directory or a path that does not exist");
}

std::string node::state::remove_run_directory() {
    // The supervisor has removed both unless it was killed itself. The executor must not wait for busy control groups.
    auto left = sandbox::remove_run_directory(options.run_directory.string(), 0);
    in_use = sandbox::unique_fd();
    return left;
}

error_code node::state::launch(std::string& sentence) {
    auto helper_path = options.helper;
    if (helper_path.empty()) {
        auto found = find_sandbox_helper();
        if (!found) {
            sentence = found.error().detail.message;
            return found.error().code;
        }
        helper_path = std::move(*found);
    } else if (!is_executable_file(helper_path)) {
        sentence = "helper \"" + helper_path.string() + "\": expected an executable file";
        return errc::helper_failed;
    }
    if (auto const ec = prepare_directory(sentence)) return ec;
    // Without a lock, as on some network file systems, what a killed node leaves stays there.
    in_use = sandbox::lock_run_directory(options.run_directory.string());
    if (in_use) sandbox::mark_run_directory(options.run_directory.string());
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        auto const ec = from_errno(errno);
        sentence = "cannot make a socket pair: " + ec.message();
        remove_run_directory();
        return ec;
    }
    sandbox::unique_fd ours(ends[0]);
    sandbox::unique_fd const theirs(ends[1]);
    auto const error = spawn_sandbox_helper(
        helper,
        {helper_path.string(), "--own-directory", options.run_directory.string(), "--isolation", name_of(options.mode)},
        theirs.get());
    if (error != 0) {
        helper = 0;
        sentence = "cannot start \"" + helper_path.string() + "\": " + from_errno(error).message();
        remove_run_directory();
        return errc::helper_failed;
    }
    owner = ::getpid();
    socket.assign(ours.release());
    return {};
}

void node::state::reap() {
    if (helper <= 0) return;
    while (::waitpid(helper, nullptr, 0) < 0 && errno == EINTR) {} // ECHILD: the application reaps all its children
    helper = 0;
}

// Every copy of the helper's end of the socket is closed: the supervisor is exiting, after all the rest.
void node::state::ended() {
    auto const before = now;
    now = phase::ended;
    error_code ignored;
    socket.close(ignored);
    stop_limit.cancel();
    if (before == phase::running && options.on_end) options.on_end();
    reap();
    auto const left = remove_run_directory();
    if (before == phase::starting && starting) {
        auto p = std::move(*starting);
        starting.reset();
        if (failed.empty())
            finish(std::move(p), errc::helper_failed, "the sandbox helper ended immediately");
        else
            finish(std::move(p), errc::not_supported, failed);
    }
    if (before == phase::stopping) {
        abort_all(asio::error::operation_aborted, "the node was stopped");
        auto const ec = left.empty() ? error_code() : make_error_code(errc::helper_failed);
        for (auto& p : std::exchange(stopping, {})) finish(std::move(p), ec, left);
        return;
    }
    abort_all(errc::helper_failed, failed.empty() ? "the sandbox helper ended" : "the sandbox helper ended: " + failed);
}

void node::state::limit_stop() {
    stop_limit.expires_after(orderly_end);
    stop_limit.async_wait([weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (!ec && self && self->now == phase::stopping) self->kill_helper(); // reading sees the end
    });
}

void node::state::kill_helper() {
    if (helper <= 0 || owner != ::getpid()) return;
    // First what is below it: even stopped it adopts the orphans, and is the only way to find them.
    for (int tries = 0; tries < 200; ++tries) {
        auto const family = sandbox::descendants_of(helper);
        if (family.empty()) break;
        for (auto const pid : family) ::kill(pid, SIGKILL);
        ::usleep(1000);
    }
    ::kill(helper, SIGKILL);
}

void node::state::abort_all(error_code ec, std::string const& sentence) {
    queue.clear();
    if (starting) finish(std::move(*std::exchange(starting, std::nullopt)), ec, sentence);
    for (auto& [id, p] : std::exchange(requests, {})) finish(std::move(p), ec, sentence);
    for (auto& [name, pod] : pods)
        for (auto& [container, record] : pod.containers)
            for (auto& w : std::exchange(record.waiters, {})) {
                explain(w.detail, sentence);
                complete(std::move(w.handler), ec, exit_status());
            }
}

void node::state::abandon() {
    if (now == phase::fresh || now == phase::ended) return;
    now = phase::ended;
    if (owner == ::getpid()) {
        using clock = std::chrono::steady_clock;
        auto const fd = socket.native_handle();
        auto const deadline = clock::now() + std::chrono::seconds(2);
        ::shutdown(fd, SHUT_WR);
        auto result = sandbox::transfer::done;
        while (result != sandbox::transfer::closed) {
            auto const left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - clock::now()).count();
            if (left <= 0) break;
            pollfd watched{fd, POLLIN, 0};
            ::poll(&watched, 1, static_cast<int>(left));
            sandbox::datagram ignored;
            try {
                result = sandbox::receive(fd, ignored, false);
            } catch (std::exception const&) {
                break;
            }
        }
        if (result != sandbox::transfer::closed) kill_helper();
        reap();
        remove_run_directory();
    }
    error_code ignored;
    socket.close(ignored);
    stop_limit.cancel();
    abort_all(asio::error::operation_aborted, {});
    for (auto& p : std::exchange(stopping, {})) finish(std::move(p), asio::error::operation_aborted, {});
}

} // namespace kftrain::local
