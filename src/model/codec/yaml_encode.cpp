#include "base/ascii.hpp"
#include "model/json/json_events.hpp"
#include "model/json/json_text.hpp"
#include "model/yaml/yaml_scalar.hpp"

#include <kftrain/model/codec.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace kftrain {
namespace {

using namespace detail;

/// True if every YAML reader, old or new, takes the unquoted text for this very string.
bool is_plain_safe(std::string_view s) {
    if (s.empty() || s == "<<" || s == "=" || s.size() > 1000) return false;
    if (resolve_yaml_scalar(s).what != yaml_scalar::kind::string) return false;
    // Numbers in bases of 60, dates and the like: no need to know them all.
    char const first = s.front();
    if (is_digit(first) || ((first == '-' || first == '+' || first == '.') && s.size() > 1 && is_digit(s[1])))
        if (s.find_first_not_of("0123456789+-.:_eETtZz") == std::string_view::npos) return false;
    if (std::string_view("?:,[]{}#&*!|>'\"%@`= ").find(first) != std::string_view::npos) return false;
    if (first == '-' && (s.size() == 1 || s[1] == ' ' || s.starts_with("---"))) return false;
    if (s.starts_with("...") || s.back() == ' ' || s.back() == ':') return false;
    for (std::size_t i = 0; i < s.size(); ++i) {
        auto const c = static_cast<unsigned char>(s[i]);
        if (c < 0x20 || c >= 0x7F) return false;
        if ((c == ':' && s[i + 1] == ' ') || (c == '#' && s[i - 1] == ' ')) return false;
    }
    return true;
}

/// True if `|` or `|-` keeps the text as it is, with nothing that a reader could take amiss.
bool is_literal_safe(std::string_view s) {
    auto const end = s.find_last_not_of('\n');
    if (end == std::string_view::npos || s.size() - end > 2 || s.find('\n') == std::string_view::npos) return false;
    char before = '\n';
    for (char const ch : s) {
        auto const c = static_cast<unsigned char>(ch);
        if ((c < 0x20 && c != '\n' && c != '\t') || c >= 0x7F) return false;
        // A first line that starts with a space sets the indent; lines of spaces alone are at the reader's mercy.
        if (before == '\n' && ch == '\t') return false;
        if (ch == '\n' && (before == ' ' || before == '\t')) return false;
        before = ch;
    }
    return s.front() != '\n' && s.front() != ' ' && s.back() != ' ' && s.back() != '\t';
}

/// A JSON string, in which what YAML calls unprintable or a line break is escaped too.
void append_quoted(std::string_view s, std::string& out) {
    std::string json;
    append_string(s, json);
    auto const byte = [&](std::size_t i) { return i < json.size() ? static_cast<unsigned char>(json[i]) : 0U; };
    for (std::size_t i = 0; i < json.size(); ++i) {
        unsigned const c = byte(i);
        unsigned const next = byte(i + 1);
        unsigned const last = byte(i + 2);
        unsigned point = 0;
        if (c == 0x7F)
            point = c;
        else if (c == 0xC2 && next < 0xA0)
            point = next;
        else if ((c == 0xE2 && next == 0x80 && (last == 0xA8 || last == 0xA9)) ||
                 (c == 0xEF && ((next == 0xBB && last == 0xBF) || (next == 0xBF && last >= 0xBE))))
            point = ((c & 15U) << 12U) | ((next & 63U) << 6U) | (last & 63U);
        if (point == 0) {
            out += json[i];
            continue;
        }
        constexpr std::string_view hex = "0123456789abcdef";
        out += "\\u";
        for (unsigned shift : {12U, 8U, 4U, 0U}) out += hex[(point >> shift) & 15U];
        i += point < 0x80 ? 0 : point < 0x800 ? 1 : 2;
    }
}

/** Lays JSON events out as block-style YAML: lists of maps as `- key: value`, lists not indented under their key. */
class yaml_writer {
public:
    explicit yaml_writer(std::string& out) : out_(out) {}

    bool begin_object() { return open(false); }
    bool begin_array() { return open(true); }
    bool end_object() { return close("{}"); }
    bool end_array() { return close("[]"); }

    bool key(std::string_view k) {
        next_child();
        std::string text;
        if (is_plain_safe(k))
            text = k;
        else
            append_quoted(k, text);
        // Implicit keys end after 1024 bytes.
        if (text.size() > 1000) {
            out_.append("? ").append(text).append("\n").append(open_.back().indent, ' ').append(":");
        } else {
            out_.append(text).append(":");
        }
        return true;
    }

    bool string(std::string_view s) {
        before_value();
        if (is_plain_safe(s))
            out_ += s;
        else if (is_literal_safe(s))
            return literal(s);
        else
            append_quoted(s, out_);
        out_ += '\n';
        return true;
    }
    bool integer(std::int64_t, std::string_view text) { return token(text); }
    bool number(double, std::string_view text) {
        bool const needs_tag = resolve_yaml_scalar(text).what == yaml_scalar::kind::string; // see resolve_yaml_float
        return token(needs_tag ? "!!float " + std::string(text) : std::string(text));
    }
    bool boolean(bool v) { return token(v ? "true" : "false"); }
    bool null() { return token("null"); }

private:
    struct collection {
        bool list;
        bool written = false; ///< has a child, so the line that holds it is finished
        std::size_t indent = 0;
        bool in_list = false; ///< follows a `-`
    };

    bool token(std::string_view text) {
        before_value();
        out_.append(text == "-0" ? "-0.0" : text).append("\n"); // YAML reads -0 as the integer, which has no sign
        return true;
    }

    bool literal(std::string_view s) {
        bool const newline = s.back() == '\n';
        out_ += newline ? "|\n" : "|-\n";
        if (newline) s.remove_suffix(1);
        std::size_t const indent = open_.empty() ? 2 : open_.back().indent + 2;
        for (std::size_t from = 0; from <= s.size();) {
            auto const to = std::min(s.find('\n', from), s.size());
            if (to != from) out_.append(indent, ' ').append(s.substr(from, to - from));
            out_ += '\n';
            from = to + 1;
        }
        return true;
    }

    bool open(bool list) {
        collection c{list};
        if (!open_.empty()) {
            auto& parent = open_.back();
            c.in_list = parent.list;
            if (parent.list) next_child();
            c.indent = parent.indent + (list && !parent.list ? 0 : 2);
            if (parent.list) out_ += '-';
        }
        open_.push_back(c);
        return true;
    }

    bool close(std::string_view empty) {
        auto const c = open_.back();
        open_.pop_back();
        if (c.written) return true;
        if (!open_.empty()) out_ += ' ';
        out_.append(empty).append("\n");
        return true;
    }

    /// Brings the text to where the next key or item of the innermost collection starts.
    void next_child() {
        auto& c = open_.back();
        bool const first = !std::exchange(c.written, true);
        if (first && open_.size() > 1) {
            out_ += c.in_list ? ' ' : '\n';
            if (c.in_list) return;
        }
        out_.append(c.indent, ' ');
    }

    void before_value() {
        if (open_.empty()) return;
        if (open_.back().list) {
            next_child();
            out_ += '-';
        }
        out_ += ' ';
    }

    std::string& out_;
    std::vector<collection> open_{};
};

} // namespace

// Going over JSON keeps one place that knows what is left out, and lays out unknown fields by the way.
void encode_yaml(model::descriptor const& type, void const* value, std::string& out) {
    std::string json;
    encode_json(type, value, json);
    std::size_t const mark = out.size();
    yaml_writer writer(out);
    boost::json::parse_options grammar;
    grammar.max_depth = 2000;
    boost::json::basic_parser<json_events<yaml_writer>> parser(grammar, writer);
    boost::system::error_code ec;
    std::size_t const used = parser.write_some(false, json.data(), json.size(), ec);
    if (!ec && used == json.size()) return;
    // A raw_json that the caller filled with something else: JSON is YAML, as far as it is JSON.
    out.resize(mark);
    out.append(json).append("\n");
}

} // namespace kftrain
