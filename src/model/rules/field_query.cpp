#include <kftrain/model/selector.hpp>

#include "base/joined.hpp"

#include <algorithm>

namespace kftrain {
namespace {

/// Cuts at commas, except behind a backslash; upstream sorts the terms.
std::vector<std::string_view> sorted_terms(std::string_view text) {
    std::vector<std::string_view> out;
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\') {
            ++i;
        } else if (text[i] == ',') {
            out.push_back(text.substr(start, i - start));
            start = i + 1;
        }
    }
    out.push_back(text.substr(start));
    std::sort(out.begin(), out.end());
    return out;
}

failure unselectable(std::string message) {
    failure f(errc::invalid_argument, {});
    f.detail.message = std::move(message);
    return f;
}

/// The character at `i` with the bytes that continue it.
std::string_view character_at(std::string_view s, std::size_t i) {
    std::size_t end = i + 1;
    while (end < s.size() && (static_cast<unsigned char>(s[end]) & 0xC0U) == 0x80U) ++end;
    return s.substr(i, end - i);
}

result<std::string> unescaped(std::string_view s) {
    std::string out;
    for (std::size_t i = 0; i < s.size(); ++i) {
        if (s[i] == ',' || s[i] == '=')
            return unselectable("invalid field selector: unescaped character in value: " +
                                std::to_string(static_cast<int>(s[i])));
        if (s[i] == '\\') {
            auto const next = i + 1 < s.size() ? character_at(s, i + 1) : std::string_view{};
            if (next != "\\" && next != "," && next != "=")
                return unselectable("invalid field selector: invalid escape sequence: \\" + std::string(next));
            ++i;
        }
        out += s[i];
    }
    return out;
}

/// As a query prints it.
std::string text_of(field_requirement const& r) {
    std::string out = r.path;
    out += r.equal ? "=" : "!=";
    for (char const c : r.value) {
        if (c == '\\' || c == ',' || c == '=') out += '\\';
        out += c;
    }
    return out;
}

} // namespace

result<field_query> field_query::parse(std::string_view text) {
    field_query out;
    for (auto const term : sorted_terms(text)) {
        if (term.empty()) continue;
        auto const at = term.find('=');
        if (at == std::string_view::npos)
            return unselectable("invalid selector: '" + std::string(text) + "'; can't understand '" +
                                std::string(term) + "'");
        field_requirement r;
        r.equal = at == 0 || term[at - 1] != '!';
        r.path = term.substr(0, r.equal ? at : at - 1);
        auto value = term.substr(at + 1);
        if (r.equal && value.starts_with('=')) value.remove_prefix(1);
        auto plain = unescaped(value);
        if (!plain) return plain.error();
        r.value = *std::move(plain);
        out.requirements.push_back(std::move(r));
    }
    // `a==\=` comes before `a=b`, but not as it is printed, and what is printed has to read back to the same.
    std::sort(out.requirements.begin(), out.requirements.end(),
              [](auto const& a, auto const& b) { return text_of(a) < text_of(b); });
    return out;
}

std::string field_query::to_string() const {
    return joined(requirements, ",", [](auto const& r) { return text_of(r); });
}

} // namespace kftrain
