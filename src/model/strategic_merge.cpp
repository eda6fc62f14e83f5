#include "model/json_text.hpp"
#include "model/strategic_patch.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <vector>

namespace kftrain::detail {

namespace json = boost::json;

namespace {

std::string shown(json::value const& v) { return quoted_for_message(json::serialize(v)); }

/// Nothing that a patch adds may hold nulls, which stand for removal, or objects that are directives.
bool clean(json::value& v) {
    if (auto* o = v.if_object()) {
        if (o->contains(to_boost(directive::patch))) return false;
        for (auto it = o->begin(); it != o->end();)
            if (it->value().is_null() || !clean(it->value()))
                it = o->stable_erase(it);
            else
                ++it;
    } else if (auto* a = v.if_array()) {
        for (auto it = a->begin(); it != a->end();) it = clean(*it) ? it + 1 : a->erase(it);
    }
    return true;
}

/// By the place of their keys in `order`; what is not there keeps its place behind what is.
void sort_by(json::array& list, json::array const& order, std::string_view key) {
    std::vector<std::pair<std::size_t, json::value>> places;
    for (auto& item : list) {
        auto const* o = item.if_object();
        auto const* value = key == "*" ? &item : o != nullptr ? o->if_contains(to_boost(key)) : nullptr;
        places.emplace_back(value == nullptr ? not_found : find_item(order, key, *value), std::move(item));
    }
    std::stable_sort(places.begin(), places.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = std::move(places[i].second);
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
        for (auto& [raw_name, change] : patch) {
            std::string_view name = to_std(raw_name);
            bool const deletes = name.starts_with(directive::delete_from);
            if (deletes) name.remove_prefix(directive::delete_from.size());
            auto const mark = enter(name);
            field(s.at(name), to_boost(name), target, std::move(change), deletes);
            path_.resize(mark);
        }
    }

private:
    void field(schema const& s, json::string_view name, json::object& target, json::value change, bool deletes) {
        auto* old = target.if_contains(name);
        if (change.is_null()) {
            if (old != nullptr) target.stable_erase(name);
        } else if (old == nullptr || old->kind() != change.kind()) {
            if (deletes) return;
            if (clean(change))
                target[name] = std::move(change);
            else if (old != nullptr)
                target.stable_erase(name);
        } else if (old->is_object()) {
            objects(s, old->get_object(), std::move(change.get_object()));
        } else if (deletes && old->is_array()) {
            remove_scalars(old->get_array(), change.get_array());
        } else if (old->is_array() && !s.merge_key().empty()) {
            lists(s, old->get_array(), std::move(change.get_array()));
        } else {
            *old = std::move(change);
        }
    }

    static void remove_scalars(json::array& target, json::array const& removed) {
        for (auto it = target.begin(); it != target.end();)
            it = find_item(removed, "*", *it) == not_found ? it + 1 : target.erase(it);
    }

    /// Without a word on order: what the patch names goes in the patch's order, the rest stays around it.
    void lists(schema const& s, json::array& target, json::array patch) {
        json::array const live = target;
        json::array named;
        if (merge_items(s, target, std::move(patch), named)) arrange(target, named, live, s.merge_key());
    }

    /// Gives the items of the patch that are no directives; false if they replace the list.
    bool merge_items(schema const& s, json::array& target, json::array patch, json::array& named) {
        auto const key = s.merge_key();
        if (key == "*") {
            for (auto& item : patch) {
                if (find_item(target, key, item) == not_found) target.push_back(item);
                named.push_back(std::move(item));
            }
            return true;
        }
        bool replaces = false;
        for (auto& item : patch) {
            auto const* o = item.if_object();
            if (o == nullptr) refuse_patch("expected an object, got " + shown(item), path_);
            auto const* what = o->if_contains(to_boost(directive::patch));
            if (what == nullptr) {
                named.push_back(std::move(item));
            } else if (*what == "delete") {
                auto const& value = key_of(item, key, path_);
                for (auto at = find_item(target, key, value); at != not_found; at = find_item(target, key, value))
                    target.erase(target.begin() + static_cast<std::ptrdiff_t>(at));
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
        auto const item_schema = s.item();
        for (auto const& item : named) {
            auto const& value = key_of(item, key, path_);
            if (auto const at = find_item(target, key, value); at != not_found) {
                auto const mark = path_.size();
                append_path_index(at, path_);
                objects(item_schema, target[at].get_object(), item.get_object());
                path_.resize(mark);
            } else if (json::value added = item; clean(added)) {
                target.push_back(std::move(added));
            }
        }
        return true;
    }

    /** Puts the items that `order` names into its order, and each other one before the first of them that it stood
        before in `live`. */
    void arrange(json::array& target, json::array const& order, json::array const& live, std::string_view key) {
        json::array ordered;
        json::array others;
        for (auto& item : target) {
            bool const named = find_item(order, key, key_of(item, key, path_)) != not_found;
            (named ? ordered : others).push_back(std::move(item));
        }
        sort_by(ordered, order, key);
        sort_by(others, live, key);
        target.clear();
        std::size_t i = 0;
        for (auto& item : ordered) {
            auto const here = find_item(live, key, key_of(item, key, path_));
            while (i < others.size() && here != not_found && find_item(live, key, key_of(others[i], key, path_)) < here)
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
        auto const named = [&](json::string_view name) {
            return find_item(names, "*", json::value(name)) != not_found;
        };
        for (auto const& [name, value] : patch) {
            bool const special =
                to_std(name).starts_with(directive::delete_from) || to_std(name).starts_with(directive::set_order);
            if (!value.is_null() && !special && !named(name))
                refuse_patch("the patch sets \"" + std::string(to_std(name)) + "\", which its $retainKeys lacks",
                             path_);
        }
        for (auto it = target.begin(); it != target.end();) it = named(it->key()) ? it + 1 : target.stable_erase(it);
    }

    void ordered_lists(schema const& s, json::object& target, json::object& patch) {
        std::vector<std::string> names;
        for (auto const& [name, value] : patch)
            if (to_std(name).starts_with(directive::set_order))
                names.emplace_back(to_std(name).substr(directive::set_order.size()));
        for (auto const& name : names) {
            auto const mark = enter(name);
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
        if (key.empty()) refuse_patch("$setElementOrder for what is no list with a merge key", path_);
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
            // What is added takes the places, in the order of the live list, of what is deleted, as upstream has it.
            if (key != "*") {
                std::size_t const size = std::min(live.size(), merged.size());
                live = json::array(merged.begin(), merged.begin() + static_cast<std::ptrdiff_t>(size));
            }
        }
        // What is deleted from a list of scalars is still there; its place does not matter.
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
                refuse_patch("the order of the list in the patch is not that of its $setElementOrder", path_);
        }
    }

    std::size_t enter(std::string_view name) {
        auto const mark = path_.size();
        append_path_key(name, path_);
        return mark;
    }

    std::string path_;
};

} // namespace

void strategic_merge(schema const& s, json::object& target, json::object patch) {
    merger().objects(s, target, std::move(patch));
}

} // namespace kftrain::detail
