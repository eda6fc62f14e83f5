#include "local/pod_worker.hpp"

#include <kftrain/kube/api.hpp>
#include <kftrain/kube/request.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace kftrain::local {
namespace {

constexpr auto await = asio::as_tuple(asio::use_awaitable);
constexpr int conflict_retries = 5;

} // namespace

/// Takes the pod for this node, as a scheduler would.
asio::awaitable<void> pod_worker::bind() {
    if (!pod_.spec.node_name.empty()) co_return;
    kube::call_options options;
    auto [ec, ignored] = co_await owner_.client.async_call(
        kube::request::bind(pod_.metadata.namespace_, pod_.metadata.name, owner_.options.node_name), options, await);
    if (ec)
        owner_.options.logger(log_level::warning, "pod not bound",
                              {{"pod", pod_.metadata.name}, {"error", ec.message()}});
}

/// Writes the present state; a call during another one's write makes that one write again.
asio::awaitable<void> pod_worker::publish() {
    auto const self = shared_from_this();
    unpublished_ = true;
    if (publishing_) co_return;
    publishing_ = true;
    while (unpublished_ && !killed_ && !owner_.stopping) {
        unpublished_ = false;
        co_await publish_once();
    }
    publishing_ = false;
    wake();
}

asio::awaitable<void> pod_worker::publish_once() {
    kube::api<pod> pods(owner_.client, pod_.metadata.namespace_);
    for (int i = 0; i < conflict_retries; ++i) {
        auto [read, current] = co_await pods.async_get(pod_.metadata.name, await);
        if (read || current.metadata.uid != pod_.metadata.uid) co_return;
        auto const time = owner_.now();
        current.status = refusal_ ? *refusal_ : report(current, record_, time);
        auto [written, stored] = co_await pods.async_replace_status(current, await);
        if (!is_conflict(written)) {
            if (written && !is_not_found(written))
                owner_.options.logger(log_level::warning, "pod status not written",
                                      {{"pod", pod_.metadata.name}, {"error", written.message()}});
            co_return;
        }
    }
}

} // namespace kftrain::local
