#include "kube/pending_handler.hpp"
#include "local/kubelet_state.hpp"
#include "local/log_files.hpp"
#include "local/name_server.hpp"
#include "local/pod_worker.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace kftrain::local {
namespace {

constexpr auto await = asio::as_tuple(asio::use_awaitable);
constexpr std::int64_t smallest_log_file = 4096;

node_options node_options_of(kubelet_options const& o) {
    node_options n;
    n.helper = o.helper;
    n.run_directory = o.directory;
    n.mode = o.mode;
    return n;
}

/// What is wrong with the limits; empty if nothing is.
std::string fault_of(log_limits const& l) {
    if (l.file_size < smallest_log_file)
        return "logs.file_size: expected at least " + std::to_string(smallest_log_file) + " bytes, got " +
               std::to_string(l.file_size);
    if (l.files < 2) return "logs.files: expected at least 2, got " + std::to_string(l.files);
    return {};
}

} // namespace

kubelet::state::state(kube::client c, kubelet_options o)
    : client(std::move(c)),
      options(std::move(o)),
      node(client.get_executor(), node_options_of(options)),
      addresses("10.244"),
      pods(kube::api<pod>::all_namespaces(client)),
      services(kube::api<service>::all_namespaces(client)),
      wake(client.get_executor()) {}

time_point kubelet::state::now() const {
    return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

void kubelet::state::follow() {
    pods.on_event([weak = weak_from_this()](auto const& e) {
        if (auto const self = weak.lock()) self->pod_changed(*e.object, e.kind == kube::event_kind::deleted);
    });
}

void kubelet::state::pod_changed(pod const& p, bool gone) {
    auto const it = workers.find(p.metadata.uid);
    if (it == workers.end()) {
        bool const ours = p.spec.node_name.empty() || p.spec.node_name == options.node_name;
        bool const finished = p.status.phase == "Succeeded" || p.status.phase == "Failed";
        if (gone || stopping || !ours || finished || p.metadata.deletion_timestamp) return;
        auto const worker = std::make_shared<pod_worker>(*this, p);
        workers.emplace(p.metadata.uid, worker);
        worker->start();
    } else if (gone) {
        it->second->kill();
    } else if (p.metadata.deletion_timestamp) {
        it->second->terminate(std::chrono::seconds(p.metadata.deletion_grace_period_seconds.value_or(30)));
    }
}

void kubelet::state::pod_ended(pod const& p) {
    workers.erase(p.metadata.uid);
    logs->forget(p.metadata.uid); // the object is gone, so nobody can ask for them any more
    wake.cancel();
}

void kubelet::state::node_failed(error_code ec) {
    if (ec != errc::helper_failed || stopping) return;
    options.logger(log_level::error, "sandbox helper died", {});
    outcome = ec;
    stopping = true;
    wake.cancel();
}

asio::awaitable<error_code> kubelet::state::prepare(diagnostics* detail) {
    auto const self = shared_from_this();
    if (auto fault = fault_of(options.logs); !fault.empty()) {
        if (detail != nullptr) detail->message = std::move(fault);
        co_return errc::invalid_argument;
    }
    auto [started] = co_await node.async_start(detail, await);
    if (started) co_return started;
    options.directory = node.run_directory();
    logs->keep_in(options.directory / "logs");
    if (node.mode() == isolation::namespaces) {
        auto [ec, descriptor] = co_await node.async_listen("udp", "10.244.0.1", 53, detail, await);
        if (ec) {
            co_await node.async_stop(nullptr, await);
            co_return ec;
        }
        names = std::make_shared<name_server>(client.get_executor(), descriptor, pods, services);
        names->start();
    } else {
        addresses = address_pool("127.1");
        options.logger(log_level::warning, "pods run without sandbox", {{"reason", node.fallback_reason()}});
    }
    prepared = true;
    follow();
    co_return error_code();
}

asio::awaitable<error_code> kubelet::state::serve() {
    auto const self = shared_from_this();
    auto const ended = [self](error_code) {
        --self->informers_running;
        self->wake.cancel();
    };
    informers_running = 2;
    pods.async_run(asio::bind_cancellation_slot(stop_pods.slot(), asio::bind_executor(client.get_executor(), ended)));
    services.async_run(
        asio::bind_cancellation_slot(stop_services.slot(), asio::bind_executor(client.get_executor(), ended)));
    while (!stopping) {
        wake.expires_after(std::chrono::hours(1));
        co_await wake.async_wait(await);
    }
    co_await stop_everything();
    running = false;
    co_return outcome;
}

asio::awaitable<void> kubelet::state::stop_everything() {
    stop_pods.emit(asio::cancellation_type::terminal);
    stop_services.emit(asio::cancellation_type::terminal);
    auto const leaving = workers;
    for (auto const& [uid, worker] : leaving) worker->kill();
    if (names) names->stop();
    co_await node.async_stop(nullptr, await);
    while (!workers.empty() || informers_running != 0) {
        wake.expires_after(std::chrono::seconds(1));
        co_await wake.async_wait(await);
    }
}

kubelet::kubelet(kube::client client, kubelet_options options)
    : state_(std::make_shared<state>(std::move(client), std::move(options))) {}

kubelet::~kubelet() {
    if (!state_) return;
    state_->stopping = true;
    state_->wake.cancel();
}

asio::any_io_executor kubelet::get_executor() const noexcept { return state_->client.get_executor(); }
isolation kubelet::mode() const noexcept { return state_->node.mode(); }
std::string const& kubelet::fallback_reason() const noexcept { return state_->node.fallback_reason(); }

std::shared_ptr<apiserver::pod_log_source> kubelet::log_source() const {
    return std::make_shared<log_files>(get_executor(), state_->logs);
}

void kubelet::start(std::shared_ptr<state> const& s, diagnostics* detail, any_handler<void(error_code)> handler) {
    asio::co_spawn(s->client.get_executor(), s->prepare(detail),
                   [h = std::move(handler)](std::exception_ptr e, error_code ec) mutable {
                       if (e) ec = errc::helper_failed;
                       kube::complete(std::move(h), ec);
                   });
}

void kubelet::run(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler) {
    if (!s->prepared || s->running || s->stopping) {
        kube::complete_later(s->client.get_executor(), std::move(handler), make_error_code(errc::invalid_argument));
        return;
    }
    s->running = true;
    auto slot = asio::get_associated_cancellation_slot(handler);
    if (slot.is_connected())
        slot.assign([weak = std::weak_ptr<state>(s)](asio::cancellation_type) {
            auto const self = weak.lock();
            if (!self) return;
            self->stopping = true;
            self->wake.cancel();
        });
    asio::co_spawn(s->client.get_executor(), s->serve(),
                   [h = std::move(handler)](std::exception_ptr e, error_code ec) mutable {
                       if (e) ec = errc::helper_failed;
                       kube::complete(std::move(h), ec);
                   });
}

} // namespace kftrain::local
