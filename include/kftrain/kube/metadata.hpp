#ifndef KFTRAIN_KUBE_METADATA_HPP
#define KFTRAIN_KUBE_METADATA_HPP

#include <kftrain/kube/list_pages.hpp>
#include <kftrain/kube/watch.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/object_type.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace kftrain::kube {

/** An object of any type if only its metadata is requested.
    @par Upstream apimachinery `pkg/apis/meta/v1/types.go`, `PartialObjectMetadata` */
struct object_metadata {
    object_metadata() = default;

    static constexpr resource_info resource{"meta.k8s.io", "v1", "PartialObjectMetadata", ""};

    object_meta metadata;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(object_metadata, (metadata))

/** Reads only the metadata of the objects of one type: names, labels, owners and versions of thousands of pods are a
    tenth of the size of the pods. Errors, retries, cancellation and lifetimes are those of api<K>. Servers without
    this form, among them the one in this library, reject it with `reason::not_acceptable`. In that case an @ref
    any_informer of this api reads whole objects. A handle: copies share the client.
    @par Thread safety As the client. */
class metadata_api {
public:
    metadata_api(client c, object_type const& type, std::string ns)
        : client_(std::move(c)), type_(type.share()), namespace_(std::move(ns)) {}
    /// See api<K>::all_namespaces().
    static metadata_api all_namespaces(client c, object_type const& type) {
        return metadata_api(std::move(c), type, {});
    }

    asio::any_io_executor get_executor() const noexcept { return client_.get_executor(); }
    client const& get_client() const noexcept { return client_; }
    /// Returns the type of the objects whose metadata is read.
    object_type const& type() const noexcept { return *type_; }
    std::string const& get_namespace() const noexcept { return namespace_; }

    /** Reads the metadata of one object.
        @par Handler signature `void(error_code, object_metadata)` */
    template <detail::completion_token Token = default_token>
    auto async_get(std::string name, call_options options = {}, Token&& token = Token()) const {
        return read<object_metadata>(
            request::metadata_only(request::get(*type_->info, namespace_, name), request::metadata_form::object),
            std::move(options), std::forward<Token>(token));
    }
    template <detail::completion_token Token> auto async_get(std::string name, Token&& token) const {
        return async_get(std::move(name), call_options(), std::forward<Token>(token));
    }

    /** Reads the metadata of one page of objects; async_list_all() reads all pages.
        @par Handler signature `void(error_code, object_list<object_metadata>)` */
    template <detail::completion_token Token = default_token>
    auto async_list(list_options options = {}, Token&& token = Token()) const {
        return read_list(
            request::metadata_only(request::list(*type_->info, namespace_, options), request::metadata_form::list),
            options.common(), std::forward<Token>(token));
    }
    template <detail::completion_token Token> auto async_list(Token&& token) const {
        return async_list(list_options(), std::forward<Token>(token));
    }

private:
    template <class T, class Token> auto read(result<http_request> request, call_options options, Token&& token) const {
        return detail::initiate<void(error_code, T)>(
            detail::client_access::place_of(client_), std::forward<Token>(token),
            [c = client_](any_handler<void(error_code, T)> h, result<http_request> r, call_options o) {
                detail::then_complete then(std::move(h), detail::decode_body<T>{c, o.detail});
                detail::client_access::start(c, any_handler<void(error_code, std::string)>(std::move(then)),
                                             std::move(r), std::move(o));
            },
            std::move(request), std::move(options));
    }
    template <class Token> auto read_list(result<http_request> request, call_options options, Token&& token) const {
        using list = object_list<object_metadata>;
        return detail::initiate<void(error_code, list)>(
            detail::client_access::place_of(client_), std::forward<Token>(token),
            [c = client_, ns = namespace_](any_handler<void(error_code, list)> h, result<http_request> r,
                                           call_options o) {
                detail::then_complete then(std::move(h), detail::decode_list_body<list>{c, o.detail, ns});
                detail::client_access::start(c, any_handler<void(error_code, std::string)>(std::move(then)),
                                             std::move(r), std::move(o));
            },
            std::move(request), std::move(options));
    }

    client client_;
    std::shared_ptr<object_type const> type_;
    std::string namespace_;
};

namespace detail {

template <> struct paging<metadata_api> {
    using list = object_list<object_metadata>;

    static page_request requests(metadata_api const& a) {
        return [type = a.type().share(), ns = a.get_namespace()](list_options const& o) {
            return request::metadata_only(request::list(*type->info, ns, o), request::metadata_form::list);
        };
    }
    static std::function<result<void>(std::string_view, list&)> decoder(metadata_api const& a) {
        return [ns = a.get_namespace()](std::string_view text, list& into) { return decode_listed(ns, text, into); };
    }
};

} // namespace detail

/** Starts a watch of the metadata of objects.
    @par Handler signature `void(error_code, watch_stream<object_metadata>)`
    @par Errors and cancellation as the other async_watch() */
template <detail::completion_token Token = default_token>
auto async_watch(metadata_api const& a, watch_options options = {}, Token&& token = Token()) {
    auto watch_request = request::watch(*a.type().info, a.get_namespace(), options);
    return detail::initiate_watch<watch_stream<object_metadata>>(
        a.get_client(), object_type_of<object_metadata>,
        request::metadata_only(std::move(watch_request), request::metadata_form::object), options,
        std::forward<Token>(token));
}
template <detail::completion_token Token> auto async_watch(metadata_api const& a, Token&& token) {
    return async_watch(a, watch_options(), std::forward<Token>(token));
}

} // namespace kftrain::kube

#endif
