#include "kube/async/operation.hpp"
#include "local/dns/name_server.hpp"
#include "local/dns/pod_names.hpp"
#include "local/kubelet/containers/container_exec.hpp"
#include "local/kubelet/kubelet_state.hpp"
#include "local/kubelet/pod_worker.hpp"
#include "local/logs/log_files.hpp"
#include "local/node/sandbox_helper.hpp"
#include <kftrain/job/observed_types.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <filesystem>
#include <unistd.h>

namespace kftrain::local {
namespace {

constexpr std::int64_t smallest_log_file = 4096;

node_options node_options_of(kubelet_options const& o, std::function<void()> on_end) {
    node_options n;
    n.on_end = std::move(on_end);
    n.helper = o.helper;
    n.run_directory = o.directory;
    n.mode = o.mode;
    return n;
}

/// Returns the fault of the limits; empty if there is none.
std::string fault_of(log_limits const& l) {
    if (l.file_size < smallest_log_file)
        return "logs.file_size: expected at least " + std::to_string(smallest_log_file) + " bytes, got " +
               std::to_string(l.file_size);
    if (l.files < 2) return "logs.files: expected at least 2, got " + std::to_string(l.files);
    return {};
}

time_point seconds_now() { return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()); }

} // namespace

kubelet::state::state(kube::client c, kubelet_options o)
    : client(std::move(c)),
      options(std::move(o)),
      // No file may come into the directory of a node that is gone.
      node(client.get_executor(), node_options_of(options, [this] { node_failed(errc::helper_failed); })),
      events(client, "kubelet", seconds_now),
      addresses("10.244"),
      objects(options.informers.empty() ? kube::shared_informers(client) : options.informers),
      pods(kube::any_informer(kube::any_api::all_namespaces(client, observed_pod_type()), options.informers)),
      services(kube::any_informer(kube::any_api::all_namespaces(client, observed_service_type()), options.informers)),
      wake(client.get_executor()),
      run(client.get_executor(), [this](error_code) { wake.cancel(); }) {}

time_point kubelet::state::now() const { return seconds_now(); }

void kubelet::state::follow() {
    pods.on_event([weak = weak_from_this()](auto const& e) {
        if (auto const self = weak.lock()) self->pod_changed(*e.object, e.kind == change_kind::deleted);
    });
}

void kubelet::state::pod_changed(pod const& p, bool gone) {
    auto const it = workers.find(p.metadata.uid);
    if (it == workers.end()) {
        auto const& place = p.spec.node_name;
        bool const ours = options.binds_pods ? place.empty() || place == options.node_name : !place.empty();
        bool const deleted = p.metadata.deletion_timestamp.has_value();              // while no kubelet ran
        bool const ended = deleted && p.metadata.deletion_grace_period_seconds == 0; // and waits for finalizers
        if (gone || stopping || !ours || ended || (has_ended(p) && !deleted)) return;
        auto const worker = std::make_shared<pod_worker>(*this, p);
        workers.emplace(p.metadata.uid, worker);
        if (deleted) worker->terminate(std::chrono::seconds(0));
        worker->start();
    } else if (gone) {
        it->second->kill();
    } else if (p.metadata.deletion_timestamp) {
        it->second->terminate(std::chrono::seconds(p.metadata.deletion_grace_period_seconds.value_or(30)));
    } else {
        it->second->update(p);
    }
}

void kubelet::state::pod_ended(pod const& p) {
    workers.erase(p.metadata.uid);
    logs->forget(p.metadata.uid); // the object is gone, so nobody can request them any more
    wake.cancel();
}

void kubelet::state::node_failed(error_code ec) {
    if (ec != errc::helper_failed || stopping) return;
    options.logger(log_level::error, "sandbox helper ended unexpectedly", {});
    outcome = ec;
    stop();
}

void kubelet::state::note_unlimited() {
    auto const& why = node.limits_fallback_reason();
    if (why.empty() || std::exchange(unlimited_noted, true)) return;
    options.logger(log_level::warning, "limits of containers are not enforced", {{"reason", why}});
}

void kubelet::state::stop() {
    stopping = true;
    images->stop();
    wake.cancel();
}

void kubelet::state::close() {
    run.close();
    stop();
    auto const leaving = workers;
    for (auto const& [uid, worker] : leaving) worker->kill();
    events.persist(false);
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
}

asio::awaitable<error_code> kubelet::state::make_node(diagnostics* detail) {
    auto fault = fault_of(options.logs);
    if (auto const found = faults_of(options); fault.empty() && !found.empty()) fault = found.front().message;
    if (!fault.empty()) {
        if (detail != nullptr) detail->message = std::move(fault);
        co_return errc::invalid_argument;
    }
    auto [started] = co_await node.async_start(detail, await);
    if (started) co_return started;
    options.directory = node.run_directory();
    images->keep_in(options.directory);
    logs->keep_in(std::filesystem::path(options.directory) / "logs");
    if (node.mode() == isolation::namespaces) {
        auto [ec, descriptor] = co_await node.async_listen("udp", "10.244.0.1", 53, detail, await);
        if (ec) co_return ec;
        names = std::make_shared<name_server>(client.get_executor(), descriptor, pods, services);
        names->start();
        if (options.serve_pods) {
            auto [unserved, socket] = co_await node.async_listen("tcp", "10.244.0.1", 443, detail, await);
            if (unserved) co_return unserved;
            if (stopping) { // serve() may have ended
                ::close(socket);
                co_return asio::error::operation_aborted;
            }
            auto served = options.serve_pods(socket);
            if (!served && detail != nullptr) *detail = served.error().detail;
            if (!served) co_return served.error().code;
            access = std::move(*served);
            kubectl = find_kftrain_command().string();
        }
    } else {
        addresses = address_pool("127.1");
        options.logger(log_level::warning, "pods run without a sandbox", {{"reason", node.fallback_reason()}});
    }
    co_return error_code();
}

asio::awaitable<void> kubelet::state::serve(std::shared_ptr<state> self) {
    if (!self->stopping) {
        self->follow(); // not before: others may share the informer and run it
        self->run.add([&](auto h) { self->pods.async_run(std::move(h)); });
        self->run.add([&](auto h) { self->services.async_run(std::move(h)); });
    }
    while (!self->stopping) {
        self->wake.expires_after(std::chrono::hours(1));
        co_await self->wake.async_wait(await);
    }
    co_await self->stop_everything();
}

asio::awaitable<void> kubelet::state::stop_everything() {
    run.cancel();
    events.persist(false);
    auto const leaving = workers;
    for (auto const& [uid, worker] : leaving) worker->kill();
    if (names) names->stop();
    co_await node.async_stop(nullptr, await);
    while (!workers.empty() || run.has_parts()) {
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

std::string const& kubelet::limits_fallback_reason() const noexcept { return state_->node.limits_fallback_reason(); }

std::shared_ptr<apiserver::pod_log_source> kubelet::log_source() const {
    return std::make_shared<log_files>(get_executor(), state_->logs);
}

std::shared_ptr<apiserver::pod_exec_source> kubelet::exec_source() const {
    return std::make_shared<container_commands>(state_);
}

void kubelet::start(std::shared_ptr<state> const& s, start_options const& options,
                    any_handler<void(error_code)> handler) {
    auto* const detail = options.detail;
    if (detail != nullptr) *detail = diagnostics();
    if (std::exchange(s->begun, true)) {
        if (detail != nullptr) detail->message = "a kubelet can be started only once";
        kube::complete_later(s->client.get_executor(), std::move(handler), make_error_code(errc::invalid_argument));
        return;
    }
    kube::detail::deadline limit(options.timeout, detail, "start of the node");
    kube::detail::spawn(s->client.get_executor(), state::prepare(s, detail), std::move(limit), std::move(handler));
}

void kubelet::run(std::shared_ptr<state> const& s, any_handler<void(error_code)> handler) {
    if (s->stopping && !s->run.going()) return s->run.refuse(std::move(handler), errc::ended);
    if (!s->prepared) return s->run.refuse(std::move(handler), errc::invalid_argument);
    auto const stop = [weak = std::weak_ptr<state>(s)] {
        if (auto const self = weak.lock()) self->stop();
    };
    if (!s->run.begin(std::move(handler), stop)) return;
    asio::co_spawn(s->client.get_executor(), state::serve(s),
                   [s](std::exception_ptr e) { s->run.end(e ? make_error_code(errc::helper_failed) : s->outcome); });
}

} // namespace kftrain::local
