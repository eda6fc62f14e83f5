#ifndef KFTRAIN_KUBE_WATCH_HPP
#define KFTRAIN_KUBE_WATCH_HPP

#include <kftrain/kube/any_api.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/next_options.hpp>
#include <kftrain/kube/owned_state.hpp>
#include <kftrain/model/change_kind.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace kftrain::kube {

/// One watch event of objects of any type: a change of an object, or a bookmark, which contains only a version.
struct any_change {
    any_change() = default;

    std::optional<change_kind> kind; ///< nothing for a bookmark
    any_object object;               ///< empty for a bookmark; for `deleted` the last known state
    /// The version from which a new watch continues after this event. Empty for the existing objects of the initial
    /// list, which arrive in no order.
    std::string resource_version;
    /// For a bookmark: all objects that existed when a watch with watch_options::initial_events began have been sent.
    bool ends_initial_list = false;
};

/// One watch event, as any_change.
template <resource K> struct object_change {
    object_change() = default;

    std::optional<change_kind> kind; ///< nothing for a bookmark
    std::shared_ptr<K const> object; ///< null for a bookmark; for `deleted` the last known state
    std::string resource_version;    ///< as in any_change
    bool ends_initial_list = false;  ///< as in any_change
};

/** One watch of a server, event by event, of objects of a type that may become known while the program runs. It ends
    when the server ends it, which servers do after some minutes: any_informer restarts by itself and is what most
    programs need.

    Nothing is read without a pending async_next(), so at most one piece of the connection and one event are kept.
    Servers end a watch whose reader is too slow.
    @par Object lifetimes Destroying it at any moment ends a pending async_next() with `operation_aborted` and closes
    the connection.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class any_watch_stream {
public:
    /// An empty watch, which can only be assigned to.
    any_watch_stream() = default;
    /// `body` is the response to a watch with these options in a namespace, or in all namespaces if `ns` is empty.
    any_watch_stream(client c, object_type const& type, std::unique_ptr<body_stream> body, std::string ns,
                     watch_options const& options);

    /** Waits for the next event. Only one call may be pending: a second one fails with `errc::already_running`.
        @par Handler signature `void(error_code, any_change)`
        @par Errors These end the watch, and every further call reports them again: `asio::error::eof` if the server
        ended the watch regularly (start another one from resource_version()); the @ref reason of an ERROR event
        (is_gone() means that a relist is needed); `errc::connection_lost`.
        `errc::timeout` and cancellation end it as well; further calls report `operation_aborted`. `errc::syntax` for
        a malformed event and `errc::protocol` for an object of another namespace end it, too. Events of objects
        other than the one in a field selector are skipped. A decoding error of one object (`errc::type_mismatch`
        ...), which `detail` names, does not end the watch: the next call continues after it.
        @par Cancellation terminal */
    template <detail::completion_token Token = default_token>
    auto async_next(next_options options = {}, Token&& token = Token()) {
        return detail::initiate<void(error_code, any_change)>(
            state_.place(), std::forward<Token>(token),
            [s = state_.share()](any_handler<void(error_code, any_change)> h, next_options o) {
                start_next(s, std::move(h), std::move(o));
            },
            std::move(options));
    }
    template <detail::completion_token Token> auto async_next(Token&& token) {
        return async_next(next_options(), std::forward<Token>(token));
    }

    /// Returns the version up to which all events have been delivered: initially the start version of the watch, then
    /// that of the last event with a version. With watch_options::initial_events it does not change before the bookmark
    /// that ends the initial list.
    std::string const& resource_version() const noexcept;

private:
    template <resource K> friend class watch_stream;
    struct state;
    static void start_next(std::shared_ptr<state> const& s, any_handler<void(error_code, any_change)> handler,
                           next_options options);

    detail::owned_state<state> state_;
};

/// The same for a kind that is known at compile time.
template <resource K> class watch_stream {
public:
    watch_stream() = default;
    explicit watch_stream(any_watch_stream changes) : changes_(std::move(changes)) {}

    /** Waits for the next event, see any_watch_stream::async_next().
        @par Handler signature `void(error_code, object_change<K>)` */
    template <detail::completion_token Token = default_token>
    auto async_next(next_options options = {}, Token&& token = Token()) {
        return detail::initiate<void(error_code, object_change<K>)>(
            changes_.state_.place(), std::forward<Token>(token),
            [s = changes_.state_.share()](any_handler<void(error_code, object_change<K>)> h, next_options o) {
                detail::then_complete then(std::move(h), &watch_stream::complete);
                any_watch_stream::start_next(s, any_handler<void(error_code, any_change)>(std::move(then)),
                                             std::move(o));
            },
            std::move(options));
    }
    template <detail::completion_token Token> auto async_next(Token&& token) {
        return async_next(next_options(), std::forward<Token>(token));
    }

    /// See any_watch_stream::resource_version().
    std::string const& resource_version() const noexcept { return changes_.resource_version(); }

private:
    static void complete(any_handler<void(error_code, object_change<K>)> handler, error_code ec, any_change change) {
        object_change<K> typed;
        typed.kind = change.kind;
        typed.object = std::static_pointer_cast<K const>(change.object.erased());
        typed.resource_version = std::move(change.resource_version);
        typed.ends_initial_list = change.ends_initial_list;
        std::move(handler)(ec, std::move(typed));
    }

    any_watch_stream changes_;
};

namespace detail {

/// Completes with a `Stream` made from the response to `request`.
template <class Stream, class Token>
auto initiate_watch(client const& c, object_type const& type, result<http_request> request,
                    watch_options const& options, Token&& token) {
    return initiate<void(error_code, Stream)>(
        detail::client_access::place_of(c), std::forward<Token>(token),
        [c, kept = type.share(), options](any_handler<void(error_code, Stream)> h, result<http_request> r,
                                          call_options o) {
            auto ns = r ? subject_of(r->method, r->target).namespace_ : std::string();
            auto const wrap = [c, kept, options, ns](any_handler<void(error_code, Stream)> then, error_code ec,
                                                     std::unique_ptr<body_stream> body) {
                Stream changes;
                if (!ec) changes = Stream(any_watch_stream(c, *kept, std::move(body), ns, options));
                std::move(then)(ec, std::move(changes));
            };
            then_complete wrapped(std::move(h), wrap);
            client_access::start(c, any_handler<void(error_code, std::unique_ptr<body_stream>)>(std::move(wrapped)),
                                 std::move(r), std::move(o));
        },
        std::move(request), options.common());
}

} // namespace detail

/** Starts a watch. `options.timeout` covers the time until the watch is established. Without
    `options.resource_version` it begins with an `added` for each existing object.
    @par Handler signature `void(error_code, any_watch_stream)`
    @par Errors as client::async_call(), without retries; `reason::expired` for a version that is too old.
    @par Cancellation total */
template <detail::completion_token Token = default_token>
auto async_watch(any_api const& a, watch_options options = {}, Token&& token = Token()) {
    return detail::initiate_watch<any_watch_stream>(a.get_client(), a.type(),
                                                    request::watch(*a.type().info, a.get_namespace(), options), options,
                                                    std::forward<Token>(token));
}
template <detail::completion_token Token> auto async_watch(any_api const& a, Token&& token) {
    return async_watch(a, watch_options(), std::forward<Token>(token));
}

/** The same for a kind that is known at compile time.
    @par Handler signature `void(error_code, watch_stream<K>)` */
template <resource K, detail::completion_token Token = default_token>
auto async_watch(api<K> const& a, watch_options options = {}, Token&& token = Token()) {
    return detail::initiate_watch<watch_stream<K>>(a.get_client(), object_type_of<K>,
                                                   request::watch(K::resource, a.get_namespace(), options), options,
                                                   std::forward<Token>(token));
}
template <resource K, detail::completion_token Token> auto async_watch(api<K> const& a, Token&& token) {
    return async_watch(a, watch_options(), std::forward<Token>(token));
}

} // namespace kftrain::kube

#endif
