#include <kftrain/kube/subresources.hpp>

#include "base/failure_at.hpp"

#include <utility>

namespace kftrain::kube::detail {

result<http_request> scale_request(resource_info const& kind, std::string const& ns, std::string const& name,
                                   std::int32_t replicas, write_options const& options) {
    auto const number = std::to_string(replicas);
    if (replicas < 0) return failure_at("replicas", "expected at least 0 replicas, got " + number);
    patch_body change(patch_type::merge, R"({"spec":{"replicas":)" + number + "}}");
    return request::with(request::patch_scale(kind, ns, name, std::move(change)), options);
}

void start_scale(any_handler<void(error_code, autoscaling::scale)> handler, client const& c,
                 result<http_request> request, call_options options) {
    then_complete then(std::move(handler), decode_body<autoscaling::scale>{c, options.detail});
    client_access::start(c, any_handler<void(error_code, std::string)>(std::move(then)), std::move(request),
                         std::move(options));
}

void start_eviction(any_handler<void(error_code)> handler, client const& c, result<http_request> request,
                    call_options options) {
    then_complete then(std::move(handler), drop_body());
    client_access::start(c, any_handler<void(error_code, std::string)>(std::move(then)), std::move(request),
                         std::move(options));
}

} // namespace kftrain::kube::detail
