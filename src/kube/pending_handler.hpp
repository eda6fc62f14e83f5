#ifndef KFTRAIN_SRC_KUBE_PENDING_HANDLER_HPP
#define KFTRAIN_SRC_KUBE_PENDING_HANDLER_HPP

#include <kftrain/kube/transport.hpp>

namespace kftrain::kube {

/// Holds the handler of an operation that goes on. Boost 1.81's any_completion_handler recurses without end when it is
/// move-assigned, so members of that type are changed through swap() only; this class sees to it.
template <class Signature>
class pending_handler {
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
