#include "kube/operation.hpp"
#include "local/kubelet_state.hpp"
#include "local/name_server.hpp"
#include "local/pod_worker.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
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

} // namespace

kubelet::state::state(kube::client c, kubelet_options o)
    : client(std::move(c)),
      options(std::move(o)),
      node(client.get_executor(), node_options_of(options)),
      addresses("10.244"),
      pods(kube::api<pod>::all_namespaces(client)),
      services(kube::api<service>::all_namespaces(client)),
      wake(client.get_executor()),
      run(client.get_executor()),
      informers(client.get_executor(), [this](error_code) { wake.cancel(); }) {}

time_point kubelet::state::now() const {
    return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

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
    std::filesystem::remove_all(log_file(p, "any", 0).parent_path().parent_path(), ignored);
    wake.cancel();
}

void kubelet::state::node_failed(error_code ec) {
    if (ec != errc::helper_failed || stopping) return;
    options.logger(log_level::error, "sandbox helper died", {});
    outcome = ec;
    stop();
}

void kubelet::state::stop() {
    stopping = true;
    wake.cancel();
}

void kubelet::state::close() {
    run.end(asio::error::operation_aborted);
    stop();
    auto const leaving = workers;
    for (auto const& [uid, worker] : leaving) worker->kill();
    informers.cancel();
    if (names) names->stop();
    node.close();
}

asio::awaitable<void> kubelet::state::prepare(std::shared_ptr<state> self, diagnostics* detail) {
    co_await asio::this_coro::throw_if_cancelled(false); // what was begun has to be ended
    error_code ec = co_await self->make_node(detail);
    auto const cancellation = co_await asio::this_coro::cancellation_state;
    bool const unwanted = self->stopping || cancellation.cancelled() != asio::cancellation_type::none;
    if (unwanted) ec = asio::error::operation_aborted;
    if (ec) {
        self->stopping = true;
        if (self->names) self->names->stop();
        co_await self->node.async_stop(nullptr, await);
        kube::detail::fail(ec);
    }
    self->prepared = true;
    self->follow();
}

asio::awaitable<error_code> kubelet::state::make_node(diagnostics* detail) {
    auto [started] = co_await node.async_start(detail, await);
    if (started) co_return started;
    options.directory = node.run_directory();
    if (node.mode() == isolation::namespaces) {
        auto [ec, descriptor] = co_await node.async_listen("udp", "10.244.0.1", 53, detail, await);
        if (ec) co_return ec;
        names = std::make_shared<name_server>(client.get_executor(), descriptor, pods, services);
        names->start();
    } else {
        addresses = address_pool("127.1");
        options.logger(log_level::warning, "pods run without sandbox", {{"reason", node.fallback_reason()}});
    }
    co_return error_code();
}

asio::awaitable<void> kubelet::state::serve(std::shared_ptr<state> self) {
    if (!self->stopping) {
        self->informers.add([&](auto h) { self->pods.async_run(std::move(h)); });
        self->informers.add([&](auto h) { self->services.async_run(std::move(h)); });
    }
    while (!self->stopping) {
        self->wake.expires_after(std::chrono::hours(1));
        co_await self->wake.async_wait(await);
    }
    co_await self->stop_everything();
}

asio::awaitable<void> kubelet::state::stop_everything() {
    informers.cancel();
    auto const leaving = workers;
    for (auto const& [uid, worker] : leaving) worker->kill();
    if (names) names->stop();
    co_await node.async_stop(nullptr, await);
    while (!workers.empty() || informers.going()) {
        wake.expires_after(std::chrono::seconds(1));
        co_await wake.async_wait(await);
    }
}

kubelet::kubelet(kube::client client, kubelet_options options)
    : state_(std::make_shared<state>(std::move(client), std::move(options))) {}

kubelet::~kubelet() {
    if (state_) state_->close();
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
    if (std::exchange(s->begun, true)) {
        if (detail != nullptr) detail->message = "a kubelet starts only once";
        kube::complete_later(s->client.get_executor(), std::move(handler), make_error_code(errc::invalid_argument));
        return;
    }
    kube::detail::deadline limit(s->options.start_timeout, detail, "start of the node");
    kube::detail::spawn(s->client.get_executor(), state::prepare(s, detail), std::move(limit), std::move(handler));
}

void kubelet::run(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler) {
    auto const executor = s->client.get_executor();
    if (!s->prepared || s->stopping) {
        kube::complete_later(executor, std::move(handler), make_error_code(errc::invalid_argument));
        return;
    }
    auto const stop = [weak = std::weak_ptr<state>(s)] {
        if (auto const self = weak.lock()) self->stop();
    };
    if (!s->run.begin(std::move(handler), stop)) return;
    asio::co_spawn(executor, state::serve(s),
                   [s](std::exception_ptr e) { s->run.end(e ? make_error_code(errc::helper_failed) : s->outcome); });
}

} // namespace kftrain::local
