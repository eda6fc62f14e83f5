#include "model/value/field_path.hpp"
#include "model/value/value_table.hpp"

#include <kftrain/model/value_ref.hpp>

namespace kftrain {
namespace {

using model::shape;

value_kind kind_of(model::descriptor const& d) noexcept {
    switch (d.kind) {
    case shape::boolean: return value_kind::boolean;
    case shape::integer: return value_kind::integer;
    case shape::number: return value_kind::number;
    case shape::string: return value_kind::string;
    case shape::text: return value_kind::text;
    case shape::raw: return value_kind::json;
    case shape::array: return value_kind::list;
    case shape::map: return value_kind::map;
    case shape::object:
    case shape::optional: break;
    }
    return value_kind::object;
}

member_info info_of(model::field const& f) noexcept { return {f.member, f.name, described_type(*f.type), f.always}; }

} // namespace

std::string_view to_string(value_kind k) noexcept {
    switch (k) {
    case value_kind::boolean: return "boolean";
    case value_kind::integer: return "integer";
    case value_kind::number: return "number";
    case value_kind::string: return "string";
    case value_kind::text: return "text";
    case value_kind::json: return "json";
    case value_kind::object: return "object";
    case value_kind::list: return "list";
    case value_kind::map: return "map";
    }
    return {};
}

value_kind described_type::kind() const noexcept { return kind_of(detail::inner(*table_)); }
bool described_type::is_optional() const noexcept { return table_->kind == shape::optional; }

std::string_view described_type::name() const noexcept {
    auto const& d = detail::inner(*table_);
    switch (d.kind) {
    case shape::object: return d.type_name;
    case shape::array: return "list";
    case shape::map: return "map";
    default: return d.name;
    }
}

std::vector<std::string_view> described_type::enumerators() const {
    std::vector<std::string_view> names;
    auto const name_of = detail::inner(*table_).enumerator;
    while (name_of != nullptr && !name_of(names.size()).empty()) names.push_back(name_of(names.size()));
    return names;
}

described_type described_type::element() const noexcept { return described_type(*detail::inner(*table_).element); }
resource_info const* described_type::resource() const noexcept { return detail::inner(*table_).info; }
bool described_type::keeps_unknown_fields() const noexcept { return detail::inner(*table_).unknown != nullptr; }
std::size_t described_type::member_count() const noexcept { return detail::inner(*table_).fields.size(); }
member_info described_type::member(std::size_t index) const noexcept {
    return info_of(detail::inner(*table_).fields[index]);
}

std::optional<member_info> described_type::find_member(std::string_view name) const noexcept {
    auto const* const f = detail::field_of(detail::inner(*table_), name);
    return f == nullptr ? std::nullopt : std::optional(info_of(*f));
}

bool described_type::has_path(std::string_view path) const {
    auto const steps = detail::split_path(path);
    if (!steps) return false;
    auto at = *this;
    for (auto const& step : *steps) {
        switch (at.kind()) {
        case value_kind::json: return true;
        case value_kind::list:
        case value_kind::map: at = at.element(); break;
        case value_kind::object: {
            auto const member = at.find_member(step);
            if (!member) return false;
            at = member->type;
            break;
        }
        default: return false;
        }
    }
    return true;
}

} // namespace kftrain
