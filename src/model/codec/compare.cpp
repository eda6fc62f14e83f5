#include "model/codec/list_keys.hpp"
#include "model/codec/unique_unknown.hpp"
#include "model/json/json_document.hpp"
#include "model/json/json_text.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/detail/descriptor_table.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace kftrain {
namespace {

using namespace detail;

unknown_fields const* unknown_of(model::descriptor const& d, void const* v) {
    return d.unknown == nullptr ? nullptr : d.unknown(const_cast<void*>(v));
}

std::set<std::string_view> map_keys(model::descriptor const& d, void const* map) {
    std::set<std::string_view> keys;
    d.visit(map, &keys, [](void* c, std::string const& key, void const*) {
        static_cast<std::set<std::string_view>*>(c)->insert(key);
    });
    return keys;
}

/// Walks two values side by side and notes where they differ.
class comparison {
public:
    void value(model::descriptor const& d, void const* a, void const* b, bool always = false) {
        switch (d.kind) {
        case model::shape::object: return object(d, a, b);
        case model::shape::array: return array(d, a, b);
        case model::shape::map: return map(d, a, b);
        case model::shape::optional: {
            auto const* x = d.peek(a);
            auto const* y = d.peek(b);
            if (x != nullptr && y != nullptr) return value(*d.element, x, y, true);
            if (x != y)
                note(x == nullptr ? "" : text(*d.element, x, true), y == nullptr ? "" : text(*d.element, y, true));
            return;
        }
        default:
            if (!equal(d, a, b)) note(text(d, a, always), text(d, b, always));
        }
    }

    std::vector<difference> found;

private:
    void object(model::descriptor const& d, void const* a, void const* b) {
        for (auto const& f : d.fields) {
            std::size_t const mark = enter(f.name);
            if (f.type->kind == model::shape::array && !key_fields(f).empty())
                keyed_array(f, f.get_const(a), f.get_const(b));
            else
                value(*f.type, f.get_const(a), f.get_const(b), f.always);
            path_.resize(mark);
        }
        auto const* x = unknown_of(d, a);
        auto const* y = unknown_of(d, b);
        if (x == nullptr || same_unknown(*x, *y)) return;
        string_views before;
        string_views after;
        std::set<std::string_view> names;
        for (auto const& [name, raw] : *x) before[name] = raw.text, names.insert(name);
        for (auto const& [name, raw] : *y) after[name] = raw.text, names.insert(name);
        for (auto name : names) {
            std::size_t const mark = enter(name);
            if (!same_json(before[name], after[name])) note(std::string(before[name]), std::string(after[name]));
            path_.resize(mark);
        }
    }

    void array(model::descriptor const& d, void const* a, void const* b) {
        std::size_t const before = d.size(a);
        std::size_t const after = d.size(b);
        for (std::size_t i = 0; i < std::max(before, after); ++i) {
            std::size_t const mark = path_.size();
            append_path_index(i, path_);
            both_or_one(*d.element, i < before ? d.at(a, i) : nullptr, i < after ? d.at(b, i) : nullptr);
            path_.resize(mark);
        }
    }

    /// As sets of items; by index where keys are missing or not unique.
    void keyed_array(model::field const& f, void const* a, void const* b) {
        auto const& d = *f.type;
        list_keys const before(d, a, key_fields(f));
        list_keys const after(d, b, key_fields(f));
        if (!before.identify() || !after.identify()) return array(d, a, b);
        auto const note_item = [&](std::string const& key, void const* x, void const* y) {
            std::size_t const mark = path_.size();
            path_.append("[").append(key).append("]");
            both_or_one(*d.element, x, y);
            path_.resize(mark);
        };
        for (std::size_t i = 0; i < before.size(); ++i) {
            auto const other = after.find(before[i]);
            note_item(before[i], d.at(a, i), other == list_keys::npos ? nullptr : d.at(b, other));
        }
        for (std::size_t i = 0; i < after.size(); ++i)
            if (before.find(after[i]) == list_keys::npos) note_item(after[i], nullptr, d.at(b, i));
    }

    void map(model::descriptor const& d, void const* a, void const* b) {
        auto keys = map_keys(d, a);
        keys.merge(map_keys(d, b));
        for (auto key : keys) {
            std::size_t const mark = enter(key);
            both_or_one(*d.element, d.find_key(a, key), d.find_key(b, key));
            path_.resize(mark);
        }
    }

    /// List items and map values exist even when empty.
    void both_or_one(model::descriptor const& d, void const* a, void const* b) {
        if (a != nullptr && b != nullptr) return value(d, a, b, true);
        note(a == nullptr ? "" : text(d, a, true), b == nullptr ? "" : text(d, b, true));
    }

    /// Compact JSON; nothing for an empty value that encoding would leave out.
    static std::string text(model::descriptor const& d, void const* v, bool always) {
        std::string out;
        if (encode_json(d, v, out); always) return out;
        bool const empty = out == "\"\"" || out == "0" || out == "false" || out == "null";
        return empty ? std::string() : out;
    }

    std::size_t enter(std::string_view key) {
        std::size_t const mark = path_.size();
        append_path_key(key, path_);
        return mark;
    }

    void note(std::string before, std::string after) {
        difference d;
        d.path = path_;
        d.before = std::move(before);
        d.after = std::move(after);
        found.push_back(std::move(d));
    }

    using string_views = std::map<std::string_view, std::string_view>;
    std::string path_;
};

struct map_comparison {
    model::descriptor const* d;
    void const* other;
    bool same = true;
};

} // namespace

bool equal(model::descriptor const& type, void const* a, void const* b) {
    switch (type.kind) {
    case model::shape::boolean: return *static_cast<bool const*>(a) == *static_cast<bool const*>(b);
    case model::shape::integer: return type.load_integer(a) == type.load_integer(b);
    case model::shape::number: return *static_cast<double const*>(a) == *static_cast<double const*>(b);
    case model::shape::string: return *static_cast<std::string const*>(a) == *static_cast<std::string const*>(b);
    case model::shape::raw:
        return same_json(static_cast<raw_json const*>(a)->text, static_cast<raw_json const*>(b)->text);
    case model::shape::text: return type.same(a, b);
    case model::shape::object: {
        for (auto const& f : type.fields)
            if (!equal(*f.type, f.get_const(a), f.get_const(b))) return false;
        auto const* x = unknown_of(type, a);
        return x == nullptr || same_unknown(*x, *unknown_of(type, b));
    }
    case model::shape::array: {
        std::size_t const size = type.size(a);
        if (size != type.size(b)) return false;
        for (std::size_t i = 0; i < size; ++i)
            if (!equal(*type.element, type.at(a, i), type.at(b, i))) return false;
        return true;
    }
    case model::shape::map: {
        if (type.size(a) != type.size(b)) return false;
        map_comparison c{&type, b};
        type.visit(a, &c, [](void* p, std::string const& key, void const* value) {
            auto& self = *static_cast<map_comparison*>(p);
            if (!self.same) return;
            auto const* other = self.d->find_key(self.other, key);
            self.same = other != nullptr && equal(*self.d->element, value, other);
        });
        return c.same;
    }
    case model::shape::optional: {
        auto const* x = type.peek(a);
        auto const* y = type.peek(b);
        return x == nullptr || y == nullptr ? x == y : equal(*type.element, x, y);
    }
    }
    return false;
}

std::vector<difference> diff(model::descriptor const& type, void const* before, void const* after) {
    comparison c;
    c.value(type, before, after, true);
    return std::move(c.found);
}

} // namespace kftrain
