#ifndef KFTRAIN_SRC_BASE_FILE_BYTES_HPP
#define KFTRAIN_SRC_BASE_FILE_BYTES_HPP

#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <unistd.h>

namespace kftrain {

/// Writes the whole text, or returns the error number.
inline int write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        auto const n = ::write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    return 0;
}

/// Appends what there is up to the end of a file or pipe, or returns the error number.
inline int read_all(int fd, std::string& out) {
    std::array<char, std::size_t{64} * 1024> piece{};
    for (;;) {
        auto const n = ::read(fd, piece.data(), piece.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 ? errno : 0;
        out.append(piece.data(), static_cast<std::size_t>(n));
    }
}

} // namespace kftrain

#endif
