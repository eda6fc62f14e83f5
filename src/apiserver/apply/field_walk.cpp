#include "apiserver/apply/field_walk.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace kftrain::apiserver {
namespace {

using field_path_steps = std::vector<std::string>;

std::string member_step(std::string_view name) { return "f:" + std::string(name); }

bool is_bare(json::value const& v) { return v.is_null() || (v.is_object() && v.get_object().empty()); }

/// Whether the items of a list are fields of their own.
bool has_items(merge_shape const& shape) { return shape.list_kind() != merge_shape::list::atomic; }

/// The shape below a step; of a list, that of its items.
merge_shape below_step(merge_shape const& shape, std::string_view step) {
    return step.starts_with("f:") ? shape.member(step.substr(2)) : shape.item();
}

using item_values = std::vector<json::value const*>;

/// The items of a list in order, with their steps; those without a step have an empty one.
class list_items {
public:
    list_items(json::array const& list, merge_shape const& shape) {
        for (auto const& item : list) {
            auto step = shape.step_to(item);
            if (step) by_step_[*step].push_back(&item);
            in_order_.emplace_back(step ? *std::move(step) : std::string(), &item);
        }
    }

    std::vector<std::pair<std::string, json::value const*>> const& in_order() const noexcept { return in_order_; }
    std::map<std::string, item_values> const& by_step() const noexcept { return by_step_; }
    /// Returns the items with this step; live lists may have several.
    item_values const& at(std::string const& step) const {
        static item_values const none;
        auto const found = by_step_.find(step);
        return found != by_step_.end() ? found->second : none;
    }

private:
    std::vector<std::pair<std::string, json::value const*>> in_order_;
    std::map<std::string, item_values> by_step_;
};

void collect(json::value const& v, merge_shape const& shape, field_set& out) {
    auto const* object = v.if_object();
    auto const* list = v.if_array();
    if (object != nullptr && !shape.is_atomic()) {
        for (auto const& [name, value] : *object) {
            auto& sub = out.below[member_step(name)];
            collect(value, shape.member(name), sub);
            if (is_bare(value) || !shape.declares(name)) sub.member = true;
        }
    } else if (list != nullptr && has_items(shape)) {
        list_items const items(*list, shape);
        for (auto const& [step, same] : items.by_step()) {
            auto& sub = out.below[step];
            if (same.size() == 1) collect(*same.front(), shape.item(), sub); // several are one field
            sub.member = true;
        }
    } else if (!v.is_null()) {
        out.member = true;
    }
}

class comparison {
public:
    explicit comparison(field_changes& out) : out_(out) {}

    void compare(json::value const* before, json::value const* after, merge_shape const& shape) {
        if (before != nullptr && before->is_null()) before = nullptr;
        if (after != nullptr && after->is_null()) after = nullptr;
        if (before == nullptr && after == nullptr) return;
        bool const leaf = !descend(before, after, shape);
        if (before == nullptr)
            out_.added.insert(path_);
        else if (after == nullptr)
            out_.removed.insert(path_);
        else if (leaf && !same_value(*before, *after))
            out_.modified.insert(path_);
    }

    void members(json::object const* before, json::object const* after, merge_shape const& shape) {
        std::set<std::string> names;
        for (auto const* object : {before, after})
            if (object != nullptr)
                for (auto const& member : *object) names.emplace(member.key());
        for (auto const& name : names) {
            path_.push_back(member_step(name));
            compare(before != nullptr ? before->if_contains(name) : nullptr,
                    after != nullptr ? after->if_contains(name) : nullptr, shape.member(name));
            path_.pop_back();
        }
    }

private:
    /// False if the values are compared as a whole.
    bool descend(json::value const* before, json::value const* after, merge_shape const& shape) {
        auto const is = [&](auto const& what) {
            return (before == nullptr || what(*before)) && (after == nullptr || what(*after));
        };
        auto const empty = [](json::value const* v) {
            return v == nullptr || (v->is_object() ? v->get_object().empty() : v->is_array() && v->get_array().empty());
        };
        if (empty(before) && empty(after)) return false;
        if (is([](json::value const& v) { return v.is_object(); }) && !shape.is_atomic()) {
            members(before != nullptr ? &before->get_object() : nullptr,
                    after != nullptr ? &after->get_object() : nullptr, shape);
            return true;
        }
        if (!is([](json::value const& v) { return v.is_array(); }) || !has_items(shape)) return false;
        json::array const none;
        list_items const old(before != nullptr ? before->get_array() : none, shape);
        list_items const next(after != nullptr ? after->get_array() : none, shape);
        std::set<std::string> steps;
        for (auto const* items : {&old, &next})
            for (auto const& entry : items->by_step()) steps.insert(entry.first);
        for (auto const& step : steps) {
            path_.push_back(step);
            compare_items(old.at(step), next.at(step), shape.item());
            path_.pop_back();
        }
        return true;
    }

    /// Items with the same key are one field.
    void compare_items(item_values const& old, item_values const& next, merge_shape const& shape) {
        auto const first = [](item_values const& items) { return items.empty() ? nullptr : items.front(); };
        auto const same = [](json::value const* a, json::value const* b) { return same_value(*a, *b); };
        if (old.size() <= 1 && next.size() <= 1) {
            compare(first(old), first(next), shape);
        } else if (old.size() > 1 && next.size() > 1) {
            if (!std::ranges::equal(old, next, same)) out_.modified.insert(path_);
        } else if (old.size() > 1) {
            compare(nullptr, first(next), shape);
            out_.removed.insert(path_);
        } else {
            compare(first(old), nullptr, shape);
            out_.added.insert(path_);
        }
    }

    field_changes& out_;
    field_path_steps path_;
};

json::value merged(json::value const& live, json::value const& wanted, merge_shape const& shape);

/// Merges lists whose items have keys. Items of the live list alone keep their place before the next item of both.
class list_merge {
public:
    list_merge(json::array const& live, json::array const& wanted, merge_shape const& shape)
        : old_(live, shape), next_(wanted, shape), item_(shape.item()) {
        for (auto const& entry : next_.in_order())
            if (!old_.at(entry.first).empty()) shared_.push_back(&entry.first);
    }

    json::array merge() {
        auto const& old = old_.in_order();
        auto const& next = next_.in_order();
        for (std::size_t i = 0, j = 0; i < old.size() || j < next.size();) {
            bool const in_both = i < old.size() && !next_.at(old[i].first).empty();
            if (i < old.size() && !in_both) {
                out_.push_back(*old[i++].second);
            } else if (in_both && (merged_.contains(old[i].first) || !is_next_shared(old[i].first))) {
                ++i; // merged already, or later in the order of the configuration
            } else {
                if (in_both && old[i].first == next[j].first) ++i;
                take(next[j++]);
            }
        }
        return std::move(out_);
    }

private:
    bool is_next_shared(std::string const& step) const {
        return shared_at_ < shared_.size() && *shared_[shared_at_] == step;
    }

    void take(std::pair<std::string, json::value const*> const& wanted) {
        auto const& known = old_.at(wanted.first);
        if (is_next_shared(wanted.first)) ++shared_at_;
        merged_.insert(wanted.first);
        // Several items with the key have no common value to merge with.
        out_.push_back(known.size() == 1 ? merged(*known.front(), *wanted.second, item_) : *wanted.second);
    }

    list_items old_, next_;
    merge_shape item_;
    std::vector<std::string const*> shared_; ///< the steps of items of both lists, in the order of the configuration
    std::size_t shared_at_ = 0;              ///< the one that is merged next
    std::set<std::string> merged_;
    json::array out_;
};

json::value merged(json::value const& live, json::value const& wanted, merge_shape const& shape) {
    if (live.is_object() && wanted.is_object() && !shape.is_atomic())
        return merge_configuration(live.get_object(), wanted.get_object(), shape);
    if (!live.is_array() || !wanted.is_array() || !has_items(shape)) return wanted;
    return list_merge(live.get_array(), wanted.get_array(), shape).merge();
}

json::value without(json::value const& v, merge_shape const& shape, field_set const& fields) {
    if (fields.below.empty()) return v;
    if (auto const* object = v.if_object(); object != nullptr && !shape.is_atomic())
        return object->empty() ? v : json::value(remove_fields(*object, shape, fields));
    auto const* list = v.if_array();
    if (list == nullptr || !has_items(shape)) return v;
    json::array out;
    for (auto const& item : *list) {
        auto const step = shape.step_to(item);
        auto const found = step ? fields.below.find(*step) : fields.below.end();
        if (found == fields.below.end())
            out.push_back(item);
        else if (!found->second.member)
            out.push_back(without(item, shape.item(), found->second));
    }
    return out;
}

bool became_empty(json::value const& before, json::value const& after) {
    auto const empty = [](json::value const& v) {
        return v.is_object() ? v.get_object().empty() : v.is_array() && v.get_array().empty();
    };
    return empty(after) && !empty(before);
}

std::string fault_below(json::value const& v, merge_shape const& shape, field_path_steps& path) {
    if (auto const* object = v.if_object(); object != nullptr) {
        for (auto const& [name, value] : *object) {
            path.push_back(member_step(name));
            if (shape.is_closed() && !shape.declares(name)) return print_path(path) + ": field not declared in schema";
            if (auto fault = fault_below(value, shape.member(name), path); !fault.empty()) return fault;
            path.pop_back();
        }
    } else if (auto const* list = v.if_array(); list != nullptr) {
        bool const keyed = has_items(shape);
        std::set<std::string> seen;
        for (std::size_t i = 0; i < list->size(); ++i) {
            auto const& item = (*list)[i];
            if (auto const fault = keyed ? shape.item_fault(item) : std::string(); !fault.empty())
                return print_path(path) + ": element " + std::to_string(i) + ": " + fault;
            auto const step = keyed ? shape.step_to(item).value_or(std::string()) : "i:" + std::to_string(i);
            if (keyed && !seen.insert(step).second)
                return print_path(path) + ": duplicate entries for key " + print_path({step});
            path.push_back(step);
            if (auto fault = fault_below(item, shape.item(), path); !fault.empty()) return fault;
            path.pop_back();
        }
    }
    return {};
}

} // namespace

field_set fields_of(json::object const& object, merge_shape const& shape) {
    field_set out;
    collect(object, shape, out);
    return out;
}

field_changes compare_fields(json::object const& before, json::object const& after, merge_shape const& shape) {
    field_changes out;
    comparison(out).members(&before, &after, shape);
    return out;
}

json::object merge_configuration(json::object const& live, json::object const& configuration,
                                 merge_shape const& shape) {
    json::object out = live;
    for (auto const& [name, wanted] : configuration) {
        auto const* known = live.if_contains(name);
        out[name] = known != nullptr ? merged(*known, wanted, shape.member(name)) : wanted;
    }
    return out;
}

json::object remove_fields(json::object const& object, merge_shape const& shape, field_set const& fields) {
    json::object out;
    for (auto const& [name, value] : object) {
        auto const found = fields.below.find(member_step(name));
        if (found == fields.below.end()) {
            out.emplace(name, value);
        } else if (!found->second.member) {
            auto rest = without(value, shape.member(name), found->second);
            if (!became_empty(value, rest)) out.emplace(name, std::move(rest));
        }
    }
    return out;
}

field_set with_parents(field_set const& fields, merge_shape const& shape) {
    field_set out;
    out.member = fields.member;
    for (auto const& [step, sub] : fields.below) {
        auto next = with_parents(sub, below_step(shape, step));
        bool const has_more = !sub.below.empty();
        if (has_more && step.starts_with("f:") && shape.declares(std::string_view(step).substr(2))) next.member = true;
        out.below.emplace(step, std::move(next));
    }
    return out;
}

std::string configuration_fault(json::object const& configuration, merge_shape const& shape) {
    field_path_steps path;
    return fault_below(configuration, shape, path);
}

} // namespace kftrain::apiserver
