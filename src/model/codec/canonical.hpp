#ifndef KFTRAIN_SRC_MODEL_CODEC_CANONICAL_HPP
#define KFTRAIN_SRC_MODEL_CODEC_CANONICAL_HPP

#include <kftrain/model/detail/descriptor_table.hpp>

namespace kftrain::detail {

/// Changes every quantity within the value to its canonical form in an API server. Unknown fields stay.
void make_canonical(model::descriptor const& type, void* value);

} // namespace kftrain::detail

#endif
