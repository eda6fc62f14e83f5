#include "apiserver/checks/body_type.hpp"
#include "apiserver/checks/object_patch.hpp"
#include "apiserver/checks/schema_rules.hpp"
#include "apiserver/store/store_impl.hpp"
#include "apiserver/text/refusals.hpp"

#include <kftrain/objects/type_table.hpp>

namespace kftrain::apiserver {
namespace {

/// Upstream: apimachinery `pkg/api/validation/objectmeta.go`, `ValidateImmutableField`.
answer<void> check_uid(resource_definition const& d, stored_object const& old, json::object const& patched) {
    auto const uid = text_in(metadata_of(patched), "uid");
    if (uid.empty() || uid == old.uid()) return {};
    std::vector<refusal_cause> causes;
    causes.emplace_back("FieldValueInvalid", invalid_value(uid, "field is immutable"), "metadata.uid");
    return invalid(d, old.name(), std::move(causes));
}

} // namespace

answer<written> object_store::impl::patch(kind_id kind, std::string_view ns, std::string_view name, patch_type type,
                                          std::string_view text, part which, time_point now, write_options const& how) {
    auto const& d = kinds_[kind]->definition;
    if (type == patch_type::strategic && d.type == nullptr) return unsupported_media_type(patch_types_of(d));
    auto const found = get(kind, ns, name);
    if (!found) return found.error();
    json::monotonic_resource memory(request_memory);
    auto const was = read_as(kind, **found, &memory);
    auto patched = apply_patch(type, d.type != nullptr ? d.type->model : nullptr, json::value(was), text);
    if (!patched) return patched.error();
    auto typed = read_type(d, *patched);
    if (!typed) return unusable_result(typed.error());
    if (auto ok = check_uid(d, **found, *patched); !ok) return ok.error();
    if (how.validation == field_validation::strict && d.type != nullptr) {
        auto faults = strict_faults(d, json::serialize(*patched));
        for (auto const& old : strict_faults(d, (*found)->text())) std::erase(faults, old); // not of this patch
        if (auto checked = judge_faults(d, std::move(faults), how.validation); !checked) return checked.error();
    }
    return write(kind, ns, name, std::move(*patched), which, now, how, std::move(*typed), &was);
}

answer<written> object_store::patch(kind_id kind, std::string_view ns, std::string_view name, patch_type type,
                                    std::string_view text, time_point now, write_options const& how) {
    return impl_->shown_as(kind, impl_->patch(kind, ns, name, type, text, impl::part::object, now, how));
}
answer<written> object_store::patch_status(kind_id kind, std::string_view ns, std::string_view name, patch_type type,
                                           std::string_view text, time_point now, write_options const& how) {
    return impl_->shown_as(kind, impl_->patch(kind, ns, name, type, text, impl::part::status, now, how));
}

} // namespace kftrain::apiserver
