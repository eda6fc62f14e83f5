#include "local/node/node.hpp"

#include "local/node/node_state.hpp"

#include <boost/asio/error.hpp>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <arpa/inet.h>
#include <cstring>
#include <filesystem>
#include <netinet/in.h>
#include <sys/socket.h>

namespace kftrain::local {
namespace {

namespace json = boost::json;

json::array to_json(std::vector<bind_mount> const& mounts) {
    json::array list;
    for (auto const& m : mounts)
        list.push_back(json::object{{"source", m.source},
                                    {"target", m.target},
                                    {"read_only", m.read_only},
                                    {"follows_links", m.follows_links}});
    return list;
}

json::array to_json(std::vector<std::string> const& texts) { return json::array(texts.begin(), texts.end()); }

/// An address in the form of the system.
struct socket_address {
    sockaddr_storage bytes{};
    socklen_t size = 0; ///< 0: it is no IP address
};

socket_address address_of(std::string const& text, std::uint16_t port) {
    socket_address out;
    sockaddr_in v4{};
    sockaddr_in6 v6{};
    v4.sin_family = AF_INET;
    v6.sin6_family = AF_INET6;
    v4.sin_port = v6.sin6_port = htons(port);
    auto const take = [&out](auto const& address) {
        std::memcpy(&out.bytes, &address, sizeof address);
        out.size = sizeof address;
    };
    if (::inet_pton(AF_INET, text.c_str(), &v4.sin_addr) == 1)
        take(v4);
    else if (::inet_pton(AF_INET6, text.c_str(), &v6.sin6_addr) == 1)
        take(v6);
    return out;
}

/// Connects a socket that the helper opened: it belongs to the network of the node or a pod wherever it is used.
class connecting : public std::enable_shared_from_this<connecting> {
public:
    using handler = asio::any_completion_handler<void(error_code, int)>;

    connecting(asio::any_io_executor e, handler h, diagnostics* d, std::string label)
        : executor_(e), socket_(e), handler_(std::move(h)), detail_(d), label_(std::move(label)) {}

    void heed_cancellation() {
        if (auto slot = asio::get_associated_cancellation_slot(handler_); slot.is_connected())
            slot.assign([weak = weak_from_this()](asio::cancellation_type) {
                if (auto const self = weak.lock()) self->cancel();
            });
    }

    void run(int fd, socket_address const& where) {
        error_code ec;
        socket_.assign(fd, ec);
        if (ec) ::close(fd);
        if (!ec) socket_.non_blocking(true, ec);
        if (ec) return finish(ec);
        if (cancelled_) return finish(asio::error::operation_aborted);
        if (::connect(fd, reinterpret_cast<sockaddr const*>(&where.bytes), where.size) == 0) return finish({});
        if (errno != EINPROGRESS) return finish({errno, boost::system::system_category()});
        socket_.async_wait(asio::posix::stream_descriptor::wait_write, [self = shared_from_this()](error_code failed) {
            if (failed) return self->finish(failed);
            int error = 0;
            socklen_t size = sizeof error;
            ::getsockopt(self->socket_.native_handle(), SOL_SOCKET, SO_ERROR, &error, &size);
            self->finish({error, boost::system::system_category()});
        });
    }

    void finish(error_code ec) {
        if (!handler_) return;
        if (ec && detail_ != nullptr && detail_->message.empty()) detail_->message = label_ + ": " + ec.message();
        sandbox::unique_fd fd(ec ? -1 : socket_.release()); // closed when the handler never runs
        auto h = std::move(handler_);
        if (auto slot = asio::get_associated_cancellation_slot(h); slot.is_connected()) slot.clear();
        auto const where = asio::get_associated_executor(h, executor_);
        auto call = [h = std::move(h), ec, fd = std::move(fd)]() mutable { std::move(h)(ec, fd.release()); };
        asio::post(executor_, asio::bind_executor(where, std::move(call)));
    }

private:
    void cancel() {
        cancelled_ = true;
        error_code ignored;
        if (socket_.is_open()) socket_.cancel(ignored);
    }

    asio::any_io_executor executor_;
    asio::posix::stream_descriptor socket_;
    handler handler_;
    diagnostics* detail_;
    std::string label_;
    bool cancelled_ = false;
};

} // namespace

node::node(executor_type executor, node_options options)
    : state_(std::make_shared<state>(std::move(executor), std::move(options))) {}

node::~node() { state_->abandon(); }
void node::close() { state_->abandon(); }

node::executor_type node::get_executor() const noexcept { return state_->executor; }
isolation node::mode() const noexcept { return state_->mode; }
std::string const& node::fallback_reason() const noexcept { return state_->fallback_reason; }
std::string const& node::limits_fallback_reason() const noexcept { return state_->limits_fallback_reason; }
std::filesystem::path const& node::run_directory() const noexcept { return state_->options.run_directory; }
int node::helper_process() const noexcept { return state_->helper; }

void node::start(self s, diagnostics* detail, handler<void(error_code)> h) {
    state::pending p{std::move(h), detail, {}};
    if (s->now != state::phase::fresh) {
        s->finish(std::move(p), errc::invalid_argument, "a node can be started only once");
        return;
    }
    std::string sentence;
    if (auto const ec = s->launch(sentence)) {
        s->now = state::phase::ended;
        s->finish(std::move(p), ec, sentence);
        return;
    }
    auto slot = asio::get_associated_cancellation_slot(std::get<state::plain_handler>(p.handler));
    if (slot.is_connected())
        slot.assign([weak = s->weak_from_this()](asio::cancellation_type) {
            auto const alive = weak.lock();
            if (alive && alive->now == state::phase::starting)
                stop(alive, nullptr, state::plain_handler([](error_code) {}));
        });
    s->starting = std::move(p);
    s->now = state::phase::starting;
    s->read();
}

void node::create_pod(self s, pod_sandbox pod, diagnostics* detail, handler<void(error_code)> h) {
    json::object body{{"request", "create_pod"},      {"pod", pod.id},           {"hostname", pod.hostname},
                      {"address", pod.address},       {"hosts", pod.hosts_file}, {"resolv_conf", pod.resolv_conf},
                      {"mounts", to_json(pod.mounts)}};
    json::array memory;
    for (auto const& m : pod.memory)
        memory.push_back(json::object{{"path", m.path}, {"size", m.size}, {"group", m.group}});
    if (!memory.empty()) body["memory"] = std::move(memory);
    auto* raw = s.get(); // what is pending never outlives the state
    auto done = [raw, id = pod.id] { raw->pods[id] = state::pod_record(); };
    s->request(std::move(body), {std::move(h), detail, std::move(done)});
}

void node::start_container(self s, container_process c, diagnostics* detail, handler<void(error_code)> h) {
    json::object body{{"request", "start_container"}, {"pod", c.pod},          {"container", c.container},
                      {"argv", to_json(c.argv)},      {"env", to_json(c.env)}, {"working_dir", c.working_dir},
                      {"mounts", to_json(c.mounts)}};
    if (c.root)
        body["root"] =
            json::object{{"lower", c.root->lower}, {"layer", c.root->layer}, {"read_only", c.root->read_only}};
    if (!c.join.empty()) body["join"] = c.join;
    if (c.rights.user) body["user"] = *c.rights.user;
    if (!c.rights.groups.empty()) body["groups"] = json::array(c.rights.groups.begin(), c.rights.groups.end());
    if (!c.rights.dropped_capabilities.empty())
        body["dropped_capabilities"] =
            json::array(c.rights.dropped_capabilities.begin(), c.rights.dropped_capabilities.end());
    if (c.rights.no_new_privileges) body["no_new_privileges"] = true;
    json::object limits;
    if (c.limits.memory > 0) limits["memory"] = c.limits.memory;
    if (c.limits.cpu > 0) limits["cpu"] = c.limits.cpu;
    if (!limits.empty()) body["limits"] = std::move(limits);
    if (!c.join_limits.empty()) body["join_limits"] = c.join_limits;
    if (c.log) {
        body["log_file_size"] = c.log->file_size;
        body["log_files"] = std::int64_t{c.log->files};
    }
    std::vector<int> fds;
    if (c.output_fd >= 0) fds.push_back(c.output_fd);
    if (c.input_fd >= 0) {
        fds.push_back(c.input_fd);
        if (!c.log || c.has_terminal) fds.push_back(c.error_fd);
        body["has_terminal"] = c.has_terminal;
    }
    auto* raw = s.get();
    auto done = [raw, pod = c.pod, name = c.container] { raw->pods[pod].containers[name] = state::container_record(); };
    s->request(std::move(body), {std::move(h), detail, std::move(done)}, fds);
}

void node::wait(self s, std::string pod, std::string container, diagnostics* detail,
                handler<void(error_code, exit_status)> h) {
    auto const p = s->pods.find(pod);
    state::container_record* record = nullptr;
    if (p != s->pods.end())
        if (auto const c = p->second.containers.find(container); c != p->second.containers.end()) record = &c->second;
    if (record == nullptr) {
        state::explain(detail, "container \"" + container + "\" of pod \"" + pod + "\" was not started");
        s->complete(std::move(h), make_error_code(errc::invalid_argument), exit_status());
        return;
    }
    if (!record->status && s->now != state::phase::running) {
        state::explain(detail, "the node is not running");
        s->complete(std::move(h), make_error_code(errc::helper_failed), exit_status());
        return;
    }
    if (record->status) {
        s->complete(std::move(h), error_code(), *record->status);
        return;
    }
    auto const id = ++s->last_waiter;
    auto slot = asio::get_associated_cancellation_slot(h);
    record->waiters.push_back({id, std::move(h), detail});
    if (!slot.is_connected()) return;
    slot.assign([weak = s->weak_from_this(), pod, container, id](asio::cancellation_type) {
        auto const alive = weak.lock();
        if (!alive) return;
        auto const at = alive->pods.find(pod);
        if (at == alive->pods.end()) return;
        auto& waiters = at->second.containers[container].waiters;
        for (auto w = waiters.begin(); w != waiters.end(); ++w) {
            if (w->id != id) continue;
            auto cancelled = std::move(w->handler);
            waiters.erase(w);
            alive->complete(std::move(cancelled), error_code(asio::error::operation_aborted), exit_status());
            return;
        }
    });
}

void node::signal(self s, std::string pod, std::string container, int number, diagnostics* detail,
                  handler<void(error_code)> h) {
    json::object body{{"request", "signal"}, {"pod", pod}, {"container", container}, {"signal", number}};
    s->request(std::move(body), {std::move(h), detail, {}});
}

void node::remove_pod(self s, std::string pod, diagnostics* detail, handler<void(error_code)> h) {
    if (auto const p = s->pods.find(pod); p != s->pods.end() && p->second.gone) {
        s->forget(pod);
        s->complete(std::move(h), error_code());
        return;
    }
    json::object body{{"request", "remove_pod"}, {"pod", pod}};
    auto* raw = s.get();
    s->request(std::move(body), {std::move(h), detail, [raw, pod] { raw->forget(pod); }});
}

void node::listen(self s, std::string protocol, std::string address, std::uint16_t port, diagnostics* detail,
                  handler<void(error_code, int)> h) {
    json::object body{
        {"request", "listen"}, {"protocol", protocol}, {"address", address}, {"port", std::int64_t{port}}};
    s->request(std::move(body), {std::move(h), detail, {}});
}

void node::stop(self s, diagnostics* detail, handler<void(error_code)> h) {
    using phase = state::phase;
    if (s->now == phase::fresh || s->now == phase::ended) {
        s->now = phase::ended;
        s->complete(std::move(h), error_code());
        return;
    }
    s->stopping.push_back({std::move(h), detail, {}});
    if (s->now == phase::stopping) return;
    s->now = phase::stopping;
    ::shutdown(s->socket.native_handle(),
               SHUT_WR); // the node's first process ends at this; we read until the helper has too
    s->limit_stop();
}

void node::connect(self s, std::string pod, std::string address, std::uint16_t port, diagnostics* detail,
                   handler<void(error_code, int)> h) {
    auto const label = "connect to " + address + ":" + std::to_string(port);
    auto const where = address_of(address, port);
    if (where.size == 0) {
        state::pending p{std::move(h), detail, {}};
        s->finish(std::move(p), errc::invalid_argument, label + ": expected an IP address");
        return;
    }
    auto const attempt = std::make_shared<connecting>(s->executor, std::move(h), detail, label);
    attempt->heed_cancellation();
    boost::json::object body{{"request", "socket"}, {"protocol", where.bytes.ss_family == AF_INET6 ? "tcp6" : "tcp"}};
    if (!pod.empty()) body["pod"] = pod;
    state::fd_handler opened([attempt, where](error_code ec, int fd) {
        if (ec)
            attempt->finish(ec);
        else
            attempt->run(fd, where);
    });
    s->request(std::move(body), {std::move(opened), detail, {}});
}

} // namespace kftrain::local
