#ifndef KFTRAIN_KUBE_WAIT_HPP
#define KFTRAIN_KUBE_WAIT_HPP

#include <kftrain/kube/api.hpp>
#include <kftrain/model/object_type.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace kftrain::kube {

/// The time limit of a wait, and the object to wait for.
struct wait_options {
    wait_options() = default;

    std::chrono::milliseconds timeout{0}; ///< 0: no limit
    std::string uid;                      ///< uid of the object; another object of the same name counts as its deletion
    diagnostics* detail = nullptr;        ///< filled before completion; must live until then

    wait_options& with_timeout(std::chrono::milliseconds t) { return timeout = t, *this; }
    wait_options& with_uid(std::string u) { return uid = std::move(u), *this; }
    wait_options& with_detail(diagnostics& d) { return detail = &d, *this; }
};

namespace detail {

/// Returns whether the wait is over; null represents an absent object.
using erased_predicate = std::function<bool(erased_object const&)>;

/// Determines how a wait handles an object that cannot be decoded as its type: it fails, or passes an object with only
/// its metadata to the predicate.
enum class undecodable_handling { fail, use_metadata };

void start_wait(any_handler<void(error_code, erased_object)> handler, client const& c, std::string ns, std::string name,
                object_type const& type, erased_predicate done, wait_options options,
                undecodable_handling undecodable = undecodable_handling::fail);

} // namespace detail

/** Waits until `done` holds for the object `name`: lists it once, then watches it.

    `done` is called on the executor of the client with each observed state, or with null if the object is absent,
    starting with the initial state. Intermediate states may be skipped. It must not throw.
    @par Handler signature `void(error_code, K)`: the state that satisfied `done`; empty for absence.
    @par Errors `errc::deleted` if the object existed, or `options.uid` is set, and the object is gone, but `done`
    does not hold for absence; `errc::timeout`. The wait recovers from failures of the server or the network until
    the deadline. `reason::unauthorized`, `forbidden`, `not_found` (of the kind) and `bad_request` end the wait, and
    so does `errc::helper_failed` of a broken local cluster in this process.
    @par Cancellation total */
template <resource K, class Predicate, detail::completion_token Token = default_token>
auto async_wait(api<K> const& a, std::string name, Predicate done, wait_options options = {}, Token&& token = Token()) {
    return detail::initiate<void(error_code, K)>(
        detail::client_access::place_of(a.get_client()), std::forward<Token>(token),
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
