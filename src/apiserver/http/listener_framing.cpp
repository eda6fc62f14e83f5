#include "apiserver/http/listener_framing.hpp"

#include "apiserver/text/refusals.hpp"

#include "base/ascii.hpp"

#include <boost/beast/core/string.hpp>

#include <algorithm>
#include <string_view>

namespace kftrain::apiserver {
namespace {

namespace http = boost::beast::http;

std::string_view view(boost::beast::string_view s) { return {s.data(), s.size()}; }

/// What may stand in a Host field, whether or not it makes a name.
bool is_host_character(char c) {
    constexpr std::string_view others = "-._~!$&'()*+,;=:[]%";
    return is_digit(c) || is_letter(c) || others.find(c) != std::string_view::npos;
}

bool is_control(char c) { return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f'; }

} // namespace

std::optional<refusal> framing_fault(http::request_header<> const& head) {
    std::size_t hosts = 0, encodings = 0;
    for (auto const& field : head) {
        auto const value = view(field.value());
        if (std::any_of(value.begin(), value.end(), is_control)) return bad_request("invalid header value");
        switch (field.name()) {
        case http::field::host:
            if (++hosts > 1) return bad_request("too many Host headers");
            if (!std::all_of(value.begin(), value.end(), is_host_character))
                return bad_request("malformed Host header");
            break;
        case http::field::content_length:
            if (value.empty() || !std::all_of(value.begin(), value.end(), is_digit))
                return bad_request("bad Content-Length " + in_quotes(value));
            break;
        case http::field::transfer_encoding:
            // The parser takes what it does not know for no body at all.
            if (++encodings > 1 || !boost::beast::iequals(field.value(), "chunked"))
                return refusal(501, reason::unknown, "Unsupported transfer encoding");
            if (head.version() < 11) return bad_request("Transfer-Encoding in a request of HTTP/1.0");
            break;
        default: break;
        }
    }
    if (hosts == 0 && head.version() >= 11) return bad_request("missing required Host header");
    auto const expected = head[http::field::expect];
    if (!expected.empty() && !boost::beast::iequals(expected, "100-continue"))
        return refusal(417, reason::unknown, "Expectation Failed");
    return std::nullopt;
}

} // namespace kftrain::apiserver
