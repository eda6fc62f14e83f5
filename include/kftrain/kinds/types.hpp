#ifndef KFTRAIN_KINDS_TYPES_HPP
#define KFTRAIN_KINDS_TYPES_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/document.hpp>
#include <kftrain/model/object_type.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/// Returns every type that kftrain models: job kinds, their lists, and those of object_types().
std::span<object_type const* const> known_types() noexcept;

/// Returns the type of this apiVersion (`group/version`, `v1`) and kind, or null.
object_type const* find_type(std::string_view api_version, std::string_view kind) noexcept;

/// The `List` of `v1`, as `kubectl get` prints it: objects of any types, each with its own apiVersion and kind.
struct mixed_list {
    mixed_list() = default;

    static constexpr resource_info resource{"", "v1", "", "", resource_scope::namespaced, true};

    meta::list_meta metadata;    ///< resource version and token for the next page; usually empty
    std::vector<raw_json> items; ///< each object as JSON
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(mixed_list, (metadata, items))

/** Reads apiVersion and kind of a YAML or JSON document, nothing else.
    @par Errors Those of decode_yaml(). */
[[nodiscard]] result<document_type> type_of_document(std::string_view text, decode_options const& options = {});

} // namespace kftrain

#endif
