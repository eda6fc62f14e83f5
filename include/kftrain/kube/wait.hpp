#ifndef KFTRAIN_KUBE_WAIT_HPP
#define KFTRAIN_KUBE_WAIT_HPP

#include <kftrain/kube/api.hpp>
#include <kftrain/kube/object_type.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace kftrain::kube {

/// How long and for which object to wait.
struct wait_options {
    wait_options() = default;

    std::chrono::milliseconds timeout{0}; ///< 0: no limit
    std::string uid;                      ///< the object meant; another one of the same name counts as its deletion
    diagnostics* detail = nullptr;        ///< written before completion; must live until then

    wait_options& with_timeout(std::chrono::milliseconds t) { return timeout = t, *this; }
    wait_options& with_uid(std::string u) { return uid = std::move(u), *this; }
    wait_options& with_detail(diagnostics& d) { return detail = &d, *this; }
};

namespace detail {

/// Says whether the wait is over; null means absent.
using erased_predicate = std::function<bool(void const*)>;

void start_wait(any_handler<void(error_code, erased_object)> handler, client const& c, std::string ns, std::string name,
                object_type const& type, erased_predicate done, wait_options options);

template <class K> struct share_then {
    any_handler<void(error_code, K)> handler;

    void operator()(error_code ec, erased_object const& object) {
        std::move(handler)(ec, object ? *static_cast<K const*>(object.get()) : K());
    }
};

} // namespace detail

} // namespace kftrain::kube

template <template <class, class> class Associator, class K, class Default>
struct boost::asio::associator<Associator, kftrain::kube::detail::share_then<K>, Default> {
    using inner = kftrain::kube::any_handler<void(kftrain::error_code, K)>;
    using type = typename Associator<inner, Default>::type;

    static type get(kftrain::kube::detail::share_then<K> const& h, Default const& d = Default()) noexcept {
        return Associator<inner, Default>::get(h.handler, d);
    }
};

namespace kftrain::kube {

/** Waits until `done` holds for the object `name`: lists it once, then watches it.

    `done` is called on the executor of the client with each state seen, or with null when the object is absent, first
    for the state at the beginning. States between two others may be skipped. It must not throw.
    @par Handler signature `void(error_code, K)`: the state that satisfied `done`; empty for absence.
    @par Errors `errc::deleted` if the object was seen, or `options.uid` is given, and it is gone while `done` did not ask
    for absence; `errc::timeout`. Failures of the server or the network are repaired inside until the deadline, except
    that `reason::unauthorized`, `forbidden`, `not_found` (of the kind) and `bad_request` end the wait, as does
    `errc::helper_failed`, which a local cluster in this process answers with once it broke.
    @par Cancellation total */
template <resource K, class Predicate, class Token>
auto async_wait(api<K> const& a, std::string name, Predicate done, wait_options options, Token&& token) {
    return detail::initiate<void(error_code, K)>(
        a.get_executor(), std::forward<Token>(token),
        [c = a.get_client(), ns = a.get_namespace()](any_handler<void(error_code, K)> handler, std::string what,
                                                     Predicate p, wait_options o) {
            detail::share_then<K> then{std::move(handler)};
            detail::start_wait(
                any_handler<void(error_code, detail::erased_object)>(std::move(then)), c, ns, std::move(what),
                detail::object_type_of<K>,
                [p = std::move(p)](void const* object) { return p(static_cast<K const*>(object)); }, std::move(o));
        },
        std::move(name), std::move(done), std::move(options));
}

} // namespace kftrain::kube

#endif
