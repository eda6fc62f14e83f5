#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_MOUNTS_MOUNT_POINTS_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_MOUNTS_MOUNT_POINTS_HPP

#include "local/sandbox/system.hpp"

#include <boost/json/object.hpp>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace kftrain::local::sandbox {

/** Makes mount points that the machine lacks, as container runtimes do, and removes them when no pod needs them any
    more. Kept by the supervisor, which outlives the node however that ends.

    Mount points have the sticky bit, by which other nodes on the machine recognize them, and are locked as long as a
    node needs them. The last node removes them, and only if they are empty. */
class mount_points {
public:
    /// @param node_directory Where they are written down, to clear up after this process; empty: nowhere
    explicit mount_points(std::string node_directory) : node_directory_(std::move(node_directory)) {}

    /// Answers one request of a mount_point_link.
    void answer(boost::json::object const& request, boost::json::object& reply);
    /// Makes a directory, unless it exists, for a pod or another owner.
    void ensure_directory(std::string const& path, std::string const& owner);
    /// Gives up what the pod, or other owner, needed.
    void forget(std::string const& pod);
    /// Gives up everything.
    void clear();

private:
    struct point {
        std::string path;
        unique_fd lock;
        std::set<std::string> pods;
    };

    void record(std::string const& path);
    bool take(std::string const& path, std::string const& pod);
    void make(std::string const& path, bool directory, std::string const& pod);

    std::string node_directory_;
    std::set<std::string> recorded_;
    std::vector<point> points_; ///< a directory comes before what is in it
};

/// The way of one pod to the mount_points of its node.
class mount_point_link {
public:
    enum class outcome {
        there,     ///< it exists, on the machine
        elsewhere, ///< the directory that it is to be made in is no directory of the machine, but the pod's own
        refused,   ///< the user may not make anything there
        gone       ///< another node has removed `existing` meanwhile
    };

    mount_point_link() = default;
    /// @param socket To the supervisor; -1 if there is none
    mount_point_link(int socket, std::string pod) : socket_(socket), pod_(std::move(pod)) {}

    int socket() const noexcept { return socket_; }
    /** Asks for `target`, of which `existing` is there. Throws what else stands in the way.
        @param existing Without links */
    outcome create(std::filesystem::path const& existing, std::filesystem::path const& target, bool directory) const;
    /// The pod has ended: returns when nothing is left of what only it needed, its control groups included.
    void ended() const;

private:
    int socket_ = -1;
    std::string pod_;
};

} // namespace kftrain::local::sandbox

#endif
