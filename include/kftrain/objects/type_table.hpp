#ifndef KFTRAIN_OBJECTS_TYPE_TABLE_HPP
#define KFTRAIN_OBJECTS_TYPE_TABLE_HPP

#include <kftrain/model/object_type.hpp>

#include <span>
#include <string_view>

namespace kftrain {

/** Returns every type of object that is not a job kind: those of Kubernetes and of the schedulers, their lists, and
    types with apiVersion and kind that are not stored. find_type() of `kinds/types.hpp` includes job kinds, too. */
std::span<object_type const* const> object_types() noexcept;

/// Returns the one of `types` with this apiVersion (`group/version`, `v1`) and kind, or null.
object_type const* find_object_type(std::span<object_type const* const> types, std::string_view api_version,
                                    std::string_view kind) noexcept;

} // namespace kftrain

#endif
