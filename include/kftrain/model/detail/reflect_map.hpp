#ifndef KFTRAIN_MODEL_DETAIL_REFLECT_MAP_HPP
#define KFTRAIN_MODEL_DETAIL_REFLECT_MAP_HPP

/** @file The descriptors of maps; part of `model/reflect.hpp`, which is the header to include. */

#include <kftrain/model/detail/descriptor_table.hpp>
#include <kftrain/model/name_map.hpp>

#include <iterator>
#include <map>
#include <utility>

namespace kftrain::detail {

/// The table of `T` as `value`. A name, not a call: the table of a struct that contains itself is needed while it is
/// built.
template <class T> struct table_of : model::table<T> {};
template <has_compiled_table T> struct table_of<T> {
    static constexpr model::descriptor const& value = kftrain_table(type_tag<T>());
};

template <class T> void reset_value(void* p) { *static_cast<T*>(p) = T(); }
template <class T> void take_value(void* p, void* from) { *static_cast<T*>(p) = std::move(*static_cast<T*>(from)); }

/// For types without a specialisation; model/descriptor.hpp lists the supported shapes.
template <class T> struct describe {
    static_assert(!std::is_same_v<T, T>, "no member of a model can have this type: it is neither described by "
                                         "BOOST_DESCRIBE_STRUCT nor a scalar, list, map or optional");
    static constexpr model::descriptor make() { return {model::shape::raw, "", nullptr}; }
};

/// The common part of std::map and name_map.
template <class Map> constexpr model::descriptor describe_map() {
    model::descriptor d{model::shape::map, "object", &reset_value<Map>, &take_value<Map>};
    d.element = &table_of<typename Map::mapped_type>::value;
    d.item_size = sizeof(typename Map::value_type);
    d.size = [](void const* p) { return static_cast<Map const*>(p)->size(); };
    d.at_key = [](void* p, model::late_entries&, std::string_view key, std::string_view& stored_key,
                  bool& added) -> void* {
        auto const [at, is_new] = static_cast<Map*>(p)->try_emplace(std::string(key));
        stored_key = at->first;
        added = is_new;
        return &at->second;
    };
    d.insert = [](void* p, model::late_entries&, std::string_view key) -> void* {
        auto const [at, is_new] = static_cast<Map*>(p)->try_emplace(std::string(key));
        return is_new ? &at->second : nullptr;
    };
    d.find_key = [](void const* p, std::string_view key) -> void const* {
        auto const& m = *static_cast<Map const*>(p);
        auto const it = m.find(key);
        return it == m.end() ? nullptr : &it->second;
    };
    d.erase_key = [](void* p, std::string_view key) {
        auto& m = *static_cast<Map*>(p);
        auto const it = m.find(key);
        if (it == m.end()) return false;
        m.erase(it);
        return true;
    };
    d.visit = [](void const* p, void* context, model::map_visitor visitor) {
        for (auto const& [k, v] : *static_cast<Map const*>(p)) visitor(context, k, &v);
    };
    return d;
}

template <class T, class Compare> struct describe<std::map<std::string, T, Compare>> {
    static constexpr model::descriptor make() { return describe_map<std::map<std::string, T, Compare>>(); }
};

/** A name_map is built key by key. Entries at the end, or of a small map, are inserted immediately; others wait in a
    tree, where entries do not move while they are filled. */
template <class T> struct describe<name_map<T>> {
    using map = name_map<T>;
    using tree = std::map<std::string, T>;
    static constexpr std::size_t small = 64;

    struct place {
        std::string const& key;
        T& value;
        bool added;
    };

    static place enter(void* p, model::late_entries& late, std::string_view key) {
        auto& m = *static_cast<map*>(p);
        if (m.empty() || std::prev(m.end())->first < key) { // the usual case: entries are sorted
            auto& last = m.append(key);
            return {last.first, last.second, true};
        }
        std::string name(key);
        if (m.size() < small) {
            auto const [at, added] = m.try_emplace(std::move(name));
            return {at->first, at->second, added};
        }
        if (auto const at = m.find(key); at != m.end()) return {at->first, at->second, false};
        if (!late) late = {new tree, [](void* entries) { delete static_cast<tree*>(entries); }};
        auto const [at, added] = static_cast<tree*>(late.get())->try_emplace(std::move(name));
        return {at->first, at->second, added};
    }

    static void take_late(void* p, model::late_entries& late) {
        auto& m = *static_cast<map*>(p);
        auto& waiting = *static_cast<tree*>(late.get());
        auto row = m.extract();
        decltype(row) all;
        all.reserve(row.size() + waiting.size());
        auto next = row.begin();
        while (!waiting.empty()) {
            auto entry = waiting.extract(waiting.begin());
            while (next != row.end() && next->first < entry.key()) all.push_back(std::move(*next++));
            all.emplace_back(std::move(entry.key()), std::move(entry.mapped()));
        }
        late.reset();
        all.insert(all.end(), std::make_move_iterator(next), std::make_move_iterator(row.end()));
        m.adopt(std::move(all));
    }

    static constexpr model::descriptor make() {
        model::descriptor d = describe_map<map>();
        d.at_key = [](void* p, model::late_entries& late, std::string_view key, std::string_view& stored_key,
                      bool& added) -> void* {
            auto const at = enter(p, late, key);
            stored_key = at.key;
            added = at.added;
            return &at.value;
        };
        d.insert = [](void* p, model::late_entries& late, std::string_view key) -> void* {
            auto const at = enter(p, late, key);
            return at.added ? &at.value : nullptr;
        };
        d.take_late = &take_late;
        d.reserve = [](void* p, std::size_t n) { static_cast<map*>(p)->reserve(n); };
        d.shrink = [](void* p) { static_cast<map*>(p)->shrink_to_fit(); };
        return d;
    }
};

} // namespace kftrain::detail

#endif
