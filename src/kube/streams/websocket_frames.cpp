#include "kube/streams/websocket_frames.hpp"

#include "base/sha1.hpp"
#include "model/scalars/base64.hpp"

#include <algorithm>
#include <charconv>
#include <random>

namespace kftrain::kube::detail {
namespace {

constexpr std::size_t longest_control = 125;
constexpr std::uint16_t protocol_error = 1002;
constexpr std::uint16_t too_big = 1009;

void apply(frame_mask const& mask, char* bytes, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(bytes[i] ^ static_cast<char>(mask[i % 4]));
}

bool is_control(frame_type type) { return type >= frame_type::close; }

/// Whether the payload of a close frame is empty or begins with a code that peers may send (RFC 6455, 7.4).
bool is_close_payload(std::string_view payload) {
    if (payload.size() < 2) return payload.empty();
    auto const code = static_cast<unsigned char>(payload[0]) << 8 | static_cast<unsigned char>(payload[1]);
    bool const is_reserved = code == 1004 || code == 1005 || code == 1006 || code == 1015;
    return code >= 1000 && code < 5000 && !is_reserved;
}

bool is_known(unsigned opcode) { return opcode <= 2 || (opcode >= 8 && opcode <= 10); }

} // namespace

std::string write_frame(frame_type type, std::string_view payload, std::optional<frame_mask> mask) {
    std::string out;
    out.reserve(payload.size() + 14);
    out += static_cast<char>(0x80U | static_cast<unsigned>(type));
    unsigned const masked = mask ? 0x80U : 0;
    std::size_t extended = 0;
    if (payload.size() < 126) {
        out += static_cast<char>(masked | payload.size());
    } else if (payload.size() <= 0xffff) {
        out += static_cast<char>(masked | 126U);
        extended = 2;
    } else {
        out += static_cast<char>(masked | 127U);
        extended = 8;
    }
    for (std::size_t i = extended; i-- > 0;)
        out += static_cast<char>(static_cast<std::uint64_t>(payload.size()) >> (8 * i) & 0xffU);
    if (mask) out.append(mask->begin(), mask->end());
    auto const begin = out.size();
    out += payload;
    if (mask) apply(*mask, out.data() + begin, payload.size());
    return out;
}

std::string close_payload(std::uint16_t code, std::string_view text) {
    std::string out{static_cast<char>(code >> 8U), static_cast<char>(code & 0xffU)};
    return out.append(text.substr(0, longest_control - 2));
}

std::nullopt_t websocket_parser::fail(std::uint16_t code) {
    fault_ = code;
    buffer_.clear();
    begin_ = 0;
    return std::nullopt;
}

std::optional<websocket_parser::frame> websocket_parser::next_frame() {
    auto const at = [&](std::size_t i) { return static_cast<unsigned char>(buffer_[begin_ + i]); };
    auto const available = buffer_.size() - begin_;
    if (available < 2) return std::nullopt;
    unsigned const opcode = at(0) & 0x0fU;
    bool const masked = (at(1) & 0x80U) != 0;
    std::uint64_t size = at(1) & 0x7fU;
    // No extension was agreed upon, so that the reserved bits must be zero.
    if ((at(0) & 0x70U) != 0 || !is_known(opcode) || masked != (role_ == connection_role::server))
        return fail(protocol_error);
    frame f;
    f.type = static_cast<frame_type>(opcode);
    f.last = (at(0) & 0x80U) != 0;
    if (is_control(f.type) && (!f.last || size > longest_control)) return fail(protocol_error);
    std::size_t const extended = size == 126 ? 2 : size == 127 ? 8 : 0;
    std::size_t const head = 2 + extended + (masked ? 4 : 0);
    if (available < head) return std::nullopt;
    if (extended != 0) size = 0;
    for (std::size_t i = 0; i < extended; ++i) size = size << 8U | at(2 + i);
    auto const before = goes_on_ ? begun_.payload.size() : 0;
    if (size > limit_ || (!is_control(f.type) && before + size > limit_)) return fail(too_big);
    if (available - head < size) return std::nullopt;
    f.payload = buffer_.substr(begin_ + head, static_cast<std::size_t>(size));
    if (masked) apply({at(head - 4), at(head - 3), at(head - 2), at(head - 1)}, f.payload.data(), f.payload.size());
    begin_ += head + static_cast<std::size_t>(size);
    if (f.type == frame_type::close && !is_close_payload(f.payload)) return fail(protocol_error);
    return f;
}

std::optional<websocket_message> websocket_parser::next() {
    while (fault_ == 0) {
        auto f = next_frame();
        if (!f) return std::nullopt;
        if (is_control(f->type)) {
            websocket_message control;
            control.type = f->type;
            control.payload = std::move(f->payload);
            return control;
        }
        if (goes_on_ != (f->type == frame_type::continuation)) return fail(protocol_error);
        if (!goes_on_) begun_.type = f->type;
        begun_.payload += f->payload;
        goes_on_ = !f->last;
        if (f->last) return std::exchange(begun_, websocket_message());
    }
    return std::nullopt;
}

std::string make_websocket_key() {
    std::random_device system;
    std::string bytes;
    while (bytes.size() < 16) bytes += static_cast<char>(system());
    return base64_encode(bytes);
}

std::string websocket_accept(std::string_view key) {
    auto const digits = sha1_hex(std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11");
    std::string bytes;
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
        unsigned value = 0;
        std::from_chars(digits.data() + i, digits.data() + i + 2, value, 16);
        bytes += static_cast<char>(value);
    }
    return base64_encode(bytes);
}

} // namespace kftrain::kube::detail
