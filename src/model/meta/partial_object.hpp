#ifndef KFTRAIN_SRC_MODEL_META_PARTIAL_OBJECT_HPP
#define KFTRAIN_SRC_MODEL_META_PARTIAL_OBJECT_HPP

#include "model/codec/partial_table.hpp"

#include <kftrain/model/object_type.hpp>

#include <array>
#include <memory>
#include <string_view>
#include <vector>

namespace kftrain::detail {

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
