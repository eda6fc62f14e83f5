#include "model/codec/unique_unknown.hpp"

#include "model/json/json_document.hpp"

#include <algorithm>

namespace kftrain::detail {

std::vector<unknown_fields::value_type const*> sorted_unknown(unknown_fields const& fields) {
    std::vector<unknown_fields::value_type const*> order;
    for (auto const& f : fields) order.push_back(&f);
    std::sort(order.begin(), order.end(), [](auto const* a, auto const* b) {
        int const names = a->first.compare(b->first);
        return names != 0 ? names < 0 : a < b; // all stand in one array
    });
    return order;
}

void keep_last_of_each_name(unknown_fields& fields) {
    auto order = sorted_unknown(fields);
    auto const same_name = [](auto const* a, auto const* b) { return a->first == b->first; };
    if (std::adjacent_find(order.begin(), order.end(), same_name) == order.end()) return;
    // From behind, unique() keeps the last of each name; addresses then restore the order of the text.
    order.erase(order.begin(), std::unique(order.rbegin(), order.rend(), same_name).base());
    std::sort(order.begin(), order.end());
    unknown_fields kept;
    for (auto const* f : order) kept.append(f->first).second = f->second;
    fields = std::move(kept);
}

bool same_unknown(unknown_fields const& a, unknown_fields const& b) {
    if (a.end() - a.begin() != b.end() - b.begin()) return false;
    if (std::equal(a.begin(), a.end(), b.begin())) return true;
    auto const x = sorted_unknown(a);
    auto const y = sorted_unknown(b);
    return std::equal(x.begin(), x.end(), y.begin(), [](auto const* l, auto const* r) {
        return l->first == r->first && same_json(l->second.text, r->second.text);
    });
}

} // namespace kftrain::detail
