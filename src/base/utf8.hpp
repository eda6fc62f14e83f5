#ifndef KFTRAIN_SRC_BASE_UTF8_HPP
#define KFTRAIN_SRC_BASE_UTF8_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace kftrain::detail {

/// Length of the well-formed UTF-8 sequence that starts at `p`, 0 if there is none; `p` is not `end`.
std::size_t utf8_sequence(char const* p, char const* end) noexcept;
/// Offset of the first byte that is no well-formed UTF-8, or npos.
std::size_t find_invalid_utf8(std::string_view s) noexcept;

/// Appends the UTF-8 form of a character.
void append_utf8(std::uint32_t c, std::string& out);

/** Converts a text in UTF-16 that begins with a byte order mark, as editors and shells of Windows write it, to UTF-8.
    Returns any other text unchanged.
    @par Upstream kubectl (cli-runtime `pkg/resource/visitor.go`) for manifests; go-yaml, which client-go reads
    kubeconfigs with */
std::string decode_utf16(std::string text);

} // namespace kftrain::detail

#endif
