#ifndef KFTRAIN_KUBE_ANY_API_HPP
#define KFTRAIN_KUBE_ANY_API_HPP

#include <kftrain/kube/client.hpp>
#include <kftrain/kube/request.hpp>
#include <kftrain/kube/wait.hpp>
#include <kftrain/model/any_object.hpp>
#include <kftrain/model/meta.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::kube {

/// One page of objects of a type.
struct any_list {
    any_list() = default;

    meta::list_meta metadata;
    std::vector<any_object> items;
};

/** The run-time counterpart of api<K>: for kinds that become known while the program runs, by a dynamic_type or any
    object type that find_type() finds. Errors, retries, cancellation and lifetimes are those of api<K>. A handle:
    copies share the client.
    @par Thread safety As the client. */
class any_api {
public:
    any_api(client c, object_type const& type, std::string ns)
        : client_(std::move(c)), type_(type.share()), namespace_(std::move(ns)) {}
    /// See api<K>::all_namespaces(). Also for kinds of cluster scope.
    static any_api all_namespaces(client c, object_type const& type) { return any_api(std::move(c), type, {}); }

    asio::any_io_executor get_executor() const noexcept { return client_.get_executor(); }
    client const& get_client() const noexcept { return client_; }
    object_type const& type() const noexcept { return *type_; }
    /// Returns the namespace; empty for all namespaces.
    std::string const& get_namespace() const noexcept { return namespace_; }

    /** Reads one object.
        @par Handler signature `void(error_code, any_object)`, as for all operations below unless documented
        otherwise; the object is empty upon failure */
    template <detail::completion_token Token = default_token>
    auto async_get(std::string name, call_options options = {}, Token&& token = Token()) const {
        return one(request::get(*type_->info, namespace_, name), options, std::forward<Token>(token));
    }
    template <detail::completion_token Token> auto async_get(std::string name, Token&& token) const {
        return async_get(std::move(name), call_options(), std::forward<Token>(token));
    }

    /** Reads one page of objects; `metadata.continue_` of the result is the token of the next page.
        @par Handler signature `void(error_code, any_list)` */
    template <detail::completion_token Token = default_token>
    auto async_list(list_options options = {}, Token&& token = Token()) const {
        return detail::initiate<void(error_code, any_list)>(
            detail::client_access::place_of(client_), std::forward<Token>(token), starter(*this),
            request::list(*type_->info, namespace_, options), options.common());
    }
    template <detail::completion_token Token> auto async_list(Token&& token) const {
        return async_list(list_options(), std::forward<Token>(token));
    }

    /// Creates `object`. An object of another type is `errc::wrong_kind`.
    template <detail::completion_token Token = default_token>
    auto async_create(any_object const& object, write_options options = {}, Token&& token = Token()) const {
        return one(request::with(create_request(object), options), options.common(), std::forward<Token>(token));
    }
    template <detail::completion_token Token> auto async_create(any_object const& object, Token&& token) const {
        return async_create(object, write_options(), std::forward<Token>(token));
    }

    /// Replaces the object of this name; otherwise as async_create().
    template <detail::completion_token Token = default_token>
    auto async_replace(any_object const& object, write_options options = {}, Token&& token = Token()) const {
        return one(request::with(replace_request(object, false), options), options.common(),
                   std::forward<Token>(token));
    }
    template <detail::completion_token Token> auto async_replace(any_object const& object, Token&& token) const {
        return async_replace(object, write_options(), std::forward<Token>(token));
    }

    /// The same for the subresource `status`.
    template <detail::completion_token Token = default_token>
    auto async_replace_status(any_object const& object, write_options options = {}, Token&& token = Token()) const {
        return one(request::with(replace_request(object, true), options), options.common(), std::forward<Token>(token));
    }
    template <detail::completion_token Token> auto async_replace_status(any_object const& object, Token&& token) const {
        return async_replace_status(object, write_options(), std::forward<Token>(token));
    }

    /// Changes only the fields that the patch contains.
    template <detail::completion_token Token = default_token>
    auto async_patch(std::string name, patch_body patch, write_options options = {}, Token&& token = Token()) const {
        return one(request::with(request::patch(*type_->info, namespace_, name, std::move(patch)), options),
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
        return one(request::with(request::patch_status(*type_->info, namespace_, name, std::move(patch)), options),
                   options.common(), std::forward<Token>(token));
    }
    template <detail::completion_token Token>
    auto async_patch_status(std::string name, patch_body patch, Token&& token) const {
        return async_patch_status(std::move(name), std::move(patch), write_options(), std::forward<Token>(token));
    }

    /// Server-side apply; see api<K>::async_apply().
    template <detail::completion_token Token = default_token>
    auto async_apply(any_object const& object, apply_options options, Token&& token = Token()) const {
        return one(apply_request(object, options), options.common(), std::forward<Token>(token));
    }

    /** Requests the deletion; see api<K>::async_delete().
        @par Handler signature `void(error_code)` */
    template <detail::completion_token Token = default_token>
    auto async_delete(std::string name, delete_options options = {}, Token&& token = Token()) const {
        return detail::initiate<void(error_code)>(
            detail::client_access::place_of(client_), std::forward<Token>(token), starter(*this),
            request::remove(*type_->info, namespace_, name, options), options.common());
    }
    template <detail::completion_token Token> auto async_delete(std::string name, Token&& token) const {
        return async_delete(std::move(name), delete_options(), std::forward<Token>(token));
    }

    /** Requests the deletion of many objects; see api<K>::async_delete_collection().
        @par Handler signature `void(error_code)` */
    template <detail::completion_token Token = default_token>
    auto async_delete_collection(list_options which, delete_options options = {}, Token&& token = Token()) const {
        return detail::initiate<void(error_code)>(
            detail::client_access::place_of(client_), std::forward<Token>(token), starter(*this),
            request::remove_collection(*type_->info, namespace_, which, options), options.common());
    }
    template <detail::completion_token Token> auto async_delete_collection(list_options which, Token&& token) const {
        return async_delete_collection(std::move(which), delete_options(), std::forward<Token>(token));
    }

private:
    struct starter {
        explicit starter(any_api const& a) : link(a.client_), type(a.type_), namespace_(a.namespace_) {}
        void operator()(any_handler<void(error_code, any_object)>, result<http_request>, call_options const&);
        void operator()(any_handler<void(error_code, any_list)>, result<http_request>, call_options const&);
        void operator()(any_handler<void(error_code)>, result<http_request>, call_options const&);
        client link;
        std::shared_ptr<object_type const> type;
        std::string namespace_;
    };

    [[nodiscard]] result<http_request> create_request(any_object const& object) const;
    [[nodiscard]] result<http_request> replace_request(any_object const& object, bool status) const;
    [[nodiscard]] result<http_request> apply_request(any_object const& object, apply_options const& options) const;

    template <class Token> auto one(result<http_request> request, call_options const& options, Token&& token) const {
        return detail::initiate<void(error_code, any_object)>(detail::client_access::place_of(client_),
                                                              std::forward<Token>(token), starter(*this),
                                                              std::move(request), options);
    }

    client client_;
    std::shared_ptr<object_type const> type_;
    std::string namespace_;
};

namespace detail {

void start_wait(any_handler<void(error_code, any_object)> handler, any_api const& a, std::string name,
                std::function<bool(any_object const&)> done, wait_options options);

} // namespace detail

/** Waits until `done` holds for the object `name`, as async_wait() of an api<K>. An absent object is passed as an
    empty object.
    @par Handler signature `void(error_code, any_object)` */
template <detail::completion_token Token = default_token>
auto async_wait(any_api const& a, std::string name, std::function<bool(any_object const&)> done,
                wait_options options = {}, Token&& token = Token()) {
    return detail::initiate<void(error_code, any_object)>(
        detail::client_access::place_of(a.get_client()), std::forward<Token>(token),
        [a](any_handler<void(error_code, any_object)> handler, std::string what,
            std::function<bool(any_object const&)> p,
            wait_options o) { detail::start_wait(std::move(handler), a, std::move(what), std::move(p), std::move(o)); },
        std::move(name), std::move(done), std::move(options));
}
template <detail::completion_token Token>
auto async_wait(any_api const& a, std::string name, std::function<bool(any_object const&)> done, Token&& token) {
    return async_wait(a, std::move(name), std::move(done), wait_options(), std::forward<Token>(token));
}

} // namespace kftrain::kube

#endif
