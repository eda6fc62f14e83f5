#include "apiserver/apply/field_managers.hpp"
#include "apiserver/checks/body_type.hpp"
#include "apiserver/checks/builtin_checks.hpp"
#include "apiserver/checks/metadata.hpp"
#include "apiserver/checks/object_patch.hpp"
#include "apiserver/checks/schema_rules.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "apiserver/store/store_impl.hpp"
#include "model/schema/schema_scale.hpp"

#include <kftrain/objects/type_table.hpp>

#include <limits>

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

refusal no_scale() { return {404, reason::not_found, "the server could not find the requested resource"}; }

refusal internal_error(std::string const& text) {
    refusal r(500, reason::internal_error, "Internal error occurred: " + text);
    r.causes.emplace_back("", text, "");
    return r;
}

/// The Scale object of a resource; without `spec.replicas` if the resource does not set them.
answer<json::object> scale_of(scale_paths const& paths, json::object const& o, bool& has_replicas) {
    auto const wanted = read_scale_path(o, paths.spec_replicas, "int64");
    auto const current = read_scale_path(o, paths.status_replicas, "int64");
    auto const selector =
        paths.label_selector.empty() ? scale_value() : read_scale_path(o, paths.label_selector, "string");
    for (auto const* part : {&wanted, &current, &selector})
        if (!part->fault.empty()) return internal_error(part->fault);
    has_replicas = wanted.value != nullptr;
    json::object meta, spec, status, out;
    for (auto const* name : {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"})
        if (auto const text = text_in(metadata_of(o), name); !text.empty()) meta[name] = key(text);
    if (has_replicas && wanted.value->get_int64() != 0) spec["replicas"] = *wanted.value;
    status["replicas"] = current.value != nullptr ? *current.value : json::value(0);
    if (selector.value != nullptr && !selector.value->get_string().empty()) status["selector"] = *selector.value;
    out["kind"] = "Scale";
    out["apiVersion"] = "autoscaling/v1";
    out["metadata"] = std::move(meta);
    out["spec"] = std::move(spec);
    out["status"] = std::move(status);
    return out;
}

answer<std::int64_t> replicas_in(json::object const& scale) {
    auto const* spec = scale.if_contains("spec");
    auto const* n = spec != nullptr && spec->is_object() ? spec->get_object().if_contains("replicas") : nullptr;
    if (n == nullptr || n->is_null()) return std::int64_t(0);
    using limits = std::numeric_limits<std::int32_t>;
    if (!n->is_int64() || n->get_int64() < limits::min() || n->get_int64() > limits::max())
        return bad_request("Scale in version \"v1\" cannot be handled as a Scale: spec.replicas: expected int32, got " +
                           json::serialize(*n));
    return n->get_int64();
}

/// Writes a number to a path such as `.spec.replicas`, making the objects on the way.
answer<void> set_path(json::object& o, std::string_view path, std::int64_t number) {
    if (!path.empty() && path.front() == '.') path.remove_prefix(1);
    auto* here = &o;
    for (;;) {
        auto const dot = path.find('.');
        auto& v = (*here)[key(path.substr(0, dot))];
        if (dot == path.npos) {
            v = number;
            return {};
        }
        if (v.is_null()) v.emplace_object();
        here = v.if_object();
        if (here == nullptr)
            return internal_error("the value at " + std::string(path.substr(0, dot)) + " is not an object");
        path.remove_prefix(dot + 1);
    }
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

// The subresource `scale`: a small object of another kind that stands for numbers of the object.

answer<std::string> object_store::get_scale(kind_id kind, std::string_view ns, std::string_view name) const {
    auto const& paths = impl_->kinds_[kind]->definition.scale;
    if (!paths) return no_scale();
    auto const found = impl_->get(kind, ns, name);
    return found ? get_scale(kind, **found) : answer<std::string>(found.error());
}

answer<std::string> object_store::get_scale(kind_id kind, stored_object const& object) const {
    auto const& paths = impl_->kinds_[kind]->definition.scale;
    if (!paths) return no_scale();
    bool has_replicas = false;
    auto const scale = scale_of(*paths, object.parsed(), has_replicas);
    if (!scale) return scale.error();
    if (!has_replicas)
        return internal_error("the spec replicas field " + in_quotes(paths->spec_replicas) + " does not exist");
    return json::serialize(*scale);
}

answer<written> object_store::update_scale(kind_id kind, std::string_view ns, std::string_view name,
                                           json::object const& scale, time_point now, write_options const& how) {
    auto const& paths = impl_->kinds_[kind]->definition.scale;
    if (!paths) return no_scale();
    auto const found = impl_->get(kind, ns, name);
    if (!found) return found.error();
    for (auto const& [part, expected] : {std::pair{"kind", "Scale"}, {"apiVersion", "autoscaling/v1"}})
        if (auto const given = text_in(scale, part); given != expected)
            return bad_request(std::string(part) + ": expected " + expected + ", got " + in_quotes(given));
    auto const& meta = metadata_of(scale);
    if (auto const given = text_in(meta, "name"); given != name)
        return bad_request(given.empty() ? "the name of the object (" + std::string(name) +
                                               " based on URL) was undeterminable: name must be provided"
                                         : "the name of the object (" + std::string(given) +
                                               ") does not match the name on the URL (" + std::string(name) + ")");
    auto const replicas = replicas_in(scale);
    if (!replicas) return replicas.error();
    if (*replicas > most_replicas) { // webhooks check no writes of subresources
        resource_definition d;
        d.group = "autoscaling";
        d.kind = "Scale";
        std::vector<refusal_cause> causes;
        causes.emplace_back("FieldValueInvalid",
                            "Invalid value: " + std::to_string(*replicas) + ": must be less than or equal to " +
                                std::to_string(most_replicas) + " on this server",
                            "spec.replicas");
        return invalid(d, name, std::move(causes));
    }
    auto next = impl_->read_as(kind, **found);
    if (auto ok = set_path(next, paths->spec_replicas, *replicas); !ok) return ok.error();
    if (auto const version = text_in(meta, "resourceVersion"); !version.empty())
        metadata_of(next)["resourceVersion"] = key(version);
    return impl_->write(kind, ns, name, std::move(next), impl::part::scale, now, how);
}

answer<written> object_store::patch_scale(kind_id kind, std::string_view ns, std::string_view name, patch_type type,
                                          std::string_view text, time_point now, write_options const& how) {
    auto const& paths = impl_->kinds_[kind]->definition.scale;
    if (!paths) return no_scale();
    if (type == patch_type::strategic) return unsupported_media_type(patch_types_of_any());
    auto const found = impl_->get(kind, ns, name);
    if (!found) return found.error();
    bool has_replicas = false;
    auto scale = scale_of(*paths, (*found)->parsed(), has_replicas);
    if (!scale) return scale.error();
    auto const patched = apply_patch(type, nullptr, json::value(std::move(*scale)), text);
    if (!patched) return patched.error();
    auto const* spec = object_in(*patched, "spec");
    if (!has_replicas && (spec == nullptr || spec->if_contains("replicas") == nullptr))
        return bad_request("the spec replicas field " + in_quotes(paths->spec_replicas) + " cannot be empty");
    return update_scale(kind, ns, name, *patched, now, how);
}

} // namespace kftrain::apiserver
