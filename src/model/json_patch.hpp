#ifndef KFTRAIN_SRC_MODEL_JSON_PATCH_HPP
#define KFTRAIN_SRC_MODEL_JSON_PATCH_HPP

#include "model/json_document.hpp"

namespace kftrain::detail {

/// Applies the operations of RFC 6902. Throws patch_refused, upon which the target is of no use.
void run_json_patch(boost::json::value& target, boost::json::value const& patch);

} // namespace kftrain::detail

#endif
