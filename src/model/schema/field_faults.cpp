#include "model/schema/field_faults.hpp"

#include "base/joined.hpp"
#include "model/json/go_text.hpp"

namespace kftrain {

std::string field_path::text() const {
    std::string out = parent_ != nullptr ? parent_->text() + "." : std::string();
    out += name_;
    if (index_ >= 0) out += "[" + std::to_string(index_) + "]";
    return out;
}

std::string field_path::text(std::string_view member) const { return text().append(".").append(member); }

std::string field_path::text(std::string_view member, std::size_t index) const {
    return text(member) + "[" + std::to_string(index) + "]";
}

std::string field_path::text_of_key(std::string_view member, std::string_view key) const {
    return text(member).append("[").append(key).append("]");
}

void field_faults::add(std::string_view reason, std::string field, std::string message) {
    if (found_.size() < most) found_.emplace_back(std::string(reason), std::move(field), std::move(message));
}

void field_faults::required(std::string field, std::string_view detail) {
    std::string text = "Required value";
    if (!detail.empty()) text.append(": ").append(detail);
    add("FieldValueRequired", std::move(field), std::move(text));
}

void field_faults::invalid(std::string field, std::string_view printed, std::string_view why) {
    add("FieldValueInvalid", std::move(field), std::string("Invalid value: ").append(printed).append(": ").append(why));
}

void field_faults::invalid(std::string field, std::int64_t value, std::string_view why) {
    invalid(std::move(field), std::string_view(std::to_string(value)), why);
}

void field_faults::invalid_text(std::string const& field, std::string_view value, std::span<std::string const> why) {
    for (auto const& reason : why) invalid_text(field, value, std::string_view(reason));
}

void field_faults::invalid_text(std::string field, std::string_view value, std::string_view why) {
    invalid(std::move(field), std::string_view(go_text::quoted(value)), why);
}

void field_faults::duplicate(std::string field, std::string_view value) {
    add("FieldValueDuplicate", std::move(field), "Duplicate value: " + go_text::quoted(value));
}

void field_faults::unsupported(std::string field, std::string_view value, std::span<std::string_view const> known) {
    add("FieldValueNotSupported", std::move(field),
        "Unsupported value: " + go_text::quoted(value) + ": supported values: " + joined(known, ", ", go_text::quoted));
}

void field_faults::forbidden(std::string field, std::string_view detail) {
    add("FieldValueForbidden", std::move(field), std::string("Forbidden: ").append(detail));
}

void field_faults::not_found(std::string field, std::string_view value) {
    add("FieldValueNotFound", std::move(field), "Not found: " + go_text::quoted(value));
}

void field_faults::too_long(std::string field, std::string_view detail) {
    add("FieldValueTooLong", std::move(field), std::string("Too long: ").append(detail));
}

void field_faults::append(std::vector<schema_violation> more) {
    for (auto& v : more)
        if (found_.size() < most) found_.push_back(std::move(v));
}

} // namespace kftrain
