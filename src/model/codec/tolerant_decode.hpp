#ifndef KFTRAIN_SRC_MODEL_CODEC_TOLERANT_DECODE_HPP
#define KFTRAIN_SRC_MODEL_CODEC_TOLERANT_DECODE_HPP

#include "model/codec/document_reader.hpp"

namespace kftrain::detail {

/// Accepts unknown fields, and refuses repeated ones, because one of them would be lost.
inline result<void> decode_tolerantly(document_reader& document, model::descriptor const& type, void* target) {
    std::vector<failure> found;
    decode_options options;
    options.strict = true;
    options.found = &found;
    auto r = document.decode(type, target, options);
    for (auto const& f : found)
        if (f.code != errc::unknown_field) return f;
    if (!r && r.error().code != errc::unknown_field) return r;
    return {};
}

} // namespace kftrain::detail

#endif
