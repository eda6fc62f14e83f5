#include "model/yaml_checks.hpp"

#include "model/json_text.hpp"

#include <algorithm>

namespace kftrain::detail {

bool lacks_colon(std::string_view text, std::size_t begin, std::size_t size) {
    auto rest = text.substr(std::min(begin + size, text.size()));
    rest = rest.substr(0, rest.find(" #"));
    auto const before = text.substr(0, begin).find_last_not_of(" \t");
    bool const explicit_key = before != std::string_view::npos && text[before] == '?';
    return !explicit_key && rest.find(':') == std::string_view::npos;
}

bool has_open_quote(std::string_view text, std::size_t begin) {
    constexpr std::string_view space = " \t\r\n";
    auto i = text.find_first_not_of(space, begin);
    while (i < text.size() && (text[i] == '!' || text[i] == '&'))
        i = text.find_first_not_of(space, text.find_first_of(space, i));
    if (i >= text.size() || (text[i] != '"' && text[i] != '\'')) return false;
    char const quote = text[i];
    for (++i; i < text.size(); ++i) {
        if (quote == '"' && text[i] == '\\') {
            ++i;
        } else if (text[i] == quote) {
            bool const doubled = quote == '\'' && i + 1 < text.size() && text[i + 1] == quote;
            if (!doubled) return false;
            ++i;
        }
    }
    return true;
}

std::string mend_escapes(std::string_view scalar) {
    std::string text;
    for (auto bad = find_invalid_utf8(scalar); bad != std::string_view::npos; bad = find_invalid_utf8(scalar)) {
        text.append(scalar.substr(0, bad)).append("\xC2").append(scalar.substr(bad, 1));
        scalar.remove_prefix(bad + 1);
    }
    return text.append(scalar);
}

} // namespace kftrain::detail
