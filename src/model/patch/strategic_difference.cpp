#include "model/json/json_text.hpp"
#include "model/patch/item_places.hpp"
#include "model/patch/strategic_patch.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kftrain::detail {

namespace json = boost::json;

json::value const& key_of(json::value const& item, std::string_view key, std::string const& path) {
    auto const* value = key_in(item, key);
    if (value == nullptr)
        refuse_patch("expected an object with the merge key \"" + std::string(key) + "\", got " +
                         quoted_for_message(json::serialize(item)),
                     path);
    if (key != "*" && value->is_structured())
        refuse_patch("expected a scalar as merge key \"" + std::string(key) + "\", got " +
                         quoted_for_message(json::serialize(*value)),
                     path);
    return *value;
}

namespace {

/// The keys of a list, in its order, and where each stands.
struct key_index {
    std::vector<std::string> keys;
    std::unordered_map<std::string, std::size_t> places;

    bool unique() const { return places.size() == keys.size(); }
    std::size_t find(std::string const& key) const {
        auto const it = places.find(key);
        return it == places.end() ? not_found : it->second;
    }
};

/// Walks two documents side by side and writes down the patch.
class differ {
public:
    json::object objects(schema const& s, json::object const& before, json::object const& after, bool retain) {
        json::object patch;
        for (auto const& [name, value] : after) {
            auto const mark = enter_member(path_, to_std(name));
            auto const* old = before.if_contains(name);
            if (old == nullptr)
                patch[name] = value;
            else
                values(s.at(to_std(name)), name, *old, value, patch);
            path_.resize(mark);
        }
        bool removed = false;
        for (auto const& [name, value] : before)
            if (!after.contains(name)) {
                patch[name] = nullptr;
                removed = true;
            }
        if (retain && !after.empty() && (!patch.empty() || removed))
            patch[to_boost(directive::retain_keys)] = names_of(after);
        return patch;
    }

private:
    /// Sorted; what is null is not there.
    static json::array names_of(json::object const& o) {
        std::set<std::string_view> names;
        for (auto const& [name, value] : o)
            if (!value.is_null()) names.insert(to_std(name));
        json::array list;
        for (auto name : names) list.emplace_back(to_boost(name));
        return list;
    }

    void values(schema const& s, json::string_view name, json::value const& before, json::value const& after,
                json::object& patch) {
        if (before.is_object() && after.is_object()) {
            auto inner = objects(s, before.get_object(), after.get_object(), s.retains_keys());
            if (!inner.empty()) patch[name] = std::move(inner);
        } else if (before.is_array() && after.is_array() && !s.merge_key().empty()) {
            lists(s, name, before.get_array(), after.get_array(), patch);
        } else if (!same_value(s, before, after)) {
            patch[name] = after;
        }
    }

    void lists(schema const& s, json::string_view name, json::array const& before, json::array const& after,
               json::object& patch) {
        if (before.empty()) {
            if (!after.empty()) patch[name] = after;
            return;
        }
        auto const key = s.merge_key();
        auto const old_index = index_of(before, key);
        auto const new_index = index_of(after, key);
        if (!old_index.unique() || !new_index.unique()) {
            if (same_value(s, before, after)) return;
            if (key == "*")
                scalars(name, before, after, old_index, new_index, patch);
            else
                replace(name, after, patch);
            return;
        }
        if (key == "*") return scalars(name, before, after, old_index, new_index, patch);
        auto const item = s.item();
        json::array changes;
        json::array order;
        for (std::size_t i = 0; i < after.size(); ++i) {
            auto const& key_value = key_of(after[i], key, path_);
            order.push_back(json::object{{to_boost(key), key_value}});
            auto const old = old_index.find(new_index.keys[i]);
            if (old == not_found) {
                changes.push_back(after[i]);
                continue;
            }
            auto const mark = path_.size();
            append_path_index(i, path_);
            auto inner = objects(item, before[old].get_object(), after[i].get_object(), s.retains_keys());
            path_.resize(mark);
            if (inner.empty()) continue;
            inner[to_boost(key)] = key_value;
            changes.push_back(std::move(inner));
        }
        for (auto const& gone : gone_keys(before, key, old_index, new_index))
            changes.push_back(json::object{{to_boost(directive::patch), "delete"}, {to_boost(key), gone}});
        if (changes.empty() && old_index.keys == new_index.keys) return;
        if (!changes.empty()) patch[name] = std::move(changes);
        patch[to_boost(std::string(directive::set_order).append(to_std(name)))] = std::move(order);
    }

    void scalars(json::string_view name, json::array const& before, json::array const& after,
                 key_index const& old_index, key_index const& new_index, json::object& patch) const {
        if (before == after) return;
        json::array added;
        for (std::size_t i = 0; i < after.size(); ++i)
            if (old_index.find(new_index.keys[i]) == not_found) added.push_back(after[i]);
        auto removed = gone_keys(before, "*", old_index, new_index);
        if (!added.empty()) patch[name] = std::move(added);
        if (!removed.empty())
            patch[to_boost(std::string(directive::delete_from).append(to_std(name)))] = std::move(removed);
        patch[to_boost(std::string(directive::set_order).append(to_std(name)))] = after;
    }

    /// The keys that only `before` has, once each, sorted by their texts, as upstream does, also numbers.
    json::array gone_keys(json::array const& before, std::string_view key, key_index const& old_index,
                          key_index const& new_index) const {
        std::vector<std::pair<std::string, std::size_t>> sorted; // texts with their places
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (new_index.find(old_index.keys[i]) != not_found || old_index.find(old_index.keys[i]) != i) continue;
            auto const& k = key_of(before[i], key, path_);
            sorted.emplace_back(k.is_string() ? std::string(to_std(k.get_string())) : std::string(json::serialize(k)),
                                i);
        }
        std::sort(sorted.begin(), sorted.end());
        json::array gone;
        for (auto const& [text, i] : sorted) gone.push_back(key_of(before[i], key, path_));
        return gone;
    }

    static void replace(json::string_view name, json::array const& after, json::object& patch) {
        json::array list = after;
        list.push_back(json::object{{to_boost(directive::patch), "replace"}});
        patch[name] = std::move(list);
    }

    key_index index_of(json::array const& list, std::string_view key) {
        key_index index;
        for (std::size_t i = 0; i < list.size(); ++i) {
            auto const mark = path_.size();
            append_path_index(i, path_);
            index.keys.push_back(json::serialize(key_of(list[i], key, path_)));
            path_.resize(mark);
            index.places.try_emplace(index.keys.back(), i);
        }
        return index;
    }

    std::string path_;
};

} // namespace

json::object strategic_difference(schema const& s, json::object const& before, json::object const& after) {
    return differ().objects(s, before, after, false);
}

} // namespace kftrain::detail
