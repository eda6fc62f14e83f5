#ifndef KFTRAIN_KUBE_BLOCKING_HPP
#define KFTRAIN_KUBE_BLOCKING_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/kube/start_place.hpp>

#include <boost/asio/error.hpp>

#include <atomic>
#include <memory>
#include <optional>
#include <utility>

namespace kftrain::kube {

/** Runs the io_context behind `executor` on the calling thread until `done` becomes true. Other threads may run it,
    too.
    @par Errors `errc::would_deadlock` if called from inside that io_context; `errc::not_supported` if the executor
    does not belong to an io_context (for example, a thread pool) and `done` is not true already. */
error_code run_until(asio::any_io_executor const& executor, std::atomic<bool> const& done);

/// Returns the error that run_until() would return, before any operation starts.
error_code can_block(asio::any_io_executor const& executor) noexcept;

namespace detail {

/// The same for an operation that is started at `place`, which may be one for any thread. Then the thread that runs the
/// executor does the work, and this one waits.
error_code can_block(start_place const& place);
error_code block_until(start_place const& place, std::atomic<bool> const& done);

/// The outcome of an operation for which a thread waits. A handler that is destroyed without a call was abandoned.
template <class T> struct blocking_outcome {
    void end() {
        done = true;
        done.notify_all();
    }

    std::atomic<bool> done{false};
    error_code ec = asio::error::operation_aborted;
    std::optional<T> value;
};

} // namespace detail

/** Calls `start(handler)` and runs the io_context until the handler was called with `(error_code, T)`. The operation
    fills `detail` upon failure. */
template <class T, class Start>
[[nodiscard]] result<T> run_blocking(detail::start_place const& place, diagnostics const& detail, Start start) {
    if (auto const ec = detail::can_block(place)) return failure(ec, diagnostics());
    auto const o = std::make_shared<detail::blocking_outcome<T>>();
    any_handler<void(error_code, T)> handler(
        [o, abandoned = std::shared_ptr<void>(nullptr, [o](void*) { o->end(); })](error_code ec, T value) {
            o->ec = ec;
            o->value.emplace(std::move(value));
        });
    if (place.needs_handover())
        detail::hand_over(place, error_code(), std::move(handler), std::move(start));
    else
        start(std::move(handler));
    if (auto const ec = detail::block_until(place, o->done)) return failure(ec, diagnostics());
    if (o->ec) return failure(o->ec, detail);
    return std::move(*o->value);
}
template <class T, class Start>
[[nodiscard]] result<T> run_blocking(asio::any_io_executor const& executor, diagnostics const& detail, Start start) {
    return run_blocking<T>(detail::start_place(executor), detail, std::move(start));
}

/// The same for an operation that completes with only an error code.
template <class Start>
[[nodiscard]] result<void> run_blocking(detail::start_place const& place, diagnostics const& detail, Start start) {
    auto const r = run_blocking<bool>(place, detail, [&](any_handler<void(error_code, bool)> h) {
        start(any_handler<void(error_code)>([h = std::move(h)](error_code ec) mutable { std::move(h)(ec, true); }));
    });
    if (!r) return r.error();
    return {};
}
template <class Start>
[[nodiscard]] result<void> run_blocking(asio::any_io_executor const& executor, diagnostics const& detail, Start start) {
    return run_blocking(detail::start_place(executor), detail, std::move(start));
}

} // namespace kftrain::kube

#endif
