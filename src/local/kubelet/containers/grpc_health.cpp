#include "local/kubelet/containers/grpc_health.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace kftrain::local {
namespace {

enum frame_type : std::uint8_t {
    data_frame = 0,
    headers_frame = 1,
    reset_frame = 3,
    settings_frame = 4,
    ping_frame = 6,
    goaway_frame = 7,
    continuation_frame = 9
};
constexpr std::uint8_t acknowledged = 1, end_of_stream = 1, end_of_headers = 4, padded = 8, prioritized = 32;
constexpr std::size_t frame_head = 9;
constexpr std::size_t largest_frame = 16'384;
constexpr std::size_t most_bytes = 65'536; // of headers or messages; the answer has about a hundred
constexpr std::uint32_t our_stream = 1;

void put_number(std::string& to, std::size_t value, int bytes) {
    while (bytes-- > 0) to += static_cast<char>(value >> (8U * static_cast<unsigned>(bytes)) & 0xffU);
}

std::size_t number_in(std::string_view bytes) {
    std::size_t value = 0;
    for (char const c : bytes) value = value << 8U | static_cast<unsigned char>(c);
    return value;
}

void put_frame(std::string& to, frame_type type, std::uint8_t flags, std::uint32_t stream, std::string_view payload) {
    put_number(to, payload.size(), 3);
    put_number(to, type, 1);
    put_number(to, flags, 1);
    put_number(to, stream, 4);
    to += payload;
}

/// RFC 7541, section 5.1: `first` has the bits above the prefix.
void put_integer(std::string& to, unsigned first, unsigned prefix, std::size_t value) {
    std::size_t const most = (1U << prefix) - 1;
    to += static_cast<char>(first | std::min(value, most));
    if (value < most) return;
    for (value -= most; value >= 0x80; value >>= 7U) to += static_cast<char>(0x80U | (value & 0x7fU));
    to += static_cast<char>(value);
}

/// A field without a place in a table: `index` is that of its name among the static ones, or 0.
void put_field(std::string& to, unsigned index, std::string_view name, std::string_view value) {
    put_integer(to, 0, 4, index);
    if (index == 0) {
        put_integer(to, 0, 7, name.size());
        to += name;
    }
    put_integer(to, 0, 7, value.size());
    to += value;
}

/// The symbols of RFC 7541, appendix B, by the length of their codes. The code is canonical, and those that are left
/// out come after the others of their length.
struct code_length {
    unsigned bits;
    std::string_view symbols;
};
constexpr std::array huffman{code_length{5, "012aceiost"},
                             code_length{6, " %-./3456789=A_bdfghlmnpru"},
                             code_length{7, ":BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz"},
                             code_length{8, "&*,;XZ"},
                             code_length{10, "!\"()?"},
                             code_length{11, "'+|"},
                             code_length{12, "#>"},
                             code_length{13, {"\0$@[]~", 6}},
                             code_length{14, "^}"},
                             code_length{15, "<`{"}};

std::string huffman_decoded(std::string_view bytes) {
    std::string text;
    std::size_t bit = 0;
    auto const next = [&] {
        auto const byte = static_cast<unsigned char>(bytes[bit / 8]);
        return static_cast<unsigned>(byte >> (7U - bit++ % 8) & 1U);
    };
    while (true) {
        unsigned code = 0, length = 0;
        unsigned first = 0; // code of the first symbol of this length
        char const* found = nullptr;
        for (auto const& level : huffman) {
            first <<= level.bits - length;
            while (length < level.bits) {
                if (bit == bytes.size() * 8) return length < 8 ? text : std::string(); // the rest is padding
                code = code << 1U | next();
                ++length;
            }
            if (code >= first && code - first < level.symbols.size()) {
                found = level.symbols.data() + (code - first);
                break;
            }
            first += static_cast<unsigned>(level.symbols.size());
        }
        if (found == nullptr) return {};
        text += *found;
    }
}

class block_reader {
public:
    explicit block_reader(std::string_view block) : rest_(block) {}

    bool empty() const noexcept { return rest_.empty(); }
    unsigned first() const noexcept { return static_cast<unsigned char>(rest_.front()); }
    std::optional<std::size_t> integer(unsigned prefix) {
        if (rest_.empty()) return std::nullopt;
        std::size_t const most = (1U << prefix) - 1;
        std::size_t value = first() & most;
        rest_.remove_prefix(1);
        for (unsigned shift = 0; value >= most && shift < 28; shift += 7) {
            if (rest_.empty()) return std::nullopt;
            auto const byte = first();
            rest_.remove_prefix(1);
            value += static_cast<std::size_t>(byte & 0x7fU) << shift;
            if (byte < 0x80) return value;
        }
        return value < most ? std::optional(value) : std::nullopt;
    }
    std::optional<std::string> text() {
        if (rest_.empty()) return std::nullopt;
        bool const coded = (first() & 0x80U) != 0;
        auto const size = integer(7);
        if (!size || *size > rest_.size()) return std::nullopt;
        auto const bytes = rest_.substr(0, *size);
        rest_.remove_prefix(*size);
        return coded ? huffman_decoded(bytes) : std::string(bytes);
    }

private:
    std::string_view rest_;
};

std::string unescaped(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned byte = 0;
        auto const* const digits = text.data() + i + 1;
        if (text[i] == '%' && i + 2 < text.size() && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
            out += static_cast<char>(byte);
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

/// The status that grpc-go derives from that of HTTP if the server sends none.
int code_of_http(std::string_view status) {
    if (status == "400") return 13;
    if (status == "401") return 16;
    if (status == "403") return 7;
    if (status == "404") return 12;
    return status == "429" || status == "502" || status == "503" || status == "504" ? 14 : 2;
}

} // namespace

std::optional<std::map<std::string, std::string, std::less<>>> decode_headers(std::string_view block) {
    constexpr std::size_t first_status = 8; // of the static table
    constexpr std::array statuses{"200", "204", "206", "304", "400", "404", "500"};
    std::map<std::string, std::string, std::less<>> fields;
    block_reader in(block);
    while (!in.empty()) {
        auto const first = in.first();
        if ((first & 0x80U) != 0) { // a field of the table
            auto const index = in.integer(7);
            if (!index) return std::nullopt;
            if (*index >= first_status && *index < first_status + statuses.size())
                fields[":status"] = statuses.at(*index - first_status);
            continue;
        }
        bool const resized = (first & 0xe0U) == 0x20;
        auto const index = in.integer(resized ? 5 : (first & 0x40U) != 0 ? 6 : 4);
        if (!index) return std::nullopt;
        if (resized) continue;
        std::optional<std::string> name(*index >= first_status && *index < first_status + statuses.size() ? ":status"
                                                                                                          : "");
        if (*index == 0) name = in.text();
        auto value = in.text();
        if (!name || !value) return std::nullopt;
        fields[*std::move(name)] = *std::move(value);
    }
    return fields;
}

grpc_health_call::grpc_health_call(std::string_view authority, std::string_view service) {
    std::string message;
    if (!service.empty()) {
        put_integer(message, 0, 8, 0x0a); // field 1, with bytes
        for (auto size = service.size(); true; size >>= 7U) {
            message += static_cast<char>((size & 0x7fU) | (size >= 0x80 ? 0x80U : 0));
            if (size < 0x80) break;
        }
        message += service;
    }
    std::string body(1, '\0'); // not compressed
    put_number(body, message.size(), 4);
    body += message;
    if (body.size() > largest_frame) {
        result_.emplace(false, "the name of the service is longer than 16 KiB");
        return;
    }
    std::string block;
    put_integer(block, 0x80, 7, 3); // :method: POST
    put_integer(block, 0x80, 7, 6); // :scheme: http
    put_field(block, 4, ":path", "/grpc.health.v1.Health/Check");
    put_field(block, 1, ":authority", authority);
    put_field(block, 31, "content-type", "application/grpc");
    put_field(block, 58, "user-agent", "kube-probe/1.31");
    put_field(block, 0, "te", "trailers");
    output_ = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    std::string settings; // no dynamic table, no pushes
    for (std::size_t const name : {1U, 2U}) {
        put_number(settings, name, 2);
        put_number(settings, 0, 4);
    }
    put_frame(output_, settings_frame, 0, 0, settings);
    put_frame(output_, headers_frame, end_of_headers, our_stream, block);
    put_frame(output_, data_frame, end_of_stream, our_stream, body);
}

void grpc_health_call::received(std::string_view bytes) {
    input_ += bytes;
    std::size_t done = 0;
    auto const rest = std::string_view(input_);
    while (!result_ && rest.size() - done >= frame_head) {
        auto const head = rest.substr(done, frame_head);
        auto const size = number_in(head.substr(0, 3));
        auto const type = static_cast<std::uint8_t>(head[3]);
        if (size > largest_frame || (!connected_ && type != settings_frame))
            return fail("the server does not speak HTTP/2");
        if (rest.size() - done - frame_head < size) break;
        auto const stream = static_cast<std::uint32_t>(number_in(head.substr(5)) & 0x7fffffffU);
        frame(type, static_cast<std::uint8_t>(head[4]), stream, rest.substr(done + frame_head, size));
        done += frame_head + size;
    }
    input_.erase(0, done);
}

void grpc_health_call::frame(std::uint8_t type, std::uint8_t flags, std::uint32_t stream, std::string_view payload) {
    if (type == settings_frame) connected_ = true;
    if (type == settings_frame && (flags & acknowledged) == 0) put_frame(output_, settings_frame, acknowledged, 0, {});
    if (type == ping_frame && (flags & acknowledged) == 0) put_frame(output_, ping_frame, acknowledged, 0, payload);
    if (type == goaway_frame && payload.size() >= 8 && number_in(payload.substr(4, 4)) != 0)
        return fail("the server ended the connection with HTTP/2 error " +
                    std::to_string(number_in(payload.substr(4, 4))));
    if (stream != our_stream) return;
    if (type == reset_frame)
        return fail("the server ended the call with HTTP/2 error " + std::to_string(number_in(payload)));
    if (type == data_frame || type == headers_frame) {
        ends_stream_ = (flags & end_of_stream) != 0;
        std::size_t const padding = (flags & padded) != 0 && !payload.empty()
                                        ? static_cast<unsigned char>(payload.front())
                                        : std::size_t(0);
        payload.remove_prefix(std::min<std::size_t>((flags & padded) != 0 ? 1 : 0, payload.size()));
        if (type == headers_frame && (flags & prioritized) != 0) payload.remove_prefix(std::min<std::size_t>(5, payload.size()));
        payload.remove_suffix(std::min(padding, payload.size()));
    }
    if (type == data_frame) {
        message_ += payload;
    } else if (type == headers_frame || type == continuation_frame) {
        block_ += payload;
        if (block_.size() > most_bytes) return fail("the headers of the response are too long");
        if ((flags & end_of_headers) == 0) return;
        auto found = decode_headers(std::exchange(block_, {}));
        if (!found) return fail("the headers of the response are malformed");
        found->merge(fields_);
        fields_ = *std::move(found);
    } else {
        return;
    }
    if (message_.size() > most_bytes) return fail("the response is too long");
    if (ends_stream_) finish();
}

void grpc_health_call::finish() {
    constexpr std::array codes{
        "OK",           "Canceled",      "Unknown",           "InvalidArgument",    "DeadlineExceeded", "NotFound",
        "AlreadyExists", "PermissionDenied", "ResourceExhausted", "FailedPrecondition", "Aborted",          "OutOfRange",
        "Unimplemented", "Internal",      "Unavailable",       "DataLoss",           "Unauthenticated"};
    constexpr std::array states{"UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"};
    constexpr std::size_t prefix = 5; // of a message
    auto const status = fields_.find("grpc-status");
    std::size_t code = 0;
    auto why = unescaped(fields_["grpc-message"]);
    if (status == fields_.end()) {
        code = static_cast<std::size_t>(code_of_http(fields_[":status"]));
        why = "unexpected HTTP status code received from server: " + fields_[":status"];
    } else {
        auto const& text = status->second;
        auto const* const end = text.data() + text.size();
        if (text.empty() || std::from_chars(text.data(), end, code).ptr != end) return fail("malformed grpc-status");
    }
    if (code == 12)
        return fail("error: this server does not implement the grpc health protocol (grpc.health.v1.Health): " + why);
    if (code != 0)
        return fail("error: health rpc probe failed: rpc error: code = " +
                    (code < codes.size() ? codes.at(code) : "Code(" + std::to_string(code) + ")") + " desc = " + why);
    if (message_.size() < prefix || message_[0] != 0 || number_in(message_.substr(1, 4)) != message_.size() - prefix)
        return fail("error: health rpc probe failed: the response is malformed");
    std::size_t state = 0;
    if (auto const body = std::string_view(message_).substr(prefix); body.size() >= 2 && body[0] == 0x08)
        state = static_cast<unsigned char>(body[1]);
    if (state == 1) return void(result_.emplace(true, "service healthy"));
    fail("service unhealthy (responded with \"" + (state < states.size() ? states.at(state) : std::to_string(state)) +
         "\")");
}

void grpc_health_call::fail(std::string const& why) { result_.emplace(false, why); }

} // namespace kftrain::local
