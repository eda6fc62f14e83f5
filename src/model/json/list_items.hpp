#ifndef KFTRAIN_SRC_MODEL_JSON_LIST_ITEMS_HPP
#define KFTRAIN_SRC_MODEL_JSON_LIST_ITEMS_HPP

#include "model/json/json_text.hpp"

#include <kftrain/base/diagnostics.hpp>

#include <string>
#include <string_view>

// Items of lists that are read as texts of their own.
namespace kftrain {

/// `path` within `outer`, either of which may be empty: `items[2].spec.x`, `items[0][1]`.
inline std::string path_within(std::string_view outer, std::string_view path) {
    std::string whole(outer);
    if (!whole.empty() && !path.empty() && path.front() != '[') whole += '.';
    return whole.append(path);
}

inline std::string item_path(std::size_t index) {
    std::string path = "items";
    detail::append_path_index(index, path);
    return path;
}

/// Makes a fault of an item one of its list. Line and column are gone: they are those of the item's own text.
inline void place_in_list(failure& f, std::size_t index) {
    f.detail.path = path_within(item_path(index), f.detail.path);
    f.detail.line = f.detail.column = 0;
}

} // namespace kftrain

#endif
