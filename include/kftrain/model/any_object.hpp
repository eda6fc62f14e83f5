#ifndef KFTRAIN_MODEL_ANY_OBJECT_HPP
#define KFTRAIN_MODEL_ANY_OBJECT_HPP

#include <kftrain/model/object_type.hpp>

#include <memory>
#include <string>
#include <utility>

namespace kftrain {

/// The type of empty objects: it has no name, and its objects have no fields.
object_type const& no_object_type() noexcept;

/** An object of any type that an API server stores: a handle to an immutable object, so copies share it.
    Default-constructed and moved-from objects are empty: of no_object_type(), with empty metadata, and `null` as
    JSON.
    @par Thread safety Safe, as for any shared constant. */
class any_object {
public:
    any_object() = default;
    /// Constructs from an object of a type known at compile time.
    template <kftrain::resource K>
    any_object(K object) : any_object(object_type_of<K>, std::make_shared<K const>(std::move(object))) {}
    /// Shares an object of a type known at compile time.
    template <kftrain::resource K>
    explicit any_object(std::shared_ptr<K const> object) : any_object(object_type_of<K>, std::move(object)) {}
    /// Shares `object`, which must be of this type. The type must outlive it; types of object_type_of() do, and objects
    /// of a @ref dynamic_type keep their type.
    any_object(object_type const& type, erased_object object) noexcept : type_(&type), object_(std::move(object)) {}

    bool empty() const noexcept { return object_ == nullptr; }
    object_type const& type() const noexcept { return empty() ? no_object_type() : *type_; }
    /// Returns the names that API servers use for the type.
    resource_info const& resource() const noexcept { return *type().info; }
    object_meta const& metadata() const noexcept { return type().metadata(object_.get()); }
    erased_object const& erased() const noexcept { return object_; }

    /// Returns the object if it is of type `K`, otherwise null. `K` may be @ref dynamic_object.
    template <described K> K const* get_if() const noexcept {
        return is<K>() ? static_cast<K const*>(object_.get()) : nullptr;
    }
    /// The same, sharing ownership.
    template <described K> std::shared_ptr<K const> share() const noexcept {
        return is<K>() ? std::static_pointer_cast<K const>(object_) : nullptr;
    }
    template <described K> bool is() const noexcept { return !empty() && type_->model == &descriptor_of<K>(); }

    std::string to_json() const {
        if (empty()) return "null";
        std::string out;
        encode_json(*type_->model, object_.get(), out);
        return out;
    }
    std::string to_yaml() const {
        if (empty()) return "null\n";
        std::string out;
        encode_yaml(*type_->model, object_.get(), out);
        return out;
    }

    /// Returns whether both have the same type and are equal; two empty objects are equal.
    friend bool operator==(any_object const& a, any_object const& b) {
        if (a.empty() || b.empty()) return a.empty() == b.empty();
        return a.type_->model == b.type_->model && equal(*a.type_->model, a.object_.get(), b.object_.get());
    }

private:
    object_type const* type_ = nullptr;
    erased_object object_;
};

} // namespace kftrain

#endif
