#include "model/rules/label_syntax.hpp"

#include "base/ascii.hpp"
#include "model/rules/name_syntax.hpp"

#include <algorithm>

namespace kftrain {
namespace {

/// Letters and digits at both ends, also `-`, `_` and `.` between.
bool is_name(std::string_view s) noexcept {
    if (s.empty() || !is_alnum(s.front()) || !is_alnum(s.back())) return false;
    return std::all_of(s.begin(), s.end(), [](char c) { return is_alnum(c) || c == '-' || c == '_' || c == '.'; });
}

constexpr std::string_view name_form =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character "
    "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view value_form =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

std::string too_long(std::string_view who, int most) {
    return std::string(who).append("must be no more than ").append(std::to_string(most)).append(" characters");
}

} // namespace

std::vector<std::string> label_key_faults(std::string_view key) {
    std::vector<std::string> found;
    auto name = key;
    if (auto const slash = key.find('/'); slash != std::string_view::npos) {
        auto const prefix = key.substr(0, slash);
        name = key.substr(slash + 1);
        if (name.find('/') != std::string_view::npos) {
            found.push_back(std::string("a qualified name ").append(name_form) +
                            " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
            return found;
        }
        if (prefix.empty()) {
            found.emplace_back("prefix part must be non-empty");
        } else {
            for (auto const& fault : dns_subdomain_faults(prefix)) found.push_back("prefix part " + fault);
        }
    }
    if (name.empty())
        found.emplace_back("name part must be non-empty");
    else if (name.size() > 63)
        found.push_back(too_long("name part ", 63));
    if (!is_name(name)) found.push_back(std::string("name part ").append(name_form));
    return found;
}

std::vector<std::string> label_value_faults(std::string_view value) {
    std::vector<std::string> found;
    if (value.size() > 63) found.push_back(too_long("", 63));
    if (!value.empty() && !is_name(value)) found.emplace_back(value_form);
    return found;
}

} // namespace kftrain
