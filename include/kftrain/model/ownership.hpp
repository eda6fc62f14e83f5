#ifndef KFTRAIN_MODEL_OWNERSHIP_HPP
#define KFTRAIN_MODEL_OWNERSHIP_HPP

#include <kftrain/model/any_object.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/resource.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace kftrain {

/** Returns the reference by which an object names its controller, with `controller` and `blockOwnerDeletion` set: add
    it to the `owner_references` of the object. When the controller is deleted, the server deletes the object too; a
    foreground deletion of the controller waits for it.
    @pre The controller has a uid, i.e. a server returned it. Without one, the server rejects the object with 422. The
    controller must be in the namespace of the object, or not in any; otherwise the server deletes the object.
    @par Upstream apimachinery v0.31.3 `pkg/apis/meta/v1/controller_ref.go`, `NewControllerRef` */
inline owner_reference controller_reference(resource_info const& type, object_meta const& controller) {
    owner_reference owner;
    owner.api_version = type.api_version();
    owner.kind = type.kind;
    owner.name = controller.name;
    owner.uid = controller.uid;
    owner.controller = true;
    owner.block_owner_deletion = true;
    return owner;
}
template <resource K> owner_reference controller_reference(K const& controller) {
    return controller_reference(K::resource, controller.metadata);
}
/// @pre The object is not empty.
inline owner_reference controller_reference(any_object const& controller) {
    return controller_reference(controller.resource(), controller.metadata());
}

/** Returns the controller of an object, or null. Servers reject a second one; if an object has two anyway, the first
    counts. Lives as long as the references of the object.
    @par Upstream apimachinery v0.31.3 `pkg/apis/meta/v1/controller_ref.go`, `GetControllerOf` */
inline owner_reference const* controller_of(object_meta const& meta) noexcept {
    for (auto const& owner : meta.owner_references)
        if (owner.controller.value_or(false)) return &owner;
    return nullptr;
}

/// Returns whether the object with this uid is the controller.
inline bool is_controlled_by(object_meta const& meta, std::string_view uid) noexcept {
    auto const* const owner = controller_of(meta);
    return owner != nullptr && owner->uid == uid;
}

/** Returns whether an object has a finalizer. A server keeps a deleted object, with `deletion_timestamp` set, until it
    has no finalizer left. */
inline bool has_finalizer(object_meta const& meta, std::string_view finalizer) noexcept {
    return std::ranges::find(meta.finalizers, finalizer) != meta.finalizers.end();
}
/// Adds a finalizer unless the object has it; returns whether it was added. Servers reject new finalizers of an object
/// that is being deleted (422), and, for built-in kinds, names without a domain: use a name such as
/// `example.com/cleanup`.
inline bool add_finalizer(object_meta& meta, std::string_view finalizer) {
    if (has_finalizer(meta, finalizer)) return false;
    meta.finalizers.emplace_back(finalizer);
    return true;
}
/// Removes a finalizer; returns whether the object had it.
inline bool remove_finalizer(object_meta& meta, std::string_view finalizer) {
    return std::erase(meta.finalizers, finalizer) != 0;
}

} // namespace kftrain

#endif
