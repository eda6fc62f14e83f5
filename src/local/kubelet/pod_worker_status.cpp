#include "local/kubelet/pod_adoption.hpp"
#include "local/kubelet/pod_worker.hpp"

#include <kftrain/base/backoff.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/model/ownership.hpp>

#include <boost/asio/use_awaitable.hpp>

namespace kftrain::local {
namespace {

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
