#ifndef KFTRAIN_SRC_MODEL_SCHEMA_SCHEMA_ITEMS_HPP
#define KFTRAIN_SRC_MODEL_SCHEMA_SCHEMA_ITEMS_HPP

#include "model/json/json_order.hpp"
#include "model/schema/schema_node.hpp"

#include <map>

namespace kftrain {

/// The identity of a list item: the item itself or, in a list of type map, the values of its keys.
inline boost::json::value identity_of(schema_node const& n, boost::json::value const& item) {
    if (n.list_type != "map") return item;
    boost::json::object keys;
    if (auto const* o = item.if_object())
        for (auto const& name : n.list_map_keys)
            if (auto const* v = o->if_contains(name)) keys.emplace(name, *v);
    return keys;
}

/// Finds the item of the list before an update that an item of the new list replaces. Only lists of the type map have
/// keys to compare. Refers to the list.
class old_items {
public:
    /// @param old The list; may be null, or no list.
    old_items(schema_node const& n, boost::json::value const* old) : node_(n) {
        auto const* list = old != nullptr ? old->if_array() : nullptr;
        if (list == nullptr || n.list_type != "map") return;
        for (auto const& item : *list)
            if (item.is_object()) by_identity_.try_emplace(identity_of(n, item), &item);
    }

    /// The first one that stood for `item`, or null.
    boost::json::value const* find(boost::json::value const& item) const {
        if (by_identity_.empty() || !item.is_object()) return nullptr;
        auto const it = by_identity_.find(identity_of(node_, item));
        return it == by_identity_.end() ? nullptr : it->second;
    }

private:
    schema_node const& node_;
    std::map<boost::json::value, boost::json::value const*, detail::json_order> by_identity_;
};

} // namespace kftrain

#endif
