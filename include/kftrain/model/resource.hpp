#ifndef KFTRAIN_MODEL_RESOURCE_HPP
#define KFTRAIN_MODEL_RESOURCE_HPP

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace kftrain {

namespace meta {
struct object_meta;

/// Treatment of the objects that a deleted object owns: `orphan` keeps them, `background` deletes them afterwards,
/// `foreground` before the owner disappears.
enum class deletion_propagation : std::uint8_t { orphan, background, foreground };

/// Treatment of unknown or duplicate fields of a written object by the server. It never stores unknown ones, unless the
/// schema of the kind keeps them.
enum class field_validation : std::uint8_t {
    ignore, ///< accepted without a warning
    warn,   ///< each gives a warning
    strict  ///< the request is rejected
};
} // namespace meta

/// The scope of the objects of a type.
enum class resource_scope { namespaced, cluster };

/// The names that an API server uses for one kind of object.
struct resource_info {
    constexpr resource_info() = default;
    constexpr resource_info(std::string_view g, std::string_view v, std::string_view k, std::string_view p,
                            resource_scope w = resource_scope::namespaced, bool l = false)
        : group(g), version(v), kind(k), plural(p), where(w), list(l) {}

    std::string_view group;                            ///< empty for the core group
    std::string_view version;                          ///< e.g. `v1`
    std::string_view kind;                             ///< e.g. `PyTorchJob`
    std::string_view plural;                           ///< lower case, as in URLs
    resource_scope where = resource_scope::namespaced; ///< whether the objects belong to namespaces
    bool list = false;                                 ///< the list of the kind, whose wire kind has `List` appended

    /// Returns `group/version`, or `version` alone for the core group.
    std::string api_version() const {
        return group.empty() ? std::string(version) : std::string(group).append("/").append(version);
    }
};

/// A type that an API server stores: it has metadata, and a static member `resource` with its names.
template <class T>
concept resource = requires(T& t) {
    { T::resource.kind } -> std::convertible_to<std::string_view>;
    { t.metadata } -> std::same_as<meta::object_meta&>;
};

} // namespace kftrain

#endif
