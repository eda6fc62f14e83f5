#ifndef KFTRAIN_SRC_MODEL_JSON_JSON_ORDER_HPP
#define KFTRAIN_SRC_MODEL_JSON_JSON_ORDER_HPP

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <vector>

// Indexes that keep the time for long documents linear.
namespace kftrain::detail {

/// A total order of JSON values, for sets and maps: neither is before the other exactly if they are equal by `==`.
/// Containers sorted by it, unlike hashed ones, cannot be slowed down by the author of the values.
struct json_order {
    using is_transparent = void;

    bool operator()(boost::json::value const& a, boost::json::value const& b) const { return compare(a, b) < 0; }
    bool operator()(boost::json::value const* a, boost::json::value const* b) const { return compare(*a, *b) < 0; }

    /// Negative, zero or positive.
    static int compare(boost::json::value const& a, boost::json::value const& b);
};

/// Removes the members for which `gone(key_value_pair&)` holds from an object, in linear time; calls it once for each.
template <class Gone> void erase_members(boost::json::object& o, Gone gone) {
    std::vector<bool> goes;
    goes.reserve(o.size());
    std::size_t left = 0;
    for (auto& member : o) {
        goes.push_back(gone(member));
        if (!goes.back()) ++left;
    }
    if (left == o.size()) return;
    boost::json::object kept(o.storage());
    kept.reserve(left);
    std::size_t i = 0;
    for (auto& member : o)
        if (!goes[i++]) kept.emplace(member.key(), std::move(member.value()));
    o = std::move(kept);
}

/// The same for the items of a list.
template <class Gone> void erase_items(boost::json::array& list, Gone gone) {
    auto to = list.begin();
    for (auto& item : list)
        if (!gone(item)) {
            if (&*to != &item) *to = std::move(item);
            ++to;
        }
    list.erase(to, list.end());
}

} // namespace kftrain::detail

#endif
