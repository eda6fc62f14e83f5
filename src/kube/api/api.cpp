#include <kftrain/kube/api.hpp>

#include "base/failure_at.hpp"
#include "kube/answers/expected_place.hpp"

#include <kftrain/kube/subresources.hpp>
#include <kftrain/objects/core.hpp>

#include <utility>

namespace kftrain::kube {
namespace detail {

error_code decode_answer(client const& from, std::string_view text, model::descriptor const& type, void* target,
                         diagnostics* into) {
    auto r = decode_json(text, type, target);
    return r ? error_code() : report_failure(from, r.error(), into);
}

result<void> check_listed(std::string const& ns, object_meta const& object) {
    return expected_place(ns).check(object.namespace_, object.name);
}

error_code report_failure(client const& from, failure const& why, diagnostics* into) {
    if (into != nullptr) *into = from.redact(why.detail);
    return why.code;
}

result<std::string> namespace_for(std::string const& of_api, object_meta const& object) {
    if (of_api.empty() || object.namespace_.empty() || of_api == object.namespace_)
        return of_api.empty() ? object.namespace_ : of_api;
    return failure_at("metadata.namespace",
                      "expected \"" + of_api + "\", the namespace of the call, got \"" + object.namespace_ + "\"");
}

std::string applied_text(object_type const& type, void const* object) {
    auto const own = type.copy(object);
    type.metadata_of(own.get()).managed_fields.clear(); // servers refuse them here
    std::string text;
    encode_json(*type.model, own.get(), text);
    return text;
}

} // namespace detail

template class api<pod>;
template class api<service>;
template class api<core::event>;

} // namespace kftrain::kube

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
