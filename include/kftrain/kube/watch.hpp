#ifndef KFTRAIN_KUBE_WATCH_HPP
#define KFTRAIN_KUBE_WATCH_HPP

#include <kftrain/kube/any_api.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/next_options.hpp>

#include <memory>
#include <string>
#include <utility>

namespace kftrain::kube {

/// What a watch tells of an object; of a bookmark nothing but a version.
enum class change_kind { added, modified, deleted, bookmark };

/// One event of a watch of objects of any type.
struct any_change {
    any_change() = default;

    change_kind kind = change_kind::added;
    any_object object; ///< empty for a bookmark; for `deleted` the last state there was
    /// From which a new watch goes on behind this event. Empty while the objects that are there are told, in no order.
    std::string resource_version;
    /// Of a bookmark: all that was there when a watch with watch_options::initial_events began has been told.
    bool ends_initial_list = false;
};

/// One event of a watch.
template <resource K> struct object_change {
    object_change() = default;

    change_kind kind = change_kind::added;
    std::shared_ptr<K const> object; ///< null for a bookmark; for `deleted` the last state there was
    std::string resource_version;    ///< as in any_change
    bool ends_initial_list = false;  ///< as in any_change
};

/** One watch of a server, event by event, of objects of a type that need not be known before the program runs. It ends when
    the server ends it, which all do after some minutes: any_informer begins anew by itself, and is what most programs want.

    Nothing is read before it is asked for, so that at most one piece of the connection and one event are kept. Servers end
    a watch whose reader is too slow.
    @par Object lifetimes Destroying it, at any moment, ends a pending async_next() with `operation_aborted` and closes the
    connection.
    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class any_watch_stream {
public:
    /// No watch: can be assigned to, and nothing else.
    any_watch_stream() = default;
    /// `body` is the answer to a watch from the version `from`; `initial`: one with watch_options::initial_events.
    any_watch_stream(client c, object_type const& type, std::unique_ptr<body_stream> body, std::string from,
                     bool initial = false);
    any_watch_stream(any_watch_stream&&) noexcept = default;
    any_watch_stream& operator=(any_watch_stream&& other) noexcept;
    ~any_watch_stream();

    /** Waits for the next event. One at a time: another is refused with `errc::already_running`.
        @par Handler signature `void(error_code, any_change)`
        @par Errors `asio::error::eof` when the server has ended the watch in good order: begin another one from
        resource_version(). What an ERROR event says, as a @ref reason: is_gone() means that a list has to come first.
        `errc::connection_lost`. After these the watch has ended, and every further call says so again. `errc::timeout` ends it as well, as
        cancellation does; further calls say `operation_aborted`.
        A decoding error of one object (`errc::type_mismatch` ...) ends nothing: the next call goes on behind it.
        @par Cancellation terminal */
    template <detail::completion_token Token = default_token>
    auto async_next(next_options options = {}, Token&& token = Token()) {
        return detail::initiate<void(error_code, any_change)>(
            executor_, std::forward<Token>(token),
            [s = state_](any_handler<void(error_code, any_change)> h, next_options o) {
                start_next(s, std::move(h), std::move(o));
            },
            std::move(options));
    }
    template <detail::completion_token Token> auto async_next(Token&& token) {
        return async_next(next_options(), std::forward<Token>(token));
    }

    /// Everything up to this version has been handed out: the one watched from, then that of the last event that has one. With
    /// watch_options::initial_events nothing changes it before the bookmark that ends the initial list.
    std::string const& resource_version() const noexcept;

private:
    template <resource K> friend class watch_stream;
    struct state;
    static void start_next(std::shared_ptr<state> const& s, any_handler<void(error_code, any_change)> handler,
                           next_options options);
    void close() noexcept;

    asio::any_io_executor executor_;
    std::shared_ptr<state> state_;
};

/// The same for a kind that is known when the program is built.
template <resource K> class watch_stream {
public:
    watch_stream() = default;
    explicit watch_stream(any_watch_stream changes) : changes_(std::move(changes)) {}

    /** Waits for the next event, as any_watch_stream::async_next().
        @par Handler signature `void(error_code, object_change<K>)` */
    template <detail::completion_token Token = default_token>
    auto async_next(next_options options = {}, Token&& token = Token()) {
        return detail::initiate<void(error_code, object_change<K>)>(
            changes_.executor_, std::forward<Token>(token),
            [s = changes_.state_](any_handler<void(error_code, object_change<K>)> h, next_options o) {
                detail::then_complete then(std::move(h), &watch_stream::complete);
                any_watch_stream::start_next(s, any_handler<void(error_code, any_change)>(std::move(then)),
                                             std::move(o));
            },
            std::move(options));
    }
    template <detail::completion_token Token> auto async_next(Token&& token) {
        return async_next(next_options(), std::forward<Token>(token));
    }

    /// As any_watch_stream::resource_version().
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

/// Completes with a `Stream` that is made of the answer to `request`.
template <class Stream, class Token>
auto initiate_watch(client const& c, object_type const& type, result<http_request> request,
                    watch_options const& options, Token&& token) {
    return initiate<void(error_code, Stream)>(
        c.get_executor(), std::forward<Token>(token),
        [c, kept = type.share(), from = options.resource_version, initial = options.initial_events](
            any_handler<void(error_code, Stream)> h, result<http_request> r, call_options o) {
            // At once from the body to the stream: Boost 1.81 cannot destroy a handler of a handler of an erased handler.
            auto const wrap = [c, kept, from, initial](any_handler<void(error_code, Stream)> then, error_code ec,
                                                       std::unique_ptr<body_stream> body) {
                Stream changes;
                if (!ec) changes = Stream(any_watch_stream(c, *kept, std::move(body), from, initial));
                std::move(then)(ec, std::move(changes));
            };
            then_complete wrapped(std::move(h), wrap);
            c.start(any_handler<void(error_code, std::unique_ptr<body_stream>)>(std::move(wrapped)), std::move(r),
                    std::move(o));
        },
        std::move(request), options.common());
}

} // namespace detail

/** Begins a watch. `options.timeout` covers the time until it stands. Without `options.resource_version` it begins with an
    `added` for each object that is there.
    @par Handler signature `void(error_code, any_watch_stream)`
    @par Errors as client::async_call(), nothing is repeated; `reason::expired` for a version that is too old.
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

/** The same for a kind that is known when the program is built.
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
