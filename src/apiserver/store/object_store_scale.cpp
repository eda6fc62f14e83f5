#include "apiserver/checks/builtin_checks.hpp"
#include "apiserver/checks/object_patch.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "apiserver/store/store_impl.hpp"
#include "model/schema/schema_scale.hpp"

#include <limits>

// The subresource `scale`: a small object of another kind that stands for numbers of the object.
namespace kftrain::apiserver {
namespace {

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
