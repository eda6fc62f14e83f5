#ifndef KFTRAIN_KUBE_INFORMER_HPP
#define KFTRAIN_KUBE_INFORMER_HPP

#include <kftrain/kube/any_informer.hpp>
#include <kftrain/kube/api.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::kube {

/// A change that an informer saw.
template <class K> struct object_event {
    object_event() = default;

    event_kind kind = event_kind::added;
    std::shared_ptr<K const> old;    ///< before; null for `added`
    std::shared_ptr<K const> object; ///< after; for `deleted` the last state known
    bool initial = false;            ///< part of the first list
    bool missed = false;             ///< `deleted` found by a new list: the last states were not seen
};

/** Follows the objects of one kind: lists them, then watches, for ever, and keeps the latest state of each.

    Failures are repaired inside, with growing waiting times, and reported to the client's logger. While the server is
    out of reach the contents stay what they were. How late they can be:
    - The server is out of reach: tried again every 0.8 to 10 s.
    - It answers with errors: after 0.8 to 1.6 s at first, growing to 30 to 60 s; from the start again when it was out of
      reach in between or a watch stood for 10 s. A longer `Retry-After` is obeyed.
    - A watch ends or breaks: begun anew at once, unless that happens often, then once a second.
    - The server is there but says nothing (stopped, or behind a network that swallows everything): noticed after
      informer_options::silence and another 15 s, 105 s by default.
    - The host of the server vanished: noticed after 45 s of unanswered keep-alive probes.
    - The server was restored from an older state, so that its versions went back: noticed 1 s after the connection
      stands again, otherwise as if it said nothing; listed anew then, and last_resource_version() goes back, too.
    @par Object lifetimes Destroying it ends async_run() and async_wait_for_sync() with `operation_aborted`, and no handler of
    events is called any more. Destroy it before its io_context, which need not run in between; an api_server in this process
    that it watches has to go before the io_context, too.
    @par Thread safety Unsafe; use it on the executor of the client. The objects handed out are immutable and safe.
    @par Upstream client-go `tools/cache/shared_informer.go` */
template <resource K> class informer {
public:
    using object = std::shared_ptr<K const>;
    using event = object_event<K>;
    using handler = std::function<void(event const&)>;

    explicit informer(api<K> const& a, informer_options options = {}) : objects_(untyped(a), std::move(options)) {}
    /// Shares what it keeps with others who follow the same through `shared`.
    informer(api<K> const& a, shared_informers const& shared, informer_options options = {})
        : objects_(untyped(a), shared, std::move(options)) {}
    /// For those who keep less of the objects than there is; `objects` has objects of type `K`.
    explicit informer(any_informer objects) : objects_(std::move(objects)) {}

    asio::any_io_executor get_executor() const noexcept { return objects_.get_executor(); }

    /** Calls `h` on the executor with every change from now on; objects already known come first, as `added`.
        What `h` throws is logged and dropped. */
    void on_event(handler h) {
        objects_.on_event([h = std::move(h)](any_event const& e) {
            event typed;
            typed.kind = e.kind;
            typed.old = of(e.old);
            typed.object = of(e.object);
            typed.initial = e.initial;
            typed.missed = e.missed;
            h(typed);
        });
    }

    /// Null if there is none. `ns` is empty for cluster-scoped kinds.
    object find(std::string_view ns, std::string_view name) const { return of(objects_.find(ns, name)); }
    /// All objects, by namespace and name.
    std::vector<object> list() const {
        std::vector<object> typed;
        for (auto const& o : objects_.list()) typed.push_back(of(o));
        return typed;
    }

    /// The first list was taken in and its events were delivered. Stays true.
    bool has_synced() const noexcept { return objects_.has_synced(); }
    /// Everything up to this version was taken in and delivered. Empty before the first list.
    std::string const& last_resource_version() const noexcept { return objects_.last_resource_version(); }
    /// Whether a write that answered with this version is visible here.
    bool has_observed(std::string_view resource_version) const noexcept {
        return objects_.has_observed(resource_version);
    }

    /** Completes once has_synced().
        @par Handler signature `void(error_code)`
        @par Cancellation total */
    template <detail::completion_token Token = default_token> auto async_wait_for_sync(Token&& token = Token()) {
        return objects_.async_wait_for_sync(std::forward<Token>(token));
    }

    /** Lists and watches until cancelled. At most one at a time (`errc::already_running`); it may be started again
        afterwards and then lists anew.
        @par Handler signature `void(error_code)`; always an error, usually `operation_aborted`.
        @par Cancellation total */
    template <detail::completion_token Token = default_token> auto async_run(Token&& token = Token()) {
        return objects_.async_run(std::forward<Token>(token));
    }

private:
    static any_api untyped(api<K> const& a) { return any_api(a.get_client(), object_type_of<K>, a.get_namespace()); }
    static object of(any_object const& o) { return std::static_pointer_cast<K const>(o.erased()); }

    any_informer objects_;
};

} // namespace kftrain::kube

#endif
