#include "model/codec/collected_faults.hpp"
#include "model/codec/json_reader.hpp"
#include "model/codec/struct_sink.hpp"
#include "model/json/json_events.hpp"

#include <algorithm>

namespace kftrain {
namespace {

using namespace detail;

// The parser recurses; this keeps the stack it needs well under a megabyte.
constexpr std::size_t deepest = 2000;

constexpr bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Walks over keys, scalars and opening brackets. All of them up to where it is sent are known to be well-formed.
class token_walk {
public:
    explicit token_walk(std::string_view text) : text_(text) {}

    /// Where the nth of them (from 1) starts; not before the previous request.
    std::size_t to(std::uint64_t n) noexcept {
        for (; i_ < text_.size(); ++i_) {
            char const c = text_[i_];
            if (is_space(c) || c == ',' || c == ':' || c == ']' || c == '}') continue;
            if (passed_ + 1 == n) return i_;
            ++passed_;
            if (c == '"') {
                for (++i_; i_ < text_.size() && text_[i_] != '"'; ++i_)
                    if (text_[i_] == '\\') ++i_;
            } else if (c != '{' && c != '[') {
                while (i_ + 1 < text_.size() && !is_space(text_[i_ + 1]) && text_[i_ + 1] != ',' &&
                       text_[i_ + 1] != ']' && text_[i_ + 1] != '}')
                    ++i_;
            }
        }
        return text_.size();
    }

private:
    std::string_view text_;
    std::size_t i_ = 0;
    std::uint64_t passed_ = 0;
};

/// The faults hold the number of their token for a line, and get line and column.
void place(collected_faults const& faults, std::string_view text) {
    if (!faults.wanted()) return;
    token_walk walk(text);
    text_position at;
    at.line = at.column = 1;
    std::size_t offset = 0;
    for (auto& f : faults) {
        std::size_t const next = walk.to(f.detail.line);
        auto const moved = position_of(text.substr(offset), next - offset);
        at.line += moved.line - 1;
        at.column = moved.line == 1 ? at.column + moved.column - 1 : moved.column;
        offset = next;
        f.detail.line = at.line;
        f.detail.column = at.column;
    }
}

failure located(failure f, std::string_view text, std::size_t offset) {
    auto const at = position_of(text, offset);
    f.detail.line = at.line;
    f.detail.column = at.column;
    return f;
}

/// A text that stops behind the first half of a pair, `\ud800`: the second is what the parser misses.
bool lacks_second_surrogate(std::string_view before) noexcept {
    if (before.size() < 6) return false;
    auto const escape = before.substr(before.size() - 6);
    bool const half = escape.starts_with("\\u") && (escape[2] == 'd' || escape[2] == 'D') &&
                      std::string_view("89abAB").find(escape[3]) != std::string_view::npos;
    std::size_t slashes = 0; // an even number of them are characters
    for (auto i = before.size() - 6; half && before[i - slashes] == '\\' && slashes < i; ++slashes) {}
    return slashes % 2 == 1;
}

std::string syntax_message(error_code ec, std::string_view text, std::size_t stopped, bool valid_utf8) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return "expected JSON, got an empty text";
    if (!valid_utf8) return "invalid JSON: not UTF-8";
    if (ec == boost::json::error::incomplete || stopped >= text.size())
        return "invalid JSON: unexpected end of the text";
    if (ec == boost::json::error::extra_data)
        return "invalid JSON: more text after the value: " + quoted_for_message(text.substr(stopped, 20));
    if (lacks_second_surrogate(text.substr(0, stopped))) return "invalid JSON: incomplete surrogate pair";
    std::string message = "invalid JSON: " + ec.message();
    if (ec == boost::json::error::syntax) message += " at " + quoted_for_message(text.substr(stopped, 20));
    return message;
}

result<void> read(std::string_view text, model::descriptor const& type, void* target, decode_options const& options,
                  collected_faults const& faults) {
    decode_options effective = options;
    effective.max_depth = std::min(options.max_depth, deepest);
    if (json_reader(text, effective).read(type, target)) return {};
    type.reset(target);
    struct_sink sink(type, target, effective, decode_budget(text.size(), effective));

    boost::json::parse_options grammar;
    grammar.max_depth = effective.max_depth + 1; // the sink refuses first, as it knows the path
    boost::json::basic_parser<json_events<struct_sink>> parser(grammar, sink);
    sink.locate_by([&](diagnostics& d) { d.line = parser.handler().tokens() + 1; });
    boost::system::error_code ec;
    std::size_t const stopped = parser.write_some(false, text.data(), text.size(), ec);
    place(faults, text);

    if (sink.failed()) return located(std::move(sink.why()), text, token_walk(text).to(parser.handler().tokens()));
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

} // namespace

result<void> decode_json(std::string_view text, model::descriptor const& type, void* target,
                         decode_options const& options) {
    collected_faults const faults(options);
    return faults.finish(read(text, type, target, options, faults));
}

bool is_collected(failure const& error, std::span<failure const> found) {
    return std::ranges::any_of(found, [&](failure const& one) {
        return one.code == error.code && one.detail.line == error.detail.line &&
               one.detail.column == error.detail.column && one.detail.path == error.detail.path;
    });
}

} // namespace kftrain
