#ifndef KFTRAIN_MODEL_OBJECT_TYPE_HPP
#define KFTRAIN_MODEL_OBJECT_TYPE_HPP

#include <kftrain/model/codec.hpp>
#include <kftrain/model/meta.hpp>

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain {

/// An object of a type that only its owner knows.
using erased_object = std::shared_ptr<void const>;

/// What machinery that is written once for all kinds (informer, wait, operator) must know about a kind.
struct object_type {
    constexpr object_type() = default;

    resource_info const* info = nullptr;
    descriptor const* model = nullptr; ///< table of its struct: encoding, equality, difference
    /// As decode_json(), with its errors.
    result<erased_object> (*decode)(std::string_view text) = nullptr;
    /// Appends the items of a list; hands back its metadata.
    result<list_meta> (*decode_list)(std::string_view text, std::vector<erased_object>& items) = nullptr;
    object_meta const& (*metadata)(void const* object) = nullptr;
};

template <resource K> result<erased_object> decode_object(std::string_view text) {
    auto object = std::make_shared<K>();
    if (auto r = decode_json(text, descriptor_of<K>(), object.get()); !r) return r.error();
    return erased_object(std::move(object));
}

template <resource K> result<list_meta> decode_objects(std::string_view text, std::vector<erased_object>& items) {
    object_list<K> list;
    if (auto r = decode_json(text, descriptor_of<object_list<K>>(), &list); !r) return r.error();
    items.reserve(items.size() + list.items.size());
    for (auto& item : list.items) items.push_back(std::make_shared<K const>(std::move(item)));
    return std::move(list.metadata);
}

/// One object per type, so that addresses can be compared.
template <resource K>
inline constexpr object_type object_type_of = [] {
    object_type t;
    t.info = &K::resource;
    t.model = &descriptor_of<K>();
    t.decode = &decode_object<K>;
    t.decode_list = &decode_objects<K>;
    t.metadata = [](void const* object) -> object_meta const& { return static_cast<K const*>(object)->metadata; };
    return t;
}();

} // namespace kftrain

#endif
