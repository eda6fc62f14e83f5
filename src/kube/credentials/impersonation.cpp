#include "kube/credentials/impersonation.hpp"

#include "base/ascii.hpp"

#include <string_view>
#include <utility>

namespace kftrain::kube::detail {
namespace {

/// Escapes characters that the name of a header field must not contain, and the percent sign.
std::string as_field_name(std::string_view key) {
    constexpr std::string_view signs = "!#$&'*+-.^_`|~";
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (char const c : key) {
        if (is_alnum(c) || signs.find(c) != std::string_view::npos) {
            out += c;
            continue;
        }
        auto const byte = static_cast<unsigned char>(c);
        out += '%';
        out += digits[byte >> 4U];
        out += digits[byte & 15U];
    }
    return out;
}

} // namespace

result<void> add_impersonation(impersonation const& who, http_fields& fields) {
    if (who.empty() || !fields.get("Impersonate-User").empty()) return {};
    if (who.user.empty()) {
        diagnostics d;
        d.path = "as.user";
        d.message = "uid, groups and extra of an impersonation require a user";
        return failure(errc::invalid_argument, std::move(d));
    }
    fields.add("Impersonate-User", who.user);
    if (!who.uid.empty()) fields.add("Impersonate-Uid", who.uid);
    for (auto const& group : who.groups) fields.add("Impersonate-Group", group);
    for (auto const& [key, values] : who.extra)
        for (auto const& value : values) fields.add("Impersonate-Extra-" + as_field_name(key), value);
    return {};
}

} // namespace kftrain::kube::detail
