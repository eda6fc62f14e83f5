#ifndef KFTRAIN_SRC_MODEL_PATCH_JSON_PATCH_HPP
#define KFTRAIN_SRC_MODEL_PATCH_JSON_PATCH_HPP

#include "model/json/json_document.hpp"

namespace kftrain::detail {

/// What a test for null says of a member that is not there.
enum class absent_member { fails, is_null };

inline constexpr std::size_t most_operations = 10000;

/** Applies the operations of RFC 6902, which has absent members fail; API servers take them for null. Throws
    patch_refused, upon which the target is of no use. */
void run_json_patch(boost::json::value& target, boost::json::value const& patch, absent_member = absent_member::fails);

} // namespace kftrain::detail

#endif
