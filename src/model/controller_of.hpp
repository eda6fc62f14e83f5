#ifndef KFTRAIN_SRC_MODEL_CONTROLLER_OF_HPP
#define KFTRAIN_SRC_MODEL_CONTROLLER_OF_HPP

#include <kftrain/model/meta.hpp>

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

/// Whether the object of this uid is the controller.
inline bool is_controlled_by(object_meta const& meta, std::string_view uid) noexcept {
    auto const* const owner = controller_of(meta);
    return owner != nullptr && owner->uid == uid;
}

} // namespace kftrain

#endif
