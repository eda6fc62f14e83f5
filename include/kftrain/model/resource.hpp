#ifndef KFTRAIN_MODEL_RESOURCE_HPP
#define KFTRAIN_MODEL_RESOURCE_HPP

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace kftrain {

namespace meta {
struct object_meta;

/// What happens to the objects that a deleted one owns.
enum class deletion_propagation : std::uint8_t { orphan, background, foreground };
} // namespace meta

/// Where the objects of a type live.
enum class resource_scope { namespaced, cluster };

/// How an API server names one kind of object.
struct resource_info {
    constexpr resource_info() = default;
    constexpr resource_info(std::string_view g, std::string_view v, std::string_view k, std::string_view p,
                            resource_scope w = resource_scope::namespaced, bool l = false)
        : group(g), version(v), kind(k), plural(p), where(w), list(l) {}

    std::string_view group; ///< empty for the core group
    std::string_view version;
    std::string_view kind;
    std::string_view plural; ///< lower case, as in URLs
    resource_scope where = resource_scope::namespaced;
    bool list = false; ///< describes the list of the kind, whose wire kind has `List` appended

    /// `group/version`, or `version` alone for the core group.
    std::string api_version() const {
        return group.empty() ? std::string(version) : std::string(group).append("/").append(version);
    }
};

/// A type that an API server stores: it has metadata and says how it is named, in a static member `resource`.
template <class T>
concept resource = requires(T& t) {
    { T::resource.kind } -> std::convertible_to<std::string_view>;
    { t.metadata } -> std::same_as<meta::object_meta&>;
};

} // namespace kftrain

#endif
