#ifndef KFTRAIN_KUBE_BLOCKING_HPP
#define KFTRAIN_KUBE_BLOCKING_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/transport.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <utility>

namespace kftrain::kube {

/** Runs the io_context behind `executor` on the calling thread until `done` becomes true. Other threads may run it, too.
    @par Errors `errc::would_deadlock` when called from inside that io_context; `errc::not_supported` when the executor
    belongs to no io_context and `done` is not true already. */
error_code run_until(asio::any_io_executor const& executor, std::atomic<bool> const& done);

/// What run_until() would complain about, before anything is started.
error_code can_block(asio::any_io_executor const& executor) noexcept;

/** Calls `start(handler)` and runs the io_context until the handler was called with `(error_code, T)`.
    `detail` is what the operation fills upon failure. */
template <class T, class Start>
result<T> run_blocking(asio::any_io_executor const& executor, diagnostics const& detail, Start start) {
    if (auto const ec = can_block(executor)) return failure(ec, diagnostics());
    struct outcome {
        std::atomic<bool> done{false};
        error_code ec;
        std::optional<T> value;
    };
    auto const o = std::make_shared<outcome>();
    start(any_handler<void(error_code, T)>([o](error_code ec, T value) {
        o->ec = ec;
        o->value.emplace(std::move(value));
        o->done = true;
    }));
    if (auto const ec = run_until(executor, o->done)) return failure(ec, diagnostics());
    if (o->ec) return failure(o->ec, detail);
    return std::move(*o->value);
}

/// The same for an operation that completes with an error code alone.
template <class Start>
result<void> run_blocking(asio::any_io_executor const& executor, diagnostics const& detail, Start start) {
    auto const r = run_blocking<bool>(executor, detail, [&](any_handler<void(error_code, bool)> h) {
        start(any_handler<void(error_code)>([h = std::move(h)](error_code ec) mutable { std::move(h)(ec, true); }));
    });
    if (!r) return r.error();
    return {};
}

} // namespace kftrain::kube

#endif
