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

/// An object of a type that is known only to its owner.
using erased_object = std::shared_ptr<void const>;

/** A type of object without its struct: the information that type-independent code (informers, operators, the API
    server) needs. Get one from `object_type_of<K>`, or by name from find_type(); this works for types of users as
    well. Pointers to objects must point to the struct of the type. Members that need an `object_meta` are null for
    lists and other types without one.
    @par Object lifetimes Types have static storage duration, unless share() returns an owner.
    @par Thread safety Constant. */
struct object_type {
    constexpr object_type() = default;

    resource_info const* info = nullptr;      ///< names that API servers use
    model::descriptor const* model = nullptr; ///< table of its struct: encoding, equality, difference
    object_type const* list = nullptr;        ///< type of its lists

    // The implementation of the functions below, for code that defines types of objects.
    std::shared_ptr<void> (*maker)(object_type const& self) = nullptr;                          ///< implements make()
    std::shared_ptr<void> (*copier)(object_type const& self, void const* object) = nullptr;     ///< implements copy()
    result<erased_object> (*decoder)(object_type const& self, std::string_view text) = nullptr; ///< implements decode()
    /// Implements decode_list().
    result<meta::list_meta> (*list_decoder)(object_type const& self, std::string_view text,
                                            std::vector<erased_object>& items) = nullptr;
    /// Implements share(); null: static storage duration.
    std::shared_ptr<object_type const> (*sharer)(object_type const& self) = nullptr;
    /// Returns the metadata, which is part of the object and lives as long. It may be changed in an object that is not
    /// shared.
    object_meta& (*metadata_of)(void* object) = nullptr;

    /// Returns a default-constructed object, as a target for decoding.
    std::shared_ptr<void> make() const;
    std::shared_ptr<void> copy(void const* object) const;
    /// Decodes an object as decode_json() does, with its errors.
    [[nodiscard]] result<erased_object> decode(std::string_view text) const;
    /// Appends the items of a list; returns its metadata.
    [[nodiscard]] result<meta::list_meta> decode_list(std::string_view text, std::vector<erased_object>& items) const;
    /// Returns an owner that keeps the type alive, for users that may outlive its @ref dynamic_type.
    std::shared_ptr<object_type const> share() const;
    object_meta const& metadata(void const* object) const { return metadata_of(const_cast<void*>(object)); }
    /// Returns `Pod`, or `PodList` for a list.
    std::string kind() const;
};

namespace detail {

template <resource K> [[nodiscard]] result<erased_object> decode_object(object_type const&, std::string_view text) {
    auto object = std::make_shared<K>();
    if (auto r = decode_json(text, descriptor_of<K>(), object.get()); !r) return r.error();
    return erased_object(std::move(object));
}

template <resource K>
[[nodiscard]] result<meta::list_meta> decode_objects(object_type const&, std::string_view text,
                                                     std::vector<erased_object>& items) {
    object_list<K> list;
    if (auto r = decode_json(text, descriptor_of<object_list<K>>(), &list); !r) return r.error();
    items.reserve(items.size() + list.items.size());
    for (auto& item : list.items) items.push_back(std::make_shared<K const>(std::move(item)));
    return std::move(list.metadata);
}

} // namespace detail

/// The type of a struct with a table and names, but without `object_meta`: lists, responses of servers.
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
