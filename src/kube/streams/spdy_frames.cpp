#include "kube/streams/spdy_frames.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <utility>

namespace kftrain::kube::detail {
namespace {

constexpr std::size_t head_size = 8;
constexpr std::size_t control_limit = 16 * 1024; ///< of the payload of a control frame
constexpr std::size_t fields_limit = 64 * 1024;  ///< of a header block, decompressed
constexpr std::size_t most_fields = 100;
constexpr unsigned fin = 1;
constexpr unsigned version = 3;
constexpr std::uint32_t id_mask = 0x7fffffff;

std::uint32_t number_at(std::string_view text, std::size_t at, std::size_t bytes = 4) {
    std::uint32_t n = 0;
    for (std::size_t i = 0; i < bytes; ++i) n = n << 8U | static_cast<unsigned char>(text[at + i]);
    return n;
}

void add_number(std::string& to, std::uint32_t n, std::size_t bytes = 4) {
    for (std::size_t i = bytes; i-- > 0;) to += static_cast<char>(n >> (8 * i) & 0xffU);
}

std::string control(spdy_type type, unsigned flags, std::string_view payload) {
    std::string out;
    add_number(out, 0x8000U | version, 2);
    add_number(out, static_cast<std::uint32_t>(type), 2);
    add_number(out, flags, 1);
    add_number(out, static_cast<std::uint32_t>(payload.size()), 3);
    return out.append(payload);
}

/// The bytes before the header block.
std::size_t prefix_of(spdy_type type) { return type == spdy_type::syn_stream ? 10 : 4; }

/// Whether the payload of a control frame can have this size.
bool is_possible(spdy_type type, std::size_t size) {
    switch (type) {
    case spdy_type::syn_stream:
    case spdy_type::syn_reply:
    case spdy_type::headers: return size >= prefix_of(type);
    case spdy_type::rst_stream:
    case spdy_type::goaway:
    case spdy_type::window_update: return size == 8;
    case spdy_type::ping: return size == 4;
    case spdy_type::settings: return size >= 4;
    case spdy_type::data: break;
    }
    return true;
}

} // namespace

std::nullopt_t spdy_parser::fail() {
    fault_ = true;
    buffer_.clear();
    begin_ = 0;
    return std::nullopt;
}

std::optional<spdy_frame> spdy_parser::next_data() {
    auto const size = std::min(data_left_, buffer_.size() - begin_);
    if (size == 0 && data_left_ != 0) return std::nullopt;
    spdy_frame piece;
    piece.id = data_->id;
    piece.data = buffer_.substr(begin_, size);
    begin_ += size;
    data_left_ -= size;
    if (data_left_ != 0) return piece;
    piece.last = data_->last;
    data_.reset();
    return piece;
}

std::optional<spdy_frame> spdy_parser::next() {
    while (!fault_) {
        if (data_) return next_data();
        auto const rest = std::string_view(buffer_).substr(begin_);
        if (rest.size() < head_size) return std::nullopt;
        auto const first = number_at(rest, 0);
        auto const flags = number_at(rest, 4, 1);
        std::size_t const size = number_at(rest, 5, 3);
        if ((first & 0x80000000U) == 0) {
            data_.emplace();
            data_->id = first;
            data_->last = (flags & fin) != 0;
            data_left_ = size;
            begin_ += head_size;
            continue;
        }
        if ((first >> 16U & 0x7fffU) != version || size > control_limit) return fail();
        if (rest.size() < head_size + size) return std::nullopt;
        auto const type = static_cast<std::uint16_t>(first & 0xffffU);
        auto frame = read_control(type, flags, rest.substr(head_size, size));
        if (fault_) return std::nullopt;
        begin_ += head_size + size;
        if (frame) return frame;
    }
    return std::nullopt;
}

std::optional<spdy_frame> spdy_parser::read_control(std::uint16_t type, unsigned flags, std::string_view payload) {
    spdy_frame f;
    f.type = static_cast<spdy_type>(type);
    if (type == 0 || !is_possible(f.type, payload.size())) return fail();
    switch (f.type) {
    case spdy_type::syn_stream:
    case spdy_type::syn_reply:
    case spdy_type::headers:
        f.id = number_at(payload, 0) & id_mask;
        f.last = (flags & fin) != 0;
        if (!read_fields(payload.substr(prefix_of(f.type)), f.fields)) return fail();
        return f;
    case spdy_type::rst_stream:
        f.id = number_at(payload, 0) & id_mask;
        f.status = number_at(payload, 4);
        return f;
    case spdy_type::ping: f.id = number_at(payload, 0); return f;
    case spdy_type::goaway: f.status = number_at(payload, 4); return f;
    case spdy_type::settings:
    case spdy_type::window_update:
    case spdy_type::data: break;
    }
    return std::nullopt;
}

bool spdy_parser::read_fields(std::string_view block, http_fields& into) {
    std::string text;
    if (!inflater_.unpack(block, text, fields_limit)) return false;
    std::string_view rest = text;
    auto const take = [&](std::string_view& part) {
        if (rest.size() < 4) return false;
        auto const size = number_at(rest, 0);
        rest.remove_prefix(4);
        if (rest.size() < size) return false;
        part = rest.substr(0, size);
        rest.remove_prefix(size);
        return true;
    };
    if (rest.size() < 4) return false;
    auto const count = number_at(rest, 0);
    rest.remove_prefix(4);
    if (count > most_fields) return false;
    for (std::uint32_t i = 0; i < count; ++i) {
        std::string_view name, values;
        if (!take(name) || name.empty() || !take(values)) return false;
        for (bool more = true; more;) { // a NUL byte separates the values of a name
            auto const end = values.find('\0');
            more = end != std::string_view::npos;
            into.add(std::string(name), std::string(values.substr(0, end)));
            if (more) values.remove_prefix(end + 1);
        }
    }
    return rest.empty();
}

std::string spdy_writer::block(http_fields const& fields) {
    std::string text;
    std::uint32_t count = 0;
    for (auto const& [name, value] : fields) {
        ++count;
        add_number(text, static_cast<std::uint32_t>(name.size()));
        text += to_lower(name);
        add_number(text, static_cast<std::uint32_t>(value.size()));
        text += value;
    }
    std::string head;
    add_number(head, count);
    text.insert(0, head);
    // A deflate block that is stored as it is, and an empty one: at that, decompressors return what they have.
    std::string out = std::exchange(begun_, true) ? "" : "\x78\x01";
    auto const add = [&](std::uint16_t n) {
        out += static_cast<char>(n & 0xffU);
        out += static_cast<char>(n >> 8U);
    };
    auto const size = static_cast<std::uint16_t>(text.size());
    out += '\0';
    add(size);
    add(static_cast<std::uint16_t>(~size));
    return out.append(text).append("\0\0\0\xff\xff", 5);
}

std::string spdy_writer::syn_stream(std::uint32_t id, http_fields const& fields, bool last) {
    std::string payload;
    add_number(payload, id);
    add_number(payload, 0); // associated with no stream
    add_number(payload, 0, 2);
    return control(spdy_type::syn_stream, last ? fin : 0, payload + block(fields));
}

std::string spdy_writer::syn_reply(std::uint32_t id, http_fields const& fields) {
    std::string payload;
    add_number(payload, id);
    return control(spdy_type::syn_reply, 0, payload + block(fields));
}

std::string spdy_writer::data(std::uint32_t id, std::string_view bytes, bool last) {
    std::string out;
    add_number(out, id);
    add_number(out, last ? fin : 0, 1);
    add_number(out, static_cast<std::uint32_t>(bytes.size()), 3);
    return out.append(bytes);
}

std::string spdy_writer::rst_stream(std::uint32_t id, spdy_reset status) {
    std::string payload;
    add_number(payload, id);
    add_number(payload, static_cast<std::uint32_t>(status));
    return control(spdy_type::rst_stream, 0, payload);
}

std::string spdy_writer::ping(std::uint32_t id) {
    std::string payload;
    add_number(payload, id);
    return control(spdy_type::ping, 0, payload);
}

} // namespace kftrain::kube::detail
