#ifndef KFTRAIN_MODEL_DESCRIPTOR_HPP
#define KFTRAIN_MODEL_DESCRIPTOR_HPP

#include <kftrain/model/resource.hpp>

#include <boost/describe/class.hpp>
#include <boost/describe/members.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace kftrain {

class unknown_fields;
struct descriptor;

/// What a value looks like in JSON.
enum class shape : std::uint8_t {
    boolean,
    integer,
    number,
    string,
    text,     ///< a type of its own with a textual form: time, quantity
    raw,      ///< any JSON, kept as text
    object,   ///< a described struct
    array,    ///< std::vector
    map,      ///< std::map from string
    optional, ///< std::optional: absent, or what `element` describes
};

/// One member of a described struct.
struct field {
    std::string_view name; ///< the JSON name
    descriptor const* type;
    void* (*get)(void* object); ///< address of the member
    bool always;                ///< written even when empty

    std::string_view merge_key{}; ///< see field_rule, as for the next two
    std::string_view list_keys{};
    bool retain_keys = false;

    void const* get_const(void const* object) const { return get(const_cast<void*>(object)); }
};

/// Called with each entry of a map; `context` is passed through.
using map_visitor = void (*)(void* context, std::string const& key, void const* value);

/** The static table from which every algorithm over models works: decoding, encoding, equality, difference.
    One constant-initialised table exists per type; what does not belong to the shape is null.
    @par Thread safety Tables are constant. */
struct descriptor {
    shape kind;
    std::string_view name;      ///< for messages: `int32`, `string`, `object`, ...
    void (*reset)(void* value); ///< assigns a default-constructed value

    // integer, number
    bool (*store_integer)(void* value, std::int64_t) = nullptr; ///< false when it does not fit
    std::int64_t (*load_integer)(void const* value) = nullptr;

    // text
    bool (*parse)(void* value, std::string_view) = nullptr;
    void (*print)(void const* value, std::string& out) = nullptr;
    bool (*same)(void const* a, void const* b) = nullptr;                ///< by value, so that `1` and `1000m` are
    bool (*same_text)(std::string_view a, std::string_view b) = nullptr; ///< both can be parsed, to the same value
    /// A JSON number is parsed as its text; a type with `store_integer` gets integers there.
    bool takes_numbers = false;
    bool (*is_bare)(void const* value) = nullptr; ///< true when the text is written without quotes; null: never
    bool quotes_empty = false;                    ///< an empty text is written as "", else as null

    // array, map, optional
    descriptor const* element = nullptr;
    void* (*append)(void* array) = nullptr;
    void (*reserve)(void* array_or_map, std::size_t items) = nullptr; ///< null where memory comes item by item
    void (*shrink)(void* array_or_map) = nullptr; ///< gives back what is reserved too much; as reserve
    std::size_t (*size)(void const* array_or_map) = nullptr;
    void const* (*at)(void const* array, std::size_t index) = nullptr;
    void* (*at_key)(void* map, std::string_view key, std::string_view& stored_key) = nullptr;
    void* (*insert)(void* map, std::string_view key) = nullptr; ///< null when the key is there already
    void const* (*find_key)(void const* map, std::string_view key) = nullptr;
    void (*visit)(void const* map, void* context, map_visitor) = nullptr;
    void* (*engage)(void* optional) = nullptr;
    void const* (*peek)(void const* optional) = nullptr; ///< null when absent

    // object
    std::span<field const> fields{};
    std::span<std::uint8_t const> slots{};              ///< open-addressing index of `fields` by hash_name()
    unknown_fields* (*unknown)(void* object) = nullptr; ///< null when the type keeps none
    resource_info const* info = nullptr;                ///< set on types with apiVersion and kind

    /// The field of this JSON name, or null. Only for objects.
    field const* find(std::string_view json_name) const noexcept;
};

constexpr std::uint32_t hash_name(std::string_view s) noexcept {
    std::uint32_t h = 2166136261U;
    for (char c : s) h = (h ^ static_cast<unsigned char>(c)) * 16777619U;
    return h ^ (h >> 15U);
}

/** Holds the descriptor of `T`. Defined in `model/reflect.hpp`; the tables of kftrain's own types are compiled into the
    library, so that users of a type need this light header only. */
template <class T> struct table {
    static descriptor const value;
};

/// A struct described by Boost.Describe.
template <class T>
concept described = boost::describe::has_describe_members<T>::value;

template <class T> descriptor const& descriptor_of() noexcept { return table<T>::value; }

/// An exception to the rule that the JSON name is the member's name in camelCase, or that what is empty is left out.
struct field_rule {
    std::string_view member;
    std::string_view json_name{}; ///< empty: as the rule says
    bool always = false;
    /// Of a list: the JSON name of the field that identifies an item in strategic merge patches; `*` for a set of
    /// scalars; empty for a list that is replaced as a whole. Upstream: `patchMergeKey` in k8s.io/api.
    std::string_view merge_key{};
    /// Of a list: what identifies an item where it is more than `merge_key`, comma-separated, e.g.
    /// `containerPort,protocol`; `*` for a set of scalars. Upstream: `x-kubernetes-list-map-keys`.
    std::string_view list_keys{};
    /// Fields that a strategic merge patch does not name are cleared. Upstream: `patchStrategy=retainKeys`.
    bool retain_keys = false;
};

/// Specialise with `static constexpr std::array<field_rule, N> list` under the struct.
template <class T> struct field_rules {
    static constexpr std::span<field_rule const> list{};
};

} // namespace kftrain

/// Describes a struct of namespace kftrain whose table is compiled in `src/model`, `src/kinds`, ...
#define KFTRAIN_DESCRIBE(Type, Members)                                                                                \
    BOOST_DESCRIBE_STRUCT(Type, (), Members)                                                                           \
    extern template struct table<Type>;

/// The same for a type with `metadata` that an API server stores; also declares the table of its list.
#define KFTRAIN_DESCRIBE_RESOURCE(Type, Members)                                                                       \
    KFTRAIN_DESCRIBE(Type, Members)                                                                                    \
    extern template struct table<object_list<Type>>;

#endif
