#ifndef KFTRAIN_SRC_MODEL_PATCH_ITEM_PLACES_HPP
#define KFTRAIN_SRC_MODEL_PATCH_ITEM_PLACES_HPP

#include "model/json/json_order.hpp"
#include "model/patch/strategic_patch.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain::detail {

/// The item's value of the key, the item itself in a set of scalars; null if it has none.
inline boost::json::value const* key_in(boost::json::value const& item, std::string_view key) {
    if (key == "*") return &item;
    auto const* o = item.if_object();
    return o != nullptr ? o->if_contains(to_boost(key)) : nullptr;
}

/// The index of the first item for each value of the key. Keeps copies of the values, since the items change.
class item_places {
public:
    item_places(boost::json::array const& list, std::string_view key) : key_(key) {
        for (std::size_t i = 0; i < list.size(); ++i) add(list[i], i);
    }

    void add(boost::json::value const& item, std::size_t place) {
        if (auto const* value = key_in(item, key_)) places_.try_emplace(*value, place);
    }
    std::size_t find(boost::json::value const& value) const {
        auto const it = places_.find(value);
        return it == places_.end() ? not_found : it->second;
    }
    /// Orders items by the place of their keys; items without a place come last.
    void sort(boost::json::array& list) const {
        std::vector<std::pair<std::size_t, std::size_t>> order; // the second keeps equal ones in their order
        order.reserve(list.size());
        for (auto const& item : list) {
            auto const* value = key_in(item, key_);
            order.emplace_back(value == nullptr ? not_found : find(*value), order.size());
        }
        std::sort(order.begin(), order.end());
        boost::json::array sorted;
        sorted.reserve(list.size());
        for (auto const& [place, from] : order) sorted.push_back(std::move(list[from]));
        list = std::move(sorted);
    }

private:
    std::string_view key_;
    std::map<boost::json::value, std::size_t, json_order> places_;
};

} // namespace kftrain::detail

#endif
