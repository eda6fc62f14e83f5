#ifndef KFTRAIN_KUBE_API_HPP
#define KFTRAIN_KUBE_API_HPP

#include <kftrain/kube/client.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/core.hpp>
#include <kftrain/model/meta.hpp>

#include <boost/asio/associator.hpp>

#include <concepts>
#include <string>
#include <utility>

namespace kftrain::kube {

namespace detail {

/// Decodes the answer `text` that `from` received; fills `*into` upon failure.
error_code decode_answer(client const& from, std::string_view text, descriptor const& type, void* target,
                         diagnostics* into);
/// The namespace of a write: the object's own, which must not contradict the api's.
result<std::string> namespace_for(std::string const& of_api, object_meta const& object);

/// Turns the body of an answer into a T before the caller's handler runs, on the executor of that handler.
template <class T> struct decode_then {
    any_handler<void(error_code, T)> handler;
    client from;
    diagnostics* into;

    void operator()(error_code ec, std::string body) {
        T value;
        if (!ec) ec = decode_answer(from, body, descriptor_of<T>(), &value, into);
        std::move(handler)(ec, ec ? T() : std::move(value));
    }
};

/// Drops the body.
struct drop_then {
    any_handler<void(error_code)> handler;

    void operator()(error_code ec, std::string const&) { std::move(handler)(ec); }
};

} // namespace detail

} // namespace kftrain::kube

/// The adapters stand in for the caller's handler in every respect: executor, cancellation slot, allocator.
template <template <class, class> class Associator, class T, class Default>
struct boost::asio::associator<Associator, kftrain::kube::detail::decode_then<T>, Default> {
    using inner = kftrain::kube::any_handler<void(kftrain::error_code, T)>;
    using type = typename Associator<inner, Default>::type;

    static type get(kftrain::kube::detail::decode_then<T> const& h, Default const& d = Default()) noexcept {
        return Associator<inner, Default>::get(h.handler, d);
    }
};

template <template <class, class> class Associator, class Default>
struct boost::asio::associator<Associator, kftrain::kube::detail::drop_then, Default> {
    using inner = kftrain::kube::any_handler<void(kftrain::error_code)>;
    using type = typename Associator<inner, Default>::type;

    static type get(kftrain::kube::detail::drop_then const& h, Default const& d = Default()) noexcept {
        return Associator<inner, Default>::get(h.handler, d);
    }
};

namespace kftrain::kube {

/** The objects of one kind in one namespace, or in all.
    A handle: copies share the client. Operations keep what they need.

    Every operation has a form without options; see client::async_call() for errors, repetition and cancellation.
    In addition a decoding error (`errc::type_mismatch` and so on) when the server's answer does not fit `K`.
    @par Thread safety As the client's. */
template <resource K> class api {
public:
    using value_type = K;

    api(client c, std::string ns) : client_(std::move(c)), namespace_(std::move(ns)) {}
    /** For listing and watching everywhere. Writes then take the namespace of the object; reads and deletions of single
        objects need a namespace and are refused. */
    static api all_namespaces(client c) { return api(std::move(c), {}); }

    asio::any_io_executor get_executor() const noexcept { return client_.get_executor(); }
    client const& get_client() const noexcept { return client_; }
    /// Empty for all.
    std::string const& get_namespace() const noexcept { return namespace_; }

    /** Reads one object.
        @par Handler signature `void(error_code, K)`
        @par Errors `reason::not_found` */
    template <class Token> auto async_get(std::string name, call_options options, Token&& token) const {
        return one(request::get(K::resource, namespace_, name), std::move(options), std::forward<Token>(token));
    }
    template <class Token> auto async_get(std::string name, Token&& token) const {
        return async_get(std::move(name), call_options(), std::forward<Token>(token));
    }

    /** Reads one page of objects; `metadata.continue_` of the result is the token of the next.
        @par Handler signature `void(error_code, object_list<K>)` */
    template <class Token> auto async_list(list_params params, call_options options, Token&& token) const {
        return many(request::list(K::resource, namespace_, params), std::move(options), std::forward<Token>(token));
    }
    template <class Token> auto async_list(list_params params, Token&& token) const {
        return async_list(std::move(params), call_options(), std::forward<Token>(token));
    }
    template <class Token> auto async_list(Token&& token) const {
        return async_list(list_params(), call_options(), std::forward<Token>(token));
    }

    /** Creates `object`, which is copied, and completes with what the server stored.
        @par Handler signature `void(error_code, K)`
        @par Errors `reason::already_exists`, `reason::invalid` */
    template <class Token> auto async_create(K const& object, call_options options, Token&& token) const {
        return one(create_request(object), std::move(options), std::forward<Token>(token));
    }
    template <class Token> auto async_create(K const& object, Token&& token) const {
        return async_create(object, call_options(), std::forward<Token>(token));
    }

    /** Replaces the object of this name; fails if `metadata.resource_version` is set and stale.
        @par Handler signature `void(error_code, K)`
        @par Errors `reason::conflict`, `reason::not_found`, `reason::invalid` */
    template <class Token> auto async_replace(K const& object, call_options options, Token&& token) const {
        return one(replace_request(object, request::replace), std::move(options), std::forward<Token>(token));
    }
    template <class Token> auto async_replace(K const& object, Token&& token) const {
        return async_replace(object, call_options(), std::forward<Token>(token));
    }

    /// The same for the subresource `status`: the server takes nothing but the status from `object`.
    template <class Token> auto async_replace_status(K const& object, call_options options, Token&& token) const {
        return one(replace_request(object, request::replace_status), std::move(options), std::forward<Token>(token));
    }
    template <class Token> auto async_replace_status(K const& object, Token&& token) const {
        return async_replace_status(object, call_options(), std::forward<Token>(token));
    }

    /** Changes what the patch names and nothing else, and completes with what the server stored. Repeated like any write:
        only when it cannot have reached the server, or the server asked for it.
        @par Handler signature `void(error_code, K)`
        @par Errors `reason::not_found`; `reason::conflict` if the patch names a stale `metadata.resourceVersion`;
        `reason::invalid`, also when the test of a JSON patch fails; `reason::bad_request` for what is no patch;
        `reason::unsupported_media_type` for a strategic merge patch of a custom resource */
    template <class Token>
    auto async_patch(std::string name, patch_body patch, call_options options, Token&& token) const {
        return one(request::patch(K::resource, namespace_, name, std::move(patch)), std::move(options),
                   std::forward<Token>(token));
    }
    template <class Token> auto async_patch(std::string name, patch_body patch, Token&& token) const {
        return async_patch(std::move(name), std::move(patch), call_options(), std::forward<Token>(token));
    }

    /// The same for the subresource `status`.
    template <class Token>
    auto async_patch_status(std::string name, patch_body patch, call_options options, Token&& token) const {
        return one(request::patch_status(K::resource, namespace_, name, std::move(patch)), std::move(options),
                   std::forward<Token>(token));
    }
    template <class Token> auto async_patch_status(std::string name, patch_body patch, Token&& token) const {
        return async_patch_status(std::move(name), std::move(patch), call_options(), std::forward<Token>(token));
    }

    /** Asks for deletion. Success means accepted: finalizers and grace periods may keep the object for a while.
        @par Handler signature `void(error_code)`
        @par Errors `reason::not_found`; `reason::conflict` when a precondition fails. */
    template <class Token>
    auto async_delete(std::string name, delete_params params, call_options options, Token&& token) const {
        return detail::initiate<void(error_code)>(get_executor(), std::forward<Token>(token), starter(client_),
                                                  request::remove(K::resource, namespace_, name, params),
                                                  std::move(options));
    }
    template <class Token> auto async_delete(std::string name, delete_params params, Token&& token) const {
        return async_delete(std::move(name), std::move(params), call_options(), std::forward<Token>(token));
    }
    template <class Token> auto async_delete(std::string name, Token&& token) const {
        return async_delete(std::move(name), delete_params(), call_options(), std::forward<Token>(token));
    }

private:
    using replace_verb = result<http_request> (*)(resource_info const&, std::string_view, std::string_view,
                                                  std::string);

    // What need not be compiled again by every user of a built-in kind.
    struct starter {
        explicit starter(client const& c) : self(c) {}
        void operator()(any_handler<void(error_code, K)> handler, result<http_request> request, call_options options);
        void operator()(any_handler<void(error_code, object_list<K>)> handler, result<http_request> request,
                        call_options options);
        void operator()(any_handler<void(error_code)> handler, result<http_request> request, call_options options);
        client self;
    };
    result<http_request> create_request(K const& object) const;
    result<http_request> replace_request(K const& object, replace_verb verb) const;

    template <class Token> auto one(result<http_request> request, call_options options, Token&& token) const {
        return detail::initiate<void(error_code, K)>(get_executor(), std::forward<Token>(token), starter(client_),
                                                     std::move(request), std::move(options));
    }
    template <class Token> auto many(result<http_request> request, call_options options, Token&& token) const {
        return detail::initiate<void(error_code, object_list<K>)>(
            get_executor(), std::forward<Token>(token), starter(client_), std::move(request), std::move(options));
    }

    client client_;
    std::string namespace_;
};

template <resource K>
void api<K>::starter::operator()(any_handler<void(error_code, K)> handler, result<http_request> request,
                                 call_options options) {
    detail::decode_then<K> then{std::move(handler), self, options.detail};
    self.start(any_handler<void(error_code, std::string)>(std::move(then)), std::move(request), std::move(options));
}

template <resource K>
void api<K>::starter::operator()(any_handler<void(error_code, object_list<K>)> handler, result<http_request> request,
                                 call_options options) {
    detail::decode_then<object_list<K>> then{std::move(handler), self, options.detail};
    self.start(any_handler<void(error_code, std::string)>(std::move(then)), std::move(request), std::move(options));
}

template <resource K>
void api<K>::starter::operator()(any_handler<void(error_code)> handler, result<http_request> request,
                                 call_options options) {
    detail::drop_then then{std::move(handler)};
    self.start(any_handler<void(error_code, std::string)>(std::move(then)), std::move(request), std::move(options));
}

template <resource K> result<http_request> api<K>::create_request(K const& object) const {
    auto ns = detail::namespace_for(namespace_, object.metadata);
    if (!ns) return ns.error();
    return request::create(K::resource, *ns, to_json(object));
}

template <resource K> result<http_request> api<K>::replace_request(K const& object, replace_verb verb) const {
    auto ns = detail::namespace_for(namespace_, object.metadata);
    if (!ns) return ns.error();
    return verb(K::resource, *ns, object.metadata.name, to_json(object));
}

extern template class api<pod>;
extern template class api<service>;
extern template class api<event>;

} // namespace kftrain::kube

#endif
