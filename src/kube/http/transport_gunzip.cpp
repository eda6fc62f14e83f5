#include "kube/http/transport_gunzip.hpp"

#include <boost/beast/zlib/error.hpp>
#include <boost/beast/zlib/inflate_stream.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace kftrain::kube::detail {
namespace {

namespace zlib = boost::beast::zlib;

constexpr std::size_t longest_header = 64 * 1024;
constexpr std::size_t trailer_size = 8;

constexpr std::array<std::uint32_t, 256> checksum_table = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < table.size(); ++i) {
        std::uint32_t c = i;
        for (int bit = 0; bit < 8; ++bit) c = (c & 1) != 0 ? 0xEDB88320U ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
    return table;
}();

std::uint32_t extended_checksum(std::uint32_t sum, std::string_view text) {
    sum = ~sum;
    for (char const c : text) sum = checksum_table[(sum ^ static_cast<unsigned char>(c)) & 0xFFU] ^ (sum >> 8);
    return ~sum;
}

std::uint32_t byte_at(std::string_view s, std::size_t i) { return static_cast<unsigned char>(s[i]); }

std::uint32_t number_at(std::string_view s, std::size_t i) {
    return byte_at(s, i) | byte_at(s, i + 1) << 8 | byte_at(s, i + 2) << 16 | byte_at(s, i + 3) << 24;
}

/// The length of the header with which `text` begins: nothing if more is needed, 0 if it is none.
std::optional<std::size_t> header_length(std::string_view text) {
    enum : unsigned { has_checksum = 2, has_extra = 4, has_name = 8, has_comment = 16, reserved = 0xE0 };
    constexpr std::size_t fixed = 10;
    constexpr std::string_view magic("\x1f\x8b\x08", 3); // deflate is the only method there is
    if (text.substr(0, magic.size()) != magic.substr(0, text.size())) return 0;
    if (text.size() < fixed) return {};
    auto const flags = byte_at(text, 3);
    if ((flags & reserved) != 0) return 0;
    std::size_t end = fixed;
    if ((flags & has_extra) != 0) {
        if (text.size() < end + 2) return {};
        end += 2 + (byte_at(text, end) | byte_at(text, end + 1) << 8);
    }
    for (unsigned const named : {has_name, has_comment}) {
        if ((flags & named) == 0) continue;
        auto const zero = text.find('\0', end);
        if (zero == std::string_view::npos) return {};
        end = zero + 1;
    }
    if ((flags & has_checksum) != 0) end += 2;
    if (text.size() < end) return {};
    return end;
}

} // namespace

struct gunzip::state {
    enum class part { header, data, trailer };

    error_code take_header(std::string_view& piece);
    error_code take_data(std::string_view& piece, std::string& out, std::size_t limit);
    error_code take_trailer(std::string_view& piece);

    part at = part::header;
    std::string held; // of a header or trailer that has not come to its end
    zlib::inflate_stream inflater;
    std::uint32_t checksum = 0;
    std::uint32_t size = 0;
    std::size_t members = 0;
    std::array<char, std::size_t(32) * 1024> buffer;
};

error_code gunzip::state::take_header(std::string_view& piece) {
    auto const before = held.size();
    held += piece;
    auto const length = header_length(held);
    if (length == std::size_t(0) || (!length && held.size() > longest_header)) return errc::protocol;
    if (!length) {
        piece = {};
        return {};
    }
    piece.remove_prefix(*length - before);
    held.clear();
    inflater.reset();
    checksum = size = 0;
    at = part::data;
    return {};
}

error_code gunzip::state::take_data(std::string_view& piece, std::string& out, std::size_t limit) {
    zlib::z_params p;
    p.next_in = piece.data();
    p.avail_in = piece.size();
    for (;;) {
        p.next_out = buffer.data();
        p.avail_out = buffer.size();
        boost::system::error_code ec;
        inflater.write(p, zlib::Flush::sync, ec);
        std::string_view const made(buffer.data(), buffer.size() - p.avail_out);
        if (made.size() > limit - out.size()) return errc::too_large;
        out += made;
        checksum = extended_checksum(checksum, made);
        size += static_cast<std::uint32_t>(made.size());
        if (ec == zlib::error::end_of_stream) at = part::trailer;
        if (ec && ec != zlib::error::end_of_stream && ec != zlib::error::need_buffers) return errc::protocol;
        if (ec || (p.avail_in == 0 && p.avail_out != 0)) break;
    }
    piece.remove_prefix(piece.size() - p.avail_in);
    return {};
}

error_code gunzip::state::take_trailer(std::string_view& piece) {
    auto const missing = trailer_size - held.size();
    held += piece.substr(0, missing);
    piece.remove_prefix(std::min(missing, piece.size()));
    if (held.size() < trailer_size) return {};
    bool const right = number_at(held, 0) == checksum && number_at(held, 4) == size;
    held.clear();
    ++members;
    at = part::header;
    return right ? error_code() : make_error_code(errc::protocol);
}

gunzip::gunzip() : state_(std::make_unique<state>()) {}
gunzip::gunzip(gunzip&&) noexcept = default;
gunzip& gunzip::operator=(gunzip&&) noexcept = default;
gunzip::~gunzip() = default;

error_code gunzip::unpack(std::string_view piece, std::string& out, std::size_t limit) {
    while (!piece.empty()) {
        error_code ec;
        switch (state_->at) {
        case state::part::header: ec = state_->take_header(piece); break;
        case state::part::data: ec = state_->take_data(piece, out, limit); break;
        case state::part::trailer: ec = state_->take_trailer(piece); break;
        }
        if (ec) return ec;
    }
    return {};
}

bool gunzip::complete() const noexcept {
    return state_->at == state::part::header && state_->held.empty() && state_->members != 0;
}

} // namespace kftrain::kube::detail
