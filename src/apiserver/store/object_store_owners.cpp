#include "apiserver/refusals/refusals.hpp"
#include "apiserver/store/store_impl.hpp"

#include <algorithm>

// What becomes of dependents when their owners go. Upstream: kubernetes `pkg/controller/garbagecollector`, v1.31.
namespace kftrain::apiserver {
namespace {

bool blocks(stored_object const& dependent, std::string_view owner) {
    return std::ranges::any_of(dependent.facts().owners, [&](auto const& o) { return o.uid == owner && o.blocking; });
}

bool waits(stored_object const& o) { return o.facts().deleting && o.facts().foreground_deletion; }

} // namespace

bool object_store::impl::owner_exists(stored_object const& dependent, object_facts::owner const& reference) const {
    auto const at = by_uid_.find(reference.uid);
    if (at != by_uid_.end()) {
        auto const* const owner = at->second.object;
        return owner->namespace_().empty() || owner->namespace_() == dependent.namespace_();
    }
    // Owners of kinds that nobody serves here may exist elsewhere: their dependents stay.
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
    // Those that wait for each other: upstream notices them only while one is not being deleted yet.
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
