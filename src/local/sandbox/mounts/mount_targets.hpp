#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_MOUNTS_MOUNT_TARGETS_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_MOUNTS_MOUNT_TARGETS_HPP

#include "local/sandbox/mounts/mount_points.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace kftrain::local::sandbox {

/** Provides places to mount at that the machine does not have. They are made on the machine as long as a pod needs them: see
    mount_points.

    Where the user may not do that, the nearest directory that exists is covered by a memory file system in which everything it
    holds is mounted again; there the missing names can be made. The cover is read-only in the end: programs are refused what they
    would be refused without it, and nothing that they write is lost. */
class mount_targets {
public:
    explicit mount_targets(mount_point_link link) : link_(std::move(link)) {}
    mount_targets(mount_targets const&) = delete;
    mount_targets& operator=(mount_targets const&) = delete;

    /// Makes sure that `target` exists, as a directory or a file.
    void ensure(std::filesystem::path const& target, bool directory);
    /// Something was mounted at `target`: below it, names are made in what was mounted, as container runtimes do.
    void mounted(std::filesystem::path const& target);
    /// Makes covers read-only, and lets go of the host's root where that was covered. Call when nothing more is mounted.
    void finish();

private:
    bool may_create_in(std::filesystem::path const& directory) const;
    void cover(std::filesystem::path const& directory, std::string const& except);
    void cover_root();

    mount_point_link link_;
    std::vector<std::filesystem::path> covered_; ///< not yet read-only
    std::set<std::filesystem::path> ours_;
    std::set<std::filesystem::path> mounted_;
    bool root_covered_ = false;
};

} // namespace kftrain::local::sandbox

#endif
