#ifndef KFTRAIN_SRC_KUBE_ASYNC_NEXT_CALL_HPP
#define KFTRAIN_SRC_KUBE_ASYNC_NEXT_CALL_HPP

#include "kube/async/operation.hpp"
#include "kube/async/waiting_caller.hpp"

#include <kftrain/kube/next_options.hpp>

#include <boost/asio/error.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace kftrain::kube {

/** Waits for the next item of a stream, for one caller at a time. An item is taken from the stream only when it is
    handed out, so that a cancelled call loses none. The handler belongs to an operation of the io_context, and is
    destroyed with it.
    @par Thread safety Unsafe */
template <class T> class next_call : public std::enable_shared_from_this<next_call<T>> {
public:
    using outcome = std::tuple<error_code, T, diagnostics>;

    /// The source of items; not used any more after close().
    struct source {
        source() = default;

        std::function<bool()> ready;                  ///< there may be an outcome
        std::function<std::optional<outcome>()> take; ///< hands it out
        std::string_view nothing;                     ///< the message of a call that times out
        std::function<std::string()> last_failure;    ///< what is retried meanwhile; empty text: nothing; may be null
    };

    next_call(asio::any_io_executor const& executor, source from) : from_(std::move(from)), wake_(executor) {}

    void async_next(any_handler<void(error_code, T)> handler, next_options options) {
        auto const executor = wake_.get_executor();
        if (asking_) return complete_later(executor, std::move(handler), errc::already_running, T());
        asking_ = true;
        stopped_ = closed_;
        until_ = detail::timer::time_point::max();
        if (options.timeout.count() > 0) until_ = detail::time_source::of(executor).now() + options.timeout;
        caller c(std::move(handler), executor);
        ++call_number_;
        if (auto slot = c.slot(); slot.is_connected())
            slot.assign([weak = this->weak_from_this(), executor, number = call_number_](asio::cancellation_type) {
                asio::dispatch(executor, [weak, number] {
                    if (auto const self = weak.lock(); self && self->asking_ && self->call_number_ == number)
                        self->stop();
                });
            });
        if (!stopped_ && !from_.ready()) return wait(std::move(c), options);
        asio::post(executor, [self = this->shared_from_this(), c = std::move(c), options]() mutable {
            self->answer(std::move(c), options, false);
        });
    }
    bool waits() const noexcept { return asking_; }
    /// There may be an outcome. Nothing is handed out from inside.
    void wake() {
        if (asking_) wake_.cancel();
    }
    /// Ends the call that waits, and all that follow, with `operation_aborted`.
    void close() {
        closed_ = true;
        stop();
    }

private:
    using caller = waiting_caller<T>;

    void stop() {
        stopped_ = true;
        wake_.cancel();
    }
    void wait(caller c, next_options const& options) {
        wake_.expires_at(until_);
        wake_.async_wait([self = this->shared_from_this(), c = std::move(c), options](error_code cancelled) mutable {
            self->answer(std::move(c), options, !cancelled);
        });
    }
    void answer(caller c, next_options const& options, bool late) {
        std::optional<outcome> found;
        if (!stopped_) found = from_.take();
        if (!found && !stopped_ && !late) return wait(std::move(c), options);
        asking_ = false;
        if (!found)
            found.emplace(stopped_ ? error_code(asio::error::operation_aborted) : errc::timeout, T(), diagnostics());
        auto& [ec, item, why] = *found;
        if (ec == errc::timeout && why.message.empty())
            why.message = detail::with_last_failure(std::string(from_.nothing) + " within " +
                                                        std::to_string(options.timeout.count()) + " ms",
                                                    from_.last_failure ? from_.last_failure() : std::string());
        if (options.detail != nullptr) *options.detail = std::move(why);
        c.complete(ec, std::move(item));
    }

    source from_;
    detail::timer wake_;
    detail::timer::time_point until_;
    std::uint64_t call_number_ = 0;
    bool asking_ = false;
    bool stopped_ = false; ///< the call that waits
    bool closed_ = false;
};

} // namespace kftrain::kube

#endif
