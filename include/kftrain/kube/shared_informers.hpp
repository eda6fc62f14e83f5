#ifndef KFTRAIN_KUBE_SHARED_INFORMERS_HPP
#define KFTRAIN_KUBE_SHARED_INFORMERS_HPP

#include <kftrain/kube/client.hpp>

#include <memory>

namespace kftrain::kube {

/** Lets those who follow the same objects in one process share an informer: the objects are listed, watched and kept once.
    Give copies to all of them; each asks for what it follows and gets an informer with its own handlers, run and end. The
    shared one works while any of them runs; handlers are told of changes then, even if the run of their own informer has
    not begun or is over, until that informer is destroyed.

    They share when type, namespace and field selector are the same, and the label selector, too, or the one that came first
    has none: the others then see of its objects what their selectors match. Page size, silence and how it lists are those of the first.
    One that is default-constructed shares nothing.
    @par Object lifetimes Copies share. What was handed out keeps what it needs; the last one of a collection ends its watch.
    @par Thread safety Unsafe; use it on the executor of the client.
    @par Upstream client-go `informers/factory.go`, `SharedInformerFactory` */
class shared_informers {
public:
    shared_informers() = default;
    /// Informers are those of this client: who shares them must have the same rights.
    explicit shared_informers(client c);

    bool empty() const noexcept { return registry_ == nullptr; }

    struct registry;
    std::shared_ptr<registry> const& core() const noexcept { return registry_; }

private:
    std::shared_ptr<registry> registry_;
};

} // namespace kftrain::kube

#endif
