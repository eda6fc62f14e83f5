#ifndef KFTRAIN_KUBE_API_HPP
#define KFTRAIN_KUBE_API_HPP

#include <kftrain/kube/client.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/kube/then_complete.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/object_type.hpp>
#include <kftrain/objects/core.hpp>

#include <concepts>
#include <string>
#include <utility>

namespace kftrain::kube {

namespace detail {

/// Decodes the answer `text` that `from` received; fills `*into` upon failure.
error_code decode_answer(client const& from, std::string_view text, model::descriptor const& type, void* target,
                         diagnostics* into);
/// The namespace of a write: the object's own, which must not contradict the api's.
result<std::string> namespace_for(std::string const& of_api, object_meta const& object);

/// What is sent of an object that is applied.
std::string applied_text(object_type const& type, void const* object);

/// Work of then_complete: turns the body of an answer into a T, on the executor of the caller's handler.
template <class T> struct decode_body {
    client from;
    diagnostics* into;

    void operator()(any_handler<void(error_code, T)> handler, error_code ec, std::string const& body) const {
        T value;
        if (!ec) ec = decode_answer(from, body, descriptor_of<T>(), &value, into);
        std::move(handler)(ec, ec ? T() : std::move(value));
    }
};

/// Work of then_complete: what was answered does not matter.
struct drop_body {
    void operator()(any_handler<void(error_code)> handler, error_code ec, std::string const&) const {
        std::move(handler)(ec);
    }
};

} // namespace detail

/** The objects of one kind in one namespace, or in all.
    A handle: copies share the client. Operations keep what they need.

    Options and completion token of an operation may be left out, each; see client::async_call() for errors, repetition and
    cancellation, and @ref default_token for what comes back without a token.
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
    template <detail::completion_token Token = default_token>
    auto async_get(std::string name, call_options options = {}, Token&& token = Token()) const {
        return one(request::get(K::resource, namespace_, name), std::move(options), std::forward<Token>(token));
    }
    template <detail::completion_token Token> auto async_get(std::string name, Token&& token) const {
        return async_get(std::move(name), call_options(), std::forward<Token>(token));
    }

    /** Reads one page of objects; `metadata.continue_` of the result is the token of the next.
        @par Handler signature `void(error_code, object_list<K>)` */
    template <detail::completion_token Token = default_token>
    auto async_list(list_options options = {}, Token&& token = Token()) const {
        return many(request::list(K::resource, namespace_, options), options.common(), std::forward<Token>(token));
    }
    template <detail::completion_token Token> auto async_list(Token&& token) const {
        return async_list(list_options(), std::forward<Token>(token));
    }

    /** Creates `object`, which is copied, and completes with what the server stored.
        @par Handler signature `void(error_code, K)`
        @par Errors `reason::already_exists`, `reason::invalid` */
    template <detail::completion_token Token = default_token>
    auto async_create(K const& object, write_options options = {}, Token&& token = Token()) const {
        return one(request::with(create_request(object), options), options.common(), std::forward<Token>(token));
    }
    template <detail::completion_token Token> auto async_create(K const& object, Token&& token) const {
        return async_create(object, write_options(), std::forward<Token>(token));
    }

    /** Replaces the object of this name; fails if `metadata.resource_version` is set and stale.
        @par Handler signature `void(error_code, K)`
        @par Errors `reason::conflict`, `reason::not_found`, `reason::invalid` */
    template <detail::completion_token Token = default_token>
    auto async_replace(K const& object, write_options options = {}, Token&& token = Token()) const {
        return one(request::with(replace_request(object, request::replace), options), options.common(),
                   std::forward<Token>(token));
    }
    template <detail::completion_token Token> auto async_replace(K const& object, Token&& token) const {
        return async_replace(object, write_options(), std::forward<Token>(token));
    }

    /// The same for the subresource `status`: the server takes nothing but the status from `object`.
    template <detail::completion_token Token = default_token>
    auto async_replace_status(K const& object, write_options options = {}, Token&& token = Token()) const {
        return one(request::with(replace_request(object, request::replace_status), options), options.common(),
                   std::forward<Token>(token));
    }
    template <detail::completion_token Token> auto async_replace_status(K const& object, Token&& token) const {
        return async_replace_status(object, write_options(), std::forward<Token>(token));
    }

    /** Changes what the patch names and nothing else, and completes with what the server stored. Repeated like any write:
        only when it cannot have reached the server, or the server asked for it.
        @par Handler signature `void(error_code, K)`
        @par Errors `reason::not_found`; `reason::conflict` if the patch names a stale `metadata.resourceVersion`;
        `reason::invalid`, also when the test of a JSON patch fails; `reason::bad_request` for what is no patch;
        `reason::unsupported_media_type` for a strategic merge patch of a custom resource */
    template <detail::completion_token Token = default_token>
    auto async_patch(std::string name, patch_body patch, write_options options = {}, Token&& token = Token()) const {
        return one(request::with(request::patch(K::resource, namespace_, name, std::move(patch)), options),
                   options.common(), std::forward<Token>(token));
    }
    template <detail::completion_token Token>
    auto async_patch(std::string name, patch_body patch, Token&& token) const {
        return async_patch(std::move(name), std::move(patch), write_options(), std::forward<Token>(token));
    }

    /// The same for the subresource `status`.
    template <detail::completion_token Token = default_token>
    auto async_patch_status(std::string name, patch_body patch, write_options options = {},
                            Token&& token = Token()) const {
        return one(request::with(request::patch_status(K::resource, namespace_, name, std::move(patch)), options),
                   options.common(), std::forward<Token>(token));
    }
    template <detail::completion_token Token>
    auto async_patch_status(std::string name, patch_body patch, Token&& token) const {
        return async_patch_status(std::move(name), std::move(patch), write_options(), std::forward<Token>(token));
    }

    /** Server-side apply: the object gets the fields that `object` has, and is created if it is not there. Fields that this manager
        applied before and that `object` lacks go. `options` must name the field manager, which is one and the same for
        all applications of a program. `metadata.managed_fields` is not sent.
        @par Handler signature `void(error_code, K)`
        @par Errors `reason::conflict` if another manager has one of the fields and `options.force` is not set, with a cause
        `FieldManagerConflict` for each in the diagnostics; `errc::invalid_argument` without a field manager */
    template <detail::completion_token Token = default_token>
    auto async_apply(K const& object, apply_options options, Token&& token = Token()) const {
        return one(apply_request(object, options), options.common(), std::forward<Token>(token));
    }

    /** Asks for deletion. Success means accepted: finalizers and grace periods may keep the object for a while.
        @par Handler signature `void(error_code)`
        @par Errors `reason::not_found`; `reason::conflict` when a precondition fails. */
    template <detail::completion_token Token = default_token>
    auto async_remove(std::string name, remove_options options = {}, Token&& token = Token()) const {
        return detail::initiate<void(error_code)>(get_executor(), std::forward<Token>(token), starter(client_),
                                                  request::remove(K::resource, namespace_, name, options),
                                                  options.common());
    }
    template <detail::completion_token Token> auto async_remove(std::string name, Token&& token) const {
        return async_remove(std::move(name), remove_options(), std::forward<Token>(token));
    }

    /** Asks for deletion of all objects of the namespace that the selectors of `which` select; without a selector of all, if
        remove_options::whole_collection says so. Success means accepted, as for async_remove().
        @par Handler signature `void(error_code)`
        @par Errors `errc::invalid_argument` for members of `which` other than selectors, and for none. */
    template <detail::completion_token Token = default_token>
    auto async_remove_collection(list_options which, remove_options options = {}, Token&& token = Token()) const {
        return detail::initiate<void(error_code)>(get_executor(), std::forward<Token>(token), starter(client_),
                                                  request::remove_collection(K::resource, namespace_, which, options),
                                                  options.common());
    }
    template <detail::completion_token Token> auto async_remove_collection(list_options which, Token&& token) const {
        return async_remove_collection(std::move(which), remove_options(), std::forward<Token>(token));
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
    result<http_request> apply_request(K const& object, apply_options const& options) const;

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
    detail::then_complete then(std::move(handler), detail::decode_body<K>{self, options.detail});
    self.start(any_handler<void(error_code, std::string)>(std::move(then)), std::move(request), std::move(options));
}

template <resource K>
void api<K>::starter::operator()(any_handler<void(error_code, object_list<K>)> handler, result<http_request> request,
                                 call_options options) {
    detail::then_complete then(std::move(handler), detail::decode_body<object_list<K>>{self, options.detail});
    self.start(any_handler<void(error_code, std::string)>(std::move(then)), std::move(request), std::move(options));
}

template <resource K>
void api<K>::starter::operator()(any_handler<void(error_code)> handler, result<http_request> request,
                                 call_options options) {
    detail::then_complete then(std::move(handler), detail::drop_body());
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

template <resource K> result<http_request> api<K>::apply_request(K const& object, apply_options const& options) const {
    auto ns = detail::namespace_for(namespace_, object.metadata);
    if (!ns) return ns.error();
    return request::apply(K::resource, *ns, object.metadata.name, detail::applied_text(object_type_of<K>, &object),
                          options);
}

extern template class api<pod>;
extern template class api<service>;
extern template class api<core::event>;

} // namespace kftrain::kube

#endif
