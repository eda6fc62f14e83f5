#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_CONTAINERS_CONTAINER_ROOT_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_CONTAINERS_CONTAINER_ROOT_HPP

#include "local/sandbox/mounts/mounts.hpp"

#include <string>
#include <vector>

namespace kftrain::local::sandbox {

/// A root file system that a container has instead of that of the machine.
struct container_root {
    container_root() = default;

    std::string lower;             ///< the files of the image, which stay as they are; empty: the root of the machine
    std::string layer;             ///< an empty directory for what the container writes
    std::string working_directory; ///< is created if it does not exist; may be empty
    bool read_only = false;
};

/** Makes the image with its writable layer the root of this process, which must have a mount namespace of its own. It
    has `/proc`, `/sys`, common devices, `/etc/hosts` and `/etc/resolv.conf` of the pod, and `mounts`. Links in the
    image are followed inside the image, so that no path of it leads to the machine. Device files of the image have no
    effect. Throws a sentence; needs overlayfs and, for ordinary users, Linux 5.11. */
void enter_root(container_root const& root, std::vector<bind_request> mounts);

} // namespace kftrain::local::sandbox

#endif
