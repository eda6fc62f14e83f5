#include "model/codec/tree_decode.hpp"

#include "model/codec/decode_budget.hpp"
#include "model/json/json_document.hpp"

#include <kftrain/model/detail/descriptor_table.hpp>
#include <kftrain/model/raw_json.hpp>

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <algorithm>

namespace kftrain::detail {
namespace {

namespace json = boost::json;

std::string_view name_of(json::key_value_pair const& member) noexcept {
    return {member.key().data(), member.key().size()};
}

/// Fills a struct from a valid tree by its table, as json_reader does from a text; gives up on faults.
class tree_reader {
public:
    explicit tree_reader(decode_options const& options)
        : budget_(0, options), levels_left_(options.max_depth), keeps_bookkeeping_(options.keep_managed_fields) {}

    /// False if it gave up; `target` then holds a part.
    bool value(json::value const& v, model::descriptor const& type, void* target) {
        if (v.is_null()) return true; // absent
        model::descriptor const* d = &type;
        for (; d->kind == model::shape::optional; d = d->element) target = d->engage(target);
        switch (d->kind) {
        case model::shape::string: {
            auto const* s = v.if_string();
            if (s == nullptr) return false;
            static_cast<std::string*>(target)->assign(s->data(), s->size());
            return true;
        }
        case model::shape::object: return v.is_object() && object(v.get_object(), *d, target);
        case model::shape::array: return v.is_array() && array(v.get_array(), *d, target);
        case model::shape::map: return v.is_object() && map(v.get_object(), *d, target);
        case model::shape::text: return text(v, *d, target);
        case model::shape::raw: static_cast<raw_json*>(target)->text = json::serialize(v); return true;
        case model::shape::boolean: {
            auto const* b = v.if_bool();
            if (b == nullptr) return false;
            *static_cast<bool*>(target) = *b;
            return true;
        }
        case model::shape::integer: {
            auto const* i = v.if_int64(); // other spellings of a whole number are rare
            return i != nullptr && d->store_integer(target, *i);
        }
        case model::shape::number: return number(v, *static_cast<double*>(target));
        case model::shape::optional: break;
        }
        return false;
    }

    bool object(json::object const& o, model::descriptor const& d, void* target) {
        if (!open()) return false;
        for (auto const& member : o) {
            auto const name = name_of(member);
            if (auto const* f = d.find(name)) {
                if (f->bookkeeping && !keeps_bookkeeping_) continue;
                if (!value(member.value(), *f->type, f->get(target))) return false;
            } else if (d.info != nullptr && (name == "apiVersion" || name == "kind")) {
                if (!fits_header(member.value(), *d.info, name == "kind")) return false;
            } else if (d.unknown != nullptr) {
                if (budget_.spent()) return false;
                budget_.take(decode_budget::unknown_entry);
                d.unknown(target)->append(name).second.text = json::serialize(member.value());
            }
        }
        ++levels_left_;
        return true;
    }

private:
    bool open() {
        if (levels_left_ == 0) return false;
        --levels_left_;
        return true;
    }

    static bool number(json::value const& v, double& target) {
        if (auto const* i = v.if_int64())
            target = static_cast<double>(*i);
        else if (auto const* n = v.if_double())
            target = *n;
        else
            return false;
        return true;
    }

    static bool text(json::value const& v, model::descriptor const& d, void* target) {
        if (auto const* s = v.if_string()) return d.parse(target, {s->data(), s->size()});
        if (!v.is_number()) return false;
        if (d.store_integer != nullptr) {
            auto const* i = v.if_int64();
            return i != nullptr && d.store_integer(target, *i);
        }
        return d.takes_numbers && d.parse(target, json::serialize(v));
    }

    static bool fits_header(json::value const& v, resource_info const& info, bool kind) {
        if (v.is_null()) return true;
        auto const* s = v.if_string();
        if (s == nullptr) return false;
        std::string_view const got(s->data(), s->size());
        if (!kind) return got.empty() || got == info.api_version();
        if (!info.list) return got.empty() || got == info.kind;
        return got.empty() || got == std::string(info.kind).append("List");
    }

    bool array(json::array const& a, model::descriptor const& d, void* target) {
        if (!open()) return false;
        if (d.reserve != nullptr && a.size() > 1)
            d.reserve(target, std::min(a.size(), budget_.left() / std::max<std::size_t>(d.item_size, 1) + 1));
        for (auto const& item : a) {
            if (budget_.spent()) return false;
            budget_.take(d.item_size);
            if (!value(item, *d.element, d.append(target))) return false;
        }
        ++levels_left_;
        return true;
    }

    bool map(json::object const& o, model::descriptor const& d, void* target) {
        if (!open()) return false;
        if (d.reserve != nullptr && o.size() > 1)
            d.reserve(target, std::min(o.size(), budget_.left() / std::max<std::size_t>(d.item_size, 1) + 1));
        model::late_entries late(nullptr, nullptr);
        for (auto const& member : o) {
            void* const entry = d.insert(target, late, name_of(member));
            if (entry == nullptr || budget_.spent()) return false;
            budget_.take_entry(d);
            if (!value(member.value(), *d.element, entry)) return false;
        }
        if (late) d.take_late(target, late);
        ++levels_left_;
        return true;
    }

    decode_budget budget_;
    std::size_t levels_left_;
    bool keeps_bookkeeping_;
};

} // namespace

result<void> decode_tree(json::value const& tree, model::descriptor const& type, void* target,
                         decode_options const& options) {
    if (!tree.is_null() && tree_reader(options).value(tree, type, target)) return {};
    type.reset(target);
    return decode_json(json::serialize(tree), type, target, options);
}

result<void> decode_tree(json::object const& tree, model::descriptor const& type, void* target,
                         decode_options const& options) {
    if (type.kind == model::shape::object && tree_reader(options).object(tree, type, target)) return {};
    type.reset(target);
    return decode_json(json::serialize(tree), type, target, options);
}

} // namespace kftrain::detail
