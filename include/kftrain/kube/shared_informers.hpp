#ifndef KFTRAIN_KUBE_SHARED_INFORMERS_HPP
#define KFTRAIN_KUBE_SHARED_INFORMERS_HPP

#include <kftrain/kube/client.hpp>

#include <memory>

namespace kftrain::kube {
namespace detail {

struct shared_registry;

} // namespace detail

/** Shares informers between several users of the same objects in one process: the objects are listed, watched and
    stored once. Pass copies to all users; each user creates its own informer with its own handlers, run and end. The
    shared informer works while any of them runs. Handlers then receive changes even if the run of their own informer
    has not begun or has ended, until that informer is destroyed.

    Informers share if type, namespace and field selector are equal, and if the label selectors are equal or the
    first informer has none; the others then see only the objects that match their selectors. Page size, silence and
    list method are those of the first. A default-constructed object shares nothing.
    @par Object lifetimes Copies share. Informers keep what they need; the last one of a collection ends its watch.
    @par Thread safety Unsafe; use it on the executor of the client.
    @par Upstream client-go `informers/factory.go`, `SharedInformerFactory` */
class shared_informers {
public:
    shared_informers() = default;
    /// The informers use this client: all users must have the same permissions.
    explicit shared_informers(client c);

    bool empty() const noexcept { return registry_ == nullptr; }

private:
    friend struct detail::shared_registry;
    struct registry;

    std::shared_ptr<registry> registry_;
};

} // namespace kftrain::kube

#endif
