#include "model/json_events.hpp"
#include "model/json_reader.hpp"
#include "model/struct_sink.hpp"

#include <algorithm>

namespace kftrain {
namespace {

using namespace detail;

// The parser recurses; this keeps the stack it needs well under a megabyte.
constexpr std::size_t deepest = 2000;

constexpr bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Where the nth (from 1) key, scalar or opening bracket starts. All of them up to there are known to be well-formed.
std::size_t find_token(std::string_view text, std::uint64_t n) noexcept {
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        if (is_space(c) || c == ',' || c == ':' || c == ']' || c == '}') continue;
        if (--n == 0) return i;
        if (c == '"') {
            for (++i; i < text.size() && text[i] != '"'; ++i)
                if (text[i] == '\\') ++i;
        } else if (c != '{' && c != '[') {
            while (i + 1 < text.size() && !is_space(text[i + 1]) && text[i + 1] != ',' && text[i + 1] != ']' &&
                   text[i + 1] != '}')
                ++i;
        }
    }
    return text.size();
}

failure located(failure f, std::string_view text, std::size_t offset) {
    auto const at = position_of(text, offset);
    f.detail.line = at.line;
    f.detail.column = at.column;
    return f;
}

std::string syntax_message(error_code ec, std::string_view text, std::size_t stopped, bool valid_utf8) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return "expected JSON, got an empty text";
    if (!valid_utf8) return "invalid JSON: not UTF-8";
    if (ec == boost::json::error::incomplete || stopped >= text.size())
        return "invalid JSON: the text ends before the value does";
    if (ec == boost::json::error::extra_data)
        return "invalid JSON: more text after the value: " + quoted_for_message(text.substr(stopped, 20));
    std::string message = "invalid JSON: " + ec.message();
    if (ec == boost::json::error::syntax) message += " at " + quoted_for_message(text.substr(stopped, 20));
    return message;
}

} // namespace

result<void> decode_json(std::string_view text, descriptor const& type, void* target, decode_options const& options) {
    decode_options effective = options;
    effective.max_depth = std::min(options.max_depth, deepest);
    if (json_reader(text, effective).read(type, target)) return {};
    type.reset(target);
    struct_sink sink(type, target, effective);

    boost::json::parse_options grammar;
    grammar.max_depth = effective.max_depth + 1; // the sink refuses first, as it knows the path
    boost::json::basic_parser<json_events<struct_sink>> parser(grammar, sink);
    boost::system::error_code ec;
    std::size_t const stopped = parser.write_some(false, text.data(), text.size(), ec);

    if (sink.failed()) return located(std::move(sink.why()), text, find_token(text, parser.handler().tokens()));
    if (!ec && stopped == text.size()) return {};
    if (!ec) ec = boost::json::error::extra_data;

    // The parser stops somewhere after a malformed character; the first such one is what to name.
    std::size_t const bad = find_invalid_utf8(text.substr(0, std::min(text.size(), stopped + 4)));
    bool const valid_utf8 = bad == std::string_view::npos;
    std::size_t const offset = valid_utf8 ? stopped : bad;
    failure f(errc::syntax, {});
    f.detail.message = syntax_message(ec, text, offset, valid_utf8);
    return located(std::move(f), text, offset);
}

} // namespace kftrain
