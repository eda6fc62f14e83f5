#ifndef KFTRAIN_KUBE_THEN_COMPLETE_HPP
#define KFTRAIN_KUBE_THEN_COMPLETE_HPP

#include <kftrain/kube/transport.hpp>

#include <boost/asio/associated_allocator.hpp>
#include <boost/asio/associator.hpp>

#include <utility>

namespace kftrain::kube::detail {

/** "Do this, then complete": the handler of an inner operation in place of the caller's handler. `work` receives the
    caller's handler and the result of the inner operation. It runs and is cancelled like the caller's handler. */
template <class Signature, class Work> class then_complete {
public:
    then_complete(any_handler<Signature> caller, Work work) : caller_(std::move(caller)), work_(std::move(work)) {}

    template <class... Outcome> void operator()(Outcome&&... outcome) {
        work_(std::move(caller_), std::forward<Outcome>(outcome)...);
    }

    any_handler<Signature> const& caller() const noexcept { return caller_; }

private:
    any_handler<Signature> caller_;
    Work work_;
};

} // namespace kftrain::kube::detail

/// Executor and cancellation slot: all associated objects are those of the caller's handler.
template <template <class, class> class Associator, class Signature, class Work, class Default>
struct boost::asio::associator<Associator, kftrain::kube::detail::then_complete<Signature, Work>, Default>
    : Associator<kftrain::kube::any_handler<Signature>, Default> {
    using handler = kftrain::kube::detail::then_complete<Signature, Work>;
    using of_caller = Associator<kftrain::kube::any_handler<Signature>, Default>;

    static typename of_caller::type get(handler const& h) noexcept { return of_caller::get(h.caller()); }
    static typename of_caller::type get(handler const& h, Default const& d) noexcept {
        return of_caller::get(h.caller(), d);
    }
};

/// The allocator is the exception: when Boost 1.81 uses it to free the object that holds this handler, an abandoned
/// erased handler no longer exists.
template <class Signature, class Work, class Allocator>
struct boost::asio::associated_allocator<kftrain::kube::detail::then_complete<Signature, Work>, Allocator> {
    using handler = kftrain::kube::detail::then_complete<Signature, Work>;
    using type = Allocator;

    static type get(handler const&) noexcept { return type(); }
    static type get(handler const&, Allocator const& a) noexcept { return a; }
};

#endif
