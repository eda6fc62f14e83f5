#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_IMAGES_LIMITED_TOOL_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_IMAGES_LIMITED_TOOL_HPP

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace kftrain::local::sandbox {

/// The size of a directory. A file with several names counts once.
struct tree_size {
    tree_size() = default;

    std::int64_t bytes = 0; ///< on disk
    std::int64_t files = 0; ///< of every type
};

/// Stops early if there is more than `limit`. What disappears meanwhile is left out.
tree_size size_of_tree(std::string const& directory, tree_size const& limit);

/// The process that waits for the result has ended.
struct abandoned : std::runtime_error {
    abandoned() : std::runtime_error("nobody waits for the image") {}
};

/// A program that unpacks or copies files that others made.
struct tool_run {
    tool_run() = default;

    std::vector<std::string> argv;
    std::string package;   ///< of Debian
    std::string directory; ///< in which it starts
    std::string output;    ///< the only directory that it can write to: the rest of the machine is read-only for it
    tree_size limit;       ///< of what it writes
    int client = -1;       ///< readable when the caller has closed its end
};

/** Runs the program to its end. Kills it if it writes more than the limit, or if the caller has closed its end. It ends
    with the calling process, however that ends.

    The size is looked at while the program runs: some tenths of a second beyond the limit are possible.
    Throws `std::runtime_error` with a sentence if the program fails or is not installed, and abandoned. */
void run_tool(tool_run const& tool);

/** An ordinary user becomes the single user 0 of a user namespace, in which he may read and remove whatever the tools
    make. Throws `std::system_error` if the machine does not permit that. */
void become_namespace_root();

} // namespace kftrain::local::sandbox

#endif
