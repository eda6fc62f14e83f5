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

    bool strict = false;         ///< refuse unknown and repeated fields instead of keeping and overwriting
    std::size_t max_depth = 512; ///< deepest nesting of objects and lists
    /// False drops `metadata.managedFields`, a third of what a server sends for a pod, while decoding. An object decoded
    /// so can be written back: a server takes absent managedFields for unchanged ones.
    bool keep_managed_fields = true;
};

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
    @par Errors `errc::syntax`, `errc::type_mismatch`, `errc::out_of_range`, `errc::too_deep`, `errc::wrong_kind`; with
    `strict` also `errc::unknown_field`, `errc::duplicate_field`. Path, line and column name the offending value. */
result<void> decode_json(std::string_view text, descriptor const& type, void* target, decode_options const& = {});

/** The same from the first document of a YAML text, read as Kubernetes reads it: YAML 1.1 booleans and numbers.
    JSON is YAML, so this takes both; decode_json() is much faster. */
result<void> decode_yaml(std::string_view text, descriptor const& type, void* target, decode_options const& = {});

/// Appends compact JSON. What is empty is left out, as Go's `omitempty` does.
void encode_json(descriptor const& type, void const* value, std::string& out);
/// Appends block-style YAML that reads back to the same value.
void encode_yaml(descriptor const& type, void const* value, std::string& out);

bool equal(descriptor const& type, void const* a, void const* b);
/// All differences, in field order; lists are compared by index.
std::vector<difference> diff(descriptor const& type, void const* before, void const* after);

template <class T> result<T> from_json(std::string_view text, decode_options const& options = {}) {
    T value;
    if (auto r = decode_json(text, descriptor_of<T>(), &value, options); !r) return r.error();
    return value;
}

template <class T> result<T> from_yaml(std::string_view text, decode_options const& options = {}) {
    T value;
    if (auto r = decode_yaml(text, descriptor_of<T>(), &value, options); !r) return r.error();
    return value;
}

template <class T> std::string to_json(T const& value) {
    std::string out;
    encode_json(descriptor_of<T>(), &value, out);
    return out;
}

template <class T> std::string to_yaml(T const& value) {
    std::string out;
    encode_yaml(descriptor_of<T>(), &value, out);
    return out;
}

template <class T> std::vector<difference> diff(T const& before, T const& after) {
    return diff(descriptor_of<T>(), &before, &after);
}

/// Equality of described structs, unknown fields included; absent and empty are the same.
template <described T> bool operator==(T const& a, T const& b) { return equal(descriptor_of<T>(), &a, &b); }

} // namespace kftrain

#endif
