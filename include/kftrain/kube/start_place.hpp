#ifndef KFTRAIN_KUBE_START_PLACE_HPP
#define KFTRAIN_KUBE_START_PLACE_HPP

#include <kftrain/kube/transport.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>

#include <atomic>
#include <memory>
#include <tuple>
#include <utility>

namespace kftrain::kube::detail {

class thread_check;

/// The executor on which an object starts its operations, and the threads from which the caller may start them.
class start_place {
public:
    start_place() = default;
    /// Operations start on the thread of the caller, which must be the right one.
    start_place(asio::any_io_executor executor) : executor_(std::move(executor)) {}
    /// `check` may be null.
    start_place(asio::any_io_executor executor, std::shared_ptr<thread_check> check, bool any_thread)
        : executor_(std::move(executor)), check_(std::move(check)), any_thread_(any_thread) {}

    asio::any_io_executor const& executor() const noexcept { return executor_; }
    bool allows_any_thread() const noexcept { return any_thread_; }
    /// Returns whether every operation starts at once.
    bool is_plain() const noexcept { return !any_thread_ && !check_; }
    /// Returns whether an operation of the calling thread has to be handed over to the executor.
    bool needs_handover() const noexcept;
    /// Returns `errc::wrong_thread` if the calling thread must not start an operation, as far as that is checked.
    error_code fault() const;

private:
    asio::any_io_executor executor_;
    std::shared_ptr<thread_check> check_;
    bool any_thread_ = false;
};

/** Carries one operation to the executor of its object and back: its start, the cancellation by the caller, and its
    completion.
    @par Thread safety The constructor and start() are for the thread of the caller, the rest for the executor of the
    object. The caller cancels on its own executor. */
class handover : public std::enable_shared_from_this<handover> {
public:
    handover(asio::any_io_executor own, asio::any_completion_executor const& caller);

    /** Calls `begin` on the executor of the object. Its argument is true if the caller has cancelled before. `way` must
        be the only owner besides `begin`: from then on the io_context may end, so the calling thread keeps no part. */
    static void start(std::shared_ptr<handover> way, asio::cancellation_slot caller, any_handler<void(bool)> begin);
    /// Calls `work` on the executor of the caller.
    void complete(any_handler<void()> work);

    asio::any_io_executor const& executor() const noexcept { return own_; }
    asio::cancellation_slot slot() noexcept { return signal_.slot(); }

private:
    void cancel(asio::cancellation_type type);

    asio::any_io_executor own_;
    asio::any_completion_executor caller_; ///< is kept at work
    asio::cancellation_signal signal_;     ///< of the operation, for its executor alone
    std::atomic<bool> cancelled_{false};
};

/// The handler of an operation that was handed over. It runs on the executor of the object.
template <class... T> class handover_handler {
public:
    using executor_type = asio::any_io_executor;
    using cancellation_slot_type = asio::cancellation_slot;

    handover_handler(std::shared_ptr<handover> way, any_handler<void(error_code, T...)> caller)
        : way_(std::move(way)), caller_(std::move(caller)) {}

    executor_type get_executor() const noexcept { return way_->executor(); }
    cancellation_slot_type get_cancellation_slot() const noexcept { return way_->slot(); }

    void operator()(error_code ec, T... value) {
        way_->complete([caller = std::move(caller_), ec, values = std::tuple<T...>(std::move(value)...)]() mutable {
            if (auto slot = asio::get_associated_cancellation_slot(caller); slot.is_connected()) slot.clear();
            std::apply([&](T&... v) { std::move(caller)(ec, std::move(v)...); }, values);
        });
    }

private:
    std::shared_ptr<handover> way_;
    any_handler<void(error_code, T...)> caller_;
};

/** Calls `begin(handler)` on the executor of the object, and `caller` on its own executor. The operation does not
    begin, and completes with `operation_aborted`, if the caller cancels before, or with `fault` if that is an error. */
template <class... T, class Begin>
void hand_over(start_place const& place, error_code fault, any_handler<void(error_code, T...)> caller, Begin begin) {
    auto const on = asio::get_associated_executor(caller, asio::any_completion_executor(place.executor()));
    auto const slot = asio::get_associated_cancellation_slot(caller);
    auto way = std::make_shared<handover>(place.executor(), on);
    handover_handler<T...> back(way, std::move(caller));
    handover::start(std::move(way), slot,
                    [fault, back = std::move(back), begin = std::move(begin)](bool cancelled) mutable {
                        error_code const ec = cancelled ? error_code(asio::error::operation_aborted) : fault;
                        if (ec) return std::move(back)(ec, T()...);
                        begin(any_handler<void(error_code, T...)>(std::move(back)));
                    });
}

} // namespace kftrain::kube::detail

#endif
