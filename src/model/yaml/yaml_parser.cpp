#include "model/yaml/yaml_parser.hpp"

#include "model/json/json_text.hpp"

#include <yaml.h>

#include <algorithm>
#include <array>
#include <new>
#include <optional>

namespace kftrain::detail {
namespace {

std::string_view view(yaml_char_t const* s) {
    return s ? std::string_view(reinterpret_cast<char const*>(s)) : std::string_view();
}

yaml_mark place(yaml_mark_t const& m) { return {m.line, m.column}; }

yaml_tag tag_of(yaml_char_t const* complete) {
    using enum yaml_tag;
    constexpr std::string_view begin = "tag:yaml.org,2002:";
    constexpr std::array<std::pair<std::string_view, yaml_tag>, 6> known{
        {{"int", integer}, {"float", number}, {"bool", boolean}, {"null", null}, {"binary", binary}, {"merge", merge}}};
    auto name = view(complete);
    if (name.empty()) return none;
    if (!name.starts_with(begin)) return other;
    name.remove_prefix(begin.size());
    auto const found = std::ranges::find(known, name, [](auto const& k) { return k.first; });
    return found != known.end() ? found->second : core;
}

std::string never_ending(bool list) {
    return std::string("invalid YAML: the ") + (list ? "list" : "map") + " that begins here is not closed";
}

/// Where the character with this number begins, when `from` is where that with the number `passed` does.
std::size_t offset_of(std::string_view text, std::size_t index, std::size_t from, std::size_t passed) {
    auto const continues = [&](std::size_t i) { return i < text.size() && (text[i] & '\xC0') == '\x80'; };
    for (; passed < index && from < text.size(); ++passed)
        for (++from; continues(from);) ++from;
    return from;
}

/** Refuses too many or too long `%TAG` lines: libyaml compares each one with all before it, and expands the prefix at
    each use, so that a short text takes much time and memory. */
std::optional<yaml_problem> find_directive_fault(std::string_view text) {
    constexpr std::size_t most = 100;
    constexpr std::size_t longest = 1024;
    constexpr std::string_view breaks = "\n\r\x85\xA8\xA9\xBF"; // last bytes of line breaks, and of a byte order mark
    std::size_t count = 0;
    for (auto at = text.find("%TAG"); at != std::string_view::npos; at = text.find("%TAG", at + 1)) {
        if (at != 0 && breaks.find(text[at - 1]) == std::string_view::npos) continue;
        auto const line = text.substr(at, longest + 1);
        if (++count <= most && (line.size() <= longest || line.find_first_of("\r\n") != std::string_view::npos))
            continue;
        auto const position = position_of(text, at);
        return yaml_problem{"invalid YAML: too many or too long %TAG directives",
                            {position.line - 1, position.column - 1}};
    }
    return std::nullopt;
}

} // namespace

struct yaml_parser::impl {
    explicit impl(std::string_view s) : text(s) {
        if (!yaml_parser_initialize(&parser)) throw std::bad_alloc();
        yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
        auto const* begin = s.empty() ? "" : s.data(); // it aborts for a null pointer
        yaml_parser_set_input_string(&parser, reinterpret_cast<unsigned char const*>(begin), s.size());
    }
    impl(impl const&) = delete;
    impl& operator=(impl const&) = delete;
    ~impl() {
        yaml_event_delete(&event);
        yaml_parser_delete(&parser);
    }

    bool has_lone_tag(yaml_mark_t const& mark);
    bool never_closes(char bracket);
    std::optional<yaml_problem> end_within_brackets() const;
    yaml_problem problem();
    void count_brackets();

    yaml_parser_t parser{};
    yaml_event_t event{};
    std::string_view text;
    std::size_t index = 0;  ///< a requested character
    std::size_t offset = 0; ///< where it begins
    std::size_t looks = 0;  ///< at open brackets
};

/** libyaml visits every open bracket whenever it reads on, so that a long text within many brackets takes quadratic
    time. The limit is 16 brackets around each byte, however long the text, and 512 around the first 60,000 values. */
void yaml_parser::impl::count_brackets() {
    constexpr std::size_t looks_for_all = std::size_t{1} << 25U;
    constexpr std::size_t looks_per_byte = 16;
    looks += static_cast<std::size_t>(parser.flow_level);
    if (looks <= looks_for_all + looks_per_byte * text.size()) return;
    throw yaml_problem{"invalid YAML: too much text in brackets that are nested " + std::to_string(parser.flow_level) +
                           " levels deep",
                       place(event.start_mark)};
}

/** True if the node has the tag `!`, which makes a plain scalar a string; libyaml keeps that to itself. */
bool yaml_parser::impl::has_lone_tag(yaml_mark_t const& mark) {
    if (mark.index < index) return false;
    offset = offset_of(text, mark.index, offset, index);
    index = mark.index;
    constexpr std::string_view blanks = " \t\r\n";
    for (std::size_t i = offset; i < text.size();) {
        if (text[i] == '#') {
            i = std::min(text.find_first_of("\r\n", i), text.size());
        } else if (text[i] != '!' && text[i] != '&') {
            return false;
        } else {
            std::size_t const end = std::min(text.find_first_of(blanks, i), text.size());
            if (text[i] == '!') return end == i + 1;
            i = end;
        }
        i = std::min(text.find_first_not_of(blanks, i), text.size());
    }
    return false;
}

/// True if no bracket of its kind closes the one where the problem's context begins; those in quotes count as well.
bool yaml_parser::impl::never_closes(char bracket) {
    std::size_t depth = 0;
    char const closing = bracket == '[' ? ']' : '}';
    for (char c : text.substr(offset_of(text, parser.context_mark.index, 0, 0))) {
        if (c == bracket) ++depth;
        if (c == closing && depth-- <= 1) return false;
    }
    return true;
}

/// If the text ends within brackets, where a value may begin: that the innermost never ends.
std::optional<yaml_problem> yaml_parser::impl::end_within_brackets() const {
    if (parser.marks.top == parser.marks.start) return std::nullopt;
    auto const rest = text.substr(offset_of(text, parser.problem_mark.index, 0, 0));
    if (rest.find_first_not_of(" \t\r\n") != std::string_view::npos) return std::nullopt;
    auto const& innermost = parser.marks.top[-1];
    auto const bracket = text.substr(offset_of(text, innermost.index, 0, 0)).substr(0, 1);
    if (bracket != "[" && bracket != "{") return std::nullopt;
    return yaml_problem{never_ending(bracket == "["), place(innermost)};
}

yaml_problem yaml_parser::impl::problem() {
    if (parser.error == YAML_MEMORY_ERROR) throw std::bad_alloc();
    std::string const begin = "invalid YAML: ";
    std::string_view const what = parser.problem ? parser.problem : "unknown problem";
    std::string_view const context = parser.context ? parser.context : "";
    if (parser.error == YAML_READER_ERROR) {
        auto const at = position_of(text, parser.problem_offset);
        return {begin + std::string(what), {at.line - 1, at.column - 1}};
    }
    for (bool const list : {true, false})
        if (context == (list ? "while parsing a flow sequence" : "while parsing a flow mapping") &&
            never_closes(list ? '[' : '{'))
            return {never_ending(list), place(parser.context_mark)};
    if (what == "did not find expected node content")
        if (auto end = end_within_brackets()) return *std::move(end);
    if (context == "while scanning a quoted scalar" && what.starts_with("found unexpected "))
        return {begin + "the quote is not closed", place(parser.context_mark)};
    // It is missing after the key; the parser reports where it stopped looking.
    if (context == "while scanning a simple key") return {begin + std::string(what), place(parser.context_mark)};
    if (what == "did not find expected <document start>")
        return {begin + "more text after the value", place(parser.problem_mark)};
    std::string message = begin + std::string(what);
    if (!context.empty()) message.append(" ").append(context);
    return {std::move(message), place(parser.problem_mark)};
}

yaml_parser::yaml_parser(std::string_view text) : impl_(std::make_unique<impl>(text)) {
    if (auto fault = find_directive_fault(text)) throw *std::move(fault);
}
yaml_parser::~yaml_parser() = default;

yaml_event yaml_parser::next() {
    auto& e = impl_->event;
    do {
        yaml_event_delete(&e);
        if (!yaml_parser_parse(&impl_->parser, &e)) throw impl_->problem();
        impl_->count_brackets();
    } while (e.type == YAML_STREAM_START_EVENT);
    yaml_event found;
    found.mark = place(e.start_mark);
    using kind = yaml_event::kind;
    switch (e.type) {
    case YAML_DOCUMENT_START_EVENT: found.what = kind::document; break;
    case YAML_DOCUMENT_END_EVENT: found.what = kind::document_end; break;
    case YAML_ALIAS_EVENT:
        found.what = kind::alias;
        found.anchor = view(e.data.alias.anchor);
        break;
    case YAML_SCALAR_EVENT: {
        auto const& scalar = e.data.scalar;
        found.what = kind::scalar;
        found.anchor = view(scalar.anchor);
        found.tag = tag_of(scalar.tag);
        found.value = {reinterpret_cast<char const*>(scalar.value), scalar.length};
        found.plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
        if (found.plain && found.tag == yaml_tag::none && !found.value.empty() && impl_->has_lone_tag(e.start_mark))
            found.tag = yaml_tag::other;
        break;
    }
    case YAML_SEQUENCE_START_EVENT:
        found.what = kind::list;
        found.anchor = view(e.data.sequence_start.anchor);
        break;
    case YAML_SEQUENCE_END_EVENT: found.what = kind::list_end; break;
    case YAML_MAPPING_START_EVENT:
        found.what = kind::map;
        found.anchor = view(e.data.mapping_start.anchor);
        break;
    case YAML_MAPPING_END_EVENT: found.what = kind::map_end; break;
    default: break;
    }
    return found;
}

} // namespace kftrain::detail
