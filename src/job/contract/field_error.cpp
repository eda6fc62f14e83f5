#include "job/contract/field_error.hpp"
#include "base/joined.hpp"

namespace kftrain {
namespace {

issue make(std::string_view rule, std::string path, std::string text) {
    issue i;
    i.rule = rule;
    i.message = path + ": " + std::move(text);
    i.path = std::move(path);
    return i;
}

} // namespace

std::string in_quotes(std::string_view s) { return std::string("\"").append(s).append("\""); }

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

} // namespace kftrain
