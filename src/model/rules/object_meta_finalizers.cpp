#include "model/rules/label_syntax.hpp"
#include "model/rules/object_meta_parts.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace kftrain {
namespace {

using namespace meta_parts;
using faults = std::vector<metadata_fault>;

constexpr std::array<std::string_view, 3> standard_finalizers{"foregroundDeletion", "kubernetes", "orphan"};

/// Calls `take(name, place)` with each finalizer without a domain.
template <class Take> void each_unqualified(json::object const& metadata, Take take) {
    auto const* finalizers = array_in(metadata, "finalizers");
    if (finalizers == nullptr) return;
    for (std::size_t i = 0; i < finalizers->size(); ++i) {
        if (!(*finalizers)[i].is_string()) continue;
        auto const name = to_std((*finalizers)[i].get_string());
        if (name.find('/') == std::string_view::npos) take(name, with_index("metadata.finalizers", i));
    }
}

} // namespace

void meta_parts::find_finalizer_faults(json::array const& finalizers, faults& out) {
    std::string const field = "metadata.finalizers";
    bool orphan = false, foreground = false;
    std::string all;
    for (std::size_t i = 0; i < finalizers.size(); ++i) {
        if (!finalizers[i].is_string()) continue;
        auto const name = to_std(finalizers[i].get_string());
        auto const printed = go_text::quoted(name);
        for (auto const& why : label_key_faults(name)) invalid(out, field, printed, why, with_index(field, i));
        orphan = orphan || name == "orphan";
        foreground = foreground || name == "foregroundDeletion";
        all += (all.empty() ? "" : ", ") + printed;
    }
    if (orphan && foreground)
        invalid(out, field, "[]string{" + all + "}", "finalizer orphan and foregroundDeletion cannot be both set",
                field);
}

faults builtin_finalizer_faults(json::object const& metadata) {
    faults out;
    each_unqualified(metadata, [&](std::string_view name, std::string const& place) {
        if (std::ranges::find(standard_finalizers, name) == standard_finalizers.end())
            invalid(out, place, go_text::quoted(name),
                    "name is neither a standard finalizer name nor is it fully qualified", place);
    });
    return out;
}

faults finalizer_warnings(json::object const& metadata, json::object const* old) {
    std::set<std::string_view> known(standard_finalizers.begin(), standard_finalizers.end());
    auto const* before = old != nullptr ? array_in(*old, "finalizers") : nullptr;
    if (before != nullptr)
        for (auto const& v : *before)
            if (v.is_string()) known.insert(to_std(v.get_string()));
    faults out;
    each_unqualified(metadata, [&](std::string_view name, std::string const& place) {
        if (known.insert(name).second)
            out.emplace_back("", "metadata.finalizers",
                             go_text::quoted(name) + ": prefer a domain-qualified finalizer name to avoid accidental "
                                                     "conflicts with other finalizer writers",
                             place);
    });
    std::ranges::sort(out, {}, [](auto const& warning) { return warning.what.message; });
    return out;
}

} // namespace kftrain
