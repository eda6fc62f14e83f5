#include "apiserver/rest/header_fields.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

namespace kftrain::apiserver {
namespace {

std::string_view trim(std::string_view s) {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
    return s;
}

/// Cuts the text up to `separator` from the front.
std::string_view cut(std::string_view& rest, char separator) {
    auto const end = std::min(rest.find(separator), rest.size());
    auto const part = trim(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
}

/// The form in which a client accepts JSON.
struct json_range {
    std::string_view as, version, group;
};

/// Cuts off the ranges up to the next one of JSON; nothing if there is none.
std::optional<json_range> next_json(std::string_view& accept) {
    while (!accept.empty()) {
        auto range = cut(accept, ',');
        auto const type = media_type(cut(range, ';'));
        if (type != "application/json" && type != "application/*" && type != "*/*") continue;
        json_range out;
        while (!range.empty()) {
            auto const parameter = cut(range, ';');
            if (parameter.starts_with("as=")) out.as = parameter.substr(3);
            if (parameter.starts_with("v=")) out.version = parameter.substr(2);
            if (parameter.starts_with("g=")) out.group = parameter.substr(2);
        }
        return out;
    }
    return std::nullopt;
}

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

std::string media_type(std::string_view content_type) { return to_lower(cut(content_type, ';')); }

media negotiate(std::string_view accept) {
    if (trim(accept).empty()) return media::json;
    while (auto const range = next_json(accept)) {
        if (range->as.empty()) return media::json;
        if (range->as == "Table" && range->version == "v1" && range->group == "meta.k8s.io") return media::table;
    }
    return media::none;
}

std::string_view aggregated_discovery_version(std::string_view accept) {
    while (auto const range = next_json(accept)) {
        if (range->as.empty()) break;
        bool const is_known = range->version == "v2" || range->version == "v2beta1";
        if (range->as == "APIGroupDiscoveryList" && range->group == "apidiscovery.k8s.io" && is_known)
            return range->version;
    }
    return {};
}

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
