#include "kube/http/redaction.hpp"

#include "model/scalars/base64.hpp"

#include <algorithm>
#include <set>

namespace kftrain::kube::detail {
namespace {

constexpr std::string_view hidden = "[hidden]";
constexpr std::size_t shortest = 4;
constexpr std::size_t shortest_part = 8;

int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/// The value of `size` hexadecimal digits at the front; negative if there are none.
int hex_value(std::string_view s, std::size_t size) {
    if (s.size() < size) return -1;
    int value = 0;
    for (char const c : s.substr(0, size)) {
        if (hex(c) < 0) return -1;
        value = value * 16 + hex(c);
    }
    return value;
}

/// How many characters at the front of `s` stand for `c` in another spelling; 0 if they do not.
std::size_t spelled(std::string_view s, char c) {
    if (s.empty()) return 0;
    int const wanted = static_cast<unsigned char>(c);
    if (s.front() == '%' && hex_value(s.substr(1), 2) == wanted) return 3;
    if (s.front() == '+' && c == ' ') return 1;
    if (s.front() != '\\' || s.size() < 2) return 0;
    if (s[1] == 'u' && hex_value(s.substr(2), 4) == wanted) return 6;
    if (s[1] == 'x' && hex_value(s.substr(2), 2) == wanted) return 4;
    if (s[1] == 'n' && c == '\n') return 2;
    return s[1] == c && (c == '/' || c == '"' || c == '\\') ? 2 : 0;
}

/// How many characters at the front of `text` spell the secret; 0 if they do not.
std::size_t spelled(std::string_view text, std::string_view secret) {
    if (text.front() != secret.front() && spelled(text, secret.front()) == 0) return 0; // nearly always
    std::set<std::size_t> ends{0}; // of all spellings so far: a percent sign stands for itself, or begins another
    for (char const c : secret) {
        std::set<std::size_t> next;
        for (auto const at : ends) {
            if (at < text.size() && text[at] == c) next.insert(at + 1);
            if (auto const n = spelled(text.substr(at), c); n != 0) next.insert(at + n);
        }
        if (next.empty()) return 0;
        ends = std::move(next);
    }
    return *ends.rbegin();
}

/// How many characters at the front of `text` are a part of the secret that is worth hiding; 0 if there are none.
std::size_t part(std::string_view text, std::string_view secret) {
    std::size_t longest = 0;
    auto const begin = text.substr(0, shortest_part);
    if (begin.size() < shortest_part) return 0;
    for (auto at = secret.find(begin); at != std::string_view::npos; at = secret.find(begin, at + 1)) {
        auto n = shortest_part;
        while (n < text.size() && at + n < secret.size() && text[n] == secret[at + n]) ++n;
        longest = std::max(longest, n);
    }
    return longest;
}

} // namespace

void secrets::add(std::string_view secret) {
    if (secret.size() < shortest) return;
    texts_.emplace_back(secret);
    // One may hold another.
    std::sort(texts_.begin(), texts_.end(),
              [](auto const& a, auto const& b) { return a.size() != b.size() ? a.size() > b.size() : a < b; });
}

void secrets::add_authorization(std::string_view value) {
    auto const space = value.find(' ');
    auto const credentials = space == std::string_view::npos ? value : value.substr(space + 1);
    add(credentials);
    auto const scheme = value.substr(0, space);
    bool const basic = scheme.size() == 5 && (scheme[0] == 'B' || scheme[0] == 'b');
    auto const pair = basic ? base64_decode(credentials) : std::nullopt;
    if (pair) add(std::string_view(*pair).substr(std::min(pair->find(':'), pair->size() - 1) + 1));
}

std::string secrets::hide(std::string text) const {
    if (texts_.empty()) return text;
    std::string out;
    std::string_view rest = text;
    while (!rest.empty()) {
        std::size_t found = 0;
        for (auto const& secret : texts_)
            if (found = spelled(rest, secret); found != 0) break;
        for (auto const& secret : texts_)
            if (found == 0) found = part(rest, secret);
        out += found != 0 ? hidden : rest.substr(0, 1);
        rest.remove_prefix(found != 0 ? found : 1);
    }
    return out;
}

std::string without_userinfo(std::string_view url) {
    auto const at = url.rfind('@'); // passwords may hold slashes, and more of this sign
    if (at == std::string_view::npos) return std::string(url);
    auto const scheme = url.find("://");
    auto const begin = scheme < at ? scheme + 3 : 0;
    return std::string(url.substr(0, begin)).append(hidden).append(url.substr(at));
}

} // namespace kftrain::kube::detail
