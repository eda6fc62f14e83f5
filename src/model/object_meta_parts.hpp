#ifndef KFTRAIN_SRC_MODEL_OBJECT_META_PARTS_HPP
#define KFTRAIN_SRC_MODEL_OBJECT_META_PARTS_HPP

#include "model/go_text.hpp"
#include "model/json_text.hpp"
#include "model/object_meta.hpp"

// What the sources behind model/object_meta.hpp share: reading of values that may have any type, and how faults are told.
namespace kftrain::meta_parts {

namespace json = boost::json;

inline std::string_view view(json::string_view s) noexcept { return {s.data(), s.size()}; }

inline json::object const* object_in(json::object const& o, std::string_view name) {
    auto const* v = o.if_contains(json::string_view(name.data(), name.size()));
    return v != nullptr ? v->if_object() : nullptr;
}
inline json::array const* array_in(json::object const& o, std::string_view name) {
    auto const* v = o.if_contains(json::string_view(name.data(), name.size()));
    return v != nullptr ? v->if_array() : nullptr;
}
inline std::string_view text_in(json::object const& o, std::string_view name) {
    auto const* v = o.if_contains(json::string_view(name.data(), name.size()));
    auto const* s = v != nullptr ? v->if_string() : nullptr;
    return s != nullptr ? view(*s) : std::string_view();
}
inline bool const* truth_in(json::object const& o, std::string_view name) {
    auto const* v = o.if_contains(json::string_view(name.data(), name.size()));
    return v != nullptr ? v->if_bool() : nullptr;
}

inline std::string with_key(std::string path, std::string_view key) {
    detail::append_path_key(key, path);
    return path;
}
inline std::string with_index(std::string path, std::size_t index) {
    detail::append_path_index(index, path);
    return path;
}

/// `printed` is the value as errors of fields print it.
inline void invalid(std::vector<metadata_fault>& out, std::string const& field, std::string const& printed,
                    std::string_view why, std::string place) {
    out.emplace_back("FieldValueInvalid", field, "Invalid value: " + printed + ": " + std::string(why),
                     std::move(place));
}

void find_owner_faults(json::array const& owners, std::vector<metadata_fault>& out);
void find_finalizer_faults(json::array const& finalizers, std::vector<metadata_fault>& out);

} // namespace kftrain::meta_parts

#endif
