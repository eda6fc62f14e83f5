#ifndef KFTRAIN_MODEL_NEAREST_NAME_HPP
#define KFTRAIN_MODEL_NEAREST_NAME_HPP

#include <span>
#include <string_view>

namespace kftrain {

/** Returns the name most similar to `name`, or an empty text. Similar names differ by at most one edit and one more for
    every four letters, ignoring case. Of equally similar names, returns the first. */
std::string_view nearest_name(std::span<std::string_view const> names, std::string_view name);

} // namespace kftrain

#endif
