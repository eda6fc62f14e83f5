#ifndef KFTRAIN_MODEL_DETAIL_DESCRIPTOR_TABLE_HPP
#define KFTRAIN_MODEL_DETAIL_DESCRIPTOR_TABLE_HPP

/** @file The content of a table of a type: for the algorithms over models, and for `model/reflect.hpp`, which builds
    tables. Users of models need only the declarations of `model/descriptor.hpp`. */

#include <kftrain/model/descriptor.hpp>

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

namespace detail {

/// Reads `N` bytes, the first one lowest; gives the same result at compile time and at run time, there in one
/// instruction if possible.
template <std::size_t N> constexpr std::uint64_t load_bytes(char const* p) noexcept {
    std::uint64_t v = 0;
    if (std::endian::native == std::endian::little && !std::is_constant_evaluated())
        std::memcpy(&v, p, N);
    else
        for (std::size_t i = N; i-- != 0;) v = v << 8U | static_cast<unsigned char>(p[i]);
    return v;
}

} // namespace detail

namespace model {

/// The JSON form of a value.
enum class shape : std::uint8_t {
    boolean,
    integer,
    number,
    string,
    text,     ///< a custom type with a textual form: time, quantity
    raw,      ///< any JSON, kept as text
    object,   ///< a described struct
    array,    ///< std::vector
    map,      ///< std::map or name_map from string
    optional, ///< std::optional: absent, or the type of `element`
};

/** The first and last bytes of the name of a field. For up to 16 bytes it contains the whole name, if the length is
    known, so that names are compared and hashed without a loop. */
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
    std::string_view name;   ///< the JSON name
    std::string_view member; ///< the C++ name
    descriptor const* type;
    void* (*get)(void* object); ///< address of the member
    bool always;                ///< written even when empty

    std::string_view merge_key{}; ///< see field_rule, as for the next two
    std::string_view list_keys{};
    bool retain_keys = false;
    bool bookkeeping = false;  ///< see field_rule
    name_key key{};            ///< of `name`
    std::string_view quoted{}; ///< `"name":`, in storage of a multiple of 16 bytes

    void const* get_const(void const* object) const { return get(const_cast<void*>(object)); }
};

/// Called for each entry of a map; `context` is passed through.
using map_visitor = void (*)(void* context, std::string const& key, void const* value);

/** Entries that arrive out of order for a map with contiguous entries, until the whole map is read: inserting them
    one by one would move later entries each time and take quadratic time for names in random order. */
using late_entries = std::unique_ptr<void, void (*)(void* entries)>;

/** The static table that all algorithms over models use: decoding, encoding, equality, difference. One
    constant-initialised table exists per type; members that do not apply to the shape are null.
    @par Thread safety Tables are constant. */
struct descriptor {
    shape kind;
    std::string_view name;                           ///< for messages: `int32`, `string`, `object`, ...
    void (*reset)(void* value);                      ///< assigns a default-constructed value
    void (*take)(void* value, void* from) = nullptr; ///< move-assigns a value of the same type

    // integer, number
    bool (*store_integer)(void* value, std::int64_t) = nullptr; ///< false when it does not fit
    std::int64_t (*load_integer)(void const* value) = nullptr;

    // text
    bool (*parse)(void* value, std::string_view) = nullptr;
    void (*print)(void const* value, std::string& out) = nullptr;
    bool (*same)(void const* a, void const* b) = nullptr; ///< by value, so that `1` and `1000m` are the same
    /// Both texts can be parsed and have the same value.
    bool (*same_text)(std::string_view a, std::string_view b) = nullptr;
    /// A JSON number is parsed from its text; a type with `store_integer` receives integers through it.
    bool takes_numbers = false;
    bool (*is_bare)(void const* value) = nullptr; ///< true if the text is written without quotes; null: never
    std::string_view (*enumerator)(std::size_t index) noexcept = nullptr; ///< of an enumeration; empty behind the last
    bool quotes_empty = false; ///< an empty text is written as "", otherwise as null
    /// Changes the spelling to that of the server; null: there is only one.
    void (*make_canonical)(void* value) = nullptr;

    // array, map, optional
    descriptor const* element = nullptr;
    void* (*append)(void* array) = nullptr;
    void (*reserve)(void* array_or_map, std::size_t items) = nullptr; ///< null if memory is allocated item by item
    void (*shrink)(void* array_or_map) = nullptr; ///< releases excess reserved memory; null like reserve
    std::size_t (*size)(void const* array_or_map) = nullptr;
    std::size_t item_size = 0; ///< in-place size in bytes of an item of an array or an entry of a map
    void const* (*at)(void const* array, std::size_t index) = nullptr;
    void (*drop_last)(void* array) = nullptr;                     ///< of an array that is not empty
    bool (*erase_key)(void* map, std::string_view key) = nullptr; ///< false if there is no such key
    /// `added`: whether the key is new.
    void* (*at_key)(void* map, late_entries&, std::string_view key, std::string_view& stored_key,
                    bool& added) = nullptr;
    /// Returns null if the key already exists.
    void* (*insert)(void* map, late_entries&, std::string_view key) = nullptr;
    /// Moves the waiting entries into the map, which must not have been changed since; null if entries never wait.
    void (*take_late)(void* map, late_entries&) = nullptr;
    void const* (*find_key)(void const* map, std::string_view key) = nullptr;
    void (*visit)(void const* map, void* context, map_visitor) = nullptr;
    void* (*engage)(void* optional) = nullptr;
    void const* (*peek)(void const* optional) = nullptr; ///< null if absent

    // object
    std::span<field const> fields{};
    std::span<std::uint8_t const> slots{};              ///< open-addressing index of `fields` by name_key::hash()
    unknown_fields* (*unknown)(void* object) = nullptr; ///< null if the type keeps no unknown fields
    resource_info const* info = nullptr;                ///< set on types with apiVersion and kind
    std::string_view type_name{};                       ///< qualified, e.g. `kftrain::core::pod`
    std::atomic<void const*>* layout = nullptr;         ///< cache of decoding for data derived from the type

    /// Returns the field with this JSON name, or null. Only for objects.
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

} // namespace model

} // namespace kftrain

#endif
