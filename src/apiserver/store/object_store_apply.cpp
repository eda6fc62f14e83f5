#include "apiserver/apply/field_managers.hpp"
#include "apiserver/checks/body_type.hpp"
#include "apiserver/checks/metadata.hpp"
#include "apiserver/checks/schema_rules.hpp"
#include "apiserver/store/store_impl.hpp"
#include "apiserver/store/write_preconditions.hpp"
#include "apiserver/text/refusals.hpp"

// Server-side apply. Fields are recorded from the first configuration on: an object that nobody applied has no record.
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
    auto next = managers.apply(d, live, *configuration, shape, by, how.force);
    if (!next) return next.error();
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

} // namespace kftrain::apiserver
