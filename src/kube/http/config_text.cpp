#include "kube/http/config_text.hpp"

#include "base/whole_number.hpp"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

namespace kftrain::kube::detail {
namespace {

/// A file that is open.
class opened_file {
public:
    // Opening a pipe would block until a program writes, and a terminal would become that of this process.
    explicit opened_file(char const* name)
        : fd_(::open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)), error_(fd_ < 0 ? errno : 0) {}
    opened_file(opened_file const&) = delete;
    opened_file& operator=(opened_file const&) = delete;
    ~opened_file() {
        if (fd_ >= 0) ::close(fd_);
    }

    /// Why it is not to be read; empty if it is.
    std::string fault() const {
        struct stat found{};
        if (fd_ < 0) return std::generic_category().message(error_);
        if (::fstat(fd_, &found) != 0) return std::generic_category().message(errno);
        if (S_ISDIR(found.st_mode)) return std::generic_category().message(EISDIR);
        return S_ISREG(found.st_mode) ? "" : "not a regular file";
    }
    /// Negative if it cannot be read.
    ssize_t read(char* into, std::size_t size) const noexcept {
        ssize_t n = 0;
        while ((n = ::read(fd_, into, size)) < 0 && errno == EINTR) {}
        return n;
    }

private:
    int fd_;
    int error_;
};

bool is_control(char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }
bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

/// How many bytes at the front are one character of UTF-8; 0 if they are none. `value`: which.
std::size_t character(std::string_view s, std::uint32_t& value) {
    auto const byte = [&](std::size_t i) -> std::uint32_t { return static_cast<unsigned char>(s[i]); };
    value = byte(0);
    if (value < 0x80) return 1;
    std::size_t const size = value >= 0xf0 && value < 0xf8 ? 4 : value >= 0xe0 ? 3 : 2;
    if (value < 0xc2 || value >= 0xf8 || s.size() < size) return 0;
    value &= 0x7fU >> size;
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0U) != 0x80) return 0;
        value = value << 6U | (byte(i) & 0x3fU);
    }
    bool const overlong = (size == 3 && value < 0x800) || (size == 4 && value < 0x10000);
    bool const surrogate = value >= 0xd800 && value < 0xe000;
    return overlong || surrogate || value > 0x10ffff ? 0 : size;
}

} // namespace

failure config_fault(std::string path, std::string message, errc code) {
    diagnostics d;
    d.path = std::move(path);
    d.message = std::move(message);
    return {code, std::move(d)};
}

std::string without_blanks(std::string_view s) {
    constexpr std::string_view blanks = " \t\r\n\v\f";
    auto const begin = s.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return std::string(s.substr(begin, s.find_last_not_of(blanks) - begin + 1));
}

std::string plain(std::string_view text) {
    std::string out;
    auto const trimmed = without_blanks(text);
    for (std::string_view rest = trimmed; !rest.empty();) {
        std::uint32_t value = 0;
        auto const size = character(rest, value);
        bool const control = value < 0x20 || (value >= 0x7f && value < 0xa0);
        if (size == 0)
            out += '?';
        else
            out.append(control ? std::string_view(" ") : rest.substr(0, size));
        rest.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return out;
}

result<std::string> content_of(std::filesystem::path const& file, std::size_t limit) {
    if (file.native().find('\0') != std::string::npos) return config_fault("", "its name contains a NUL character");
    opened_file const in(file.c_str());
    if (auto fault = in.fault(); !fault.empty()) return config_fault("", std::move(fault));
    std::string text;
    constexpr std::size_t piece = 16 * 1024; // the size that the system reports may be 0, or change
    for (std::size_t size = 0; size <= limit;) {
        text.resize(size + piece);
        auto const n = in.read(text.data() + size, piece);
        if (n < 0) return config_fault("", std::generic_category().message(errno));
        size += static_cast<std::size_t>(n);
        text.resize(size);
        if (n == 0) return text;
    }
    return config_fault("", "larger than " + std::to_string(limit) + " bytes");
}

result<void> refuse_nul(std::string const& path, std::string_view text) {
    if (text.find('\0') != std::string_view::npos) return config_fault(path, "contains a NUL character");
    return {};
}

result<void> refuse_controls(std::string const& path, std::string_view text) {
    if (std::any_of(text.begin(), text.end(), is_control)) return config_fault(path, "contains a control character");
    return {};
}

result<void> refuse_unsendable(std::string const& path, std::string_view text) {
    if (std::any_of(text.begin(), text.end(), [](char c) { return is_control(c) && c != '\t'; }))
        return config_fault(path, "contains a control character, perhaps a line break");
    return {};
}

bool is_port(std::string_view digits) {
    auto const number = read_whole_number<std::uint16_t>(digits);
    return number && *number != 0;
}

bool is_host(std::string_view text) {
    bool const ipv6 = text.find(':') != std::string_view::npos;
    std::string_view const marks = ipv6 ? ":.%-_" : ".-_";
    return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
        return is_letter_or_digit(c) || marks.find(c) != std::string_view::npos;
    });
}

} // namespace kftrain::kube::detail
