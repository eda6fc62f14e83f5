#include "apiserver/apply/field_walk.hpp"

#include <algorithm>
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

void collect(json::value const& v, merge_shape const& shape, field_set& out) {
    auto const* object = v.if_object();
    auto const* list = v.if_array();
    if ((object != nullptr && !shape.is_atomic()) || (list != nullptr && has_items(shape))) {
        if (object != nullptr)
            for (auto const& [name, value] : *object) {
                auto& sub = out.below[member_step(name)];
                collect(value, shape.member(name), sub);
                if (is_bare(value) || !shape.declares(name)) sub.member = true;
            }
        else
            for (auto const& item : *list)
                if (auto const step = shape.step_to(item)) {
                    auto& sub = out.below[*step];
                    collect(item, shape.item(), sub);
                    sub.member = true;
                }
        return;
    }
    if (!v.is_null()) out.member = true;
}

/// Items of a list by their steps, in order; the first of those with the same step.
std::vector<std::pair<std::string, json::value const*>> items_of(json::array const& list, merge_shape const& shape) {
    std::vector<std::pair<std::string, json::value const*>> out;
    std::set<std::string> seen;
    for (auto const& item : list)
        if (auto step = shape.step_to(item); step && seen.insert(*step).second)
            out.emplace_back(*std::move(step), &item);
    return out;
}

json::value const* find_item(std::vector<std::pair<std::string, json::value const*>> const& items,
                             std::string_view step) {
    auto const at = std::ranges::find(items, step, [](auto const& i) { return std::string_view(i.first); });
    return at != items.end() ? at->second : nullptr;
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
        auto const old = items_of(before != nullptr ? before->get_array() : none, shape);
        auto const next = items_of(after != nullptr ? after->get_array() : none, shape);
        std::set<std::string> steps;
        for (auto const* items : {&old, &next})
            for (auto const& [step, item] : *items) steps.insert(step);
        for (auto const& step : steps) {
            path_.push_back(step);
            compare(find_item(old, step), find_item(next, step), shape.item());
            path_.pop_back();
        }
        return true;
    }

    field_changes& out_;
    field_path_steps path_;
};

json::value merged(json::value const& live, json::value const& wanted, merge_shape const& shape) {
    if (live.is_object() && wanted.is_object() && !shape.is_atomic())
        return merge_configuration(live.get_object(), wanted.get_object(), shape);
    if (!live.is_array() || !wanted.is_array() || !has_items(shape)) return wanted;
    auto const old = items_of(live.get_array(), shape);
    auto const next = items_of(wanted.get_array(), shape);
    json::array out;
    std::size_t at = 0;
    auto const keep_others = [&](std::size_t end) { // in front of an item of both, those of the live list alone
        for (; at < end; ++at)
            if (find_item(next, old[at].first) == nullptr) out.push_back(*old[at].second);
    };
    for (auto const& [step, item] : next) {
        auto const known = std::ranges::find(old, step, [](auto const& i) -> std::string const& { return i.first; });
        if (known == old.end()) {
            out.push_back(*item);
            continue;
        }
        keep_others(static_cast<std::size_t>(known - old.begin()));
        out.push_back(merged(*known->second, *item, shape.item()));
    }
    keep_others(old.size());
    return out;
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
        for (std::size_t i = 0; i < list->size(); ++i) {
            auto const step = has_items(shape) ? shape.step_to((*list)[i]) : "i:" + std::to_string(i);
            if (!step)
                return print_path(path) + ": element " + std::to_string(i) +
                       ": associative list with keys has an element that omits its key fields";
            path.push_back(*step);
            if (auto fault = fault_below((*list)[i], shape.item(), path); !fault.empty()) return fault;
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
