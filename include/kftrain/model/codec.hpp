#ifndef KFTRAIN_MODEL_CODEC_HPP
#define KFTRAIN_MODEL_CODEC_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/model/descriptor.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/// Options of decoding.
struct decode_options {
    decode_options() = default;

    bool strict = false; ///< reject unknown and duplicate fields instead of keeping or overwriting them
    /** With `strict`: collects every unknown and duplicate field, and every value that does not fit
        (`errc::type_mismatch`, `errc::out_of_range`), in the order of the text and with its position, up to @ref
        max_found. Decoding continues after each of them. The error of the result is the first value that does not
        fit, which is always in the list, otherwise the first entry; only in the latter case is the target complete.
        Errors of any other code end decoding immediately; they are returned, but not added to the list. Without it
        decoding stops at the first error. Entries of earlier calls are kept. */
    std::vector<failure>* found = nullptr;
    std::size_t first_line = 1;  ///< number of the first line of the text, if it is part of a larger text
    std::size_t max_depth = 512; ///< maximum nesting of objects and lists
    /** Maximum memory in bytes for lists, maps and unknown fields, in addition to @ref memory_per_byte for each byte
        of the text: a short text can require much memory, as each `{}` in a list of pods does. More is rejected with
        `errc::too_large`. 0: no limit, for trusted sources. Pods from servers take at most four times the size of
        their text, and so never come near the limit. */
    std::size_t max_memory = std::size_t{64} << 20U;
    /// False drops `metadata.managedFields`, a third of the text of a pod, while decoding. Such an object can be
    /// written back: servers treat absent managedFields as unchanged.
    bool keep_managed_fields = true;
};

/// Maximum number of entries that one call adds to decode_options::found.
inline constexpr std::size_t max_found = 1000;

/// Number of bytes that each byte of a text adds to decode_options::max_memory.
inline constexpr std::size_t memory_per_byte = 32;

/// Returns whether an error of strict decoding is in the list decode_options::found, and thus was reported already.
/// Errors in apiVersion and kind are never in the list, because these fields are read first.
bool is_collected(failure const& error, std::span<failure const> found);

/// One document of a YAML text.
struct yaml_document {
    yaml_document() = default;
    yaml_document(std::string_view t, std::size_t l) : text(t), first_line(l) {}

    std::string_view text;      ///< part of the whole text
    std::size_t first_line = 1; ///< number of its first line in the whole text
};

/** Splits a YAML text into its documents, omitting those with only comments, and those that are null beside others.
    Documents are separated by lines that start with `---` or consist of `...`. Decode each one with its `first_line` to
    get positions in the whole text.
    @par Lifetimes The result refers to `text`. */
std::vector<yaml_document> split_yaml(std::string_view text);

/// One difference between two objects. `before` and `after` are compact JSON, empty for absent.
struct difference {
    difference() = default;

    std::string path;   ///< e.g. `spec.containers[name=pytorch].image`
    std::string before; ///< value in the first object; empty if absent
    std::string after;  ///< value in the second object; empty if absent

    friend bool operator==(difference const&, difference const&) = default;
};

/** Decodes JSON into the value at `target`, which must be of the described type and newly constructed. Decodes
    directly into the struct, without an intermediate tree. `null` means absent. Unknown fields are kept in the
    `unknown` member of the type. apiVersion and kind are compared if the type has them and they are present.
    decode_options::max_memory limits the memory of the struct.
    @par Errors `errc::syntax`, `errc::type_mismatch`, `errc::out_of_range`, `errc::too_deep`, `errc::too_large`,
    `errc::wrong_kind`; with `strict` also `errc::unknown_field`, `errc::duplicate_field`, which contain the most
    similar known field. Path, line and column refer to the offending value. */
[[nodiscard]] result<void> decode_json(std::string_view text, model::descriptor const& type, void* target,
                                       decode_options const& = {});

/** The same from YAML, with the rules of Kubernetes: YAML 1.1 booleans and numbers. A second document is rejected
    with `errc::syntax`; see split_yaml(). JSON is YAML, so this function accepts both; decode_json() is much faster. */
[[nodiscard]] result<void> decode_yaml(std::string_view text, model::descriptor const& type, void* target,
                                       decode_options const& = {});

/// Appends compact JSON. Empty values are omitted, as with Go's `omitempty`.
void encode_json(model::descriptor const& type, void const* value, std::string& out);
/// Appends block-style YAML that decodes to the same value.
void encode_yaml(model::descriptor const& type, void const* value, std::string& out);

/// Changes every quantity within a value to the form in which an API server stores it. Unknown fields stay.
void make_canonical(model::descriptor const& type, void* value);

/// Returns whether two values of the type are equivalent: quantities and times by value, lists in order, unknown fields
/// as JSON; absent equals empty.
bool equal(model::descriptor const& type, void const* a, void const* b);
/** Returns all differences, in field order. Lists whose field defines the key of an item are compared as sets, with
    paths such as `containers[name=pytorch].image`, and `finalizers[=x]` for scalars; their order is ignored, unlike
    in equal(). Other lists are compared by index. Quantities and times are compared by value. */
std::vector<difference> diff(model::descriptor const& type, void const* before, void const* after);

/// Decodes a value from JSON; errors and limits as decode_json().
template <class T> [[nodiscard]] result<T> from_json(std::string_view text, decode_options const& options = {}) {
    T value;
    if (auto r = decode_json(text, descriptor_of<T>(), &value, options); !r) return r.error();
    return value;
}

/// Decodes a value from one document of YAML or JSON; errors and limits as decode_yaml().
template <class T> [[nodiscard]] result<T> from_yaml(std::string_view text, decode_options const& options = {}) {
    T value;
    if (auto r = decode_yaml(text, descriptor_of<T>(), &value, options); !r) return r.error();
    return value;
}

/// Decodes every document of a YAML text, all of one type; returns none if the text has only comments. Fails with the
/// error of the first invalid document.
template <class T>
[[nodiscard]] result<std::vector<T>> from_yaml_all(std::string_view text, decode_options const& options = {}) {
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

/// See encode_json().
template <class T> std::string to_json(T const& value) {
    std::string out;
    encode_json(descriptor_of<T>(), &value, out);
    return out;
}

/// See encode_yaml().
template <class T> std::string to_yaml(T const& value) {
    std::string out;
    encode_yaml(descriptor_of<T>(), &value, out);
    return out;
}

/// See diff() above.
template <class T> std::vector<difference> diff(T const& before, T const& after) {
    return diff(descriptor_of<T>(), &before, &after);
}

} // namespace kftrain

#endif
