#include "apiserver/rest/warning_fields.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace kftrain::apiserver {
namespace {

constexpr std::size_t most_characters = 4096, longest_when_cut = 256;

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::size_t characters(std::string_view text) {
    return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues));
}

/// The first `most` characters.
std::string_view cut(std::string_view text, std::size_t most) {
    std::size_t seen = 0, at = 0;
    for (; at < text.size(); ++at)
        if (!continues(text[at]) && ++seen > most) break;
    return text.substr(0, at);
}

/// Texts are UTF-8, as all that this server has read.
bool fits_a_field(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        auto const c = static_cast<unsigned char>(text[i]);
        if (c < 0x20 || c == 0x7F) return false;
        bool const second_controls = c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
        if (second_controls) return false;
    }
    return true;
}

std::string field(std::string_view text) {
    std::string out = "299 - \"";
    for (char const c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out += '"';
}

} // namespace

void add_warnings(kube::http_fields& to, std::vector<std::string> const& warnings) {
    std::vector<std::string_view> texts;
    std::set<std::string_view> reported;
    std::size_t total = 0, beyond = 0; // the place of the first that does not fit
    for (auto const& w : warnings) {
        if (w.empty() || !reported.insert(w).second || !fits_a_field(w)) continue;
        texts.push_back(w);
        if (total <= most_characters) {
            total += characters(w);
            beyond = texts.size() - 1;
        }
    }
    if (total <= most_characters) {
        for (auto const text : texts) to.add("Warning", field(text));
        return;
    }
    std::size_t written = 0;
    for (std::size_t i = 0; i < texts.size() && (i <= beyond || written < most_characters); ++i) {
        auto const text = cut(texts[i], longest_when_cut);
        written += characters(text);
        to.add("Warning", field(text));
    }
}

} // namespace kftrain::apiserver
