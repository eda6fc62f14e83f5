#include "local/kubelet/pod_worker.hpp"

#include "local/dns/pod_names.hpp"
#include "local/kubelet/image_commands.hpp"
#include "local/kubelet/pod_files.hpp"

#include <kftrain/base/backoff.hpp>
#include <kftrain/kube/api.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <csignal>
#include <limits>

namespace kftrain::local {
namespace {

std::string what(std::exception_ptr const& e) {
    try {
        std::rethrow_exception(e);
    } catch (std::exception const& known) {
        return known.what();
    } catch (...) {
        return "an unknown exception";
    }
}

} // namespace

pod_worker::pod_worker(kubelet::state& owner, pod p)
    : owner_(owner),
      pod_(std::move(p)),
      grace_(owner.client.get_executor()),
      deadline_(owner.client.get_executor()),
      time_limit_(pod_.spec.active_deadline_seconds) {}

std::string_view pod_worker::restart_policy() const {
    return pod_.spec.restart_policy.empty() ? std::string_view("Always") : std::string_view(pod_.spec.restart_policy);
}

void pod_worker::start() {
    // The handler keeps both from before the first step on.
    auto ended = [self = shared_from_this(), kept = owner_.shared_from_this()](std::exception_ptr e) {
        if (e)
            self->owner_.options.logger(log_level::error, "pod worker failed",
                                        {{"pod", self->pod_.metadata.name}, {"error", what(e)}});
        self->owner_.pod_ended(self->pod_);
    };
    asio::co_spawn(owner_.client.get_executor(), run(), std::move(ended));
}

void pod_worker::terminate(std::chrono::seconds grace) {
    if (killed_ || terminating_) return;
    terminating_ = true;
    record_.leaving = true;
    wake();
    end_programs(grace);
}

void pod_worker::end_programs(std::chrono::seconds grace) {
    for (auto const& [name, runs] : running_)
        if (runs) owner_.node.async_signal(id(), name, SIGTERM, nullptr, asio::detached);
    grace_.expires_after(grace);
    grace_.async_wait([weak = weak_from_this()](error_code ec) {
        auto const self = weak.lock();
        if (ec || !self) return;
        for (auto const& [name, runs] : self->running_)
            if (runs) self->owner_.node.async_signal(self->id(), name, SIGKILL, nullptr, asio::detached);
    });
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
        constexpr std::int64_t usual_grace = 30;
        self->record_.deadline_exceeded = true;
        self->record_.leaving = true;
        self->wake();
        self->end_programs(
            std::chrono::seconds(self->pod_.spec.termination_grace_period_seconds.value_or(usual_grace)));
    });
}

/// False if the deadline was changed after its timer expired.
bool pod_worker::is_past_deadline() const {
    return active_since_ && time_limit_ && std::chrono::steady_clock::now() >= deadline_.expiry();
}

void pod_worker::kill() {
    if (killed_) return;
    killed_ = true;
    record_.leaving = true;
    if (volumes_) volumes_->stop();
    wake();
    for (auto const& [name, runs] : running_)
        if (runs) owner_.node.async_signal(id(), name, SIGKILL, nullptr, asio::detached);
}

void pod_worker::break_down(std::string why) {
    owner_.options.logger(log_level::error, "pod abandoned", {{"pod", pod_.metadata.name}, {"error", why}});
    broken_ = why.empty() ? "unknown" : std::move(why);
    record_.leaving = true;
    wake();
}

asio::awaitable<void> pod_worker::run() {
    bool const ours = co_await bind();
    if (!ours || owner_.stopping) co_return; // no file may come into a directory that is gone
    try {
        bool const known = co_await read_all();
        if (known && startable_) {
            active_since_ = std::chrono::steady_clock::now();
            watch_deadline();
            co_await live();
        }
    } catch (std::exception const& e) {
        break_down(e.what());
    }
    if (!broken_.empty()) {
        auto const text = "the kubelet failed: " + broken_;
        warn("InternalError", text);
        refusal_ = report_refusal("InternalError", text, owner_.now());
    }
    co_await finish();
}

asio::awaitable<void> pod_worker::live() {
    auto found = name_faults(pod_);
    if (!found.empty()) {
        co_await refuse("Invalid", found);
        co_return;
    }
    add_image_commands(pod_.spec, owner_.options);
    found = unsupported_parts(pod_, owner_.node.mode(), owner_.options);
    if (!found.empty()) {
        co_await refuse("NotSupported", found);
        co_return;
    }
    bool const mounted = co_await make_volumes();
    if (!mounted) co_return;
    bool const ready = co_await make_sandbox();
    if (!ready) co_return;
    co_await run_init_containers();
    bool const initialized = std::all_of(record_.init_containers.begin(), record_.init_containers.end(), succeeded);
    if (initialized && !leaving()) co_await run_containers();
}

asio::awaitable<void> pod_worker::run_init_containers() {
    for (std::size_t i = 0; i < pod_.spec.init_containers.size(); ++i) {
        auto& record = record_.init_containers[i];
        co_await run_container(pod_.spec.init_containers[i], record, true);
        if (leaving() || !succeeded(record)) co_return;
    }
}

asio::awaitable<void> pod_worker::run_containers() {
    unfinished_ = pod_.spec.containers.size();
    for (std::size_t i = 0; i < pod_.spec.containers.size(); ++i)
        asio::co_spawn(owner_.client.get_executor(),
                       run_container(pod_.spec.containers[i], record_.containers[i], false),
                       [self = shared_from_this()](std::exception_ptr e) {
                           if (e) self->break_down(what(e));
                           --self->unfinished_;
                           self->wake();
                       });
    while (unfinished_ != 0 && broken_.empty()) co_await sleep(std::chrono::hours(1));
}

asio::awaitable<void> pod_worker::run_container(core::container const& spec, container_record& record, bool init) {
    auto const self = shared_from_this();
    backoff pause(restart_delay(1), restart_delay(99));
    if (record.state.terminated) { // under an earlier kubelet
        if (!restarts(restart_policy(), *record.state.terminated)) co_return;
        record.last_state = std::exchange(record.state, core::container_state());
    }
    for (;;) {
        attempt const result = co_await run_once(spec, record);
        if (result == attempt::lost) co_return;
        co_await publish();
        if (leaving()) co_return;
        if (result == attempt::not_created) {
            co_await back_off_pull(spec, record, pause.next());
            if (leaving()) co_return;
            continue;
        }
        pause.reset();
        ++record.runs;
        if (init && succeeded(record)) co_return;
        bool const repeated = init ? restart_policy() != "Never" : restarts(restart_policy(), *record.state.terminated);
        if (!repeated) co_return;
        bool const again = co_await wait_before_restart(spec, record);
        if (!again) co_return;
    }
}

asio::awaitable<bool> pod_worker::wait_before_restart(core::container const& spec, container_record& record) {
    if (outlived_back_off(*record.state.terminated)) record.failures = 0;
    auto const delay = restart_delay(record.failures++);
    auto const named = pod_.metadata.name + "_" + pod_.metadata.namespace_ + "(" + pod_.metadata.uid + ")";
    record.last_state = record.state;
    record.state = core::container_state();
    auto& waiting = record.state.waiting.emplace();
    waiting.reason = "CrashLoopBackOff";
    waiting.message = "back-off " + in_minutes(delay) + " restarting failed container=" + spec.name + " pod=" + named;
    if (delay.count() != 0) {
        warn("BackOff", "Back-off restarting failed container " + spec.name + " in pod " + named, &spec);
        co_await publish();
        co_await rest(delay);
    }
    if (leaving()) {
        record.state = std::exchange(record.last_state, core::container_state());
        co_return false;
    }
    co_return true;
}

/// Removes the sandbox, writes the final state to the API server, and releases a pod whose deletion waits for that.
asio::awaitable<void> pod_worker::finish() {
    grace_.cancel();
    active_since_.reset();
    deadline_.cancel();
    if (volumes_) volumes_->stop();
    owner_.logs->end_runs(id());
    if (sandboxed_ && !owner_.stopping) co_await owner_.node.async_delete_pod(id(), nullptr, await);
    if (address_) owner_.addresses.release(*address_);
    if (fit_for_paths(pod_.metadata)) remove_pod_files(owner_.options.directory, pod_);
    if (killed_ || owner_.stopping) co_return;
    co_await publish();
    while (publishing_) co_await sleep(std::chrono::milliseconds(20));
    // The object stays until somebody deletes it; that may be long, and nobody starts anything of it any more.
    if (unfinished_ == 0) pod_.spec = core::pod_spec();
    while (!killed_ && !terminating_) co_await sleep(std::chrono::hours(1));
    if (killed_ || owner_.stopping) co_return;
    kube::api<pod> pods(owner_.client, pod_.metadata.namespace_);
    kube::delete_options now;
    now.grace_period_seconds = 0;
    now.precondition_uid = pod_.metadata.uid;
    co_await pods.async_delete(pod_.metadata.name, now, await);
}

asio::awaitable<void> pod_worker::sleep(std::chrono::milliseconds t) {
    asio::steady_timer timer(owner_.client.get_executor(), t);
    sleepers_.insert(&timer);
    co_await timer.async_wait(await);
    sleepers_.erase(&timer);
}

asio::awaitable<void> pod_worker::rest(std::chrono::milliseconds t) {
    auto const until = std::chrono::steady_clock::now() + t;
    while (!leaving() && std::chrono::steady_clock::now() < until)
        co_await sleep(std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()));
}

void pod_worker::wake() {
    for (auto* timer : sleepers_) timer->cancel();
}

} // namespace kftrain::local
