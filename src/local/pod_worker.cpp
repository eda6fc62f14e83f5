#include "local/pod_worker.hpp"

#include "local/container_command.hpp"
#include "local/pod_files.hpp"

#include <kftrain/kube/api.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <csignal>

namespace kftrain::local {
namespace {

constexpr auto await = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds first_restart_delay{10};
constexpr std::chrono::seconds restart_delay_limit{300};

} // namespace

pod_worker::pod_worker(kubelet::state& owner, pod p)
    : owner_(owner), pod_(std::move(p)), grace_(owner.client.get_executor()) {
    record_.init_containers.resize(pod_.spec.init_containers.size());
    record_.containers.resize(pod_.spec.containers.size());
}

std::string_view pod_worker::restart_policy() const {
    return pod_.spec.restart_policy.empty() ? std::string_view("Always") : std::string_view(pod_.spec.restart_policy);
}

void pod_worker::start() {
    // The handler keeps both from before the first step on.
    auto ended = [self = shared_from_this(), kept = owner_.shared_from_this()](std::exception_ptr e) {
        if (e) self->owner_.options.logger(log_level::error, "pod worker failed", {{"pod", self->pod_.metadata.name}});
        self->owner_.pod_ended(self->pod_);
    };
    asio::co_spawn(owner_.client.get_executor(), run(), std::move(ended));
}

void pod_worker::terminate(std::chrono::seconds grace) {
    if (leaving()) return;
    terminating_ = true;
    record_.leaving = true;
    wake();
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

void pod_worker::kill() {
    if (killed_) return;
    killed_ = true;
    record_.leaving = true;
    wake();
    for (auto const& [name, runs] : running_)
        if (runs) owner_.node.async_signal(id(), name, SIGKILL, nullptr, asio::detached);
}

asio::awaitable<void> pod_worker::run() {
    bool const ours = co_await bind();
    if (!ours || owner_.stopping) co_return; // no file may come into a directory that is gone
    auto const found = unsupported_parts(pod_, owner_.node.mode());
    if (!found.empty()) {
        std::string text;
        for (auto const& i : found) text += (text.empty() ? "" : "; ") + i.message;
        co_await refuse("NotSupported", std::move(text));
    } else {
        bool const ready = co_await make_sandbox();
        if (ready) {
            bool const initialized = co_await run_init_containers();
            if (initialized) co_await run_containers();
        }
    }
    co_await finish();
}

asio::awaitable<void> pod_worker::refuse(std::string reason, std::string message) {
    refusal_ = report_refusal(std::move(reason), std::move(message), owner_.now());
    co_await publish();
}

asio::awaitable<bool> pod_worker::make_sandbox() {
    bool const namespaces = owner_.node.mode() == isolation::namespaces;
    auto const address = owner_.addresses.take();
    if (!address) {
        co_await refuse("OutOfAddresses", "all addresses of the node are in use");
        co_return false;
    }
    record_.address = *address;
    record_.host_address = namespaces ? "10.244.0.1" : "127.0.0.1";
    record_.started = owner_.now();

    pod_sandbox box;
    box.id = id();
    box.hostname = pod_.spec.hostname.empty() ? pod_.metadata.name : pod_.spec.hostname;
    box.address = record_.address;
    diagnostics why;
    error_code ec;
    if (namespaces) ec = write_pod_files(owner_.options.directory, pod_, box);
    if (!ec) {
        auto [created] = co_await owner_.node.async_create_pod(box, &why, await);
        ec = created;
    }
    owner_.node_failed(ec);
    if (ec) {
        if (why.message.empty()) why.message = ec.message();
        co_await refuse("FailedCreatePodSandBox", std::move(why.message));
        co_return false;
    }
    sandboxed_ = true;
    co_await publish();
    co_return !leaving();
}

asio::awaitable<bool> pod_worker::run_init_containers() {
    for (std::size_t i = 0; i < pod_.spec.init_containers.size(); ++i) {
        auto& record = record_.init_containers[i];
        for (;;) {
            bool const ended = co_await run_once(pod_.spec.init_containers[i], record);
            if (!ended || leaving()) co_return false;
            co_await publish();
            if (record.state.terminated->exit_code == 0) break;
            if (restart_policy() == "Never") co_return false;
            bool const again = co_await wait_before_restart(record);
            if (!again) co_return false;
        }
    }
    co_return true;
}

asio::awaitable<void> pod_worker::run_containers() {
    unfinished_ = pod_.spec.containers.size();
    for (std::size_t i = 0; i < pod_.spec.containers.size(); ++i)
        asio::co_spawn(owner_.client.get_executor(), run_container(pod_.spec.containers[i], record_.containers[i]),
                       [self = shared_from_this()](std::exception_ptr) {
                           --self->unfinished_;
                           self->wake();
                       });
    while (unfinished_ != 0) co_await sleep(std::chrono::hours(1));
}

asio::awaitable<void> pod_worker::run_container(container const& spec, container_record& record) {
    auto const self = shared_from_this();
    for (;;) {
        bool const ended = co_await run_once(spec, record);
        if (!ended) co_return;
        co_await publish();
        if (leaving() || !restarts(restart_policy(), *record.state.terminated)) co_return;
        bool const again = co_await wait_before_restart(record);
        if (!again) co_return;
    }
}

/// Starts a container and waits for its end; false if the node failed or is going away.
asio::awaitable<bool> pod_worker::run_once(container const& spec, container_record& record) {
    if (owner_.stopping) co_return false; // as above
    auto const command = command_of(pod_, spec);
    auto const file = owner_.log_file(pod_, spec.name, record.restarts);
    output_file output(file);
    container_process process;
    process.pod = id();
    process.container = spec.name + (record.restarts == 0 ? "" : "." + std::to_string(record.restarts));
    process.argv = command.argv;
    process.env = command.env;
    process.working_dir = spec.working_dir.empty() ? owner_.options.working_directory.string() : spec.working_dir;
    process.output_fd = output.fd();
    std::string const name = process.container;
    auto const key = pod_.metadata.namespace_ + "/" + pod_.metadata.name;
    owner_.logs[key][spec.name].file = file;
    owner_.logs[key][spec.name].ended = false;

    diagnostics why;
    auto [started] = co_await owner_.node.async_start_container(std::move(process), &why, await);
    output.close();
    if (started) {
        owner_.logs[key][spec.name].ended = true;
        owner_.node_failed(started);
        if (killed_ || owner_.stopping) co_return false;
        record.state = container_state();
        record.state.terminated = terminated(128, 0, std::nullopt, owner_.now());
        record.state.terminated->reason = "StartError";
        record.state.terminated->message = why.message.empty() ? started.message() : why.message;
        co_return true;
    }
    running_[name] = true;
    auto const begun = owner_.now();
    record.state = container_state();
    record.state.running.emplace().started_at = begun;
    co_await publish();
    if (leaving()) owner_.node.async_signal(id(), name, killed_ ? SIGKILL : SIGTERM, nullptr, asio::detached);

    auto [ec, status] = co_await owner_.node.async_wait(id(), name, &why, await);
    running_[name] = false;
    owner_.logs[key][spec.name].ended = true;
    owner_.node_failed(ec);
    if (ec) co_return false;
    record.state = container_state();
    record.state.terminated = terminated(status.code, status.signal, begun, owner_.now());
    co_return true;
}

asio::awaitable<bool> pod_worker::wait_before_restart(container_record& record) {
    auto delay = std::min<std::chrono::seconds>(first_restart_delay * (1U << std::clamp(record.restarts - 1, 0, 5)),
                                                restart_delay_limit);
    // The first restart comes at once, as a kubelet does it.
    if (record.restarts == 0) delay = std::chrono::seconds(0);
    record.last_state = record.state;
    record.state = container_state();
    auto& waiting = record.state.waiting.emplace();
    waiting.reason = "CrashLoopBackOff";
    waiting.message = "back-off " + std::to_string(delay.count()) + "s restarting failed container";
    if (delay.count() != 0) {
        co_await publish();
        auto const until = std::chrono::steady_clock::now() + delay;
        while (!leaving() && std::chrono::steady_clock::now() < until)
            co_await sleep(std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()));
    }
    if (leaving()) {
        record.state = std::exchange(record.last_state, container_state());
        co_return false;
    }
    ++record.restarts;
    co_return true;
}

/// Removes the sandbox, tells the API server the final state, and lets a pod go whose deletion waits for that.
asio::awaitable<void> pod_worker::finish() {
    grace_.cancel();
    if (sandboxed_ && !owner_.stopping) co_await owner_.node.async_remove_pod(id(), nullptr, await);
    if (!record_.address.empty()) owner_.addresses.release(record_.address);
    remove_pod_files(owner_.options.directory, pod_);
    if (killed_ || owner_.stopping) co_return;
    co_await publish();
    while (publishing_) co_await sleep(std::chrono::milliseconds(20));
    while (!leaving()) co_await sleep(std::chrono::hours(1)); // the object stays until somebody deletes it
    if (killed_ || owner_.stopping) co_return;
    kube::api<pod> pods(owner_.client, pod_.metadata.namespace_);
    kube::delete_params now;
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

void pod_worker::wake() {
    for (auto* timer : sleepers_) timer->cancel();
}

} // namespace kftrain::local
