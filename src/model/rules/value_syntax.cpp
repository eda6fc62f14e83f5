#include "model/rules/value_syntax.hpp"

#include "base/ascii.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <limits>

namespace kftrain {
namespace {

bool joins(char c) noexcept { return c == '-' || c == '_' || c == '.'; }

/// A key is a file name, and a variable may be made of one.
void find_parent_folder(std::string_view s, std::vector<std::string>& found) {
    if (s == ".")
        found.emplace_back("must not be '.'");
    else if (s == "..")
        found.emplace_back("must not be '..'");
    else if (s.starts_with(".."))
        found.emplace_back("must not start with '..'");
}

bool is_ipv4(std::string_view s) {
    for (int part = 0; part < 4; ++part) {
        auto const end = std::min(s.find('.'), s.size());
        auto const number = s.substr(0, end);
        if (number.empty() || (part < 3) == (end == s.size())) return false;
        unsigned value = 0;
        for (char const c : number) {
            if (!is_digit(c)) return false;
            value = value * 10 + static_cast<unsigned>(c - '0');
            if (value > 255) return false;
        }
        s.remove_prefix(std::min(end + 1, s.size()));
    }
    return true;
}

} // namespace

std::string outside(std::int64_t low, std::int64_t high) {
    return "must be between " + std::to_string(low) + " and " + std::to_string(high) + ", inclusive";
}

std::vector<std::string> port_name_faults(std::string_view s) {
    std::vector<std::string> found;
    auto const known = [](char c) { return is_lower(c) || is_digit(c) || c == '-'; };
    if (s.size() > 15) found.emplace_back("must be no more than 15 characters");
    if (s.empty() || !std::ranges::all_of(s, known))
        found.emplace_back("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
    if (std::ranges::none_of(s, is_lower)) found.emplace_back("must contain at least one letter (a-z)");
    if (s.find("--") != std::string_view::npos) found.emplace_back("must not contain consecutive hyphens");
    if (!s.empty() && (s.front() == '-' || s.back() == '-')) found.emplace_back("must not begin or end with a hyphen");
    return found;
}

std::vector<std::string> port_number_faults(std::int64_t port) {
    if (port >= 1 && port <= 65535) return {};
    return {outside(1, 65535)};
}

std::vector<std::string> environment_name_faults(std::string_view s) {
    std::vector<std::string> found;
    auto const known = [](char c) { return is_letter(c) || is_digit(c) || joins(c); };
    if (s.empty() || is_digit(s.front()) || !std::ranges::all_of(s, known))
        found.emplace_back(
            "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and "
            "must not start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for "
            "validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')");
    find_parent_folder(s, found);
    return found;
}

std::vector<std::string> config_key_faults(std::string_view s) {
    std::vector<std::string> found;
    auto const known = [](char c) { return is_letter(c) || is_digit(c) || joins(c); };
    if (s.size() > 253) found.emplace_back("must be no more than 253 characters");
    if (s.empty() || !std::ranges::all_of(s, known))
        found.emplace_back("a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. "
                           "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is "
                           "'[-._a-zA-Z0-9]+')");
    find_parent_folder(s, found);
    return found;
}

std::vector<std::string> header_name_faults(std::string_view s) {
    auto const known = [](char c) { return is_letter(c) || is_digit(c) || c == '-'; };
    if (!s.empty() && std::ranges::all_of(s, known)) return {};
    return {"a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for "
            "validation is '[-A-Za-z0-9]+')"};
}

std::vector<std::string> owner_id_faults(std::int64_t id) {
    constexpr std::int64_t last = std::numeric_limits<std::int32_t>::max();
    if (id >= 0 && id <= last) return {};
    return {outside(0, last)};
}

bool is_address(std::string_view s) {
    if (is_ipv4(s)) return true;
    std::array<unsigned char, sizeof(in6_addr)> address{};
    if (s.find('\0') != std::string_view::npos) return false;
    return inet_pton(AF_INET6, std::string(s).c_str(), address.data()) == 1;
}

} // namespace kftrain
