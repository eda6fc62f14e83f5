#include "apiserver/checks/body_type.hpp"
#include "apiserver/checks/defaults.hpp"
#include "apiserver/checks/metadata.hpp"
#include "apiserver/checks/quota_usage.hpp"
#include "apiserver/checks/schema_rules.hpp"
#include "apiserver/checks/validation.hpp"
#include "apiserver/definitions/crd.hpp"
#include "apiserver/json/json_access.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "apiserver/store/store_impl.hpp"

#include <kftrain/apiserver/object_store.hpp>
#include <kftrain/model/patch.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace kftrain::apiserver {
namespace {

/// While an object is being deleted, finalizers may only go.
answer<void> check_finalizers(resource_definition const& d, stored_object const& old, json::object const& next) {
    auto const* after = array_in(metadata_of(next), "finalizers");
    if (!old.facts().deleting || after == nullptr) return {};
    auto const was = old.parsed();
    auto const* before = array_in(metadata_of(was), "finalizers");
    std::set<std::string_view> known;
    if (before != nullptr)
        for (auto const& f : *before) known.insert(view(f.get_string()));
    std::string added;
    for (auto const& f : *after)
        if (!known.contains(view(f.get_string()))) added += (added.empty() ? "" : ", ") + json::serialize(f);
    if (added.empty()) return {};
    std::vector<refusal_cause> causes;
    causes.emplace_back("FieldValueForbidden",
                        "Forbidden: no new finalizers can be added if the object is being deleted, found new "
                        "finalizers []string{" +
                            added + "}",
                        "metadata.finalizers");
    return invalid(d, old.name(), std::move(causes));
}

/// Checks that the update is for the stored object, and for its latest version if it names one.
answer<void> check_precondition(resource_definition const& d, stored_object const& old, json::object const& body) {
    auto const& meta = metadata_of(body);
    auto const version = text_in(meta, "resourceVersion");
    if ((version.empty() || version == "0") && d.custom) {
        std::vector<refusal_cause> causes;
        causes.emplace_back("FieldValueInvalid", "Invalid value: 0x0: must be specified for an update",
                            "metadata.resourceVersion");
        return invalid(d, old.name(), std::move(causes));
    }
    auto const uid = text_in(meta, "uid");
    if (!uid.empty() && uid != old.uid()) {
        auto const path = (d.group.empty() ? "" : "/" + d.group) + "/" + d.plural +
                          (old.namespace_().empty() ? "" : "/" + std::string(old.namespace_()));
        return conflict(d, old.name(),
                        "StorageError: invalid object, Code: 4, Key: /registry" + path + "/" + std::string(old.name()) +
                            ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: " +
                            std::string(uid) + ", UID in object meta: " + std::string(old.uid()));
    }
    if (!version.empty() && version != "0" && version != std::to_string(old.version()))
        return stale_version(d, old.name());
    return {};
}

/// Adds warnings before those of an answer, also of a refusal.
answer<written> with_warnings(answer<written> done, std::vector<std::string> first) {
    if (first.empty()) return done;
    if (!done) {
        auto refused = done.error();
        std::ranges::move(refused.warnings, std::back_inserter(first));
        refused.warnings = std::move(first);
        return refused;
    }
    std::ranges::move(done->warnings, std::back_inserter(first));
    done->warnings = std::move(first);
    return done;
}

/// The part of metadata that belongs to the server.
constexpr std::array<std::string_view, 9> system_fields{"name",
                                                        "namespace",
                                                        "uid",
                                                        "resourceVersion",
                                                        "generation",
                                                        "creationTimestamp",
                                                        "deletionTimestamp",
                                                        "deletionGracePeriodSeconds",
                                                        "managedFields"};

void keep(json::object& to, json::object const& from, std::string_view name) {
    if (auto const* v = from.if_contains(key(name)))
        to[key(name)] = *v;
    else
        to.stable_erase(key(name));
}

void keep_system_fields(json::object& object, json::object const& from) {
    auto& meta = metadata_of(object);
    for (auto const name : system_fields) keep(meta, metadata_of(from), name);
}

/// Gives a body the form of its kind; returns the paths of the fields that went.
std::vector<std::string> take_form_of(resource_definition const& d, json::object& body) {
    auto unknown = take_form(d, body);
    if (is_crd(d)) std::ranges::move(prune_crd_schemas(body), std::back_inserter(unknown));
    return unknown;
}

/// Checks everything but the schema of a custom resource.
answer<void> check_parts(resource_definition const& d, json::object const& object, json::object const* old,
                         typed_body const& typed) {
    auto metadata = check_metadata(d, object, old == nullptr);
    auto faults = is_crd(d)        ? check_crd(object, old)
                  : old == nullptr ? check_builtin_specification(d, object, typed.get())
                                   : check_builtin_update(d, *old, object);
    if (faults.empty()) return metadata;
    if (!metadata) {
        auto const refused = metadata.error();
        faults.insert(faults.begin(), refused.causes.begin(), refused.causes.end());
    }
    return invalid(d, text_in(metadata_of(object), "name"), std::move(faults));
}

/// Whether anything but metadata and status differs.
bool specification_differs(resource_definition const& d, json::object const& a, json::object const& b) {
    auto const counts = [&](json::string_view k) { return k != "metadata" && !(d.has_status && k == "status"); };
    auto const covered = [&](json::object const& x, json::object const& y) {
        return std::ranges::all_of(x, [&](auto const& member) {
            if (!counts(member.key())) return true;
            auto const* other = y.if_contains(member.key());
            return other != nullptr && same_value(*other, member.value());
        });
    };
    return !covered(a, b) || !covered(b, a);
}

/// Five characters without vowels, so that no words come out.
std::string name_suffix(std::string_view uid) {
    constexpr std::string_view alphabet = "bcdfghjklmnpqrstvwxz2456789";
    std::uint64_t h = 14695981039346656037ull;
    for (char const c : uid) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    std::string out;
    for (int i = 0; i < 5; ++i, h /= alphabet.size()) out += alphabet[h % alphabet.size()];
    return out;
}

} // namespace

answer<std::vector<std::string>> object_store::impl::admit(resource_definition const& d, json::object& object,
                                                           stored_object const* old, json::object const* was) {
    auto warnings = warnings_of(d, object, was);
    if (!d.admission) return warnings;
    auto const find_text = [this](resource_info const& type, std::string_view other_ns, std::string_view name) {
        auto const kind = find_kind(type.group, type.version, type.plural);
        auto const found = kind ? find(*kind, key_of(other_ns, name)) : nullptr;
        return found ? std::string(found->text()) : std::string();
    };
    auto verdict = d.admission(
        admission_request(object, old != nullptr ? std::string_view(old->text()) : std::string_view(), find_text));
    std::ranges::move(verdict.warnings, std::back_inserter(warnings));
    if (verdict.denied) {
        auto const& webhook = verdict.denied->webhook;
        refusal r(verdict.denied->code, verdict.denied->why,
                  "admission webhook " + in_quotes(webhook.empty() ? d.admission_name : webhook) +
                      " denied the request: " + verdict.denied->message);
        r.warnings = std::move(warnings);
        return r;
    }
    if (!verdict.patch.empty()) {
        auto const patched = apply_json_patch(json::serialize(object), verdict.patch);
        auto replaced =
            patched ? parse_object(*patched) : answer<json::object>(bad_request(patched.error().to_string()));
        if (replaced)
            if (auto ok = check_shape(*replaced); !ok) replaced = ok.error();
        if (!replaced)
            return refusal(500, reason::internal_error,
                           "Internal error occurred: admission webhook " + in_quotes(d.admission_name) +
                               " returned an unusable patch: " + replaced.error().message);
        auto next = canonical(d, std::move(*replaced));
        keep_system_fields(next, object);
        if (d.has_status) keep(next, object, "status");
        object = std::move(next);
    }
    return warnings;
}

answer<written> object_store::create(kind_id kind, std::string_view ns, json::object body, time_point now,
                                     write_options const& how) {
    return impl_->shown_as(kind, impl_->create_checked(kind, ns, std::move(body), now, how));
}

answer<written> object_store::impl::create_checked(kind_id kind, std::string_view ns, json::object&& body,
                                                   time_point now, write_options const& how,
                                                   json::array const* managed) {
    auto const& d = kinds_[kind]->definition;
    auto const unknown = take_form_of(d, body);
    if (auto ok = check_shape(body); !ok) return ok.error();
    if (auto ok = check_kind(d, body); !ok) return ok.error();
    auto const typed = check_type(d, body);
    if (!typed) return typed.error();
    auto checked = judge_unknown(d, unknown, how.validation, how.faults);
    if (!checked) return checked.error();
    return with_warnings(create(kind, ns, std::move(body), *typed, now, how, managed), std::move(*checked));
}

answer<written> object_store::impl::create(kind_id kind, std::string_view ns, json::object&& body,
                                           typed_body const& typed, time_point now, write_options const& how,
                                           json::array const* managed) {
    auto const& d = kinds_[kind]->definition;
    auto object = canonical(d, std::move(body));
    auto& meta = metadata_of(object);
    auto const given = text_in(meta, "namespace");
    if (d.where == resource_scope::namespaced) {
        if (ns.empty()) return bad_request("an empty namespace may not be set during creation");
        if (!given.empty() && given != ns)
            return bad_request("the namespace of the provided object does not match the namespace sent on the request");
        meta["namespace"] = key(ns);
    } else {
        meta.stable_erase("namespace");
        ns = {};
    }
    if (auto ok = check_namespace(d, ns, text_in(meta, "name")); !ok) return ok.error();
    if (auto ok = check_room(kind, text_in(meta, "name")); !ok) return ok.error();
    if (!text_in(meta, "resourceVersion").empty())
        return refusal(500, reason::unknown, "resourceVersion should not be set on objects to be created");
    for (auto const* name : {"deletionTimestamp", "deletionGracePeriodSeconds", "generation"}) meta.stable_erase(name);
    auto const uid = options_.make_uid();
    if (auto const prefix = text_in(meta, "generateName"); text_in(meta, "name").empty() && !prefix.empty())
        meta["name"] = std::string(prefix.substr(0, 58)) + name_suffix(uid);
    meta["uid"] = uid;
    meta["creationTimestamp"] = print_time(now);
    if (d.has_generation) meta["generation"] = 1;
    if (d.has_status) object.stable_erase("status");
    set_defaults(d, object, true);
    if (is_crd(d)) set_crd_defaults(object);
    set_limit_defaults(d, ns, object);
    if (auto ok = set_priority(d, object); !ok) return ok.error();
    if (auto ok = check_object(d, object, nullptr, check_parts(d, object, nullptr, typed)); !ok) return ok.error();
    if (auto ok = check_limits(d, ns, object); !ok) return ok.error();
    if (auto ok = check_default_class(d, object, true); !ok) return ok.error();
    std::string const name(text_in(metadata_of(object), "name"));
    auto warnings = admit(d, object, nullptr, nullptr);
    if (!warnings) return warnings.error();
    if (auto ok = check_quotas(d, ns, object); !ok) return ok.error();
    spell_canonically(d, object);
    if (managed != nullptr) metadata_of(object)["managedFields"] = *managed;
    place const at{stored(kind), key_of(ns, name)};
    std::optional<crd_resources> defined;
    if (is_crd(d) && !find(at.kind, at.key)) {
        auto made = define(object, true, *warnings, now);
        if (!made) return made.error();
        defined = std::move(*made);
    }
    store_as(kind, object);
    auto const state = sized_state(at, std::move(object));
    if (!state) return state.error();
    if (find(at.kind, at.key)) return already_exists(d, name);
    if (!how.dry_run) {
        commit(at, *state, now);
        if (defined) serve(at, std::move(*defined));
    }
    written out;
    out.object = *state;
    out.warnings = std::move(*warnings);
    return out;
}

answer<written> object_store::impl::write(kind_id kind, std::string_view ns, std::string_view name, json::object&& body,
                                          part which, time_point now, write_options const& how, typed_body typed,
                                          json::object const* was, json::array const* managed) {
    auto const& d = kinds_[kind]->definition;
    auto const unknown = take_form_of(d, body);
    if (auto ok = check_shape(body); !ok) return ok.error();
    if (auto ok = check_kind(d, body); !ok) return ok.error();
    if (typed == nullptr)
        if (auto ok = check_type(d, body); !ok) return ok.error();
    auto checked = judge_unknown(d, unknown, how.validation, how.faults);
    if (!checked) return checked.error();
    return with_warnings(change(kind, ns, name, std::move(body), which, now, how, was, managed), std::move(*checked));
}

answer<written> object_store::impl::change(kind_id kind, std::string_view ns, std::string_view name,
                                           json::object&& body, part which, time_point now, write_options const& how,
                                           json::object const* known, json::array const* managed) {
    auto const& d = kinds_[kind]->definition;
    auto const body_name = text_in(metadata_of(body), "name");
    auto const body_ns = text_in(metadata_of(body), "namespace");
    if (body_name.empty() && d.custom) return bad_request("the name of the object must be set");
    if (!body_name.empty() && body_name != name)
        return bad_request("the name of the object (" + std::string(body_name) +
                           ") does not match the name on the URL (" + std::string(name) + ")");
    if (!body_ns.empty() && body_ns != ns)
        return bad_request("the namespace of the object (" + std::string(body_ns) +
                           ") does not match the namespace on the URL (" + std::string(ns) + ")");
    auto const found = get(kind, ns, name);
    if (!found) return found.error();
    object_ptr const& old = *found;
    if (auto ok = check_precondition(d, *old, body); !ok) return ok.error();

    auto const read = known == nullptr ? read_as(kind, *old, body.storage()) : json::object();
    auto const& was = known == nullptr ? read : *known;
    written out;
    std::optional<crd_resources> defined;
    json::object next(body.storage());
    if (which == part::status) {
        next = was;
        keep(next, body, "status");
        if (auto const* s = next.if_contains("status"); s != nullptr && s->is_null()) next.stable_erase("status");
        if (auto faults = check_builtin_status(d, was, next); !faults.empty())
            return invalid(d, name, std::move(faults));
        if (auto ok = check_status(d, next, was); !ok) return ok.error();
    } else {
        next = canonical(d, std::move(body));
        keep_system_fields(next, was);
        if (d.has_status) keep(next, was, "status");
        if (is_namespace(d)) keep(next, was, "spec"); // finalizers go otherwise, and there is nothing else
        set_defaults(d, next, false);
        if (is_crd(d)) set_crd_defaults(next);
        if (auto ok = check_object(d, next, &was, check_parts(d, next, &was, nullptr)); !ok) return ok.error();
        if (auto ok = check_finalizers(d, *old, next); !ok) return ok.error();
        if (which == part::object) { // webhooks are registered for the resource, not for its subresources
            auto warnings = admit(d, next, old.get(), &was);
            if (!warnings) return warnings.error();
            out.warnings = std::move(*warnings);
            if (auto ok = check_default_class(d, next, false); !ok) return ok.error();
            if (is_charged_on_update(d))
                if (auto ok = check_quotas(d, ns, next, &was); !ok) return ok.error();
        }
        if (is_crd(d)) {
            auto made = define(next, specification_differs(d, next, was), out.warnings, now);
            if (!made) return made.error();
            defined = std::move(*made);
        }
    }
    spell_canonically(d, next);
    if (managed != nullptr)
        metadata_of(next)["managedFields"] = *managed;
    else
        track(d, was, next, which, now, how);
    if (same_value(next, was)) { // writes nothing and sends no event
        out.object = old;
        return out;
    }
    if (d.has_generation && specification_differs(d, next, was))
        metadata_of(next)["generation"] = integer_in(metadata_of(was), "generation").value_or(0) + 1;
    place const at{stored(kind), key_of(ns, name)};
    store_as(kind, next);
    bool const last_finalizer_gone = is_deleting(next) && old->facts().finalizers && !has_finalizers(next) &&
                                     integer_in(metadata_of(next), "deletionGracePeriodSeconds").value_or(0) == 0;
    if (how.dry_run) {
        auto const state = sized_state(at, std::move(next));
        if (!state) return state.error();
        out.object = *state;
        return out;
    }
    if (last_finalizer_gone) {
        out.object = erase(at, std::move(next));
        return out;
    }
    auto const committed = commit(at, std::move(next), now);
    if (!committed) return committed.error();
    if (defined) serve(at, std::move(*defined));
    out.object = *committed;
    return out;
}

answer<written> object_store::update(kind_id kind, std::string_view ns, std::string_view name, json::object body,
                                     time_point now, write_options const& how) {
    return impl_->shown_as(kind, impl_->write(kind, ns, name, std::move(body), impl::part::object, now, how));
}
answer<written> object_store::update_status(kind_id kind, std::string_view ns, std::string_view name, json::object body,
                                            time_point now, write_options const& how) {
    return impl_->shown_as(kind, impl_->write(kind, ns, name, std::move(body), impl::part::status, now, how));
}

answer<written> object_store::bind_pod(kind_id kind, std::string_view ns, std::string_view name, std::string_view node,
                                       time_point now, write_options const& how) {
    auto const found = impl_->get(kind, ns, name);
    if (!found) return found.error();
    auto const& d = impl_->kinds_[kind]->definition;
    auto next = (*found)->parsed();
    auto const pod = "pod " + std::string(name);
    if (is_deleting(next)) return conflict(d, name, pod + " is being deleted, cannot be assigned to a host", "binding");
    auto& spec = next["spec"];
    if (!spec.is_object()) spec.emplace_object();
    if (auto const current = text_in(spec.get_object(), "nodeName"); !current.empty())
        return conflict(d, name, pod + " is already assigned to node " + in_quotes(current), "binding");
    if (auto const* gates = array_in(spec.get_object(), "schedulingGates"); gates != nullptr && !gates->empty())
        return conflict(d, name, pod + " has non-empty .spec.schedulingGates", "binding");
    spec.get_object()["nodeName"] = key(node);
    auto& status = next["status"];
    if (!status.is_object()) status.emplace_object();
    status.get_object().erase("nominatedNodeName");
    auto& conditions = status.get_object()["conditions"];
    if (!conditions.is_array()) conditions.emplace_array();
    auto& all = conditions.get_array();
    auto const is_scheduled = [](json::value const& c) {
        return c.is_object() && text_in(c.get_object(), "type") == "PodScheduled";
    };
    all.erase(std::remove_if(all.begin(), all.end(), is_scheduled), all.end());
    json::object scheduled;
    scheduled["type"] = "PodScheduled";
    scheduled["status"] = "True";
    scheduled["lastTransitionTime"] = print_time(now);
    all.push_back(std::move(scheduled));
    written out;
    out.object = *found;
    if (how.dry_run) return out;
    auto const stored = impl_->commit({kind, impl::key_of(ns, name)}, std::move(next), now);
    if (!stored) return stored.error();
    out.object = *stored;
    return out;
}

} // namespace kftrain::apiserver
