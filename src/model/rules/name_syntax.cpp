#include "model/rules/name_syntax.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace kftrain {
namespace {

bool is_lower_alnum(char c) noexcept { return is_lower(c) || is_digit(c); }

bool is_label(std::string_view s) noexcept {
    return !s.empty() && is_lower_alnum(s.front()) && is_lower_alnum(s.back()) &&
           std::all_of(s.begin(), s.end(), [](char c) { return is_lower_alnum(c) || c == '-'; });
}

bool is_subdomain(std::string_view s) noexcept {
    for (;;) {
        auto const part = s.substr(0, s.find('.'));
        if (!is_label(part)) return false;
        if (part.size() == s.size()) return true;
        s.remove_prefix(part.size() + 1);
    }
}

constexpr std::string_view subdomain_form =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view label_form =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with "
    "an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view label_1035_form =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
    "'[a-z]([-a-z0-9]*[a-z0-9])?')";

std::vector<std::string> length_faults(std::string_view name, std::size_t most) {
    std::vector<std::string> found;
    if (name.size() > most) found.push_back("must be no more than " + std::to_string(most) + " characters");
    return found;
}

/// Returns the part of a prefix that the server checks.
std::string masked(std::string_view name, bool prefix) {
    std::string text(name);
    if (prefix && text.size() > 1 && text.back() == '-') text.replace(text.size() - 2, 2, "a");
    return text;
}

} // namespace

std::vector<std::string> dns_subdomain_faults(std::string_view given, bool prefix) {
    auto const name = masked(given, prefix);
    auto found = length_faults(name, 253);
    if (!is_subdomain(name)) found.emplace_back(subdomain_form);
    return found;
}

std::vector<std::string> dns_label_faults(std::string_view given, bool prefix) {
    auto const name = masked(given, prefix);
    auto found = length_faults(name, 63);
    if (!is_label(name)) found.emplace_back(is_subdomain(name) ? "must not contain dots" : label_form);
    return found;
}

std::vector<std::string> dns_1035_label_faults(std::string_view given, bool prefix) {
    auto const name = masked(given, prefix);
    auto found = length_faults(name, 63);
    if (!is_label(name) || !is_lower(name.front())) found.emplace_back(label_1035_form);
    return found;
}

std::vector<std::string> path_segment_faults(std::string_view name, bool prefix) {
    std::vector<std::string> found;
    if (!prefix && (name == "." || name == "..")) {
        found.push_back("may not be '" + std::string(name) + "'");
        return found;
    }
    for (char const c : {'/', '%'})
        if (name.find(c) != std::string_view::npos) found.push_back(std::string("may not contain '") + c + "'");
    return found;
}

} // namespace kftrain
