#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_MOUNTS_REMOVE_TREE_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_MOUNTS_REMOVE_TREE_HPP

#include <string>

namespace kftrain::local::sandbox {

/** Removes a directory and everything below it, without following links and without entering other mounts.
    Directories that their owner may not write are made writable first. Returns a sentence when something is left. */
std::string remove_tree(std::string const& path);

} // namespace kftrain::local::sandbox

#endif
