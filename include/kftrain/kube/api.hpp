#ifndef KFTRAIN_KUBE_API_HPP
#define KFTRAIN_KUBE_API_HPP

#include <kftrain/kube/client.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/kube/then_complete.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/object_type.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <concepts>
#include <string>
#include <utility>

namespace kftrain::kube {

namespace detail {

/// Decodes the response body `text` that `from` received; fills `*into` upon failure.
error_code decode_answer(client const& from, std::string_view text, model::descriptor const& type, void* target,
                         diagnostics* into);
/// Returns the namespace of a write: that of the object, which must not contradict that of the api.
[[nodiscard]] result<std::string> namespace_for(std::string const& of_api, object_meta const& object);

/// Returns the JSON text that a server-side apply of the object sends.
std::string applied_text(object_type const& type, void const* object);

/// Checks an object of a list in this namespace, or in all namespaces if it is empty.
[[nodiscard]] result<void> check_listed(std::string const& ns, object_meta const& object);
/// Returns the code of a failure, and stores its details in `*into` unless that is null, without the credentials of
/// `from`.
error_code report_failure(client const& from, failure const& why, diagnostics* into);

/// Work of then_complete: decodes the body of a response into a T, on the executor of the caller's handler.
template <class T> struct decode_body {
    client from;
    diagnostics* into;

    void operator()(any_handler<void(error_code, T)> handler, error_code ec, std::string const& body) const {
        T value;
        if (!ec) ec = decode_answer(from, body, descriptor_of<T>(), &value, into);
        std::move(handler)(ec, ec ? T() : std::move(value));
    }
};

/// Decodes a list in this namespace, or in all namespaces if it is empty.
template <class List>
[[nodiscard]] result<void> decode_listed(std::string const& ns, std::string_view text, List& into) {
    auto decoded = decode_json(text, descriptor_of<List>(), &into);
    if (!decoded) return decoded;
    for (auto const& item : into.items)
        if (auto fits = check_listed(ns, item.metadata); !fits) return fits;
    return decoded;
}

/// The same for a list.
template <class List> struct decode_list_body {
    client from;
    diagnostics* into;
    std::string ns;

    void operator()(any_handler<void(error_code, List)> handler, error_code ec, std::string const& body) const {
        List value;
        if (!ec)
            if (auto const decoded = decode_listed(ns, body, value); !decoded)
                ec = report_failure(from, decoded.error(), into);
        std::move(handler)(ec, ec ? List() : std::move(value));
    }
};

/// Work of then_complete: ignores the response.
struct drop_body {
    void operator()(any_handler<void(error_code)> handler, error_code ec, std::string const&) const {
        std::move(handler)(ec);
    }
};

} // namespace detail

/** The objects of one kind in one namespace, or in all. A handle: copies share the client. Destroying a handle does not
    stop its operations.

    The options and the completion token of an operation are both optional. See client::async_call() for errors, retries
    and cancellation, and @ref default_token for calls without a token. Additional errors: a decoding error
    (`errc::type_mismatch` and so on) if the response does not fit `K`; `errc::protocol` if the response contains
    another object, another namespace, or no list where a list is expected.
    @par Thread safety As the client. */
template <resource K> class api {
public:
    using value_type = K;

    api(client c, std::string ns) : client_(std::move(c)), namespace_(std::move(ns)) {}
    /** Returns an api for lists and watches in all namespaces. Operations that take an object use its namespace. For
        namespaced kinds, operations that take a name fail, because they need a namespace. */
    static api all_namespaces(client c) { return api(std::move(c), {}); }

    asio::any_io_executor get_executor() const noexcept { return client_.get_executor(); }
    client const& get_client() const noexcept { return client_; }
    /// Returns the namespace; empty for all namespaces.
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

    /** Reads one page of objects; `metadata.continue_` of the result is the token of the next page.
        @par Handler signature `void(error_code, object_list<K>)` */
    template <detail::completion_token Token = default_token>
    auto async_list(list_options options = {}, Token&& token = Token()) const {
        return many(request::list(K::resource, namespace_, options), options.common(), std::forward<Token>(token));
    }
    template <detail::completion_token Token> auto async_list(Token&& token) const {
        return async_list(list_options(), std::forward<Token>(token));
    }

    /** Creates `object`, which is copied. Completes with the stored object.
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

    /// The same for the subresource `status`: the server takes only the status from `object`.
    template <detail::completion_token Token = default_token>
    auto async_replace_status(K const& object, write_options options = {}, Token&& token = Token()) const {
        return one(request::with(replace_request(object, request::replace_status), options), options.common(),
                   std::forward<Token>(token));
    }
    template <detail::completion_token Token> auto async_replace_status(K const& object, Token&& token) const {
        return async_replace_status(object, write_options(), std::forward<Token>(token));
    }

    /** Changes only the fields that the patch contains. Completes with the stored object. Retried like any write: only
        if the request cannot have reached the server, or if the server requests a retry.
        @par Handler signature `void(error_code, K)`
        @par Errors `reason::not_found`; `reason::conflict` if the patch contains a stale `metadata.resourceVersion`;
        `reason::invalid`, also if the test of a JSON patch fails; `reason::bad_request` for a malformed patch;
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

    /** Server-side apply: sets the fields that `object` has, and creates the object if it does not exist. The server
        removes fields that this manager applied before and that `object` lacks. `options` must contain the field
        manager; use the same one for all applies of a program. `metadata.managed_fields` is not sent.
        @par Handler signature `void(error_code, K)`
        @par Errors `reason::conflict` if another manager owns one of the fields and `options.force` is not set, with a
        cause `FieldManagerConflict` for each in the diagnostics; `errc::invalid_argument` without a field manager */
    template <detail::completion_token Token = default_token>
    auto async_apply(K const& object, apply_options options, Token&& token = Token()) const {
        return one(apply_request(object, options), options.common(), std::forward<Token>(token));
    }

    /** Requests the deletion. Success means that the server accepted it: finalizers and grace periods may keep the
        object for a while.
        @par Handler signature `void(error_code)`
        @par Errors `reason::not_found`; `reason::conflict` if a precondition fails. */
    template <detail::completion_token Token = default_token>
    auto async_delete(std::string name, delete_options options = {}, Token&& token = Token()) const {
        return detail::initiate<void(error_code)>(
            detail::client_access::place_of(client_), std::forward<Token>(token), starter(client_),
            request::remove(K::resource, namespace_, name, options), options.common());
    }
    template <detail::completion_token Token> auto async_delete(std::string name, Token&& token) const {
        return async_delete(std::move(name), delete_options(), std::forward<Token>(token));
    }

    /** Requests the deletion of all objects of the namespace that match the selectors of `which`. Without a
        selector, deletes all objects if delete_options::whole_collection is set. Success means that the server
        accepted it, as for async_delete().
        @par Handler signature `void(error_code)`
        @par Errors `errc::invalid_argument` for members of `which` other than selectors, and without a selector
        unless delete_options::whole_collection is set. */
    template <detail::completion_token Token = default_token>
    auto async_delete_collection(list_options which, delete_options options = {}, Token&& token = Token()) const {
        return detail::initiate<void(error_code)>(
            detail::client_access::place_of(client_), std::forward<Token>(token), starter(client_),
            request::remove_collection(K::resource, namespace_, which, options), options.common());
    }
    template <detail::completion_token Token> auto async_delete_collection(list_options which, Token&& token) const {
        return async_delete_collection(std::move(which), delete_options(), std::forward<Token>(token));
    }

private:
    using replace_verb = result<http_request> (*)(resource_info const&, std::string_view, std::string_view,
                                                  std::string);

    // The part that users of a built-in kind need not compile again.
    struct starter {
        explicit starter(client const& c) : self(c) {}
        void operator()(any_handler<void(error_code, K)> handler, result<http_request> request, call_options options);
        void operator()(any_handler<void(error_code, object_list<K>)> handler, result<http_request> request,
                        call_options options);
        void operator()(any_handler<void(error_code)> handler, result<http_request> request, call_options options);
        client self;
    };
    [[nodiscard]] result<http_request> create_request(K const& object) const;
    [[nodiscard]] result<http_request> replace_request(K const& object, replace_verb verb) const;
    [[nodiscard]] result<http_request> apply_request(K const& object, apply_options const& options) const;

    template <class Token> auto one(result<http_request> request, call_options options, Token&& token) const {
        return detail::initiate<void(error_code, K)>(detail::client_access::place_of(client_),
                                                     std::forward<Token>(token), starter(client_), std::move(request),
                                                     std::move(options));
    }
    template <class Token> auto many(result<http_request> request, call_options options, Token&& token) const {
        return detail::initiate<void(error_code, object_list<K>)>(detail::client_access::place_of(client_),
                                                                  std::forward<Token>(token), starter(client_),
                                                                  std::move(request), std::move(options));
    }

    client client_;
    std::string namespace_;
};

template <resource K>
void api<K>::starter::operator()(any_handler<void(error_code, K)> handler, result<http_request> request,
                                 call_options options) {
    detail::then_complete then(std::move(handler), detail::decode_body<K>{self, options.detail});
    detail::client_access::start(self, any_handler<void(error_code, std::string)>(std::move(then)), std::move(request),
                                 std::move(options));
}

template <resource K>
void api<K>::starter::operator()(any_handler<void(error_code, object_list<K>)> handler, result<http_request> request,
                                 call_options options) {
    auto const ns = request ? subject_of(request->method, request->target).namespace_ : std::string();
    detail::then_complete then(std::move(handler), detail::decode_list_body<object_list<K>>{self, options.detail, ns});
    detail::client_access::start(self, any_handler<void(error_code, std::string)>(std::move(then)), std::move(request),
                                 std::move(options));
}

template <resource K>
void api<K>::starter::operator()(any_handler<void(error_code)> handler, result<http_request> request,
                                 call_options options) {
    detail::then_complete then(std::move(handler), detail::drop_body());
    detail::client_access::start(self, any_handler<void(error_code, std::string)>(std::move(then)), std::move(request),
                                 std::move(options));
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

} // namespace kftrain::kube

#endif
