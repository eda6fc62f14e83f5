#ifndef KFTRAIN_SRC_MODEL_META_PARTIAL_OBJECT_HPP
#define KFTRAIN_SRC_MODEL_META_PARTIAL_OBJECT_HPP

/** Tables that decode a part of an object into its own struct: all other fields are skipped, and cost neither time nor
    memory. Include it only where tables are instantiated. */

#include <kftrain/model/object_type.hpp>
#include <kftrain/model/reflect.hpp>

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::detail {

/// A field that is decoded, by its JSON name.
struct kept_field {
    constexpr kept_field(std::string_view n, model::descriptor const* t = nullptr) : name(n), type(t) {}

    std::string_view name;
    model::descriptor const* type; ///< a partial table of its own; null: all of it
};

/// The fields of `T` that the array `Kept` names, in the order of the struct; unknown fields are not kept.
template <class T, auto const& Kept> struct partial_table {
    static constexpr std::size_t slot_count = std::bit_ceil(2 * Kept.size() + 1);

    static constexpr kept_field const* find(std::string_view name) {
        for (auto const& k : Kept)
            if (k.name == name) return &k;
        return nullptr;
    }
    static constexpr auto fields = [] {
        std::array<model::field, Kept.size()> list{};
        std::size_t n = 0;
        for (auto const& f : object_table<T>::fields)
            if (auto const* k = find(f.name)) {
                list[n] = f;
                if (k->type != nullptr) list[n].type = k->type;
                ++n;
            }
        if (n != Kept.size()) throw "a name is no field of the struct";
        return list;
    }();
    static constexpr auto slots = [] {
        std::array<std::uint8_t, slot_count> s{};
        s.fill(255);
        for (std::size_t i = 0; i < fields.size(); ++i) {
            std::size_t at = fields[i].key.hash() & (slot_count - 1);
            while (s[at] != 255) at = (at + 1) & (slot_count - 1);
            s[at] = static_cast<std::uint8_t>(i);
        }
        return s;
    }();
    static inline constinit std::atomic<void const*> layout{nullptr};
    static constexpr model::descriptor value = [] {
        model::descriptor d = describe<T>::make();
        d.fields = fields;
        d.slots = slots;
        d.layout = &layout;
        d.unknown = nullptr;
        return d;
    }();
};

/// A list or an optional value of what has the table `Element`.
template <class Container, model::descriptor const& Element> struct partial_container {
    static constexpr model::descriptor value = [] {
        model::descriptor d = describe<Container>::make();
        d.element = &Element;
        return d;
    }();
};

/// The entries of a `string_map` that the array `Kept` names.
template <auto const& Kept> struct partial_string_map {
    static constexpr model::descriptor whole = describe<name_map<std::string>>::make();

    static bool keeps(std::string_view name) noexcept {
        for (std::string_view const k : Kept)
            if (k == name) return true;
        return false;
    }
    /// The target for values of entries that are not kept.
    static void* discarded() {
        thread_local std::string dropped;
        dropped.clear();
        return &dropped;
    }
    static constexpr model::descriptor value = [] {
        model::descriptor d = whole;
        d.reserve = nullptr; // for all entries of the text
        d.insert = [](void* map, model::late_entries& late, std::string_view name) -> void* {
            return keeps(name) ? whole.insert(map, late, name) : discarded();
        };
        d.at_key = [](void* map, model::late_entries& late, std::string_view name, std::string_view& stored,
                      bool& added) -> void* {
            if (keeps(name)) return whole.at_key(map, late, name, stored, added);
            stored = {};
            added = true;
            return discarded();
        };
        return d;
    }();
};

/// How objects of type `K` are decoded by the table `Part`. Whatever works with them takes them for a `K`.
template <resource K, model::descriptor const& Part> struct partial_object {
    static constexpr std::array list_fields{kept_field("metadata"),
                                            kept_field("items", &partial_container<std::vector<K>, Part>::value)};

    static result<erased_object> decode(object_type const&, std::string_view text) {
        auto object = std::make_shared<K>();
        if (auto r = decode_json(text, Part, object.get()); !r) return r.error();
        return erased_object(std::move(object));
    }
    static result<meta::list_meta> decode_list(object_type const&, std::string_view text,
                                               std::vector<erased_object>& items) {
        object_list<K> list;
        if (auto r = decode_json(text, partial_table<object_list<K>, list_fields>::value, &list); !r) return r.error();
        items.reserve(items.size() + list.items.size());
        for (auto& item : list.items) items.push_back(std::make_shared<K const>(std::move(item)));
        return std::move(list.metadata);
    }
    static constexpr object_type type = [] {
        object_type t = object_type_of<K>;
        t.decoder = &decode;
        t.list_decoder = &decode_list;
        return t;
    }();
};

} // namespace kftrain::detail

#endif
