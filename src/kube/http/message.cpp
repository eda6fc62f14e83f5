#include <kftrain/kube/message.hpp>

#include "base/ascii.hpp"

#include <algorithm>

namespace kftrain::kube {
namespace {

bool same_name(std::string_view a, std::string_view b) noexcept {
    return std::ranges::equal(a, b, [](char x, char y) { return to_lower(x) == to_lower(y); });
}

} // namespace

void http_fields::add(std::string name, std::string value) { list_.emplace_back(std::move(name), std::move(value)); }

void http_fields::set(std::string name, std::string value) {
    std::erase_if(list_, [&](value_type const& f) { return same_name(f.first, name); });
    add(std::move(name), std::move(value));
}

std::string_view http_fields::get(std::string_view name) const noexcept {
    for (auto const& [n, v] : list_)
        if (same_name(n, name)) return v;
    return {};
}

std::vector<std::string_view> http_fields::get_all(std::string_view name) const {
    std::vector<std::string_view> values;
    for (auto const& [n, v] : list_)
        if (same_name(n, name)) values.emplace_back(v);
    return values;
}

} // namespace kftrain::kube
