#include "local/kubelet/pod_worker.hpp"

#include "local/dns/pod_names.hpp"
#include "local/kubelet/containers/container_prober.hpp"
#include "local/kubelet/images/image_commands.hpp"
#include "local/kubelet/pod_report.hpp"
#include "local/kubelet/volumes/pod_files.hpp"

#include <kftrain/base/backoff.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/model/ownership.hpp>

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

/// Whether an emptyDir on disk has a limit. The kernel keeps that of a memory file system.
bool has_size_limits(pod const& p) {
    return std::ranges::any_of(p.spec.volumes, [](core::volume const& v) {
        return v.empty_dir && v.empty_dir->medium != "Memory" && v.empty_dir->size_limit;
    });
}

constexpr int conflict_retries = 5;
constexpr std::chrono::milliseconds first_pause{200};
constexpr std::chrono::milliseconds longest_pause{5000};

/// Whatever ends a write, the next may begin.
class publishing {
public:
    explicit publishing(bool& flag) : flag_(flag) {}
    publishing(publishing const&) = delete;
    publishing& operator=(publishing const&) = delete;
    ~publishing() { flag_ = false; }

private:
    bool& flag_;
};

using clock = std::chrono::steady_clock;

/// @par Upstream kubernetes v1.31 `pkg/kubelet/kuberuntime/kuberuntime_container.go`, `minimumGracePeriodInSeconds`
constexpr std::chrono::seconds shortest_grace{2};

/// @par Upstream kubernetes v1.31 `pkg/kubelet/kubelet.go`, `evictionMonitoringPeriod`
constexpr std::chrono::seconds size_check_period{10};

} // namespace

pod_worker::pod_worker(kubelet::state& owner, pod p)
    : owner_(owner),
      pod_(std::move(p)),
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
    if (has_size_limits(pod_))
        asio::co_spawn(owner_.client.get_executor(), watch_volume_sizes(),
                       [self = shared_from_this(), kept = owner_.shared_from_this()](std::exception_ptr e) {
                           if (e) self->break_down(what(e));
                       });
    bool const initialized = co_await run_init_containers();
    if (initialized) co_await run_containers();
    co_await end_sidecars();
}

/// False if the containers of the pod must not begin.
asio::awaitable<bool> pod_worker::run_init_containers() {
    for (std::size_t i = 0; i < pod_.spec.init_containers.size(); ++i) {
        auto const& spec = pod_.spec.init_containers[i];
        auto& record = record_.init_containers[i];
        if (is_sidecar(spec)) {
            run_beside(spec, record, role::sidecar, unfinished_sidecars_);
            while (!has_started(record) && !leaving() && !owner_.stopping) co_await sleep(std::chrono::hours(1));
        } else {
            co_await run_container(spec, record, role::init);
            if (!succeeded(record)) co_return false;
        }
        if (leaving() || owner_.stopping) co_return false;
    }
    co_return true;
}

asio::awaitable<void> pod_worker::run_containers() {
    for (std::size_t i = 0; i < pod_.spec.containers.size(); ++i)
        run_beside(pod_.spec.containers[i], record_.containers[i], role::main, unfinished_);
    while (unfinished_ != 0 && broken_.empty()) co_await sleep(std::chrono::hours(1));
}

void pod_worker::run_beside(core::container const& spec, container_record& record, role as, std::size_t& unfinished) {
    ++unfinished;
    asio::co_spawn(owner_.client.get_executor(), run_container(spec, record, as),
                   [self = shared_from_this(), kept = owner_.shared_from_this(), &unfinished](std::exception_ptr e) {
                       if (e) self->break_down(what(e));
                       --unfinished;
                       self->wake();
                   });
}

asio::awaitable<void> pod_worker::run_container(core::container const& spec, container_record& record, role as) {
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
        if (as == role::init && succeeded(record)) co_return;
        bool const repeated =
            as == role::sidecar ||
            (as == role::init ? restart_policy() != "Never" : restarts(restart_policy(), *record.state.terminated));
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
    active_since_.reset();
    deadline_.cancel();
    wake();
    if (volumes_) volumes_->stop();
    owner_.logs->end_runs(id());
    if (sandboxed_ && !owner_.stopping) co_await owner_.node.async_delete_pod(id(), nullptr, await);
    if (address_) owner_.addresses.release(*address_);
    if (fit_for_paths(pod_.metadata)) remove_pod_files(owner_.options.directory, pod_);
    if (killed_ || owner_.stopping) co_return;
    co_await publish();
    while (publishing_) co_await sleep(std::chrono::milliseconds(20));
    // A client may delete the object much later, and no container of it starts again.
    if (unfinished_ == 0 && unfinished_sidecars_ == 0) pod_.spec = core::pod_spec();
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

/// Takes the pod for this node, as a scheduler would; false if it cannot be had, e.g. because another node was first.
asio::awaitable<bool> pod_worker::bind() {
    if (!pod_.spec.node_name.empty()) co_return true;
    kube::call_options options;
    backoff pause{first_pause, longest_pause};
    while (!leaving() && !owner_.stopping) {
        auto [ec, ignored] = co_await owner_.client.async_call(
            kube::request::bind(pod_.metadata.namespace_, pod_.metadata.name, owner_.options.node_name), options,
            await);
        if (!ec) co_return true;
        owner_.options.logger(log_level::warning, "pod could not be bound",
                              {{"pod", pod_.metadata.name}, {"error", ec.message()}});
        if (!is_retryable(ec)) co_return false;
        co_await rest(pause.next());
    }
    co_return false;
}

/// Informers keep a part of each pod only. False if there is no such pod any more.
asio::awaitable<bool> pod_worker::read_all() {
    kube::api<pod> pods(owner_.client, pod_.metadata.namespace_);
    backoff pause{first_pause, longest_pause};
    while (!killed_ && !owner_.stopping) {
        auto [ec, whole] = co_await pods.async_get(pod_.metadata.name, await);
        if (!ec && whole.metadata.uid == pod_.metadata.uid) {
            pod_ = std::move(whole);
            pod_.metadata.managed_fields.clear();
            record_.init_containers.resize(pod_.spec.init_containers.size());
            record_.containers.resize(pod_.spec.containers.size());
            startable_ = adopt(pod_, record_, owner_.now());
            pod_.status = core::pod_status();
            co_return true;
        }
        if (!ec || is_not_found(ec)) {
            kill();
            break;
        }
        owner_.options.logger(log_level::warning, "pod could not be read",
                              {{"pod", pod_.metadata.name}, {"error", ec.message()}});
        if (!is_retryable(ec)) {
            break_down("the pod cannot be read: " + ec.message());
            break;
        }
        co_await sleep(pause.next());
    }
    co_return false;
}

/// Reports why the pod does not run.
asio::awaitable<void> pod_worker::refuse(std::string reason, issues const& why) {
    auto message = join_errors(why, "; ");
    warn(reason, message);
    if (controller_of(pod_.metadata) == nullptr) {
        refusal_ = report_refusal(std::move(reason), std::move(message), owner_.now());
    } else {
        // Its controller would replace a pod that failed by its like, which fails at once, and so on.
        for (auto* list : {&record_.init_containers, &record_.containers})
            for (auto& c : *list) {
                auto& waiting = c.state.waiting.emplace();
                waiting.reason = "CreateContainerConfigError";
                waiting.message = message;
            }
    }
    co_await publish();
}

/// Writes the present state; a call during another one's write makes that one write again. A write that may succeed
/// later is repeated until it does.
asio::awaitable<void> pod_worker::publish() {
    auto const self = shared_from_this();
    unpublished_ = true;
    if (publishing_) co_return;
    publishing_ = true;
    publishing const done(publishing_);
    backoff pause{first_pause, longest_pause};
    while (unpublished_ && !killed_ && !owner_.stopping) {
        unpublished_ = false;
        error_code ec;
        try {
            ec = co_await publish_once();
        } catch (std::bad_alloc const&) {
            ec = make_error_code(reason::server_timeout); // as good as any that goes by
        }
        if (!ec) continue;
        owner_.options.logger(log_level::warning, "pod status could not be written",
                              {{"pod", pod_.metadata.name}, {"error", ec.message()}});
        if (!is_retryable(ec)) continue;
        unpublished_ = true;
        co_await sleep(pause.next());
    }
}

/// Success also when the pod is gone or is another one meanwhile.
asio::awaitable<error_code> pod_worker::publish_once() {
    kube::api<pod> pods(owner_.client, pod_.metadata.namespace_);
    error_code outcome;
    for (int i = 0; i < conflict_retries; ++i) {
        auto [read, current] = co_await pods.async_get(pod_.metadata.name, await);
        if (is_not_found(read)) co_return error_code();
        if (read) co_return read;
        if (current.metadata.uid != pod_.metadata.uid) co_return error_code();
        auto const time = owner_.now();
        current.status = refusal_ ? *refusal_ : report(current, record_, time);
        auto [written, stored] = co_await pods.async_replace_status(current, await);
        outcome = is_not_found(written) ? error_code() : written;
        if (!is_conflict(outcome)) co_return outcome;
    }
    co_return outcome;
}

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
    // The hook ends with the container.
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
