#ifndef KFTRAIN_SRC_MODEL_JSON_OBJECT_SKIP_HPP
#define KFTRAIN_SRC_MODEL_JSON_OBJECT_SKIP_HPP

#include <cstddef>
#include <cstdint>

namespace kftrain::detail {

/// How many bytes are compared at once: SSE2, which every x86-64 has, AVX2, AVX-512.
enum class skip_width : std::uint8_t { bytes_16, bytes_32, bytes_64 };

/// The widest that this processor has.
skip_width widest_skip() noexcept;

/** Skips an object that contains only objects and plain strings, without white space, as the `fieldsV1` of server-side
    apply do. It reads 64 bytes at a time, and checks all rules of the grammar on bit masks. `p` is at the opening
    bracket.
    @return behind the closing bracket; null when the object is malformed, nests deeper than `levels`, holds something
    else, or ends in the last 64 bytes of the text: the caller then looks at each byte. */
char const* skip_object_of_names(char const* p, char const* end, std::size_t levels,
                                 skip_width width = widest_skip()) noexcept;

} // namespace kftrain::detail

#endif
