#ifndef KFTRAIN_SRC_APISERVER_DEFINITIONS_CRD_SCHEMA_HPP
#define KFTRAIN_SRC_APISERVER_DEFINITIONS_CRD_SCHEMA_HPP

#include "apiserver/json/json_access.hpp"
#include "base/is_one_of.hpp"
#include "model/schema/field_faults.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

// How the schemas of definitions are walked through, as parsed JSON.
namespace kftrain::apiserver::crd_schemas {

using path_text = std::string;

inline json::value const* find(json::object const& o, std::string_view name) { return o.if_contains(key(name)); }
inline std::string_view view_of(json::string_view s) noexcept { return {s.data(), s.size()}; }

/// Visits the named subschemas of `properties` and the like.
template <class F> void each_named(json::object const& schema, std::string_view keyword, path_text const& path, F f) {
    if (auto const* map = object_in(schema, keyword))
        for (auto const& [name, sub] : *map)
            f(sub, path + "." + std::string(keyword) + "[" + std::string(name) + "]", view_of(name));
}

template <class F> void each_of(json::object const& schema, std::string_view keyword, path_text const& path, F f) {
    if (auto const* list = array_in(schema, keyword))
        for (std::size_t i = 0; i < list->size(); ++i)
            f((*list)[i], path + "." + std::string(keyword) + "[" + std::to_string(i) + "]", i);
}

/// The keywords whose subschemas restrict values.
inline constexpr std::array<std::string_view, 4> junctors{"allOf", "anyOf", "oneOf", "not"};

/** Checks the rules that hold for every schema, also below junctors.
    @param root Whether the schema is that of the whole object */
void check_open_api(json::value const& schema, std::string const& path, bool root, field_faults&);

} // namespace kftrain::apiserver::crd_schemas

namespace kftrain::apiserver {

/** Finds what keeps a schema from being structural, and what no schema of a definition may contain.
    @param path The path of the schema, as `spec.validation.openAPIV3Schema`
    @param has_status Whether a version that uses the schema has the subresource `status`
    @par Upstream apiextensions-apiserver `pkg/apiserver/schema/{validation,complete}.go` and
    `pkg/apis/apiextensions/validation/validation.go`, v0.31 */
void check_crd_schema(json::value const& schema, bool has_status, std::string const& path, field_faults&);

} // namespace kftrain::apiserver

#endif
