#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_MOUNT_TARGETS_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_MOUNT_TARGETS_HPP

#include <filesystem>
#include <set>

namespace kftrain::local::sandbox {

/** Provides places to mount at that the host does not have, without touching the host.

    The nearest directory that exists is covered by a memory file system in which everything it holds is mounted again;
    there the missing names can be made. What a program adds to such a directory stays in the pod. */
class mount_targets {
public:
    mount_targets() = default;
    mount_targets(mount_targets const&) = delete;
    mount_targets& operator=(mount_targets const&) = delete;

    /// Makes sure that `target` exists, as a directory or a file.
    void ensure(std::filesystem::path const& target, bool directory);
    /// Something was mounted at `target`: below it, names are made in what was mounted, as container runtimes do.
    void mounted(std::filesystem::path const& target);
    /// Lets go of the host's root where it had to be covered. Call when nothing more is mounted from the host's paths.
    void finish();

private:
    bool may_create_in(std::filesystem::path const& directory) const;
    void cover(std::filesystem::path const& directory, std::string const& except);
    void cover_root();

    std::set<std::filesystem::path> ours_;
    std::set<std::filesystem::path> mounted_;
    bool root_covered_ = false;
};

} // namespace kftrain::local::sandbox

#endif
