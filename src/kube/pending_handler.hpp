#ifndef KFTRAIN_SRC_KUBE_PENDING_HANDLER_HPP
#define KFTRAIN_SRC_KUBE_PENDING_HANDLER_HPP

#include <kftrain/kube/transport.hpp>

#include <boost/asio/append.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>

#include <utility>

namespace kftrain::kube {

/// Calls a handler where it wants to run, which may be here and now.
template <class Signature, class... Values> void complete(any_handler<Signature> handler, Values... values) {
    if (auto slot = asio::get_associated_cancellation_slot(handler); slot.is_connected()) slot.clear();
    asio::dispatch(asio::append(std::move(handler), std::move(values)...));
}

/// The same from inside an initiating function: never before that has returned.
template <class Signature, class... Values>
void complete_later(asio::any_io_executor const& executor, any_handler<Signature> handler, Values... values) {
    asio::post(executor, [h = std::move(handler), ... v = std::move(values)]() mutable {
        complete(std::move(h), std::move(v)...);
    });
}

/// Holds the handler of an operation that goes on. Boost 1.81's any_completion_handler recurses without end when it is
/// move-assigned, so members of that type are changed through swap() only; this class sees to it.
template <class Signature> class pending_handler {
public:
    explicit operator bool() const noexcept { return static_cast<bool>(handler_); }
    void put(any_handler<Signature> h) noexcept { handler_.swap(h); }
    any_handler<Signature> take() noexcept {
        any_handler<Signature> taken;
        taken.swap(handler_);
        return taken;
    }

private:
    any_handler<Signature> handler_;
};

} // namespace kftrain::kube

#endif
