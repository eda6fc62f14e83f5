#include "apiserver/store/store_impl.hpp"
#include "apiserver/text/refusals.hpp"

#include <algorithm>
#include <array>

// Upstream: apiserver `pkg/admission/plugin/namespace/lifecycle/admission.go`, v0.31.3; kubernetes
// `pkg/controller/namespace/`, v1.31.
namespace kftrain::apiserver {

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

} // namespace kftrain::apiserver
