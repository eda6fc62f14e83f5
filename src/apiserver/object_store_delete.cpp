#include "refusals.hpp"
#include "store_impl.hpp"

#include <algorithm>

namespace kftrain::apiserver {
namespace {

constexpr std::string_view foreground_finalizer = "foregroundDeletion";

bool holds(json::object const& object, std::string_view finalizer) {
    auto const* list = array_in(metadata_of(object), "finalizers");
    return list != nullptr &&
           std::ranges::any_of(*list, [&](json::value const& f) { return view(f.get_string()) == finalizer; });
}

void drop_finalizer(json::object& object, std::string_view finalizer) {
    auto* v = metadata_of(object).if_contains("finalizers");
    if (v == nullptr) return;
    auto& list = v->get_array();
    auto const at = std::ranges::find_if(list, [&](json::value const& f) { return view(f.get_string()) == finalizer; });
    if (at != list.end()) list.erase(at);
    if (list.empty()) metadata_of(object).stable_erase("finalizers");
}

void mark(json::object& object, time_point when, std::int64_t grace) {
    auto& meta = metadata_of(object);
    if (text_in(meta, "deletionTimestamp").empty())
        if (auto const generation = integer_in(meta, "generation"); generation && *generation > 0)
            meta["generation"] = *generation + 1;
    meta["deletionTimestamp"] = print_time(when);
    meta["deletionGracePeriodSeconds"] = grace;
}

bool blocks(json::object const& dependent, std::string_view owner) {
    auto const* owners = array_in(metadata_of(dependent), "ownerReferences");
    return owners != nullptr && std::ranges::any_of(*owners, [&](json::value const& o) {
               return text_in(o.get_object(), "uid") == owner && true_in(o.get_object(), "blockOwnerDeletion");
           });
}

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

} // namespace

answer<deletion> object_store::remove(kind_id kind, std::string_view ns, std::string_view name,
                                      delete_options const& options, time_point now) {
    auto const found = impl_->get(kind, ns, name);
    if (!found) return found.error();
    if (auto ok = check_options(impl_->kinds_[kind]->definition, **found, options); !ok) return ok.error();
    return impl_->remove({kind, impl::key_of(ns, name)}, options, now);
}

answer<deletion> object_store::impl::remove(place const& at, delete_options const& options, time_point now) {
    auto const& d = kinds_[at.kind]->definition;
    auto state = find(at.kind, at.key);
    if (options.propagation == "Orphan") orphan_dependents(state->uid());
    auto const foreground = options.propagation == "Foreground" && dependents_.contains(std::string(state->uid())) &&
                            !holds(state->value(), foreground_finalizer);
    if (foreground) {
        auto next = state->value();
        auto& finalizers = metadata_of(next)["finalizers"];
        if (!finalizers.is_array()) finalizers.emplace_array();
        finalizers.get_array().emplace_back(key(foreground_finalizer));
        if (!d.graceful && !is_deleting(next)) mark(next, now, 0);
        state = put(at, std::move(next));
        garbage_.insert(at);
    }
    if (d.graceful) return remove_gracefully(at, state, options, now);
    if (is_namespace(d)) {
        if (!is_deleting(state->value())) {
            auto next = state->value();
            mark(next, now, 0);
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
    if (!has_finalizers(state->value())) return finish(at, state);
    if (!is_deleting(state->value())) {
        auto next = state->value();
        mark(next, now, 0);
        state = put(at, std::move(next));
    }
    deletion out;
    out.object = state;
    return out;
}

deletion object_store::impl::finish(place const& at, object_ptr const& state) {
    deletion out;
    out.object = state;
    if (has_finalizers(state->value())) return out;
    out.object = erase(at, json::object(state->value()));
    out.gone = true;
    return out;
}

deletion object_store::impl::remove_gracefully(place const& at, object_ptr const& state, delete_options const& options,
                                               time_point now) {
    auto const& meta = metadata_of(state->value());
    auto next = state->value();
    std::int64_t grace = 0;
    if (is_deleting(state->value())) { // the period may only become shorter
        auto const running = integer_in(meta, "deletionGracePeriodSeconds");
        if (!running) return finish(at, state);
        grace = options.grace_period_seconds.value_or(*running);
        if (grace < 0) grace = 1;
        deletion pending;
        pending.object = state;
        if (grace >= *running) return pending;
        time_point when{};
        parse_scalar(text_in(meta, "deletionTimestamp"), when);
        mark(next, when - std::chrono::seconds(*running) + std::chrono::seconds(grace), grace);
    } else {
        auto const* spec = object_in(state->value(), "spec");
        auto const* status = object_in(state->value(), "status");
        auto const phase = status != nullptr ? text_in(*status, "phase") : std::string_view{};
        constexpr std::int64_t usual = 30, longest = 10ll * 365 * 24 * 3600;
        grace = options.grace_period_seconds.value_or(
            spec != nullptr ? integer_in(*spec, "terminationGracePeriodSeconds").value_or(usual) : usual);
        if (grace < 0) grace = 1;
        grace = std::min(grace, longest);
        bool const bound = spec != nullptr && !text_in(*spec, "nodeName").empty();
        if (!bound || phase == "Succeeded" || phase == "Failed") grace = 0;
        mark(next, now + std::chrono::seconds(grace), grace);
    }
    auto const marked = put(at, std::move(next)); // watchers see this state even when the object goes at once
    if (grace == 0) return finish(at, marked);
    deletion out;
    out.object = marked;
    return out;
}

bool object_store::impl::owner_exists(stored_object const& dependent, json::object const& reference) const {
    auto const at = by_uid_.find(std::string(text_in(reference, "uid")));
    if (at != by_uid_.end()) {
        auto const owner = find(at->second.kind, at->second.key);
        return owner->namespace_().empty() || owner->namespace_() == dependent.namespace_();
    }
    // Owners of kinds that nobody serves here may exist elsewhere: their dependents stay.
    auto const api_version = text_in(reference, "apiVersion");
    auto const kind = text_in(reference, "kind");
    return std::ranges::none_of(kinds_, [&](auto const& k) {
        return k->definition.kind == kind && k->definition.api_version() == api_version;
    });
}

void object_store::impl::drop_reference(place const& at, object_ptr const& object,
                                        std::function<bool(std::string_view)> const& drops) {
    auto next = object->value();
    auto& meta = metadata_of(next);
    json::array left;
    for (auto const& o : *array_in(meta, "ownerReferences"))
        if (!drops(text_in(o.get_object(), "uid"))) left.push_back(o);
    if (left.empty())
        meta.stable_erase("ownerReferences");
    else
        meta["ownerReferences"] = std::move(left);
    put(at, std::move(next));
}

void object_store::impl::orphan_dependents(std::string_view uid) {
    auto const list = dependents_.find(std::string(uid));
    if (list == dependents_.end()) return;
    for (auto const& at : std::set<place>(list->second))
        drop_reference(at, find(at.kind, at.key), [&](std::string_view owner) { return owner == uid; });
}

void object_store::impl::examine(place const& at, time_point now) {
    auto const object = find(at.kind, at.key);
    if (!object) return;
    if (is_deleting(object->value())) {
        if (holds(object->value(), foreground_finalizer)) return examine_foreground(at, object, now);
        if (is_namespace(kinds_[at.kind]->definition)) return examine_namespace(at, object, now);
        return;
    }
    auto const* owners = array_in(metadata_of(object->value()), "ownerReferences");
    if (owners == nullptr) return;
    std::set<std::string, std::less<>> absent;
    for (auto const& o : *owners)
        if (!owner_exists(*object, o.get_object())) absent.emplace(text_in(o.get_object(), "uid"));
    if (absent.empty()) return;
    if (absent.size() < owners->size())
        drop_reference(at, object, [&](std::string_view uid) { return absent.contains(uid); });
    else
        remove(at, delete_options(), now);
}

void object_store::impl::examine_foreground(place const& at, object_ptr const& owner, time_point now) {
    std::string const uid(owner->uid());
    auto const dependents_left = [&] {
        auto const list = dependents_.find(uid);
        return list != dependents_.end() ? list->second : std::set<place>();
    };
    for (auto const& d : dependents_left()) {
        auto const object = find(d.kind, d.key);
        if (!object || is_deleting(object->value())) continue;
        auto const& owners = *array_in(metadata_of(object->value()), "ownerReferences");
        bool const others = std::ranges::any_of(owners, [&](json::value const& o) {
            return text_in(o.get_object(), "uid") != uid && owner_exists(*object, o.get_object());
        });
        if (others) {
            drop_reference(d, object, [&](std::string_view u) { return u == uid; });
            continue;
        }
        delete_options options;
        options.propagation = "Foreground";
        remove(d, options, now);
    }
    for (auto const& d : dependents_left())
        if (auto const object = find(d.kind, d.key); object && blocks(object->value(), uid)) return;
    auto const current = find(at.kind, at.key);
    if (!current) return;
    auto next = current->value();
    drop_finalizer(next, foreground_finalizer);
    bool const waits = integer_in(metadata_of(next), "deletionGracePeriodSeconds").value_or(0) != 0;
    if (has_finalizers(next) || waits)
        put(at, std::move(next));
    else
        erase(at, std::move(next));
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
            if (object && !is_deleting(object->value())) remove(inside, delete_options(), now);
            if (find(inside.kind, inside.key)) empty = false;
        }
    }
    if (empty && !has_finalizers(ns->value()) && find(at.kind, at.key)) erase(at, json::object(ns->value()));
}

} // namespace kftrain::apiserver
