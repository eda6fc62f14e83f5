#ifndef KFTRAIN_SRC_MODEL_JSON_JSON_MEMBERS_HPP
#define KFTRAIN_SRC_MODEL_JSON_JSON_MEMBERS_HPP

#include <boost/json/value.hpp>

#include <string_view>

// Reading of objects of unknown shape: what is absent or of another type reads as null or empty.
namespace kftrain::detail {

inline boost::json::string_view to_boost(std::string_view s) noexcept { return {s.data(), s.size()}; }
inline std::string_view to_std(boost::json::string_view s) noexcept { return {s.data(), s.size()}; }

inline boost::json::object const* object_in(boost::json::object const& o, std::string_view name) noexcept {
    auto const* v = o.if_contains(to_boost(name));
    return v != nullptr ? v->if_object() : nullptr;
}
inline boost::json::array const* array_in(boost::json::object const& o, std::string_view name) noexcept {
    auto const* v = o.if_contains(to_boost(name));
    return v != nullptr ? v->if_array() : nullptr;
}
inline std::string_view text_in(boost::json::object const& o, std::string_view name) noexcept {
    auto const* v = o.if_contains(to_boost(name));
    auto const* s = v != nullptr ? v->if_string() : nullptr;
    return s != nullptr ? to_std(*s) : std::string_view();
}
inline bool const* truth_in(boost::json::object const& o, std::string_view name) noexcept {
    auto const* v = o.if_contains(to_boost(name));
    return v != nullptr ? v->if_bool() : nullptr;
}

} // namespace kftrain::detail

#endif
