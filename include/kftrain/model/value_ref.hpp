#ifndef KFTRAIN_MODEL_VALUE_REF_HPP
#define KFTRAIN_MODEL_VALUE_REF_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/model/descriptor.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/// The kind of a described value. An optional value has the kind of the value that it may contain.
enum class value_kind : std::uint8_t {
    boolean,
    integer,
    number, ///< double
    string,
    text, ///< a type with a textual form: a time, a duration, a quantity, base64, an enumeration
    json, ///< any JSON, as text
    object,
    list,
    map, ///< values by name
};
/// Returns the name of the enumerator.
std::string_view to_string(value_kind) noexcept;

struct member_info;

/** The type of a described value: its kind, and the types of its members or elements. A handle to a table that lives
    as long as the program.
    @par Thread safety Constant. */
class described_type {
public:
    explicit described_type(model::descriptor const& table) noexcept : table_(&table) {}
    /// Returns the type of a struct, or of a list, map, optional or scalar that is a member of one.
    template <class T> static described_type of() noexcept { return described_type(descriptor_of<T>()); }

    value_kind kind() const noexcept;
    /// Returns whether values may be absent, as `std::optional` may.
    bool is_optional() const noexcept;
    /** Returns the name of the type: the qualified C++ name of a struct, e.g. `kftrain::core::pod`; `int32`, `quantity`
        or `RFC 3339 time` of a scalar; `list`, `map` or `any value` of the others. */
    std::string_view name() const noexcept;
    /// Returns the names of the enumerators of an enumeration, whose kind is `text`; empty for other types.
    std::vector<std::string_view> enumerators() const;
    /// Returns the type of the items of a list or map. @pre `kind()` is `list` or `map`
    described_type element() const noexcept;
    /// Returns the names that API servers use; null if objects of the type are not stored by themselves.
    resource_info const* resource() const noexcept;
    /// Returns whether objects keep the fields that their type does not have.
    bool keeps_unknown_fields() const noexcept;

    /// Returns the number of members of an object; 0 for all other kinds.
    std::size_t member_count() const noexcept;
    /// @pre `index < member_count()`
    member_info member(std::size_t index) const noexcept;
    /// Returns the member with this C++ name or JSON name.
    std::optional<member_info> find_member(std::string_view name) const noexcept;
    /// Returns whether values of this type may have a value at the path, as const_value_ref::find() takes it. Every
    /// path below a value of any JSON exists.
    bool has_path(std::string_view path) const;

    model::descriptor const& table() const noexcept { return *table_; }
    friend bool operator==(described_type const&, described_type const&) = default;

private:
    model::descriptor const* table_;
};

/// A member of a described struct.
struct member_info {
    member_info(std::string_view n, std::string_view json, described_type t, bool always) noexcept
        : name(n), json_name(json), type(t), always_written(always) {}

    std::string_view name;      ///< in C++, e.g. `run_policy`
    std::string_view json_name; ///< e.g. `runPolicy`
    described_type type;        ///< type of the member
    bool always_written;        ///< written even if it is empty, see KFTRAIN_REQUIRED
};

class value_ref;

/** A view of a described value of any type, which may not be changed through it. Members, items and scalars are
    reached by name and index at run time: for code that serves every type, such as bindings to other languages.

    Functions that expect another kind fail with `errc::type_mismatch`, or `errc::invalid_argument` for a name, an
    index or a path that does not exist; `detail.path` and the message name the place, the value and what was expected.
    @par Lifetimes Refers to the value, as a reference does. A value that is inserted or erased invalidates the views
    of the items of its list or map.
    @par Thread safety As the value. */
class const_value_ref {
public:
    const_value_ref(model::descriptor const& table, void const* value) noexcept : table_(&table), value_(value) {}
    template <described T>
    explicit const_value_ref(T const& value) noexcept : const_value_ref(descriptor_of<T>(), &value) {}

    described_type type() const noexcept { return described_type(*table_); }
    value_kind kind() const noexcept { return type().kind(); }
    /// Returns whether this is an optional without a value.
    bool is_absent() const noexcept { return present() == nullptr; }

    [[nodiscard]] result<bool> boolean() const;
    [[nodiscard]] result<std::int64_t> integer() const;
    /// Returns a number or an integer.
    [[nodiscard]] result<double> number() const;
    /// Returns a string, or the textual form of a time or quantity, or JSON.
    [[nodiscard]] result<std::string> text() const;

    /// Returns the number of items of a list or map, or of members of an object; 0 for all other kinds.
    std::size_t size() const noexcept;
    /// Returns an item of a list.
    [[nodiscard]] result<const_value_ref> at(std::size_t index) const;
    /// Returns the member of an object, by its C++ name or JSON name, or the value of a map.
    [[nodiscard]] result<const_value_ref> at(std::string_view name) const;
    /// Returns whether an object has the member or a map the name.
    bool contains(std::string_view name) const noexcept;
    /// Calls `visit` with the C++ name and value of each member of an object, or with each entry of a map, in order.
    void for_each(std::function<void(std::string_view name, const_value_ref value)> const& visit) const;
    /// Returns the value at a path such as `spec.containers[0].image`, `metadata.labels[example.com/team]` or
    /// `spec.containers[name=pytorch]`.
    [[nodiscard]] result<const_value_ref> find(std::string_view path) const;

    /// Returns the struct if the value has this type, otherwise null.
    template <described T> T const* get_if() const noexcept {
        auto const* const value = present();
        return value != nullptr && value_table() == &descriptor_of<T>() ? static_cast<T const*>(value) : nullptr;
    }

    /// Returns compact JSON, as encode_json() does; `null` if the value is absent.
    std::string to_json() const;
    /// Compares values of one type, as equal() does; values of different types are not equal.
    friend bool operator==(const_value_ref const& a, const_value_ref const& b);

protected:
    model::descriptor const* table() const noexcept { return table_; }
    void const* address() const noexcept { return value_; }
    /// The table of the value itself, also if it is optional.
    model::descriptor const* value_table() const noexcept;
    /// The value itself; null if it is absent.
    void const* present() const noexcept;

private:
    friend class value_ref;

    model::descriptor const* table_;
    void const* value_;
};

/** A view through which a described value can be changed. Errors are those of const_value_ref, and `errc::out_of_range`
    for a number that does not fit; upon failure the value is unchanged. */
class value_ref : public const_value_ref {
public:
    value_ref(model::descriptor const& table, void* value) noexcept : const_value_ref(table, value) {}
    template <described T> explicit value_ref(T& value) noexcept : value_ref(descriptor_of<T>(), &value) {}

    [[nodiscard]] result<void> set(bool value) const;
    /// Also sets a number, and a text that accepts integers.
    [[nodiscard]] result<void> set(std::int64_t value) const;
    [[nodiscard]] result<void> set(double value) const;
    /// Sets a string, or parses a time, a quantity or JSON.
    [[nodiscard]] result<void> set(std::string_view value) const;
    result<void> set(char const* value) const { return set(std::string_view(value)); }
    /// Replaces the value by JSON, with the errors of decode_json(); `null` resets it.
    [[nodiscard]] result<void> set_json(std::string_view text) const;
    /// Makes the value absent or empty.
    void reset() const;
    /// Makes an absent value present; returns the value.
    value_ref emplace() const;

    [[nodiscard]] result<value_ref> at(std::size_t index) const;
    /// As const_value_ref::at(), but an object that is absent becomes present.
    [[nodiscard]] result<value_ref> at(std::string_view name) const;
    /// Returns the value of a map, which is inserted if the name is new.
    [[nodiscard]] result<value_ref> insert(std::string_view name) const;
    /// Inserts an empty item before the item at `index`, which may be the size of the list.
    [[nodiscard]] result<value_ref> insert(std::size_t index) const;
    /// Appends an empty item to a list.
    [[nodiscard]] result<value_ref> append() const;
    /// Removes an item of a list.
    [[nodiscard]] result<void> erase(std::size_t index) const;
    /// Removes the entry of a map. Resets the member of an object.
    [[nodiscard]] result<void> erase(std::string_view name) const;
    /// Removes items at the end of a list, or appends empty ones.
    [[nodiscard]] result<void> resize(std::size_t size) const;

private:
    explicit value_ref(const_value_ref other) noexcept : const_value_ref(other) {}

    void* target() const noexcept { return const_cast<void*>(address()); }
};

} // namespace kftrain

#endif
