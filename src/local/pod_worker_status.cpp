#include "local/pod_worker.hpp"

#include <kftrain/base/backoff.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/request.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace kftrain::local {
namespace {

constexpr auto await = asio::as_tuple(asio::use_awaitable);
constexpr int conflict_retries = 5;
constexpr std::chrono::milliseconds first_pause{200};
constexpr std::chrono::milliseconds longest_pause{5000};

} // namespace

/// Takes the pod for this node, as a scheduler would; false if it cannot be had, e.g. because another node was first.
asio::awaitable<bool> pod_worker::bind() {
    if (!pod_.spec.node_name.empty()) co_return true;
    kube::call_options options;
    auto [ec, ignored] = co_await owner_.client.async_call(
        kube::request::bind(pod_.metadata.namespace_, pod_.metadata.name, owner_.options.node_name), options, await);
    if (ec)
        owner_.options.logger(log_level::warning, "pod not bound",
                              {{"pod", pod_.metadata.name}, {"error", ec.message()}});
    co_return !ec;
}

/// Writes the present state; a call during another one's write makes that one write again. A write that may succeed
/// later is repeated until it does.
asio::awaitable<void> pod_worker::publish() {
    auto const self = shared_from_this();
    unpublished_ = true;
    if (publishing_) co_return;
    publishing_ = true;
    backoff pause{first_pause, longest_pause};
    while (unpublished_ && !killed_ && !owner_.stopping) {
        unpublished_ = false;
        error_code const ec = co_await publish_once();
        if (!ec) continue;
        owner_.options.logger(log_level::warning, "pod status not written",
                              {{"pod", pod_.metadata.name}, {"error", ec.message()}});
        if (!is_retryable(ec)) continue;
        unpublished_ = true;
        co_await sleep(pause.next());
    }
    publishing_ = false;
    wake();
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
