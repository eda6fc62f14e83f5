#include "base/code_points.hpp"
#include "base/utf8.hpp"
#include "cli/commands.hpp"

#include <algorithm>
#include <iostream>

#include <unistd.h>

namespace kftrain::cli {
namespace {

constexpr std::string_view digits = "0123456789abcdef";
/// Longer messages are shortened.
constexpr std::size_t longest_message = 2048;
constexpr std::size_t end_of_message = 512;

/// As in JSON; of a character below U+10000.
void append_escape(std::string& out, unsigned code) {
    out += "\\u";
    for (unsigned shift = 16; shift != 0; shift -= 4) out += digits[(code >> (shift - 4)) & 0xFU];
}

} // namespace

std::string on_one_line(std::string_view text) {
    std::string line;
    for (std::size_t i = 0; i < text.size();) {
        char const* const at = text.data() + i;
        std::size_t const size = detail::utf8_sequence(at, text.data() + text.size());
        if (size == 0) {
            auto const byte = static_cast<unsigned char>(text[i++]);
            line.append("\\x") += digits[byte >> 4U];
            line += digits[byte & 0xFU];
            continue;
        }
        std::string_view const character(at, size);
        i += size;
        if (character == "\n" || text.substr(i - size).starts_with("\r\n")) {
            // A line break at the end or after a colon needs no separator.
            line.erase(line.find_last_not_of(' ') + 1);
            i = std::min(text.find_first_not_of(" \t\r\n", i - size), text.size());
            if (!line.empty() && i != text.size()) line += line.ends_with(':') ? " " : "; ";
        } else if (character == "\t") {
            line += ' ';
        } else if (auto const code = code_point_of(character); steers_terminal(code)) {
            append_escape(line, code);
        } else {
            line += character;
        }
    }
    return line;
}

std::string escaped_json(std::string_view json) {
    std::string out;
    for (std::size_t i = 0; i < json.size();) {
        char const* const at = json.data() + i;
        std::size_t const size = std::max<std::size_t>(detail::utf8_sequence(at, json.data() + json.size()), 1);
        std::string_view const character(at, size);
        i += size;
        auto const code = code_point_of(character);
        if (code >= 0x7F && steers_terminal(code)) // JSON has those below in escapes already
            append_escape(out, code);
        else
            out += character;
    }
    return out;
}

std::string json_output(std::string json) { return ::isatty(STDOUT_FILENO) != 0 ? escaped_json(json) : json; }

std::string shortened(std::string_view text) {
    if (text.size() <= longest_message) return std::string(text);
    auto const head = at_character(text, longest_message - end_of_message);
    auto const tail = at_character(text, text.size() - end_of_message);
    return std::string(text.substr(0, head)) + " ... [" + std::to_string(tail - head) + " bytes left out] ... " +
           std::string(text.substr(tail));
}

void complain(std::string_view text) { std::cerr << "kftrain: " << on_one_line(shortened(text)) << '\n'; }

int complain_about(failure const& f) {
    complain(f.to_string());
    return f.code == errc::invalid_argument ? bad_usage : cluster_failed;
}

} // namespace kftrain::cli
