#ifndef KFTRAIN_SRC_BASE_UTF16_HPP
#define KFTRAIN_SRC_BASE_UTF16_HPP

#include <cstdint>
#include <string>

namespace kftrain::detail {

/// Appends the UTF-8 form of a character.
void append_utf8(std::uint32_t c, std::string& out);

/** Converts a text in UTF-16 that begins with a byte order mark, as editors and shells of Windows write it, to UTF-8.
    Returns any other text unchanged.
    @par Upstream kubectl (cli-runtime `pkg/resource/visitor.go`) for manifests; go-yaml, which client-go reads
    kubeconfigs with */
std::string decode_utf16(std::string text);

} // namespace kftrain::detail

#endif
