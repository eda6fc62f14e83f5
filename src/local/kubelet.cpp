#include "kube/pending_handler.hpp"
#include "local/kubelet_state.hpp"
#include "local/name_server.hpp"
#include "local/pod_names.hpp"
#include "local/pod_worker.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace kftrain::local {
namespace {

constexpr auto await = asio::as_tuple(asio::use_awaitable);

node_options node_options_of(kubelet_options const& o) {
    node_options n;
    n.helper = o.helper;
    n.run_directory = o.directory;
    n.mode = o.mode;
    return n;
}

time_point seconds_now() { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); }

} // namespace

kubelet::state::state(kube::client c, kubelet_options o)
    : client(std::move(c)),
      options(std::move(o)),
      node(client.get_executor(), node_options_of(options)),
      events(client, "kubelet", seconds_now),
      addresses("10.244"),
      pods(kube::api<pod>::all_namespaces(client)),
      services(kube::api<service>::all_namespaces(client)),
      wake(client.get_executor()) {}

time_point kubelet::state::now() const { return seconds_now(); }

std::filesystem::path kubelet::state::log_file(pod const& p, std::string_view container, std::int32_t restarts) const {
    auto const folder = p.metadata.namespace_ + "_" + p.metadata.name + "_" + p.metadata.uid;
    return options.directory / "logs" / folder / container / (std::to_string(restarts) + ".log");
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
        logs.erase(p.metadata.namespace_ + "/" + p.metadata.name); // of an earlier pod of this name
        worker->start();
    } else if (gone) {
        it->second->kill();
    } else if (p.metadata.deletion_timestamp) {
        it->second->terminate(std::chrono::seconds(p.metadata.deletion_grace_period_seconds.value_or(30)));
    }
}

void kubelet::state::pod_ended(pod const& p) {
    workers.erase(p.metadata.uid);
    // The object is gone, so nobody can ask for the logs any more; readers keep the open file.
    logs.erase(p.metadata.namespace_ + "/" + p.metadata.name);
    std::error_code ignored;
    if (fit_for_paths(p.metadata)) std::filesystem::remove_all(log_file(p, "", 0).parent_path().parent_path(), ignored);
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
    auto [started] = co_await node.async_start(detail, await);
    if (started) co_return started;
    options.directory = node.run_directory();
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

kubelet::log_finder kubelet::find_logs() const {
    return [weak = std::weak_ptr<state>(state_)](std::string_view ns, std::string_view pod,
                                                 std::string_view container) -> std::optional<log_location> {
        auto const self = weak.lock();
        if (!self) return std::nullopt;
        auto const of_pod = self->logs.find(std::string(ns).append("/").append(pod));
        if (of_pod == self->logs.end()) return std::nullopt;
        auto const of_container = of_pod->second.find(std::string(container));
        if (of_container == of_pod->second.end()) return std::nullopt;
        return of_container->second;
    };
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
