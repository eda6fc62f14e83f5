#ifndef KFTRAIN_LOCAL_LEFTOVERS_HPP
#define KFTRAIN_LOCAL_LEFTOVERS_HPP

#include <string>
#include <vector>

namespace kftrain::local {

/** Removes the directories in /tmp, and the mount points, that local clusters and kubelets of this user left behind
    when they were killed. Those that still run keep theirs. Returns the removed directories. Thread-safe. */
std::vector<std::string> remove_leftovers();

/// Removes the directory, mount points and control groups of one killed cluster. Returns false if the directory is not
/// that of a cluster of this user, is in use, or cannot be removed yet. Thread-safe.
bool remove_leftovers_of(std::string const& directory);

} // namespace kftrain::local

#endif
