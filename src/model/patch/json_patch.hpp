#ifndef KFTRAIN_SRC_MODEL_PATCH_JSON_PATCH_HPP
#define KFTRAIN_SRC_MODEL_PATCH_JSON_PATCH_HPP

#include "model/json/json_document.hpp"

namespace kftrain::detail {

/// The rules by which a JSON patch is applied.
enum class patch_dialect {
    rfc, ///< RFC 6902
    /** The rules of API servers, which differ: `replace` adds a missing member; `copy` and `test` treat a missing
        member as null, and all operations treat a missing value as null; indexes may have a sign and leading zeros, and
        count from the end if they are negative; numbers are equal only if their texts are; `~` stands for itself unless
        0 or 1 follows; only `replace` and `test` can address the whole document; in a path that does not start with
        `/`, the text before the first `/` is ignored.
        @par Upstream gopkg.in/evanphx/json-patch.v4 v4.12.0 `patch.go` */
    server
};

inline constexpr std::size_t most_operations = 10000;

/// Applies the operations in their order. Throws patch_refused, upon which the target is of no use.
void run_json_patch(boost::json::value& target, boost::json::value const& patch, patch_dialect = patch_dialect::rfc);

} // namespace kftrain::detail

#endif
