#ifndef KFTRAIN_SRC_MODEL_PATCH_STRATEGIC_PATCH_HPP
#define KFTRAIN_SRC_MODEL_PATCH_STRATEGIC_PATCH_HPP

#include "model/json/json_document.hpp"
#include "model/json/json_text.hpp"

#include <boost/json/object.hpp>

namespace kftrain::detail {

/// The names that directives of a strategic merge patch have.
namespace directive {
inline constexpr std::string_view patch = "$patch";
inline constexpr std::string_view retain_keys = "$retainKeys";
inline constexpr std::string_view delete_from = "$deleteFromPrimitiveList/";
inline constexpr std::string_view set_order = "$setElementOrder/";
} // namespace directive

/// The patch that turns one object into another. Throws patch_refused.
boost::json::object strategic_difference(schema const& s, boost::json::object const& before,
                                         boost::json::object const& after);

/// Throws patch_refused, upon which the target is of no use.
void strategic_merge(schema const& s, boost::json::object& target, boost::json::object patch);

/// Appends a member to the path of a fault; returns the former length of the path.
inline std::size_t enter_member(std::string& path, std::string_view name) {
    auto const mark = path.size();
    append_path_key(name, path);
    return mark;
}

/// The place of an item that is not in a list.
inline constexpr std::size_t not_found = static_cast<std::size_t>(-1);
/// The item's value of the key, the item itself in a set of scalars. Throws patch_refused if it has none, or
/// one that is no scalar.
boost::json::value const& key_of(boost::json::value const& item, std::string_view key, std::string const& path);

} // namespace kftrain::detail

#endif
