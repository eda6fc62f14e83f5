#include "local/dns/dns_message.hpp"

#include "base/ascii.hpp"

#include <charconv>

namespace kftrain::local {
namespace {

constexpr std::size_t header_size = 12;
constexpr std::size_t datagram_limit = 512; // without EDNS; more addresses than fit are left out and TC is set
constexpr std::uint32_t time_to_live = 5;   // seconds; pods come and go
constexpr std::uint16_t type_a = 1;
constexpr std::uint16_t type_any = 255;
constexpr std::uint16_t class_in = 1;

enum class rcode : std::uint8_t { no_error = 0, format_error = 1, name_error = 3, not_implemented = 4 };

std::uint16_t read16(std::string_view s, std::size_t at) {
    return static_cast<std::uint16_t>(static_cast<std::uint8_t>(s[at]) << 8U | static_cast<std::uint8_t>(s[at + 1]));
}

void write16(std::string& out, std::uint16_t v) {
    out += static_cast<char>(v >> 8U);
    out += static_cast<char>(v & 0xFFU);
}

/// The question of a query: its name in lower case, and where it ends.
struct question {
    std::string name;
    std::size_t end = 0;
    std::uint16_t type = 0;
    std::uint16_t class_ = 0;
};

std::optional<question> read_question(std::string_view query) {
    question q;
    std::size_t at = header_size;
    for (;;) {
        if (at >= query.size()) return std::nullopt;
        auto const length = static_cast<std::uint8_t>(query[at++]);
        if (length == 0) break;
        // A query has one name, so nothing it could point back to: compression is no use here.
        std::size_t const before = q.name.empty() ? 0 : q.name.size() + 1;
        if (length > 63 || at + length > query.size() || before + length > 253) return std::nullopt;
        if (!q.name.empty()) q.name += '.';
        q.name += to_lower(query.substr(at, length));
        at += length;
    }
    if (at + 4 > query.size()) return std::nullopt;
    q.type = read16(query, at);
    q.class_ = read16(query, at + 2);
    q.end = at + 4;
    return q;
}

std::string reply(std::string_view query, std::size_t question_end, rcode code, std::vector<ipv4> const& addresses) {
    constexpr std::size_t record_size = 16;
    std::size_t const fit = (datagram_limit - question_end) / record_size;
    std::size_t const count = std::min(fit, addresses.size());
    bool const truncated = count < addresses.size();

    std::string out(query.substr(0, 2));
    bool const recursion_desired = (static_cast<std::uint8_t>(query[2]) & 1U) != 0;
    // QR, AA, then TC and RD; RA is set because resolvers otherwise warn, though everything is answered here.
    out += static_cast<char>(0x84U | (truncated ? 2U : 0U) | (recursion_desired ? 1U : 0U));
    out += static_cast<char>(0x80U | static_cast<std::uint8_t>(code));
    write16(out, question_end > header_size ? 1 : 0);
    write16(out, static_cast<std::uint16_t>(count));
    write16(out, 0);
    write16(out, 0);
    out += query.substr(header_size, question_end - header_size);
    for (std::size_t i = 0; i < count; ++i) {
        write16(out, 0xC000U | header_size); // the name of the question
        write16(out, type_a);
        write16(out, class_in);
        write16(out, 0);
        write16(out, time_to_live);
        write16(out, 4);
        for (auto byte : addresses[i]) out += static_cast<char>(byte);
    }
    return out;
}

} // namespace

std::string answer_dns(std::string_view query, dns_lookup const& lookup) {
    if (query.size() < header_size || (static_cast<std::uint8_t>(query[2]) & 0x80U) != 0) return {};
    unsigned const opcode = static_cast<std::uint8_t>(query[2]) >> 3U & 0xFU;
    if (opcode != 0) return reply(query, header_size, rcode::not_implemented, {});
    if (read16(query, 4) != 1) return reply(query, header_size, rcode::format_error, {});
    auto const q = read_question(query);
    if (!q) return reply(query, header_size, rcode::format_error, {});
    auto const found = q->class_ == class_in ? lookup(q->name) : std::nullopt;
    if (!found) return reply(query, q->end, rcode::name_error, {});
    bool const wanted = q->type == type_a || q->type == type_any;
    return reply(query, q->end, rcode::no_error, wanted ? *found : std::vector<ipv4>());
}

std::optional<ipv4> parse_ipv4(std::string_view text) noexcept {
    ipv4 address{};
    char const* at = text.data();
    char const* const end = at + text.size();
    for (std::size_t i = 0; i < address.size(); ++i) {
        if (i != 0 && (at == end || *at++ != '.')) return std::nullopt;
        auto const [next, ec] = std::from_chars(at, end, address[i]);
        if (ec != std::errc{} || next == at) return std::nullopt;
        at = next;
    }
    if (at != end) return std::nullopt;
    return address;
}

} // namespace kftrain::local
