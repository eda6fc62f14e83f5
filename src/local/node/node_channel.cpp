#include "local/node/node_state.hpp"

#include <boost/asio/error.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <csignal>
#include <fcntl.h>
#include <sys/socket.h>

namespace kftrain::local {

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

} // namespace kftrain::local
