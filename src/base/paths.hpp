#ifndef KFTRAIN_SRC_BASE_PATHS_HPP
#define KFTRAIN_SRC_BASE_PATHS_HPP

#include <algorithm>
#include <filesystem>

// Paths as they are written: nothing here looks at files or follows links.
namespace kftrain {

/// Removes `.`, `..` and a slash at the end.
inline std::filesystem::path normal_path(std::filesystem::path const& path) {
    auto normal = path.lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
}

/// Whether a path is the directory or below it. Both are normal.
inline bool is_within(std::filesystem::path const& path, std::filesystem::path const& directory) {
    return std::ranges::mismatch(directory, path).in1 == directory.end();
}

} // namespace kftrain

#endif
