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

/// A change observed by an informer.
template <class K> struct object_event {
    object_event() = default;

    change_kind kind = change_kind::added;
    std::shared_ptr<K const> old;    ///< state before the change; null for `added`
    std::shared_ptr<K const> object; ///< state after the change; for `deleted` the last known state
    bool initial = false;            ///< part of the first list
    bool missed = false;             ///< `deleted` that the server did not report; see any_event::missed
};

/** Follows the objects of one kind: lists them, watches until stopped, and keeps the latest state of each.

    The informer recovers from failures with increasing delays and reports them to the logger of the client. While the
    server is unreachable, the cached objects do not change. A failure is detected and repaired as follows:
    - The server is unreachable: the informer retries every 0.8 to 10 s.
    - The server returns errors: the informer retries after 0.8 to 1.6 s at first, and after 30 to 60 s in the end. The
      delay starts over if the server was unreachable in between or a watch lasted for 10 s. A longer `Retry-After` is
      respected.
    - A watch ends or breaks: it is restarted immediately, or once a second if that happens often.
    - The server is connected but silent (stopped, or behind a network that drops everything): detected after
      informer_options::silence and another 15 s, 105 s by default.
    - The host of the server disappears: detected after 45 s of unanswered keep-alive probes.
    - The server was restored from an older state, so that its versions are older than those of the cache: detected 1 s
      after the connection is restored; if the connection was not lost, like a silent server. The informer then does a
      relist, after which last_resource_version() is older, too.
    @par Object lifetimes Destroying the informer ends async_run() and async_wait_for_sync() with `operation_aborted`,
    and no event handler is called any more. Destroy it before its io_context, which need not run in between. If it
    watches an api_server in this process, destroy that before the io_context, too.
    @par Thread safety Unsafe; use it on the executor of the client. The objects it returns are immutable and safe.
    @par Upstream client-go `tools/cache/shared_informer.go` */
template <resource K> class informer {
public:
    using object = std::shared_ptr<K const>;
    using event = object_event<K>;
    using handler = std::function<void(event const&)>;

    explicit informer(api<K> const& a, informer_options options = {}) : objects_(untyped(a), std::move(options)) {}
    /// Shares its objects with all informers that follow the same objects through `shared`.
    informer(api<K> const& a, shared_informers const& shared, informer_options options = {})
        : objects_(untyped(a), shared, std::move(options)) {}
    /// Wraps an informer of objects of type `K`, e.g. one that stores partially decoded objects.
    explicit informer(any_informer objects) : objects_(std::move(objects)) {}

    asio::any_io_executor get_executor() const noexcept { return objects_.get_executor(); }

    /** Calls `h` on the executor with every change from now on; known objects come first, as `added`. Exceptions of
        `h` are logged and dropped. */
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

    /// Returns the object, or null if it does not exist. `ns` is empty for cluster-scoped kinds.
    object find(std::string_view ns, std::string_view name) const { return of(objects_.find(ns, name)); }
    /// Returns all objects, ordered by namespace and name.
    std::vector<object> list() const {
        std::vector<object> typed;
        for (auto const& o : objects_.list()) typed.push_back(of(o));
        return typed;
    }

    /// Returns whether the first list was received and the first handler has received its objects. A handler that is
    /// added later receives the known objects afterwards, with `initial` set. Stays true.
    bool has_synced() const noexcept { return objects_.has_synced(); }
    /// Returns the version up to which all changes were received and delivered. Empty before the first list.
    std::string const& last_resource_version() const noexcept { return objects_.last_resource_version(); }
    /// Returns whether the informer has received the result of a write that returned this version.
    bool has_observed(std::string_view resource_version) const noexcept {
        return objects_.has_observed(resource_version);
    }

    /** Completes once has_synced().
        @par Handler signature `void(error_code)`
        @par Errors `errc::timeout`
        @par Cancellation total */
    template <detail::completion_token Token = default_token>
    auto async_wait_for_sync(sync_options options = {}, Token&& token = Token()) {
        return objects_.async_wait_for_sync(options, std::forward<Token>(token));
    }
    template <detail::completion_token Token> auto async_wait_for_sync(Token&& token) {
        return async_wait_for_sync(sync_options(), std::forward<Token>(token));
    }

    /** Lists and watches until cancelled. Only one run at a time is possible: a second one fails with
        `errc::already_running`. After a run has ended, the next one starts with a relist.
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
