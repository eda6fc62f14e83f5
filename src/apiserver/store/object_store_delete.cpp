#include "apiserver/refusals/refusals.hpp"
#include "apiserver/store/store_impl.hpp"

#include <algorithm>
#include <array>

// Deletion of objects, and of namespaces with their content.
namespace kftrain::apiserver {
namespace {

answer<void> check_options(resource_definition const& d, stored_object const& o, delete_options const& options) {
    if (options.uid && *options.uid != o.uid())
        return conflict(d, o.name(),
                        "the UID in the precondition (" + *options.uid + ") does not match the UID in record (" +
                            std::string(o.uid()) + "). The object might have been deleted and then recreated");
    if (options.resource_version && *options.resource_version != std::to_string(o.version()))
        return conflict(d, o.name(),
                        "the ResourceVersion in the precondition (" + *options.resource_version +
                            ") does not match the ResourceVersion in record (" + std::to_string(o.version()) +
                            "). The object might have been modified");
    auto const& p = options.propagation;
    if (p.empty() || p == "Background" || p == "Foreground" || p == "Orphan") return {};
    refusal r(422, reason::invalid,
              "DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: Unsupported value: " + in_quotes(p) +
                  ": supported values: \"Foreground\", \"Background\", \"Orphan\", \"nil\"");
    r.group = "meta.k8s.io";
    r.kind = "DeleteOptions";
    return r;
}

bool blocks(stored_object const& dependent, std::string_view owner) {
    return std::ranges::any_of(dependent.facts().owners, [&](auto const& o) { return o.uid == owner && o.blocking; });
}

bool waits(stored_object const& o) { return o.facts().deleting && o.facts().foreground_deletion; }

} // namespace

void drop_finalizer(json::object& object, std::string_view finalizer) {
    auto* v = metadata_of(object).if_contains("finalizers");
    if (v == nullptr) return;
    auto& list = v->get_array();
    auto const at = std::ranges::find_if(list, [&](json::value const& f) { return view(f.get_string()) == finalizer; });
    if (at != list.end()) list.erase(at);
    if (list.empty()) metadata_of(object).stable_erase("finalizers");
}

void mark_deleted(json::object& object, time_point when, std::int64_t grace) {
    auto& meta = metadata_of(object);
    if (text_in(meta, "deletionTimestamp").empty())
        if (auto const generation = integer_in(meta, "generation"); generation && *generation > 0)
            meta["generation"] = *generation + 1;
    meta["deletionTimestamp"] = print_time(when);
    meta["deletionGracePeriodSeconds"] = grace;
}

answer<deletion> object_store::remove(kind_id kind, std::string_view ns, std::string_view name,
                                      delete_options const& options, time_point now) {
    auto const& d = impl_->kinds_[kind]->definition;
    if (is_immortal(d, name)) return forbidden(d, name, "this namespace may not be deleted");
    auto const found = impl_->get(kind, ns, name);
    if (!found) return found.error();
    if (auto ok = check_options(d, **found, options); !ok) return ok.error();
    if (options.dry_run) {
        deletion out;
        out.object = impl_->shown_as(kind, *found);
        out.gone = !(*found)->facts().finalizers;
        return out;
    }
    auto wanted = options;
    // Jobs existed before the garbage collector: their pods are orphaned unless a policy is requested.
    bool const keeps_pods = !d.custom && d.group == "batch" && d.plural == "jobs";
    if (keeps_pods && wanted.propagation.empty() && !(*found)->facts().foreground_deletion)
        wanted.propagation = "Orphan";
    auto done = impl_->remove({impl_->stored(kind), impl::key_of(ns, name)}, wanted, now);
    if (done) done->object = impl_->shown_as(kind, std::move(done->object));
    return done;
}

answer<deletion> object_store::impl::remove(place const& at, delete_options const& options, time_point now) {
    auto const& d = kinds_[at.kind]->definition;
    auto state = find(at.kind, at.key);
    if (at.kind == crds_) return remove_definition(at, std::move(state), now);
    if (options.propagation == "Orphan") {
        bool const shown = !d.graceful && !is_namespace(d) && dependents_.contains(std::string(state->uid()));
        if (shown) return remove_and_release(at, state, now);
        orphan_dependents(state->uid());
    }
    // The policy of the request overrides the finalizer; without one the finalizer decides.
    bool const held = state->facts().foreground_deletion;
    if (options.propagation.empty() ? held : options.propagation == "Foreground") {
        if (!held && dependents_.contains(std::string(state->uid()))) {
            auto next = state->parsed();
            auto& finalizers = metadata_of(next)["finalizers"];
            if (!finalizers.is_array()) finalizers.emplace_array();
            finalizers.get_array().emplace_back(key(foreground_finalizer));
            if (!d.graceful && !is_deleting(next)) mark_deleted(next, now, 0);
            state = put(at, std::move(next));
        }
        garbage_.insert(at);
    } else if (held) {
        auto next = state->parsed();
        drop_finalizer(next, foreground_finalizer);
        state = put(at, std::move(next));
    }
    if (d.graceful) return remove_gracefully(at, state, options, now);
    if (is_namespace(d)) return remove_namespace(at, std::move(state), now);
    if (!state->facts().finalizers) return finish(at, state);
    if (!state->facts().deleting) {
        auto next = state->parsed();
        mark_deleted(next, now, 0);
        state = put(at, std::move(next));
    }
    deletion out;
    out.object = state;
    return out;
}

/** Watchers receive the deletion of the owner before the changes of its dependents: otherwise, its controller would
    create new ones. */
deletion object_store::impl::remove_and_release(place const& at, object_ptr const& state, time_point now) {
    auto next = state->parsed();
    drop_finalizer(next, foreground_finalizer);
    auto& finalizers = metadata_of(next)["finalizers"];
    if (!finalizers.is_array()) finalizers.emplace_array();
    if (!holds_finalizer(next, orphan_finalizer)) finalizers.get_array().emplace_back(key(orphan_finalizer));
    if (!is_deleting(next)) mark_deleted(next, now, 0);
    auto const marked = put(at, std::move(next));
    orphan_dependents(marked->uid());
    next = marked->parsed();
    drop_finalizer(next, orphan_finalizer);
    deletion out;
    out.gone = !has_finalizers(next);
    out.object = out.gone ? erase(at, std::move(next)) : put(at, std::move(next));
    return out;
}

deletion object_store::impl::finish(place const& at, object_ptr const& state) {
    deletion out;
    out.object = state;
    if (state->facts().finalizers) return out;
    out.object = erase(at, state->parsed());
    out.gone = true;
    return out;
}

deletion object_store::impl::remove_gracefully(place const& at, object_ptr const& state, delete_options const& options,
                                               time_point now) {
    auto next = state->parsed();
    std::int64_t grace = 0;
    if (state->facts().deleting) { // the period may only become shorter
        auto const running = integer_in(metadata_of(next), "deletionGracePeriodSeconds");
        if (!running) return finish(at, state);
        grace = options.grace_period_seconds.value_or(*running);
        if (grace < 0) grace = 1;
        deletion pending;
        pending.object = state;
        if (grace >= *running) return pending;
        time_point when{};
        parse_scalar(text_in(metadata_of(next), "deletionTimestamp"), when);
        mark_deleted(next, when - std::chrono::seconds(*running) + std::chrono::seconds(grace), grace);
    } else {
        auto const* spec = object_in(next, "spec");
        auto const* status = object_in(next, "status");
        auto const phase = status != nullptr ? text_in(*status, "phase") : std::string_view{};
        constexpr std::int64_t usual = 30, longest = 10ll * 365 * 24 * 3600;
        grace = options.grace_period_seconds.value_or(
            spec != nullptr ? integer_in(*spec, "terminationGracePeriodSeconds").value_or(usual) : usual);
        if (grace < 0) grace = 1;
        grace = std::min(grace, longest);
        bool const bound = spec != nullptr && !text_in(*spec, "nodeName").empty();
        if (!bound || phase == "Succeeded" || phase == "Failed") grace = 0;
        mark_deleted(next, now + std::chrono::seconds(grace), grace);
    }
    auto const marked = put(at, std::move(next)); // watchers see this state even when the object goes at once
    if (grace == 0) return finish(at, marked);
    deletion out;
    out.object = marked;
    return out;
}

void object_store::impl::examine(place const& at, time_point now) {
    auto const object = find(at.kind, at.key);
    if (!object) return;
    if (at.kind == crds_) examine_definition(at, object, now);
    if (at.kind == quota_kind_) examine_quota(at, object);
    if (!find(at.kind, at.key)) return;
    if (!object->facts().deleting) return examine_owners(at, object, now);
    if (object->facts().foreground_deletion) return examine_foreground(at, object, now);
    if (is_namespace(kinds_[at.kind]->definition)) examine_namespace(at, object, now);
}

// Namespaces. Upstream: apiserver `pkg/admission/plugin/namespace/lifecycle/admission.go`, v0.31.3; kubernetes
// `pkg/controller/namespace/`, v1.31.
bool is_immortal(resource_definition const& d, std::string_view name) noexcept {
    constexpr std::array<std::string_view, 3> names{"default", "kube-public", "kube-system"};
    return is_namespace(d) && std::ranges::find(names, name) != names.end();
}

answer<void> object_store::impl::check_namespace(resource_definition const& d, std::string_view ns,
                                                 std::string_view name) const {
    if (d.where == resource_scope::cluster) return {};
    if (namespace_place(ns)) {
        auto r = forbidden(d, name,
                           "unable to create new content in namespace " + std::string(ns) +
                               " because it is being terminated");
        r.causes.emplace_back("NamespaceTerminating", "namespace " + std::string(ns) + " is being terminated",
                              "metadata.namespace");
        return r;
    }
    if (!options_.check_namespaces) return {};
    auto const kind = std::ranges::find_if(kinds_, [](auto const& k) { return is_namespace(k->definition); });
    if (kind == kinds_.end() || (*kind)->objects.contains(key_of("", ns))) return {};
    return not_found((*kind)->definition, ns);
}

deletion object_store::impl::remove_namespace(place const& at, object_ptr state, time_point now) {
    if (!state->facts().deleting) {
        auto next = state->parsed();
        mark_deleted(next, now, 0);
        json::object status;
        status["phase"] = "Terminating";
        next["status"] = std::move(status);
        state = put(at, std::move(next));
        garbage_.insert(at);
    }
    deletion out;
    out.object = state;
    return out;
}

void object_store::impl::examine_namespace(place const& at, object_ptr const& ns, time_point now) {
    std::string const prefix = std::string(ns->name()) + "/";
    bool empty = true;
    for (kind_id k = 0; k < kinds_.size(); ++k) {
        std::vector<object_key> keys;
        auto const& objects = kinds_[k]->objects;
        for (auto o = objects.lower_bound(prefix); o != objects.end() && o->first.starts_with(prefix); ++o)
            keys.push_back(o->first);
        for (auto& name : keys) {
            place const inside{k, std::move(name)};
            auto const object = find(inside.kind, inside.key);
            if (object && !object->facts().deleting) remove(inside, delete_options(), now);
            if (find(inside.kind, inside.key)) empty = false;
        }
    }
    auto const current = find(at.kind, at.key);
    if (!empty || !current || current->facts().finalizers) return;
    auto next = current->parsed();
    if (auto* spec = object_in(next, "spec"); spec != nullptr && spec->erase("finalizers") != 0)
        put(at, json::object(next)); // watchers see that the content is gone
    erase(at, std::move(next));
}

// Dependents of deleted owners. Upstream: kubernetes `pkg/controller/garbagecollector`, v1.31.

bool object_store::impl::owner_exists(stored_object const& dependent, object_facts::owner const& reference) const {
    auto const at = by_uid_.find(reference.uid);
    if (at != by_uid_.end()) {
        auto const* const owner = at->second.object;
        return owner->namespace_().empty() || owner->namespace_() == dependent.namespace_();
    }
    // Owners of kinds that this server does not serve may exist elsewhere: their dependents stay.
    return std::ranges::none_of(kinds_, [&](auto const& k) {
        return !k->removed && k->definition.kind == reference.kind &&
               k->definition.api_version() == reference.api_version;
    });
}

object_ptr object_store::impl::waiting_owner(std::string_view uid) const {
    auto const at = by_uid_.find(uid);
    if (at == by_uid_.end() || !waits(*at->second.object)) return nullptr;
    auto const where = at->second.where();
    return find(where.kind, where.key);
}

std::set<object_store::impl::place> object_store::impl::dependents_of(std::string_view uid) const {
    auto const list = dependents_.find(std::string(uid));
    return list != dependents_.end() ? list->second : std::set<place>();
}

void object_store::impl::drop_reference(place const& at, object_ptr const& object,
                                        std::function<bool(std::string_view)> const& drops) {
    auto next = object->parsed();
    auto& meta = metadata_of(next);
    json::array left;
    for (auto const& o : meta["ownerReferences"].get_array())
        if (!drops(text_in(o.get_object(), "uid"))) left.push_back(o);
    if (left.empty())
        meta.stable_erase("ownerReferences");
    else
        meta["ownerReferences"] = std::move(left);
    put(at, std::move(next));
}

void object_store::impl::unblock_owners(place const& at, object_ptr const& object) {
    auto next = object->parsed();
    for (auto& o : metadata_of(next)["ownerReferences"].get_array())
        if (true_in(o.get_object(), "blockOwnerDeletion")) o.get_object()["blockOwnerDeletion"] = false;
    put(at, std::move(next));
}

void object_store::impl::orphan_dependents(std::string_view uid) {
    for (auto const& at : dependents_of(uid))
        drop_reference(at, find(at.kind, at.key), [&](std::string_view owner) { return owner == uid; });
}

void object_store::impl::wake_owners(stored_object const& before, stored_object const& after) {
    if (before.facts().owners == after.facts().owners) return;
    for (auto const* state : {&before, &after})
        for (auto const& o : state->facts().owners)
            if (auto const owner = waiting_owner(o.uid)) garbage_.insert(by_uid_.at(owner->uid()).where());
}

/// Whether the owner must wait for a dependent that is already known: its first blocking dependent is being deleted and
/// will trigger the next check. So the owner of many objects is not examined for each deleted one.
bool object_store::impl::still_held(std::string_view owner) const {
    auto const list = dependents_.find(std::string(owner));
    if (list == dependents_.end()) return false;
    for (auto const& d : list->second)
        if (auto const object = find(d.kind, d.key); object && blocks(*object, owner))
            return object->facts().deleting && object->uid() != owner;
    return false;
}

/// Deletes an object whose owners have gone or wait for it to go; takes these off an object that others keep.
void object_store::impl::examine_owners(place const& at, object_ptr const& dependent, time_point now) {
    std::set<std::string, std::less<>> ending;
    bool kept = false, awaited = false;
    for (auto const& o : dependent->facts().owners) {
        bool const exists = owner_exists(*dependent, o);
        bool const waiting = exists && waiting_owner(o.uid) != nullptr;
        awaited = awaited || waiting;
        kept = kept || (exists && !waiting);
        if (!exists || waiting) ending.emplace(o.uid);
    }
    if (ending.empty()) return;
    if (kept) return drop_reference(at, dependent, [&](std::string_view uid) { return ending.contains(uid); });
    delete_options options;
    if (auto const below = dependents_of(dependent->uid()); awaited && !below.empty()) {
        // An owner that is a dependent as well would wait for itself.
        if (std::ranges::any_of(below, [&](place const& d) { return waits(*find(d.kind, d.key)); }))
            unblock_owners(at, dependent);
        options.propagation = "Foreground";
    }
    remove(at, options, now);
}

/// The uids of the owners, their owners and so on, that wait for the object: those that its references block.
std::set<std::string, std::less<>> object_store::impl::waiting_above(object_ptr from) const {
    std::set<std::string, std::less<>> found;
    std::vector<object_ptr> next{std::move(from)};
    while (!next.empty()) {
        auto const object = std::move(next.back());
        next.pop_back();
        for (auto const& o : object->facts().owners) {
            if (!o.blocking || found.contains(o.uid)) continue;
            if (auto owner = waiting_owner(o.uid)) {
                found.emplace(owner->uid());
                next.push_back(std::move(owner));
            }
        }
    }
    return found;
}

void object_store::impl::examine_foreground(place const& at, object_ptr const& owner, time_point now) {
    std::string const uid(owner->uid());
    for (auto const& d : dependents_of(uid))
        if (auto const object = find(d.kind, d.key); object && !object->facts().deleting)
            examine_owners(d, object, now);
    // Objects may wait for each other: upstream notices this only while one of them is not being deleted yet.
    auto const above = waiting_above(owner);
    bool held = false;
    for (auto const& d : dependents_of(uid)) {
        auto const object = find(d.kind, d.key);
        if (!object || !blocks(*object, uid)) continue;
        if (above.contains(object->uid()))
            unblock_owners(d, object);
        else
            held = true;
    }
    auto const current = find(at.kind, at.key);
    if (held || !current) return;
    auto next = current->parsed();
    drop_finalizer(next, foreground_finalizer);
    bool const waits = integer_in(metadata_of(next), "deletionGracePeriodSeconds").value_or(0) != 0;
    if (has_finalizers(next) || waits)
        put(at, std::move(next));
    else
        erase(at, std::move(next));
}

} // namespace kftrain::apiserver
