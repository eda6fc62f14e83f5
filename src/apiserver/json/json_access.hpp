#ifndef KFTRAIN_SRC_APISERVER_JSON_JSON_ACCESS_HPP
#define KFTRAIN_SRC_APISERVER_JSON_JSON_ACCESS_HPP

#include "apiserver/json/json_access.hpp"
#include "model/json/json_members.hpp"

#include <kftrain/apiserver/refusal.hpp>

#include <boost/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Reading of objects of unknown shape: what is absent or of another type reads as empty.
namespace kftrain::apiserver {

namespace json = boost::json;

using detail::array_in;
using detail::object_in;
using detail::text_in;

inline json::string_view key(std::string_view s) noexcept { return {s.data(), s.size()}; }
inline std::string_view view(json::string const& s) noexcept { return {s.data(), s.size()}; }

inline json::object* object_in(json::object& o, std::string_view name) noexcept {
    auto* v = o.if_contains(key(name));
    return v != nullptr ? v->if_object() : nullptr;
}
inline std::optional<std::int64_t> integer_in(json::object const& o, std::string_view name) noexcept {
    auto const* v = o.if_contains(key(name));
    auto const* i = v != nullptr ? v->if_int64() : nullptr;
    return i != nullptr ? std::optional<std::int64_t>(*i) : std::nullopt;
}
inline bool true_in(json::object const& o, std::string_view name) noexcept {
    auto const* b = detail::truth_in(o, name);
    return b != nullptr && *b;
}

inline json::object const empty_object;
/// Returns the strings of a list, none if it is absent or null; nothing if the member is not a list of strings.
std::optional<std::vector<std::string>> texts_in(json::object const& o, std::string_view name);

inline json::object const& metadata_of(json::object const& o) noexcept {
    auto const* m = object_in(o, "metadata");
    return m != nullptr ? *m : empty_object;
}
/// Makes it if it is not there.
inline json::object& metadata_of(json::object& o) {
    auto& m = o["metadata"];
    return m.is_object() ? m.get_object() : m.emplace_object();
}

/// Whether a word is one of a list, whose words are separated by single spaces.
bool is_word_of(std::string_view list, std::string_view word) noexcept;

/// Sets a member unless it has a value. An empty text counts as none.
inline void fill(json::object& o, std::string_view name, json::value v) {
    auto& here = o[key(name)];
    if (here.is_null() || (here.is_string() && here.get_string().empty())) here = std::move(v);
}

/// Calls f with every object in the array `name` of `o`.
template <class F> void each(json::object& o, std::string_view name, F f) {
    auto* v = o.if_contains(key(name));
    auto* list = v != nullptr ? v->if_array() : nullptr;
    if (list == nullptr) return;
    for (auto& item : *list)
        if (auto* element = item.if_object()) f(*element);
}

/// The value at a dotted path such as `spec.nodeName`; null when there is none.
json::value const* at_path(json::object const& o, std::string_view dotted) noexcept;

/// The size in bytes of the first memory block for the trees of a request; enough for most.
inline constexpr std::size_t request_memory = std::size_t{64} << 10U;

/// Whether two values are equal. Those of `==` are copied for it, level by level.
bool same_value(json::value const&, json::value const&);
bool same_value(json::object const&, json::object const&);

/// Parses a text that the store has printed.
json::object read_stored(std::string_view text, json::storage_ptr memory = {});
/// 400 with line and column if the text is no JSON, is nested too deeply, or is no JSON object.
answer<json::object> parse_object(std::string_view text, json::storage_ptr memory = {});
answer<json::value> parse_value(std::string_view text, json::storage_ptr memory = {});

/** The value that a printer column shows: `.a.b`, `.a\.b`, `[2]`, `[-1:]`, `[?(@.type=="Ready")]`.
    Null when there is none, also when the path itself is not of this form. */
json::value const* find_path(json::object const& o, std::string_view path);
/// Whether find_path() understands it.
bool is_path(std::string_view path);

} // namespace kftrain::apiserver

#endif
