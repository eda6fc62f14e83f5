#ifndef KFTRAIN_SRC_MODEL_RULES_CONTROLLER_OF_HPP
#define KFTRAIN_SRC_MODEL_RULES_CONTROLLER_OF_HPP

#include <kftrain/model/meta.hpp>
#include <kftrain/model/resource.hpp>

#include <string_view>

namespace kftrain {

/** The controller of an object, or null. Servers refuse a second one; where there are two all the same, the first counts.
    Lives as long as the references of the object.
    @par Upstream apimachinery v0.31.3 `pkg/apis/meta/v1/controller_ref.go`, `GetControllerOf` */
inline owner_reference const* controller_of(object_meta const& meta) noexcept {
    for (auto const& owner : meta.owner_references)
        if (owner.controller.value_or(false)) return &owner;
    return nullptr;
}

/** The reference by which an object names its controller, whose deletion waits for it.
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

/// Whether the object of this uid is the controller.
inline bool is_controlled_by(object_meta const& meta, std::string_view uid) noexcept {
    auto const* const owner = controller_of(meta);
    return owner != nullptr && owner->uid == uid;
}

} // namespace kftrain

#endif
