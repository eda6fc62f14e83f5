#ifndef KFTRAIN_MODEL_DESCRIPTOR_HPP
#define KFTRAIN_MODEL_DESCRIPTOR_HPP

#include <kftrain/model/resource.hpp>

#include <boost/describe/class.hpp>
#include <boost/describe/members.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace kftrain {

class int_or_string;
class quantity;
class unknown_fields;
struct bytes;
struct descriptor;
struct raw_json;

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
    map,      ///< std::map or name_map from string
    optional, ///< std::optional: absent, or what `element` describes
};

namespace detail {

/// `N` bytes, the first one lowest; the same at compile time and, in one instruction where it can, at run time.
template <std::size_t N> constexpr std::uint64_t load_bytes(char const* p) noexcept {
    std::uint64_t v = 0;
    if (std::endian::native == std::endian::little && !std::is_constant_evaluated())
        std::memcpy(&v, p, N);
    else
        for (std::size_t i = N; i-- != 0;) v = v << 8U | static_cast<unsigned char>(p[i]);
    return v;
}

} // namespace detail

/** The first and the last bytes of a field's name. Up to 16 bytes it holds all of the name, if its length is known, so
    that names are compared and hashed without a loop. */
struct name_key {
    constexpr name_key() = default;
    constexpr explicit name_key(std::string_view s) noexcept {
        char const* const p = s.data();
        std::size_t const n = s.size();
        if (n >= 8) {
            head = detail::load_bytes<8>(p);
            tail = detail::load_bytes<8>(p + n - 8);
        } else if (n >= 4) {
            head = detail::load_bytes<4>(p);
            tail = detail::load_bytes<4>(p + n - 4);
        } else if (n != 0) {
            head = detail::load_bytes<1>(p);
            tail = detail::load_bytes<1>(p + n / 2) << 8U | detail::load_bytes<1>(p + n - 1);
        }
    }
    constexpr std::size_t hash() const noexcept {
        return static_cast<std::size_t>(((head * 0x9E3779B97F4A7C15U) ^ tail) * 0xD6E8FEB86659FD93U >> 40U);
    }
    friend constexpr bool operator==(name_key const&, name_key const&) = default;

    std::uint64_t head = 0;
    std::uint64_t tail = 0;
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
    name_key key{};            ///< of `name`
    std::string_view quoted{}; ///< `"name":`, in storage of a multiple of 16 bytes

    void const* get_const(void const* object) const { return get(const_cast<void*>(object)); }
};

/// Called with each entry of a map; `context` is passed through.
using map_visitor = void (*)(void* context, std::string const& key, void const* value);

/** Entries that came out of order into a map that keeps its entries in a row, until all of it is read: put between the
    others one by one, each would move those behind it, and names in no order would take time by the square. */
using late_entries = std::unique_ptr<void, void (*)(void* entries)>;

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
    bool (*is_bare)(void const* value) = nullptr;  ///< true when the text is written without quotes; null: never
    bool quotes_empty = false;                     ///< an empty text is written as "", else as null
    void (*make_canonical)(void* value) = nullptr; ///< of several spellings takes the server's; null: there is but one

    // array, map, optional
    descriptor const* element = nullptr;
    void* (*append)(void* array) = nullptr;
    void (*reserve)(void* array_or_map, std::size_t items) = nullptr; ///< null where memory comes item by item
    void (*shrink)(void* array_or_map) = nullptr; ///< gives back what is reserved too much; as reserve
    std::size_t (*size)(void const* array_or_map) = nullptr;
    std::size_t item_size = 0; ///< bytes that an item of an array or an entry of a map takes in place
    void const* (*at)(void const* array, std::size_t index) = nullptr;
    /// `added`: whether the key is new.
    void* (*at_key)(void* map, late_entries&, std::string_view key, std::string_view& stored_key,
                    bool& added) = nullptr;
    /// Gives null when the key is there already.
    void* (*insert)(void* map, late_entries&, std::string_view key) = nullptr;
    /// Puts those that wait into the map, which has not been changed by others meanwhile; null where none ever wait.
    void (*take_late)(void* map, late_entries&) = nullptr;
    void const* (*find_key)(void const* map, std::string_view key) = nullptr;
    void (*visit)(void const* map, void* context, map_visitor) = nullptr;
    void* (*engage)(void* optional) = nullptr;
    void const* (*peek)(void const* optional) = nullptr; ///< null when absent

    // object
    std::span<field const> fields{};
    std::span<std::uint8_t const> slots{};              ///< open-addressing index of `fields` by name_key::hash()
    unknown_fields* (*unknown)(void* object) = nullptr; ///< null when the type keeps none
    resource_info const* info = nullptr;                ///< set on types with apiVersion and kind
    std::atomic<void const*>* layout = nullptr;         ///< where decoding keeps what it worked out about the type

    /// The field of this JSON name, or null. Only for objects.
    field const* find(std::string_view json_name) const noexcept {
        if (slots.empty()) return nullptr;
        name_key const key(json_name);
        std::size_t const mask = slots.size() - 1;
        for (std::size_t i = key.hash() & mask; slots[i] != 255; i = (i + 1) & mask)
            if (auto const& f = fields[slots[i]];
                f.key == key && f.name.size() == json_name.size() && (json_name.size() <= 16 || f.name == json_name))
                return &f;
        return nullptr;
    }
};

/** Holds the descriptor of `T`. Defined in `model/reflect.hpp`; the tables of kftrain's own types are compiled into the
    library, so that users of a type need this light header only. */
template <class T> struct table {
    static descriptor const value;
};

/// True of the library's own structs, whose tables are compiled into it: see KFTRAIN_DESCRIBE.
template <class T> inline constexpr bool has_compiled_table = false;

/// A struct described by Boost.Describe, or one of the library's own.
template <class T>
concept described = has_compiled_table<T> || boost::describe::has_describe_members<T>::value;

namespace detail {

/// False for what surely has no table: structs that nobody described, pointers, enumerations. Of lists, maps and times
/// it does not look at the items.
template <class T> constexpr bool may_have_table() {
    if constexpr (!std::is_class_v<T>)
        return std::is_integral_v<T> || std::is_same_v<T, double>;
    else if constexpr (
        requires { typename T::value_type; } || requires { typename T::duration; } || requires { typename T::period; })
        return true;
    else
        return described<T> || std::is_same_v<T, int_or_string> || std::is_same_v<T, quantity> ||
               std::is_same_v<T, raw_json> || std::is_same_v<T, bytes>;
}

} // namespace detail

/** The table of a type. The type must be described: `BOOST_DESCRIBE_STRUCT(T, (), (members))` behind the struct, in its
    namespace. One source of the program includes `kftrain/model/reflect.hpp` and says `template struct kftrain::table<T>;`,
    for an object that a server stores also `template struct kftrain::table<kftrain::object_list<T>>;`. A program in which
    none does is not linked, for lack of `kftrain::table<T>::value`. */
template <class T> constexpr descriptor const& descriptor_of() noexcept {
    static_assert(detail::may_have_table<T>(),
                  "the type is not described: write BOOST_DESCRIBE_STRUCT(T, (), (members)) behind the struct");
    return table<T>::value;
}

/// An exception to the rule that the JSON name is the member's name in camelCase, or how a list merges.
struct field_rule {
    std::string_view member;
    std::string_view json_name{}; ///< empty: as the rule says
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

/// See KFTRAIN_REQUIRED.
template <class T> inline constexpr std::array<std::string_view, 0> required_members{};

} // namespace kftrain

/** Names members that are written even when they are empty; all others are left out then. Above KFTRAIN_DESCRIBE.
    Kubernetes' own types are written like that where they lack `omitempty`, and CustomResourceDefinitions require these
    fields: `value: ""` of a header is accepted, a header without `value` is not. Lists, maps and what is optional are not
    named: whether they are absent or empty, the struct cannot tell. */
#define KFTRAIN_REQUIRED(Type, ...)                                                                                    \
    template <> inline constexpr auto required_members<Type> = std::to_array<std::string_view>({__VA_ARGS__});

/** Describes a struct of namespace kftrain whose table is compiled in `src/model`, `src/kinds`, ...: says that the table is
    there. The members themselves are described by Boost.Describe where KFTRAIN_DESCRIBE_MEMBERS is defined, as it is for the
    sources that compile the tables: descriptions of two hundred structs take a compiler longer than the structs. */
#ifdef KFTRAIN_DESCRIBE_MEMBERS
#define KFTRAIN_DESCRIBE(Type, Members)                                                                                \
    BOOST_DESCRIBE_STRUCT(Type, (), Members)                                                                           \
    extern template struct table<Type>;                                                                                \
    template <> inline constexpr bool has_compiled_table<Type> = true;
#else
#define KFTRAIN_DESCRIBE(Type, Members)                                                                                \
    extern template struct table<Type>;                                                                                \
    template <> inline constexpr bool has_compiled_table<Type> = true;
#endif

/// The same for a type with `metadata` that an API server stores; also declares the table of its list.
#define KFTRAIN_DESCRIBE_RESOURCE(Type, Members)                                                                       \
    KFTRAIN_DESCRIBE(Type, Members)                                                                                    \
    extern template struct table<object_list<Type>>;

#endif
