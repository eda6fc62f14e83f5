#ifndef KFTRAIN_SRC_KUBE_HANDLER_PLACE_HPP
#define KFTRAIN_SRC_KUBE_HANDLER_PLACE_HPP

#include <kftrain/kube/transport.hpp>

#include <boost/asio/any_completion_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/bind_executor.hpp>

#include <utility>

namespace kftrain::kube {

/// Where a handler wants to run and how it is cancelled. Taken before the handler is moved into another one.
struct handler_place {
    handler_place() = default;
    handler_place(asio::any_completion_executor e, asio::cancellation_slot s) : executor(std::move(e)), slot(s) {}

    asio::any_completion_executor executor;
    asio::cancellation_slot slot;
};

template <class Handler> handler_place place_of(Handler const& handler, asio::any_io_executor const& fallback) {
    return {asio::get_associated_executor(handler, asio::any_completion_executor(fallback)),
            asio::get_associated_cancellation_slot(handler)};
}

/// `next`, standing in for a handler at its place.
template <class Signature, class Next> any_handler<Signature> in_place_of(handler_place const& place, Next next) {
    return asio::bind_cancellation_slot(place.slot, asio::bind_executor(place.executor, std::move(next)));
}

} // namespace kftrain::kube

#endif
