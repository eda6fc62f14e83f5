#include "model/codec/nearest_name.hpp"

#include "base/ascii.hpp"
#include "model/json/json_text.hpp"

#include <kftrain/model/nearest_name.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace kftrain {
namespace {

constexpr std::size_t longest = 64;

/** Edits that turn one name into the other: a letter more, a letter less, another letter, two letters swapped. The case
    of letters does not count. `limit + 1` stands for anything above the limit. */
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit) noexcept {
    if (a.size() > b.size()) std::swap(a, b);
    if (b.size() > longest || b.size() - a.size() > limit) return limit + 1;
    using row = std::array<std::size_t, longest + 1>;
    row before_last{};
    row last{};
    row now{};
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        now[0] = i;
        for (std::size_t k = 1; k <= b.size(); ++k) {
            bool const same = to_lower(a[i - 1]) == to_lower(b[k - 1]);
            now[k] = std::min({last[k] + 1, now[k - 1] + 1, last[k - 1] + (same ? 0 : 1)});
            bool const swapped =
                i > 1 && k > 1 && to_lower(a[i - 1]) == to_lower(b[k - 2]) && to_lower(a[i - 2]) == to_lower(b[k - 1]);
            if (swapped) now[k] = std::min(now[k], before_last[k - 2] + 1);
        }
        before_last = last;
        last = now;
    }
    return std::min(last[b.size()], limit + 1);
}

model::descriptor const* struct_within(model::descriptor const* type) {
    if (type->kind == model::shape::optional) type = type->element;
    return type->kind == model::shape::object ? type : nullptr;
}

/// The only field of the type whose own type is a struct that has a field of this name, or null.
model::field const* field_with(model::descriptor const& type, std::string_view name) {
    model::field const* only = nullptr;
    for (auto const& f : type.fields) {
        auto const* const within = struct_within(f.type);
        if (within == nullptr || within->find(name) == nullptr) continue;
        if (only != nullptr) return nullptr;
        only = &f;
    }
    return only;
}

} // namespace

std::string_view nearest_name(std::span<std::string_view const> names, std::string_view name) {
    std::string_view nearest;
    std::size_t best = 1 + name.size() / 4;
    for (auto const candidate : names) {
        auto const d = distance(name, candidate, best);
        if (d > best || (d == best && !nearest.empty())) continue;
        best = d;
        nearest = candidate;
    }
    return nearest;
}

namespace detail {

std::string_view nearest_field(model::descriptor const& type, std::string_view name) {
    std::vector<std::string_view> names;
    for (auto const& f : type.fields) names.push_back(f.name);
    if (type.info != nullptr) names.insert(names.end(), {"apiVersion", "kind"});
    return nearest_name(names, name);
}

std::string unknown_field_message(model::descriptor const& type, std::string_view name, std::string_view path) {
    std::string text = "unknown field " + quoted_for_message(name);
    if (auto const* const f = field_with(type, name)) {
        std::string place(path);
        append_path_key(f->name, place);
        append_path_key(name, place);
        return text + "; it belongs to " + place;
    }
    auto const nearest = nearest_field(type, name);
    if (!nearest.empty()) text.append("; did you mean \"").append(nearest).append("\"?");
    return text;
}

} // namespace detail
} // namespace kftrain
