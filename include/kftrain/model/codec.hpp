#ifndef KFTRAIN_MODEL_CODEC_HPP
#define KFTRAIN_MODEL_CODEC_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/model/descriptor.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/// How text becomes a struct.
struct decode_options {
    decode_options() = default;

    bool strict = false; ///< refuse unknown and repeated fields instead of keeping and overwriting
    /** With `strict`: takes every unknown and repeated field, and every value that does not fit (`errc::type_mismatch`,
        `errc::out_of_range`), in the order of the text and with its position, up to @ref most_found. Decoding goes on behind
        each. The error of the result is the first value that does not fit, which is always among them, else the first of all;
        only in the latter case is the target complete. What ends decoding at once, any other code, is the error instead and
        not among them. Without it decoding stops at the first. Entries of earlier calls stay. */
    std::vector<failure>* found = nullptr;
    std::size_t first_line = 1;  ///< number of the text's first line, where it is part of a larger text
    std::size_t max_depth = 512; ///< deepest nesting of objects and lists
    /** Bytes that lists, maps and unknown fields may take in memory, beside @ref memory_per_byte for each byte of the text:
        a few bytes of text can ask for much, as each `{}` in a list of pods does. What goes beyond is refused with
        `errc::too_large`. 0: no bound, for texts from a source that is trusted. Pods as servers send them take four times
        their text at most, and so never come near it. */
    std::size_t max_memory = std::size_t{64} << 20U;
    /// False drops `metadata.managedFields`, a third of what a server sends for a pod, while decoding. An object decoded
    /// so can be written back: a server takes absent managedFields for unchanged ones.
    bool keep_managed_fields = true;
};

/// What one call puts into decode_options::found at most.
inline constexpr std::size_t most_found = 1000;

/// What each byte of a text adds to decode_options::max_memory, in bytes.
inline constexpr std::size_t memory_per_byte = 32;

/// One document of a YAML text.
struct yaml_document {
    yaml_document() = default;
    yaml_document(std::string_view t, std::size_t l) : text(t), first_line(l) {}

    std::string_view text; ///< within the whole
    std::size_t first_line = 1;
};

/** The documents of a YAML text that hold more than comments. They are separated by lines that start with `---` or
    consist of `...`. Decode each with its `first_line`, and positions are those of the whole text.
    @par Lifetimes The result refers to `text`. */
std::vector<yaml_document> split_yaml(std::string_view text);

/// One place where two objects differ. `before` and `after` are compact JSON, empty for absent.
struct difference {
    difference() = default;

    std::string path;
    std::string before;
    std::string after;

    friend bool operator==(difference const&, difference const&) = default;
};

/** Decodes JSON into the value at `target`, which must be of the described type and freshly constructed.
    Goes straight from bytes to the struct: there is no tree in between. `null` means absent. Fields that the type does
    not have are kept in its `unknown` member. On types with apiVersion and kind these are compared when present.
    What the struct takes in memory is bounded by decode_options::max_memory.
    @par Errors `errc::syntax`, `errc::type_mismatch`, `errc::out_of_range`, `errc::too_deep`, `errc::too_large`,
    `errc::wrong_kind`; with `strict` also `errc::unknown_field`, `errc::duplicate_field`; these name the nearest known
    field. Path, line and column name the offending value. */
result<void> decode_json(std::string_view text, model::descriptor const& type, void* target,
                         decode_options const& = {});

/** The same from YAML, read as Kubernetes reads it: YAML 1.1 booleans and numbers. A second document is refused
    with `errc::syntax`; see split_yaml(). JSON is YAML, so this takes both; decode_json() is much faster. */
result<void> decode_yaml(std::string_view text, model::descriptor const& type, void* target,
                         decode_options const& = {});

/// Appends compact JSON. What is empty is left out, as Go's `omitempty` does.
void encode_json(model::descriptor const& type, void const* value, std::string& out);
/// Appends block-style YAML that reads back to the same value.
void encode_yaml(model::descriptor const& type, void const* value, std::string& out);

/// Whether two values of the type mean the same: quantities and times by value, lists in their order, unknown fields as
/// JSON; absent and empty are the same.
bool equal(model::descriptor const& type, void const* a, void const* b);
/** All differences, in field order. The items of a list whose field names what identifies them are compared as a set,
    with paths such as `containers[name=pytorch].image`, `finalizers[=x]` for scalars; their order does not count, though
    it does for equal(). Other lists are compared by index. Quantities and times differ by value. */
std::vector<difference> diff(model::descriptor const& type, void const* before, void const* after);

/// A value from JSON; errors and bounds as decode_json().
template <class T> result<T> from_json(std::string_view text, decode_options const& options = {}) {
    T value;
    if (auto r = decode_json(text, descriptor_of<T>(), &value, options); !r) return r.error();
    return value;
}

/// A value from one document of YAML or JSON; errors and bounds as decode_yaml().
template <class T> result<T> from_yaml(std::string_view text, decode_options const& options = {}) {
    T value;
    if (auto r = decode_yaml(text, descriptor_of<T>(), &value, options); !r) return r.error();
    return value;
}

/// Every document of a YAML text, all of one type; none if there is nothing but comments. Fails with the first that does.
template <class T> result<std::vector<T>> from_yaml_all(std::string_view text, decode_options const& options = {}) {
    std::vector<T> all;
    for (auto const& document : split_yaml(text)) {
        decode_options of_document = options;
        of_document.first_line = options.first_line + document.first_line - 1;
        auto value = from_yaml<T>(document.text, of_document);
        if (!value) return value.error();
        all.push_back(*std::move(value));
    }
    return all;
}

/// As encode_json().
template <class T> std::string to_json(T const& value) {
    std::string out;
    encode_json(descriptor_of<T>(), &value, out);
    return out;
}

/// As encode_yaml().
template <class T> std::string to_yaml(T const& value) {
    std::string out;
    encode_yaml(descriptor_of<T>(), &value, out);
    return out;
}

/// As diff() above.
template <class T> std::vector<difference> diff(T const& before, T const& after) {
    return diff(descriptor_of<T>(), &before, &after);
}

} // namespace kftrain

#endif
