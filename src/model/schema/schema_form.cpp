#include "model/json/json_order.hpp"
#include "model/schema/schema_node.hpp"
#include "model/schema/schema_value.hpp"

#include <algorithm>
#include <cmath>

namespace kftrain {
namespace {

namespace json = boost::json;

bool is_type_or_metadata(json::string_view name) {
    return name == "apiVersion" || name == "kind" || name == "metadata";
}

/// Remembers where it is while it takes fields out.
class pruner {
public:
    /// `n` is null where the schema has no entry: all fields of objects are removed, unless `keep`.
    void prune(json::value& v, schema_node const* n, bool keep = false) {
        keep = keep || (n != nullptr && n->preserve_unknown);
        if (auto* list = v.if_array()) {
            auto const* items = n != nullptr ? n->items : nullptr;
            if (keep && items == nullptr) return;
            for (std::size_t i = 0; i < list->size(); ++i)
                inside("[" + std::to_string(i) + "]", [&] { prune((*list)[i], items, keep); });
        } else if (auto* o = v.if_object()) {
            fields(*o, n, keep);
        }
    }
    void fields(json::object& o, schema_node const* n, bool keep, bool root = false) {
        detail::erase_members(o, [&](json::key_value_pair& member) {
            if (root && is_type_or_metadata(member.key())) return false;
            auto const name = text_of(member.key());
            auto const* property = n != nullptr ? n->property(name) : nullptr;
            bool const additional = n != nullptr && (n->additional != nullptr || n->any_additional);
            if (property != nullptr || additional) {
                inside(dotted(name), [&] { prune(member.value(), property != nullptr ? property : n->additional); });
                return false;
            }
            if (!keep) unknown.push_back(path_ + dotted(name));
            return !keep;
        });
    }

    std::vector<std::string> unknown;

private:
    std::string dotted(std::string_view name) const { return (path_.empty() ? "" : ".") + std::string(name); }
    template <class F> void inside(std::string const& step, F f) {
        auto const length = path_.size();
        path_ += step;
        f();
        path_.resize(length);
    }

    std::string path_;
};

bool is_bad_null(json::value const& v, schema_node const* n) { return v.is_null() && n != nullptr && !n->nullable; }

void drop(json::value& v, schema_node const* n) {
    if (auto* list = v.if_array()) {
        for (auto& item : *list) drop(item, n != nullptr ? n->items : nullptr);
    } else if (auto* o = v.if_object()) {
        detail::erase_members(*o, [&](json::key_value_pair& member) {
            auto const* sub = n != nullptr ? n->member(text_of(member.key())) : nullptr;
            if (is_bad_null(member.value(), sub) && !sub->default_value) return true;
            drop(member.value(), sub);
            return false;
        });
    }
}

void fill(json::value& v, schema_node const* n) {
    if (n == nullptr) return;
    if (auto* list = v.if_array()) {
        for (auto& item : *list) {
            if (is_bad_null(item, n->items) && n->items->default_value) item = *n->items->default_value;
            fill(item, n->items);
        }
    } else if (auto* o = v.if_object()) {
        for (auto const& [name, sub] : n->properties) {
            if (!sub->default_value) continue;
            auto* there = o->if_contains(name);
            if (there == nullptr)
                o->emplace(name, *sub->default_value);
            else if (is_bad_null(*there, sub))
                *there = *sub->default_value;
        }
        for (auto& member : *o) {
            auto const* sub = n->property(text_of(member.key()));
            if (sub == nullptr) {
                sub = n->additional;
                if (is_bad_null(member.value(), sub) && sub->default_value) member.value() = *sub->default_value;
            }
            fill(member.value(), sub);
        }
    }
}

/// Runs f on an object as a value.
template <class F> void as_value(json::object& o, F f) {
    json::value v(std::move(o));
    f(v);
    o = std::move(v.get_object());
}

} // namespace

std::vector<std::string> prune(resource_schema const& s, json::object& o) {
    if (s.empty()) return {};
    pruner p;
    p.fields(o, s.get()->root, s.get()->root->preserve_unknown, true);
    std::ranges::sort(p.unknown);
    return std::move(p.unknown);
}

void drop_nulls(resource_schema const& s, json::object& o) {
    if (!s.empty()) as_value(o, [&](json::value& v) { drop(v, s.get()->root); });
}

void set_schema_defaults(resource_schema const& s, json::object& o) {
    if (!s.empty()) as_value(o, [&](json::value& v) { fill(v, s.get()->root); });
}

void settle_numbers(json::value& v) {
    if (auto* o = v.if_object()) {
        for (auto& member : *o) settle_numbers(member.value());
    } else if (auto* list = v.if_array()) {
        for (auto& item : *list) settle_numbers(item);
    } else if (auto const* d = v.if_double()) {
        constexpr double beyond = 9007199254740992.0; // 2^53: above, neighbours are more than one apart
        if (std::abs(*d) < beyond && std::trunc(*d) == *d) v = static_cast<std::int64_t>(*d);
    }
}

} // namespace kftrain
