#include "apiserver/apply/field_managers.hpp"
#include "apiserver/checks/body_type.hpp"
#include "apiserver/checks/metadata.hpp"
#include "apiserver/checks/object_patch.hpp"
#include "apiserver/checks/schema_rules.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "apiserver/store/store_impl.hpp"
#include "apiserver/store/write_preconditions.hpp"

#include <kftrain/objects/type_table.hpp>

// Server-side apply, and after it the other patches. Fields are recorded from the first configuration on, so an object
// that was never applied has no record.
namespace kftrain::apiserver {
namespace {

/// Manages what was there before the first configuration. Upstream: `internal/skipnonapplied.go`.
constexpr std::string_view first_manager = "before-first-apply";

field_manager writer(resource_definition const& d, std::string_view name, char const* operation,
                     char const* subresource, time_point now) {
    field_manager out;
    out.name = name;
    out.operation = operation;
    out.api_version = d.api_version();
    out.time = print_time(now);
    out.subresource = subresource;
    return out;
}

answer<void> check_configuration(resource_definition const& d, json::object& configuration, merge_shape const& shape) {
    auto const& meta = std::as_const(configuration).contains("metadata") ? metadata_of(configuration) : empty_object;
    if (auto const* managed = array_in(meta, "managedFields"); managed != nullptr && !managed->empty())
        return bad_request("metadata.managedFields must be nil");
    if (auto ok = check_shape(configuration); !ok) return ok.error();
    if (auto ok = check_kind(d, configuration); !ok) return ok.error();
    auto const fault = configuration_fault(configuration, shape);
    if (!fault.empty()) // upstream has no status for it
        return refusal(500, reason::unknown,
                       "failed to create typed patch object (" + std::string(text_in(meta, "namespace")) + "/" +
                           std::string(text_in(meta, "name")) + "; " + d.group + "/" + d.version + ", Kind=" + d.kind +
                           "): " + fault);
    if (auto const typed = check_type(d, configuration); !typed) return typed.error();
    spell_canonically(d, configuration);
    return {};
}

/// The default manager of `kubectl apply --server-side`.
constexpr std::string_view kubectl_manager = "kubectl";
constexpr std::string_view last_applied_annotation = "kubectl.kubernetes.io/last-applied-configuration";

std::string_view last_applied(json::object const& object) {
    auto const* annotations = object_in(metadata_of(object), "annotations");
    return annotations != nullptr ? text_in(*annotations, last_applied_annotation) : std::string_view();
}

/** Returns the fields that the last `kubectl apply` on the client side set and that have its values still.
    @par Upstream apimachinery `pkg/util/managedfields/internal/lastappliedmanager.go`, v0.31.3 */
field_set fields_of_last_applied(resource_definition const& d, json::object const& live, merge_shape const& shape) {
    auto const applied = parse_object(last_applied(live));
    if (!applied || text_in(*applied, "apiVersion") != d.api_version()) return {};
    if (!configuration_fault(*applied, shape).empty()) return {};
    auto out = fields_of(*applied, shape);
    auto const changes = compare_fields(*applied, live, shape);
    for (auto const* changed : {&changes.modified, &changes.added, &changes.removed}) out = subtract(out, *changed);
    return out;
}

std::size_t bytes_of(json::object const& annotations) {
    std::size_t out = 0;
    for (auto const& [name, value] : annotations)
        out += name.size() + (value.is_string() ? value.get_string().size() : 0);
    return out;
}

/** Keeps a configuration in the annotation with which a later `kubectl apply` on the client side compares.
    Removes the annotation if the annotations become longer than a server accepts.
    @par Upstream apimachinery `pkg/util/managedfields/internal/lastappliedupdater.go`, v0.31.3 */
void record_last_applied(json::object& object, json::object configuration) {
    constexpr std::size_t longest = 262144;
    auto const name = key(last_applied_annotation);
    if (auto* given = object_in(metadata_of(configuration), "annotations")) given->stable_erase(name);
    auto& annotations = *object_in(metadata_of(object), "annotations");
    annotations[name] = json::serialize(configuration) + "\n";
    if (bytes_of(annotations) > longest) annotations.stable_erase(name);
}

/// Upstream: apimachinery `pkg/api/validation/objectmeta.go`, `ValidateImmutableField`.
answer<void> check_uid(resource_definition const& d, stored_object const& old, json::object const& patched) {
    auto const uid = text_in(metadata_of(patched), "uid");
    if (uid.empty() || uid == old.uid()) return {};
    std::vector<refusal_cause> causes;
    causes.emplace_back("FieldValueInvalid", invalid_value(uid, "field is immutable"), "metadata.uid");
    return invalid(d, old.name(), std::move(causes));
}

} // namespace

void object_store::impl::track(resource_definition const& d, json::object const& was, json::object& next, part which,
                               time_point now, write_options const& how) const {
    if (array_in(metadata_of(was), "managedFields") == nullptr || same_value(next, was)) return;
    field_managers managers(was);
    auto const name = how.manager.empty() ? std::string_view("unknown") : std::string_view(how.manager);
    auto const* subresource = which == part::status ? "status" : which == part::scale ? "scale" : "";
    auto by = writer(d, name, "Update", subresource, now);
    if (which == part::scale) by.time.clear(); // upstream: apimachinery `pkg/util/managedfields/scalehandler.go`
    managers.update(was, next, merge_shape::of(d), std::move(by));
    metadata_of(next)["managedFields"] = managers.to_json();
}

answer<written> object_store::impl::apply(kind_id kind, std::string_view ns, std::string_view name,
                                          std::string_view text, part which, time_point now, write_options const& how) {
    auto const& d = kinds_[kind]->definition;
    auto const shape = merge_shape::of(d);
    auto configuration = parse_object(text);
    if (!configuration) return configuration.error();
    if (auto ok = check_configuration(d, *configuration, shape); !ok) return ok.error();
    auto const by = writer(d, how.manager, "Apply", which == part::status ? "status" : "", now);
    auto const found = get(kind, ns, name);
    if (!found && which == part::status) return found.error();
    auto const live = found ? read_as(kind, **found) : json::object();
    field_managers managers(live);
    if (found && managers.empty()) {
        auto first = writer(d, first_manager, "Update", "", now);
        auto before = live;
        if (d.has_status) before.stable_erase("status");
        managers.update(json::object(), before, shape, first);
        managers.strip(d);
    }
    bool const by_kubectl = how.manager == kubectl_manager;
    auto const allowed = by_kubectl ? fields_of_last_applied(d, live, shape) : field_set();
    auto next = managers.apply(d, live, *configuration, shape, by, how.force, allowed);
    if (!next) return next.error();
    if (by_kubectl && !last_applied(*next).empty()) record_last_applied(*next, parse_object(text).value());
    auto const managed = managers.to_json();
    if (found) return write(kind, ns, name, std::move(*next), which, now, how, nullptr, &live, &managed);
    if (text_in(metadata_of(*next), "name").empty()) metadata_of(*next)["name"] = key(name);
    if (text_in(metadata_of(*next), "name") != name)
        return bad_request("the name of the object (" + std::string(text_in(metadata_of(*next), "name")) +
                           ") does not match the name on the URL (" + std::string(name) + ")");
    auto made = create_checked(kind, ns, std::move(*next), now, how, &managed);
    if (made) made->created = true;
    return made;
}

answer<written> object_store::apply(kind_id kind, std::string_view ns, std::string_view name, std::string_view text,
                                    time_point now, write_options const& how) {
    return impl_->shown_as(kind, impl_->apply(kind, ns, name, text, impl::part::object, now, how));
}

answer<written> object_store::apply_status(kind_id kind, std::string_view ns, std::string_view name,
                                           std::string_view text, time_point now, write_options const& how) {
    return impl_->shown_as(kind, impl_->apply(kind, ns, name, text, impl::part::status, now, how));
}

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
