#include "local/kubelet/pod_worker.hpp"

#include "local/dns/pod_names.hpp"
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
    // The object stays until somebody deletes it; that may be long, and nobody starts anything of it any more.
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

} // namespace kftrain::local
