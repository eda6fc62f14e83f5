#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_MOUNTS_MOUNTS_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_MOUNTS_MOUNTS_HPP

#include "local/sandbox/mounts/mount_points.hpp"
#include "local/sandbox/system.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace kftrain::local::sandbox {

/// A file or directory of the host that is to appear at `target`.
struct bind_request {
    bind_request() = default;

    std::string source;
    std::string target;
    bool read_only = false;
    bool follows_links = true;
};

/// Reads member `mounts` of a request.
std::vector<bind_request> binds_of(boost::json::object const& request);

/// Mounts made from now on are not visible outside this mount namespace, and mounts made outside not here.
void make_mounts_private();

/// A `/proc` that shows this PID namespace.
void mount_proc();

/// Mounts the file systems of a pod: `/dev/shm`, and `/sys` with its own network if the kernel permits, with control
/// groups that cannot be changed.
void mount_pod_file_systems();

/// Mounts the memory file systems of member `memory` of a request.
void mount_memory(boost::json::object const& request);

/** Bind mounts in order of depth. Sources are opened at construction, so that later mounts cannot hide them;
    a target that does not exist is made: see mount_targets. Needs `/proc`, unless they are detached. */
class bind_plan {
public:
    explicit bind_plan(std::vector<bind_request> requests);
    /// Copies the mounts of the sources, so that they can be mounted after the root has changed. Needs Linux 5.2.
    void detach();
    void apply(mount_point_link const& link);

private:
    struct item {
        bind_request request;
        unique_fd source;
        unique_fd copy; ///< see detach()
    };
    std::vector<item> items_;
};

} // namespace kftrain::local::sandbox

#endif
