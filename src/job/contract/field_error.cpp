#include "job/contract/field_error.hpp"
#include "base/joined.hpp"

#include <algorithm>
#include <array>

namespace kftrain {
namespace {

issue make(std::string_view rule, std::string path, std::string text) {
    issue i;
    i.rule = rule;
    i.message = path + ": " + std::move(text);
    i.path = std::move(path);
    return i;
}

/** @par Upstream apimachinery `pkg/util/validation/field/errors.go`, `ErrorType.String`: how messages of each type
    begin */
std::string_view reason_of(std::string_view message) noexcept {
    struct row {
        std::string_view begin, reason;
    };
    static constexpr std::array rows{row{"Required value", "FieldValueRequired"},
                                     row{"Invalid value", "FieldValueInvalid"},
                                     row{"Unsupported value", "FieldValueNotSupported"},
                                     row{"Duplicate value", "FieldValueDuplicate"},
                                     row{"Forbidden", "FieldValueForbidden"},
                                     row{"Not found", "FieldValueNotFound"},
                                     row{"Too long", "FieldValueTooLong"},
                                     row{"Too many", "FieldValueTooMany"}};
    auto const known = std::ranges::find_if(rows, [&](row const& r) { return message.starts_with(r.begin); });
    return known == rows.end() ? "FieldValueInvalid" : known->reason;
}

/// The message without the path in front.
std::string_view text_of(issue const& i) noexcept {
    std::string_view text = i.message;
    if (i.path.empty() || !text.starts_with(i.path) || !text.substr(i.path.size()).starts_with(": ")) return text;
    return text.substr(i.path.size() + 2);
}

} // namespace

issue required(std::string_view rule, std::string path, std::string_view detail) {
    return make(rule, std::move(path), std::string("Required value: ").append(detail));
}

issue forbidden(std::string_view rule, std::string path, std::string_view detail) {
    return make(rule, std::move(path), std::string("Forbidden: ").append(detail));
}

issue invalid(std::string_view rule, std::string path, std::string_view value, std::string_view detail) {
    return make(rule, std::move(path), "Invalid value: " + in_quotes(value) + ": " + std::string(detail));
}

issue unsupported(std::string_view rule, std::string path, std::string_view value,
                  std::span<std::string_view const> known) {
    return make(rule, std::move(path),
                "Unsupported value: " + in_quotes(value) + ": supported values: " + joined(known, ", ", in_quotes));
}

failure invalid_job(issues const& found, std::string_view separator, bool names_path) {
    failure f;
    f.code = errc::invalid_job;
    f.detail.message = join_errors(found, separator);
    for (auto const& i : found) {
        if (i.level != issue::severity::error) continue;
        auto const text = text_of(i);
        if (names_path && f.detail.causes.empty()) {
            // to_string() puts the path in front.
            f.detail.path = i.path;
            f.detail.message.erase(0, i.message.size() - text.size());
        }
        f.detail.causes.emplace_back(std::string(reason_of(text)), i.path, std::string(text));
    }
    return f;
}

} // namespace kftrain
