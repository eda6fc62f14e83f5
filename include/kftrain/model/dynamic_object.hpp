#ifndef KFTRAIN_MODEL_DYNAMIC_OBJECT_HPP
#define KFTRAIN_MODEL_DYNAMIC_OBJECT_HPP

#include <kftrain/model/any_object.hpp>
#include <kftrain/model/codec.hpp>
#include <kftrain/model/meta.hpp>
#include <kftrain/model/object_type.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace kftrain {

/** An object of a type without a struct in the program: its metadata, and everything else as JSON, which is
    preserved when the object is written back. An any_object of a @ref dynamic_type contains it; access it by
    `get_if<dynamic_object>()`. */
struct dynamic_object {
    dynamic_object() = default;

    std::string api_version; ///< empty: that of its type, once it belongs to one
    std::string kind;        ///< as api_version
    object_meta metadata;    ///< name, namespace, labels and other metadata
    unknown_fields unknown;  ///< `spec`, `status` and all other fields

    /** Returns a field as a value of a type with a table, e.g. a described struct with the relevant members. Returns
        a default value if there is no such field.
        @par Errors those of decode_json(); paths start below the field. */
    template <class T> [[nodiscard]] result<T> field(std::string_view name) const {
        auto const* json = unknown.find(name);
        return json == nullptr ? result<T>(T()) : from_json<T>(json->text);
    }
    /// Sets a field to JSON text, which is not checked.
    void set_field(std::string_view name, std::string json) { unknown.set(name, raw_json(std::move(json))); }
};
KFTRAIN_DESCRIBE(dynamic_object, (api_version, kind, metadata))

/** A type of object that becomes known while the program runs, e.g. by the discovery of an API server. A handle:
    copies are the same type. Accepted wherever an `object_type` is: any_api, any_informer, rules of controllers.
    @par Object lifetimes Objects, informers and apis of the type keep it alive. A user with only the address of its
    object_type, such as a row of controller rules, does not: keep a copy elsewhere.
    @par Thread safety Safe: it never changes. */
class dynamic_type {
public:
    /// Takes the names that an API server uses: `dynamic_type("acme.example", "v1", "Widget", "widgets")`.
    dynamic_type(std::string group, std::string version, std::string kind, std::string plural,
                 resource_scope where = resource_scope::namespaced);

    operator object_type const&() const noexcept { return *type_; }
    object_type const& type() const noexcept { return *type_; }
    resource_info const& resource() const noexcept { return *type_->info; }

    /// Makes the object one of this type, with its apiVersion and kind.
    any_object make(dynamic_object object) const;
    /** Reads an object of this type.
        @par Errors those of decode_json(), `errc::wrong_kind` for another apiVersion or kind. */
    [[nodiscard]] result<any_object> from_json(std::string_view text) const;
    /// The same from YAML.
    [[nodiscard]] result<any_object> from_yaml(std::string_view text) const;

private:
    std::shared_ptr<object_type const> type_;
};

} // namespace kftrain

#endif
