#ifndef KFTRAIN_KUBE_SUBRESOURCES_HPP
#define KFTRAIN_KUBE_SUBRESOURCES_HPP

#include <kftrain/kube/any_api.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/objects/autoscaling/horizontal_pod_autoscaler.hpp>

#include <cstdint>
#include <string>
#include <utility>

namespace kftrain::kube {

namespace detail {

template <resource K> resource_info const& kind_of(api<K> const&) { return K::resource; }
inline resource_info const& kind_of(any_api const& a) { return *a.type().info; }

[[nodiscard]] result<http_request> scale_request(resource_info const& kind, std::string const& ns,
                                                 std::string const& name, std::int32_t replicas,
                                                 write_options const& options);
void start_scale(any_handler<void(error_code, autoscaling::scale)> handler, client const& c,
                 result<http_request> request, call_options options);
void start_eviction(any_handler<void(error_code)> handler, client const& c, result<http_request> request,
                    call_options options);

template <class Token>
auto scale_call(client const& c, result<http_request> request, call_options options, Token&& token) {
    return initiate<void(error_code, autoscaling::scale)>(
        detail::client_access::place_of(c), std::forward<Token>(token),
        [c](any_handler<void(error_code, autoscaling::scale)> h, result<http_request> r, call_options o) {
            start_scale(std::move(h), c, std::move(r), std::move(o));
        },
        std::move(request), std::move(options));
}

} // namespace detail

/** Reads the desired and actual number of replicas of an object of any scalable kind. `Api` is an api<K> or any_api.
    @par Handler signature `void(error_code, autoscaling::scale)`
    @par Errors as client::async_call(); `reason::not_found` also if the kind has no such subresource */
template <class Api, detail::completion_token Token = default_token>
auto async_get_scale(Api const& a, std::string name, call_options options = {}, Token&& token = Token()) {
    return detail::scale_call(a.get_client(), request::get_scale(detail::kind_of(a), a.get_namespace(), name),
                              std::move(options), std::forward<Token>(token));
}
template <class Api, detail::completion_token Token>
auto async_get_scale(Api const& a, std::string name, Token&& token) {
    return async_get_scale(a, std::move(name), call_options(), std::forward<Token>(token));
}

/** Sets the desired number of replicas of the object, regardless of concurrent changes to it.
    @par Handler signature `void(error_code, autoscaling::scale)`
    @par Errors as async_get_scale(); `errc::invalid_argument` for a negative number */
template <class Api, detail::completion_token Token = default_token>
auto async_set_scale(Api const& a, std::string name, std::int32_t replicas, write_options options = {},
                     Token&& token = Token()) {
    return detail::scale_call(a.get_client(),
                              detail::scale_request(detail::kind_of(a), a.get_namespace(), name, replicas, options),
                              options.common(), std::forward<Token>(token));
}
template <class Api, detail::completion_token Token>
auto async_set_scale(Api const& a, std::string name, std::int32_t replicas, Token&& token) {
    return async_set_scale(a, std::move(name), replicas, write_options(), std::forward<Token>(token));
}

/** Requests the deletion of a pod, unless it would violate a disruption budget.
    @par Handler signature `void(error_code)`
    @par Errors `reason::too_many_requests` with a cause `DisruptionBudget` if a budget forbids it, which is not
    retried; `reason::not_found` */
template <detail::completion_token Token = default_token>
auto async_evict(client const& c, std::string const& ns, std::string const& pod, delete_options options = {},
                 Token&& token = Token()) {
    return detail::initiate<void(error_code)>(
        detail::client_access::place_of(c), std::forward<Token>(token),
        [c](any_handler<void(error_code)> h, result<http_request> r, call_options o) {
            detail::start_eviction(std::move(h), c, std::move(r), std::move(o));
        },
        request::evict(ns, pod, options), options.common());
}
template <detail::completion_token Token>
auto async_evict(client const& c, std::string const& ns, std::string const& pod, Token&& token) {
    return async_evict(c, ns, pod, delete_options(), std::forward<Token>(token));
}

} // namespace kftrain::kube

#endif
