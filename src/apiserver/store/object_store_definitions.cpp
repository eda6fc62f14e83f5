#include "apiserver/definitions/crd.hpp"
#include "apiserver/refusals/refusals.hpp"
#include "apiserver/store/store_impl.hpp"
#include "base/ascii.hpp"
#include "model/schema/schema_value.hpp"

#include <algorithm>
#include <array>

// CustomResourceDefinitions and the kinds of the store. Upstream: apiextensions-apiserver `pkg/controller/`,
// `pkg/registry/customresourcedefinition/etcd.go`, v0.31.
namespace kftrain::apiserver {
namespace {

bool is_resource_of(resource_definition const& d, json::object const& crd) {
    crd_names const names(crd);
    return d.group == names.group && d.plural == names.plural;
}

/// Objects of Kubernetes itself do not go with a definition of the same name.
bool is_cleaned(resource_definition const& d) { return d.custom && !is_crd(d); }

std::string_view reason_of_ending(json::object const& crd) {
    auto const* status = object_in(crd, "status");
    auto const* list = status != nullptr ? array_in(*status, "conditions") : nullptr;
    if (list != nullptr)
        for (auto const& v : *list)
            if (auto const* c = v.if_object(); c != nullptr && text_in(*c, "type") == "Terminating")
                return text_in(*c, "reason");
    return {};
}

} // namespace

/// Whether the program itself defined the resource. What is served then stays as it is.
bool object_store::impl::is_built_in(json::object const& crd) const {
    return std::ranges::any_of(
        kinds_, [&](auto const& k) { return !k->removed && k->crd.empty() && is_resource_of(k->definition, crd); });
}

answer<void> object_store::impl::check_room(kind_id kind, std::string_view name) const {
    auto const& state = *kinds_[stored(kind)];
    if (!state.cleaned_for.empty() && !state.crd.empty()) {
        refusal r(405, reason::method_not_allowed,
                  "create not allowed while custom resource definition is terminating");
        r.group = state.definition.group;
        r.kind = state.definition.plural;
        return r;
    }
    if (kind != crds_ || state.objects.size() < options_.definition_limit) return {};
    return forbidden(state.definition, name,
                     "this server keeps at most " + std::to_string(options_.definition_limit) +
                         " custom resource definitions");
}

/// Compiles a valid definition and sets its status. The result is empty for a built-in resource, and if the
/// specification did not change.
answer<crd_resources> object_store::impl::define(json::object& crd, bool changed, std::vector<std::string>& warnings,
                                                 time_point now) {
    crd_names const own(crd);
    std::string const name(text_in(metadata_of(crd), "name"));
    taken_names taken;
    for (auto const& k : kinds_) {
        auto const& d = k->definition;
        if (k->removed || d.group != own.group || d.plural == own.plural) continue;
        taken.resources.insert({d.plural, d.singular.empty() ? to_lower(d.kind) : d.singular});
        taken.resources.insert(d.short_names.begin(), d.short_names.end());
        taken.kinds.insert({d.kind, d.list_kind.empty() ? d.kind + "List" : d.list_kind});
    }
    set_crd_status(crd, taken, now);
    crd_resources out;
    if (is_built_in(crd)) {
        warnings.push_back("this server has " + name + " built in: it keeps its own versions, schemas and columns");
    } else if (changed || unaccepted_.contains(key_of("", name))) {
        auto compiled = compile_crd(crd);
        if (!compiled) return compiled.error();
        out = std::move(*compiled);
        std::ranges::move(out.warnings, std::back_inserter(warnings));
    }
    return out;
}

/// Serves the resource of a stored definition, if it is established.
void object_store::impl::serve(place const& at, crd_resources&& made) {
    auto const crd = find(at.kind, at.key)->parsed();
    std::string const name(text_in(metadata_of(crd), "name"));
    if (!is_established(crd)) {
        unaccepted_.insert(at.key);
        return;
    }
    unaccepted_.erase(at.key);
    if (made.versions.empty()) return;
    std::optional<kind_id> first; // which has the objects
    for (kind_id k = 0; k < kinds_.size(); ++k)
        if (kinds_[k]->crd == name && !kinds_[k]->objects_of) first = k;
    auto const is_version = [&](kind_id k, auto const& v) {
        return kinds_[k]->crd == name && kinds_[k]->definition.version == v.resource.version;
    };
    auto const stored_version = std::ranges::find_if(made.versions, &crd_version::stored);
    bool const differ = std::ranges::any_of(made.versions, [&](auto const& v) {
        return v.resource.schema.get() != made.versions.front().resource.schema.get();
    });
    std::vector<kind_id> kept;
    if (!first) {
        first = new_kind();
        kinds_[*first]->crd = name;
        kinds_[*first]->definition = stored_version->resource;
    }
    for (auto& v : made.versions) {
        std::optional<kind_id> kind;
        for (kind_id k = 0; k < kinds_.size(); ++k)
            if (is_version(k, v)) kind = k;
        // Stored objects keep the form of the schema that they were written with.
        bool const grown = kind && !kinds_[*first]->objects.empty() &&
                           kinds_[*kind]->definition.schema.get() != v.resource.schema.get();
        if (!kind) kind = new_kind();
        auto& state = *kinds_[*kind];
        state.crd = name;
        if (kind != first) state.objects_of = first;
        state.served = v.served;
        state.adapts = state.adapts || grown || differ;
        state.selectable = std::make_shared<std::vector<std::string> const>(v.resource.selectable_fields);
        state.definition = std::move(v.resource);
        kept.push_back(*kind);
    }
    for (kind_id k = 0; k < kinds_.size(); ++k) {
        if (kinds_[k]->crd != name || std::ranges::find(kept, k) != kept.end()) continue;
        if (k == first) // its objects are needed
            kinds_[k]->served = false;
        else
            remove_kind(k);
    }
    kinds_[*first]->last = version_; // watches of what is no longer served end
}

/// The objects of a definition that is being deleted are deleted before it.
void object_store::impl::clean_for(json::object const& crd) {
    if (!is_established(crd)) return;
    for (auto const& k : kinds_)
        if (!k->removed && !k->objects_of && is_cleaned(k->definition) && is_resource_of(k->definition, crd))
            k->cleaned_for = text_in(metadata_of(crd), "name");
}

deletion object_store::impl::remove_definition(place const& at, object_ptr state, time_point now) {
    if (!state->facts().deleting) {
        auto next = state->parsed();
        auto& meta = metadata_of(next);
        meta["deletionTimestamp"] = print_time(now);
        auto& finalizers = meta["finalizers"];
        if (!finalizers.is_array()) finalizers.emplace_array();
        if (!holds_finalizer(next, cleanup_finalizer)) finalizers.get_array().emplace_back(key(cleanup_finalizer));
        set_crd_terminating(next, true, "InstanceDeletionPending",
                            "CustomResourceDefinition marked for deletion; CustomResource deletion will be initiated "
                            "soon",
                            now);
        clean_for(next);
        state = put(at, std::move(next));
        garbage_.insert(at);
    }
    deletion out;
    out.object = state;
    return out;
}

void object_store::impl::examine_definition(place const& at, object_ptr const& crd, time_point now) {
    auto next = crd->parsed();
    if (!crd->facts().deleting) { // names that it wants may have become free
        if (!unaccepted_.contains(at.key)) return;
        auto const before = next;
        std::vector<std::string> ignored;
        auto made = define(next, true, ignored, now);
        if (!made || same_value(next, before)) return;
        put(at, std::move(next));
        return serve(at, std::move(*made));
    }
    if (!holds_finalizer(next, cleanup_finalizer)) return;
    bool empty = true;
    for (kind_id k = 0; k < kinds_.size(); ++k) {
        if (kinds_[k]->cleaned_for != crd->name()) continue;
        std::vector<object_key> keys;
        for (auto const& [name, object] : kinds_[k]->objects) keys.push_back(name);
        for (auto& name : keys) {
            place const inside{k, std::move(name)};
            auto const object = find(inside.kind, inside.key);
            if (object && !object->facts().deleting) remove(inside, delete_options(), now);
            empty = empty && !find(inside.kind, inside.key);
        }
    }
    if (!empty) { // the last object that goes comes back here
        constexpr std::string_view waits = "InstanceDeletionInProgress";
        if (reason_of_ending(next) == waits) return;
        set_crd_terminating(next, true, waits, "CustomResource deletion is in progress", now);
        put(at, std::move(next));
        return;
    }
    // Dependents of the objects go as long as the kind of their owners is known.
    auto const is_other = [&](place const& p) { return p.kind != at.kind; };
    for (auto d = std::ranges::find_if(garbage_, is_other); d != garbage_.end();
         d = std::ranges::find_if(garbage_, is_other)) {
        auto const dependent = garbage_.extract(d);
        examine(dependent.value(), now);
    }
    set_crd_terminating(next, false, "InstanceDeletionCompleted", "removed all instances", now);
    drop_finalizer(next, cleanup_finalizer);
    if (has_finalizers(next))
        put(at, std::move(next));
    else
        erase(at, std::move(next));
}

/// Ends the resource of a definition that is gone. Built-in ones stay.
void object_store::impl::drop_kinds(place const& at) {
    auto const name = at.key.substr(at.key.find('/') + 1);
    unaccepted_.erase(at.key);
    for (kind_id k = 0; k < kinds_.size(); ++k) {
        if (kinds_[k]->cleaned_for == name) kinds_[k]->cleaned_for.clear();
        if (kinds_[k]->crd != name || kinds_[k]->objects_of) continue;
        while (!kinds_[k]->objects.empty()) { // if a client removed the finalizer
            auto const [key, object] = *kinds_[k]->objects.begin();
            erase({k, key}, object->parsed());
        }
    }
    for (kind_id k = 0; k < kinds_.size(); ++k)
        if (kinds_[k]->crd == name) remove_kind(k);
    for (auto const& other : unaccepted_) garbage_.insert({at.kind, other});
}

// Several versions of a resource: its objects are stored once, in the version that was the first to be stored. A read
// sets the defaults of that version, and prunes by the schema of the version of the request. Upstream:
// apiextensions-apiserver `pkg/apiserver/{customresource_handler,conversion/nop_converter}.go`, v0.31.
json::object object_store::impl::read_as(kind_id kind, stored_object const& o, json::storage_ptr memory) const {
    auto object = read_stored(o.text(), std::move(memory));
    auto const& state = *kinds_[kind];
    if (state.objects_of) object["apiVersion"] = state.definition.api_version();
    if (!state.adapts) return object;
    set_schema_defaults(kinds_[stored(kind)]->definition.schema, object);
    prune(state.definition.schema, object);
    return object;
}

object_ptr object_store::impl::shown_as(kind_id kind, object_ptr o) const {
    auto const& state = *kinds_[kind];
    if (o == nullptr || (!state.objects_of && !state.adapts)) return o;
    return std::make_shared<stored_object const>(read_as(kind, *o), o->version(), state.selectable);
}

answer<written> object_store::impl::shown_as(kind_id kind, answer<written> done) const {
    if (done) done->object = shown_as(kind, std::move(done->object));
    return done;
}

void object_store::impl::store_as(kind_id kind, json::object& object) const {
    if (kinds_[kind]->objects_of) object["apiVersion"] = kinds_[stored(kind)]->definition.api_version();
}

kind_id object_store::impl::new_kind() {
    constexpr std::size_t most_removed = 64;
    auto next = std::make_unique<kind_state>();
    next->registration = ++registrations_;
    std::size_t removed = 0;
    std::optional<kind_id> oldest;
    for (kind_id k = 0; k < kinds_.size(); ++k) {
        if (!kinds_[k]->removed) continue;
        ++removed;
        if (!oldest || kinds_[k]->last < kinds_[*oldest]->last) oldest = k;
    }
    if (removed < most_removed) {
        kinds_.push_back(std::move(next));
        return kinds_.size() - 1;
    }
    // A list or watch of the former kind must not mistake this one for it.
    auto& old = *kinds_[*oldest];
    while (!old.log.empty()) drop_oldest(old);
    next->trimmed = next->last = version_;
    kinds_[*oldest] = std::move(next);
    return *oldest;
}

/// Its last events stay for the watches that have not read them, until the place is needed.
void object_store::impl::remove_kind(kind_id kind) {
    auto& state = *kinds_[kind];
    state.removed = true;
    state.served = false;
    state.crd.clear();
    state.cleaned_for.clear();
    state.last = version_; // its watches end
}

} // namespace kftrain::apiserver
