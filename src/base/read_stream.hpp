#ifndef KFTRAIN_SRC_BASE_READ_STREAM_HPP
#define KFTRAIN_SRC_BASE_READ_STREAM_HPP

#include "base/utf8.hpp"

#include <kftrain/base/error.hpp>

#include <array>
#include <cerrno>
#include <cstddef>
#include <istream>
#include <string>
#include <utility>

namespace kftrain::detail {

/// Servers take objects of a few megabytes at most.
inline constexpr std::size_t file_limit = std::size_t(64) * 1024 * 1024;

/// Reads all that a stream of manifests holds, as UTF-8. Set errno to 0 before the stream is opened.
/// @par Errors `errc::too_large` beyond file_limit; the system's code.
inline error_code read_stream(std::istream& in, std::string& text) {
    std::array<char, 16384> piece;
    while (in.read(piece.data(), piece.size()) || in.gcount() > 0) {
        text.append(piece.data(), static_cast<std::size_t>(in.gcount()));
        if (text.size() > file_limit) return make_error_code(errc::too_large);
    }
    // A folder can be opened; reading it fails.
    if (in.eof() && !in.bad()) {
        text = decode_utf16(std::move(text));
        return {};
    }
    return error_code(errno != 0 ? errno : EIO, boost::system::system_category());
}

} // namespace kftrain::detail

#endif
