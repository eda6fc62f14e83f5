#ifndef KFTRAIN_KUBE_WAIT_HPP
#define KFTRAIN_KUBE_WAIT_HPP

#include <kftrain/kube/api.hpp>
#include <kftrain/model/object_type.hpp>

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
using erased_predicate = std::function<bool(erased_object const&)>;

void start_wait(any_handler<void(error_code, erased_object)> handler, client const& c, std::string ns, std::string name,
                object_type const& type, erased_predicate done, wait_options options);

} // namespace detail

/** Waits until `done` holds for the object `name`: lists it once, then watches it.

    `done` is called on the executor of the client with each state seen, or with null when the object is absent, first
    for the state at the beginning. States between two others may be skipped. It must not throw.
    @par Handler signature `void(error_code, K)`: the state that satisfied `done`; empty for absence.
    @par Errors `errc::deleted` if the object was seen, or `options.uid` is given, and it is gone while `done` did not ask
    for absence; `errc::timeout`. Failures of the server or the network are repaired inside until the deadline, except
    that `reason::unauthorized`, `forbidden`, `not_found` (of the kind) and `bad_request` end the wait, as does
    `errc::helper_failed`, which a local cluster in this process answers with once it broke.
    @par Cancellation total */
template <resource K, class Predicate, detail::completion_token Token = default_token>
auto async_wait(api<K> const& a, std::string name, Predicate done, wait_options options = {}, Token&& token = Token()) {
    return detail::initiate<void(error_code, K)>(
        a.get_executor(), std::forward<Token>(token),
        [c = a.get_client(), ns = a.get_namespace()](any_handler<void(error_code, K)> handler, std::string what,
                                                     Predicate p, wait_options o) {
            auto const copy = [](any_handler<void(error_code, K)> h, error_code ec, erased_object const& object) {
                std::move(h)(ec, object ? *static_cast<K const*>(object.get()) : K());
            };
            detail::then_complete then(std::move(handler), copy);
            detail::start_wait(
                any_handler<void(error_code, erased_object)>(std::move(then)), c, ns, std::move(what),
                object_type_of<K>,
                [p = std::move(p)](erased_object const& object) { return p(static_cast<K const*>(object.get())); },
                std::move(o));
        },
        std::move(name), std::move(done), std::move(options));
}
template <resource K, class Predicate, detail::completion_token Token>
auto async_wait(api<K> const& a, std::string name, Predicate done, Token&& token) {
    return async_wait(a, std::move(name), std::move(done), wait_options(), std::forward<Token>(token));
}

} // namespace kftrain::kube

#endif
