#include "model/json/json_text.hpp"
#include "model/patch/item_places.hpp"
#include "model/patch/strategic_patch.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <set>
#include <vector>

namespace kftrain::detail {

namespace json = boost::json;

namespace {

std::string shown(json::value const& v) { return quoted_for_message(json::serialize(v)); }

/// Nothing that a patch adds may hold nulls, which stand for removal, or objects that are directives.
bool clean(json::value& v) {
    if (auto* o = v.if_object()) {
        if (o->contains(to_boost(directive::patch))) return false;
        erase_members(*o, [](json::key_value_pair& m) { return m.value().is_null() || !clean(m.value()); });
    } else if (auto* a = v.if_array()) {
        erase_items(*a, [](json::value& item) { return !clean(item); });
    }
    return true;
}

class merger {
public:
    void objects(schema const& s, json::object& target, json::object patch) {
        if (auto const* what = patch.if_contains(to_boost(directive::patch))) {
            bool const replaces = *what == "replace";
            if (!replaces && *what != "delete") refuse_patch("unknown directive $patch: " + shown(*what), path_);
            target.clear();
            patch.erase(to_boost(directive::patch));
            if (replaces) target = std::move(patch);
            return;
        }
        retain(target, patch);
        ordered_lists(s, target, patch);
        std::set<std::string_view> gone;
        for (auto& [raw_name, change] : patch) {
            std::string_view name = to_std(raw_name);
            bool const deletes = name.starts_with(directive::delete_from);
            if (deletes) name.remove_prefix(directive::delete_from.size());
            auto const mark = enter_member(path_, name);
            if (!field(s.at(name), to_boost(name), target, std::move(change), deletes)) gone.insert(name);
            path_.resize(mark);
        }
        if (!gone.empty()) erase_members(target, [&](auto const& m) { return gone.contains(to_std(m.key())); });
    }

private:
    /// False if the field goes.
    bool field(schema const& s, json::string_view name, json::object& target, json::value change, bool deletes) {
        auto* old = target.if_contains(name);
        if (change.is_null()) return false;
        if (old == nullptr || old->kind() != change.kind()) {
            if (deletes) return true;
            if (!clean(change)) return false;
            target[name] = std::move(change);
        } else if (old->is_object()) {
            objects(s, old->get_object(), std::move(change.get_object()));
        } else if (deletes && old->is_array()) {
            remove_scalars(old->get_array(), change.get_array());
        } else if (old->is_array() && !s.merge_key().empty()) {
            lists(s, old->get_array(), std::move(change.get_array()));
        } else {
            *old = std::move(change);
        }
        return true;
    }

    static void remove_scalars(json::array& target, json::array const& removed) {
        item_places const gone(removed, "*");
        erase_items(target, [&](json::value const& item) { return gone.find(item) != not_found; });
    }

    /// Without an order directive: items of the patch go in the patch's order, the rest stays around it.
    void lists(schema const& s, json::array& target, json::array patch) {
        json::array const live = target;
        json::array named;
        if (merge_items(s, target, std::move(patch), named)) arrange(target, named, live, s.merge_key());
    }

    /// Gives the items of the patch that are no directives; false if they replace the list.
    bool merge_items(schema const& s, json::array& target, json::array patch, json::array& named) {
        auto const key = s.merge_key();
        if (key == "*") {
            item_places places(target, key);
            for (auto& item : patch) {
                if (places.find(item) == not_found) {
                    places.add(item, target.size());
                    target.push_back(item);
                }
                named.push_back(std::move(item));
            }
            return true;
        }
        bool replaces = false;
        std::set<json::value, json_order> gone;
        for (auto& item : patch) {
            auto const* o = item.if_object();
            if (o == nullptr) refuse_patch("expected an object, got " + shown(item), path_);
            auto const* what = o->if_contains(to_boost(directive::patch));
            if (what == nullptr) {
                named.push_back(std::move(item));
            } else if (*what == "delete") {
                gone.insert(key_of(item, key, path_));
            } else if (*what == "replace") {
                replaces = true;
            } else {
                refuse_patch("unknown directive $patch: " + shown(*what) + " in a list", path_);
            }
        }
        if (replaces) {
            target.clear();
            for (auto& item : named)
                if (clean(item)) target.push_back(std::move(item));
            return false;
        }
        if (!gone.empty())
            erase_items(target, [&](json::value const& item) {
                auto const* value = key_in(item, key);
                return value != nullptr && gone.contains(*value);
            });
        merge_named(s.item(), target, named, key);
        return true;
    }

    /// Merges each item into the one of its key, or adds it.
    void merge_named(schema const& s, json::array& target, json::array const& named, std::string_view key) {
        item_places places(target, key);
        for (auto const& item : named) {
            auto const& value = key_of(item, key, path_);
            if (auto const at = places.find(value); at != not_found) {
                auto const mark = path_.size();
                append_path_index(at, path_);
                objects(s, target[at].get_object(), item.get_object());
                auto const* now = key_in(target[at], key);
                if (now == nullptr || *now != value)
                    refuse_patch("the patch changes the merge key \"" + std::string(key) + "\" of an item", path_);
                path_.resize(mark);
            } else if (json::value added = item; clean(added)) {
                places.add(added, target.size());
                target.push_back(std::move(added));
            }
        }
    }

    /** Puts the items that `order` names into its order, and each other one before the first of them that it stood
        before in `live`. */
    void arrange(json::array& target, json::array const& order, json::array const& live, std::string_view key) {
        item_places const wanted(order, key);
        item_places const before(live, key);
        json::array ordered;
        json::array others;
        for (auto& item : target) {
            bool const named = wanted.find(key_of(item, key, path_)) != not_found;
            (named ? ordered : others).push_back(std::move(item));
        }
        wanted.sort(ordered);
        before.sort(others);
        target.clear();
        std::size_t i = 0;
        for (auto& item : ordered) {
            auto const here = before.find(key_of(item, key, path_));
            while (i < others.size() && here != not_found && before.find(key_of(others[i], key, path_)) < here)
                target.push_back(std::move(others[i++]));
            target.push_back(std::move(item));
        }
        while (i < others.size()) target.push_back(std::move(others[i++]));
    }

    /// Clears what $retainKeys does not name.
    void retain(json::object& target, json::object& patch) const {
        auto const* kept = patch.if_contains(to_boost(directive::retain_keys));
        if (kept == nullptr) return;
        if (!kept->is_array()) refuse_patch("expected a list in $retainKeys, got " + shown(*kept), path_);
        json::array const names = kept->get_array();
        patch.erase(to_boost(directive::retain_keys));
        item_places const places(names, "*");
        auto const named = [&](json::string_view name) { return places.find(json::value(name)) != not_found; };
        for (auto const& [name, value] : patch) {
            bool const special =
                to_std(name).starts_with(directive::delete_from) || to_std(name).starts_with(directive::set_order);
            if (!value.is_null() && !special && !named(name))
                refuse_patch(
                    "the patch sets \"" + std::string(to_std(name)) + "\", which is missing in its $retainKeys", path_);
        }
        erase_members(target, [&](json::key_value_pair const& m) { return !named(m.key()); });
    }

    void ordered_lists(schema const& s, json::object& target, json::object& patch) {
        std::vector<std::string> names;
        for (auto const& [name, value] : patch)
            if (to_std(name).starts_with(directive::set_order))
                names.emplace_back(to_std(name).substr(directive::set_order.size()));
        for (auto const& name : names) {
            auto const mark = enter_member(path_, name);
            ordered_list(s.at(name), name, target, patch);
            path_.resize(mark);
        }
    }

    void ordered_list(schema const& s, std::string const& name, json::object& target, json::object& patch) {
        std::string const directive_name = std::string(directive::set_order) + name;
        json::value const order_value = patch.at(to_boost(directive_name));
        patch.erase(to_boost(directive_name));
        auto const key = s.merge_key();
        auto* change = patch.if_contains(to_boost(name));
        auto* old = target.if_contains(to_boost(name));
        if (key.empty()) refuse_patch("$setElementOrder for a field that is not a list with a merge key", path_);
        if (!order_value.is_array())
            refuse_patch("expected a list in $setElementOrder, got " + shown(order_value), path_);
        for (auto const* v : {change, old})
            if (v != nullptr && !v->is_array()) refuse_patch("expected a list, got " + shown(*v), path_);
        auto const& order = order_value.get_array();
        for (auto const& item : order) key_of(item, key, path_);
        if (change != nullptr) check_order(change->get_array(), order, key);
        if (old == nullptr && change == nullptr) return;
        json::array live = old != nullptr ? old->get_array() : json::array();
        json::array merged = live;
        if (change != nullptr) {
            json::array named;
            merge_items(s, merged, std::move(change->get_array()), named);
            patch.erase(to_boost(name));
            // As upstream: added items take the places of deleted ones, in the order of the live list.
            if (key != "*") {
                std::size_t const size = std::min(live.size(), merged.size());
                live = json::array(merged.begin(), merged.begin() + static_cast<std::ptrdiff_t>(size));
            }
        }
        // Scalars to be deleted are still in the list; their place does not matter.
        arrange(merged, order, live, key);
        target[to_boost(name)] = std::move(merged);
    }

    /// The items of the patch, in its order, must be among those whose order is set.
    void check_order(json::array const& patch, json::array const& order, std::string_view key) const {
        std::size_t at = 0;
        for (auto const& item : patch) {
            auto const* o = item.if_object();
            if (key != "*" && o != nullptr && o->contains(to_boost(directive::patch))) continue;
            auto const& value = key_of(item, key, path_);
            while (at < order.size() && key_of(order[at], key, path_) != value) ++at;
            if (at == order.size() && !order.empty())
                refuse_patch("the order of the list in the patch differs from its $setElementOrder", path_);
        }
    }

    std::string path_;
};

} // namespace

void strategic_merge(schema const& s, json::object& target, json::object patch) {
    merger().objects(s, target, std::move(patch));
}

} // namespace kftrain::detail
