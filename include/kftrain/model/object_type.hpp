#ifndef KFTRAIN_MODEL_OBJECT_TYPE_HPP
#define KFTRAIN_MODEL_OBJECT_TYPE_HPP

#include <kftrain/model/codec.hpp>
#include <kftrain/model/meta.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain {

/// An object of a type that only its owner knows.
using erased_object = std::shared_ptr<void const>;

/** A type of object without its struct: what everything that is written once for all types, informers, operators, the API
    server, must know of one. Get one from `object_type_of<K>`, or by name from find_type(); users make those of their
    own types the same way. Pointers to objects must point to the type's own struct. What the list of a type and other
    things without an `object_meta` lack is null.
    @par Object lifetimes Each lives as long as the program, unless share() says otherwise.
    @par Thread safety Constant. */
struct object_type {
    constexpr object_type() = default;

    resource_info const* info = nullptr;
    model::descriptor const* model = nullptr; ///< table of its struct: encoding, equality, difference
    object_type const* list = nullptr;        ///< the type of its lists

    // What the functions below do, for those who make types of objects.
    std::shared_ptr<void> (*maker)(object_type const& self) = nullptr;
    std::shared_ptr<void> (*copier)(object_type const& self, void const* object) = nullptr;
    result<erased_object> (*decoder)(object_type const& self, std::string_view text) = nullptr;
    result<meta::list_meta> (*list_decoder)(object_type const& self, std::string_view text,
                                            std::vector<erased_object>& items) = nullptr;
    std::shared_ptr<object_type const> (*sharer)(object_type const& self) =
        nullptr; ///< null: it lives as long as the program
    /// The metadata is part of the object and lives as long. Of an object that nobody shares it may be changed.
    object_meta& (*metadata_of)(void* object) = nullptr;

    /// A default-constructed object, for decoding into.
    std::shared_ptr<void> make() const;
    std::shared_ptr<void> copy(void const* object) const;
    /// Decodes an object as decode_json() does, with its errors.
    result<erased_object> decode(std::string_view text) const;
    /// Appends the items of a list; hands back its metadata.
    result<meta::list_meta> decode_list(std::string_view text, std::vector<erased_object>& items) const;
    /// What keeps the type, for those who refer to it and may outlive the @ref dynamic_type that it is of.
    std::shared_ptr<object_type const> share() const;
    object_meta const& metadata(void const* object) const { return metadata_of(const_cast<void*>(object)); }
    /// `Pod`, or `PodList` for a list.
    std::string kind() const;
};

namespace detail {

template <resource K> result<erased_object> decode_object(object_type const&, std::string_view text) {
    auto object = std::make_shared<K>();
    if (auto r = decode_json(text, descriptor_of<K>(), object.get()); !r) return r.error();
    return erased_object(std::move(object));
}

template <resource K>
result<meta::list_meta> decode_objects(object_type const&, std::string_view text, std::vector<erased_object>& items) {
    object_list<K> list;
    if (auto r = decode_json(text, descriptor_of<object_list<K>>(), &list); !r) return r.error();
    items.reserve(items.size() + list.items.size());
    for (auto& item : list.items) items.push_back(std::make_shared<K const>(std::move(item)));
    return std::move(list.metadata);
}

} // namespace detail

/// What is known of a type that has a table and names of its own, but no `object_meta`: of lists, answers of servers.
template <class T>
inline constexpr object_type plain_type_of = [] {
    object_type t;
    t.info = &T::resource;
    t.model = &descriptor_of<T>();
    t.maker = [](object_type const&) -> std::shared_ptr<void> { return std::make_shared<T>(); };
    t.copier = [](object_type const&, void const* object) -> std::shared_ptr<void> {
        return std::make_shared<T>(*static_cast<T const*>(object));
    };
    return t;
}();

/// One object per type, so that addresses can be compared.
template <resource K>
inline constexpr object_type object_type_of = [] {
    object_type t = plain_type_of<K>;
    t.list = &plain_type_of<object_list<K>>;
    t.decoder = &detail::decode_object<K>;
    t.list_decoder = &detail::decode_objects<K>;
    t.metadata_of = [](void* object) -> object_meta& { return static_cast<K*>(object)->metadata; };
    return t;
}();

} // namespace kftrain

#endif
