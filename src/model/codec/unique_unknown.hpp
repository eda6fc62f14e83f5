#ifndef KFTRAIN_SRC_MODEL_CODEC_UNIQUE_UNKNOWN_HPP
#define KFTRAIN_SRC_MODEL_CODEC_UNIQUE_UNKNOWN_HPP

#include <kftrain/model/raw_json.hpp>

namespace kftrain::detail {

/// Drops all but the last field of each name, in n log n: `set()` for each would take a hostile text quadratic time.
void keep_last_of_each_name(unknown_fields& fields);
/// Equality without regard to order, in n log n. Names are unique.
bool same_unknown(unknown_fields const& a, unknown_fields const& b);
/// The fields sorted by name.
std::vector<unknown_fields::value_type const*> sorted_unknown(unknown_fields const& fields);

} // namespace kftrain::detail

#endif
