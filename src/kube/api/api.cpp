#include <kftrain/kube/api.hpp>

#include "base/failure_at.hpp"
#include "kube/answers/expected_place.hpp"

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
