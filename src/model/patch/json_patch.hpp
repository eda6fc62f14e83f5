#ifndef KFTRAIN_SRC_MODEL_PATCH_JSON_PATCH_HPP
#define KFTRAIN_SRC_MODEL_PATCH_JSON_PATCH_HPP

#include "model/json/json_document.hpp"

namespace kftrain::detail {

/// By whose rules a JSON patch is applied.
enum class patch_dialect {
    rfc, ///< RFC 6902
    /** Those of API servers, which differ: `replace` adds a member that is missing, `copy` and `test` take it for null, and so they all
        do a value that is missing; indexes may have a sign and leading zeros, and count from the end if they are negative; numbers
        are equal only as they are written; `~` stands for itself unless 0 or 1 follows; only `replace` and `test` reach the whole
        document; of a path that does not start with `/`, what stands before the first one is ignored.
        @par Upstream gopkg.in/evanphx/json-patch.v4 v4.12.0 `patch.go` */
    server
};

inline constexpr std::size_t most_operations = 10000;

/// Applies the operations in their order. Throws patch_refused, upon which the target is of no use.
void run_json_patch(boost::json::value& target, boost::json::value const& patch, patch_dialect = patch_dialect::rfc);

} // namespace kftrain::detail

#endif
