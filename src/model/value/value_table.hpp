#ifndef KFTRAIN_SRC_MODEL_VALUE_VALUE_TABLE_HPP
#define KFTRAIN_SRC_MODEL_VALUE_VALUE_TABLE_HPP

#include <kftrain/model/detail/descriptor_table.hpp>

#include <algorithm>
#include <string_view>

namespace kftrain::detail {

/// The table of the value that an optional may contain.
inline model::descriptor const& inner(model::descriptor const& table) noexcept {
    auto const* d = &table;
    while (d->kind == model::shape::optional) d = d->element;
    return *d;
}

/// The member of a struct with this C++ name or JSON name; null if there is none.
inline model::field const* field_of(model::descriptor const& d, std::string_view name) noexcept {
    if (auto const* const f = d.find(name)) return f;
    auto const f = std::ranges::find(d.fields, name, &model::field::member);
    return f == d.fields.end() ? nullptr : &*f;
}

} // namespace kftrain::detail

#endif
