#include "local/kubelet/pod_worker.hpp"

#include "local/kubelet/containers/container_prober.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <csignal>
#include <limits>

namespace kftrain::local {
namespace {

using clock = std::chrono::steady_clock;

/// @par Upstream kubernetes v1.31 `pkg/kubelet/kuberuntime/kuberuntime_container.go`, `minimumGracePeriodInSeconds`
constexpr std::chrono::seconds shortest_grace{2};

/// @par Upstream kubernetes v1.31 `pkg/kubelet/kubelet.go`, `evictionMonitoringPeriod`
constexpr std::chrono::seconds size_check_period{10};

} // namespace

clock::time_point pod_worker::moment_in(std::chrono::seconds t) {
    constexpr std::chrono::seconds longest = std::chrono::hours(24 * 3650);
    return clock::now() + std::min(t, longest);
}

std::chrono::seconds pod_worker::usual_grace() const {
    constexpr std::int64_t default_grace = 30;
    return std::chrono::seconds(pod_.spec.termination_grace_period_seconds.value_or(default_grace));
}

void pod_worker::terminate(std::chrono::seconds grace) {
    if (killed_) return;
    terminating_ = true;
    record_.leaving = true;
    wake();
    stop_containers(grace);
}

void pod_worker::kill() {
    if (killed_) return;
    killed_ = true;
    record_.leaving = true;
    if (volumes_) volumes_->stop();
    wake();
    for (auto const& name : running_) owner_.node.async_signal(id(), name, SIGKILL, nullptr, asio::detached);
}

void pod_worker::stop_containers(std::chrono::seconds grace) {
    auto const by = moment_in(grace);
    stop_by_ = stop_by_ ? std::min(*stop_by_, by) : by;
    for (auto const* list : {&pod_.spec.init_containers, &pod_.spec.containers})
        for (auto const& c : *list) stop_container(c, *stop_by_, true);
}

void pod_worker::stop_container(core::container const& spec, clock::time_point by, bool in_order) {
    auto const process = processes_.find(spec.name);
    if (process == processes_.end()) return;
    auto const& name = process->second.container;
    auto const [at, added] = stops_.try_emplace(name, by);
    at->second = std::min(at->second, by);
    if (!added) return wake();
    auto failed = [self = shared_from_this(), kept = owner_.shared_from_this(), name](std::exception_ptr e) {
        if (e && self->running_.contains(name))
            self->owner_.node.async_signal(self->id(), name, SIGKILL, nullptr, asio::detached);
    };
    asio::co_spawn(owner_.client.get_executor(), stop_process(spec, name, in_order), std::move(failed));
}

/// @par Upstream kubernetes v1.31 `pkg/kubelet/kuberuntime/kuberuntime_container.go`, `killContainer`
asio::awaitable<void> pod_worker::stop_process(core::container spec, std::string process, bool in_order) {
    if (spec.lifecycle && spec.lifecycle->pre_stop && is_running_until(process, stops_[process])) {
        std::optional<bool> const done = co_await run_hook(spec, process, "preStop", *spec.lifecycle->pre_stop);
        // The output of the hook may contain secrets.
        if (done && !*done) warn("FailedPreStopHook", "PreStopHook failed", &spec);
    }
    while (in_order && !may_stop(spec) && is_running_until(process, stops_[process]))
        co_await sleep_until(stops_[process]);
    if (!is_running(process)) co_return;
    owner_.node.async_signal(id(), process, SIGTERM, nullptr, asio::detached);
    auto const earliest = clock::now() + shortest_grace;
    while (is_running_until(process, std::max(stops_[process], earliest)))
        co_await sleep_until(std::max(stops_[process], earliest));
    if (is_running(process)) owner_.node.async_signal(id(), process, SIGKILL, nullptr, asio::detached);
}

asio::awaitable<void> pod_worker::sleep_until(clock::time_point t) {
    auto const now = clock::now();
    return sleep(std::chrono::ceil<std::chrono::milliseconds>(std::min(t, now + std::chrono::hours(1)) - now));
}

asio::awaitable<bool> pod_worker::run_post_start(core::container const& spec, std::string const& process) {
    if (!spec.lifecycle || !spec.lifecycle->post_start || !is_running(process)) co_return true;
    std::optional<bool> const done = co_await run_hook(spec, process, "postStart", *spec.lifecycle->post_start);
    if (!done || *done) co_return true;
    warn("FailedPostStartHook", "PostStartHook failed", &spec);
    note("Normal", "Killing", "FailedPostStartHook", &spec);
    stop_container(spec, moment_in(usual_grace()), false);
    co_return false;
}

/// @par Upstream kubernetes v1.31 `pkg/kubelet/lifecycle/handlers.go`: connections are accepted as hooks, and fail
asio::awaitable<std::optional<bool>> pod_worker::run_hook(core::container const& spec, std::string process,
                                                          std::string name, core::lifecycle_handler what) {
    auto const limit = [&] {
        auto const stop = stops_.find(process);
        return stop == stops_.end() ? clock::time_point::max() : stop->second;
    };
    auto const found = processes_.find(spec.name);
    if (found == processes_.end()) co_return std::nullopt;
    if (what.sleep) {
        auto const end = moment_in(std::chrono::seconds(what.sleep->seconds));
        while (is_running_until(process, std::min(end, limit()))) co_await sleep_until(std::min(end, limit()));
        if (clock::now() >= end) co_return true;
        co_return std::nullopt;
    }
    if (!what.exec && !what.http_get) co_return false;
    auto const hook =
        std::make_shared<container_prober>(owner_, found->second, spec, record_.address, container_prober::callbacks());
    // What the hook runs ends with the container.
    owner_.node.async_wait(id(), process, nullptr, [weak = std::weak_ptr(hook)](error_code, exit_status) {
        if (auto const running = weak.lock()) running->stop();
    });
    auto const result = std::make_shared<std::optional<bool>>();
    asio::co_spawn(owner_.client.get_executor(), hook->run_hook(std::move(name), std::move(what)),
                   [self = shared_from_this(), kept = owner_.shared_from_this(), hook, result](std::exception_ptr e,
                                                                                               probe_result const& r) {
                       *result = !e && r.success;
                       self->wake();
                   });
    while (!*result && is_running_until(process, limit())) co_await sleep_until(limit());
    if (!is_running(process)) hook->stop();
    if (is_running(process)) co_return *result;
    co_return std::nullopt;
}

bool pod_worker::is_running(std::string const& process) const {
    return running_.contains(process) && !killed_ && !owner_.stopping;
}

bool pod_worker::is_running_until(std::string const& process, clock::time_point t) const {
    return is_running(process) && clock::now() < t;
}

/// @par Upstream kubernetes v1.31 `pkg/kubelet/kuberuntime/kuberuntime_termination_order.go`
bool pod_worker::may_stop(core::container const& spec) const {
    if (!is_sidecar(spec)) return true;
    auto const runs = [&](core::container const& c) {
        return processes_.contains(c.name) || starting_.contains(c.name);
    };
    if (std::ranges::any_of(pod_.spec.containers, runs)) return false;
    auto const& inits = pod_.spec.init_containers;
    auto const self = std::ranges::find(inits, spec.name, &core::container::name);
    return self == inits.end() ||
           std::none_of(self + 1, inits.end(), [&](auto const& c) { return is_sidecar(c) && runs(c); });
}

/// Ends what is left of a pod whose containers have ended, or will not begin.
asio::awaitable<void> pod_worker::end_sidecars() {
    if (unfinished_sidecars_ != 0 && !leaving()) {
        completed_ = true;
        record_.leaving = true;
        wake();
        stop_containers(usual_grace());
    }
    while (unfinished_sidecars_ != 0 && broken_.empty()) co_await sleep(std::chrono::hours(1));
}

void pod_worker::update(pod const& observed) {
    if (observed.spec.active_deadline_seconds == time_limit_) return;
    time_limit_ = observed.spec.active_deadline_seconds;
    if (active_since_) watch_deadline();
}

/// @par Upstream kubernetes v1.31 `pkg/kubelet/active_deadline.go`
void pod_worker::watch_deadline() {
    deadline_.cancel();
    if (!time_limit_) return;
    constexpr std::int64_t longest = std::numeric_limits<std::int32_t>::max(); // that a server accepts
    deadline_.expires_at(*active_since_ + std::chrono::seconds(std::clamp<std::int64_t>(*time_limit_, 0, longest)));
    deadline_.async_wait([weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (ec || !self || self->leaving() || !self->is_past_deadline()) return;
        self->record_.deadline_exceeded = true;
        self->record_.leaving = true;
        self->wake();
        self->stop_containers(self->usual_grace());
    });
}

/// False if the deadline was changed after its timer expired.
bool pod_worker::is_past_deadline() const { return active_since_ && time_limit_ && clock::now() >= deadline_.expiry(); }

asio::awaitable<void> pod_worker::watch_volume_sizes() {
    auto const is_active = [this] { return active_since_ && !leaving() && !owner_.stopping; };
    while (is_active()) {
        std::string const why = co_await volumes_->find_full_volume(pod_);
        if (!why.empty() && is_active()) evict(why);
        auto const next = clock::now() + size_check_period;
        while (is_active() && clock::now() < next) co_await sleep_until(next);
    }
}

/// @par Upstream kubernetes v1.31 `pkg/kubelet/eviction/eviction_manager.go`, `evictPod`
void pod_worker::evict(std::string why) {
    warn("Evicted", why);
    record_.evicted = std::move(why);
    record_.leaving = true;
    wake();
    stop_containers(std::chrono::seconds(0));
}

} // namespace kftrain::local
