#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_CONTAINERS_CONTROL_GROUPS_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_CONTAINERS_CONTROL_GROUPS_HPP

#include "local/sandbox/mounts/mount_points.hpp"
#include "local/sandbox/system.hpp"

#include <boost/json/object.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kftrain::local::sandbox {

/** Makes a control group for each container with limits of memory or processors, and removes it at its end. Kept by the
    supervisor, because pods see the files of control groups read-only.

    Groups are directories of mount_points, which also removes them after a node that was killed.
    @par Upstream kubernetes v1.31 `pkg/kubelet/kuberuntime/kuberuntime_container_linux.go` */
class control_groups {
public:
    control_groups(mount_points& directories, std::string const& node_directory);

    /// Answers one request of control_group_link; the descriptors travel with the reply.
    void answer(boost::json::object const& request, boost::json::object& reply, std::vector<unique_fd>& fds);
    /// Ends the groups of a pod.
    void forget(std::string const& pod);

private:
    /// A directory of one hierarchy in which this process may make groups.
    struct place {
        bool unified = false; ///< version 2
        std::string base;
        std::string node; ///< the group in it that holds those of the containers
        std::vector<std::string> controllers;
    };
    /// The group of a container: a directory in each hierarchy, with the same name.
    struct group {
        int number = 0;
        std::vector<place const*> places;
    };
    using key = std::pair<std::string, std::string>; ///< pod and container

    void find_places();
    void find_unified(std::string directory, std::string const& root, std::vector<std::string> const& wanted);
    bool place_in(std::string const& directory, std::vector<std::string> const& wanted);
    std::string make(key const& name, std::map<std::string, std::int64_t> const& limits);
    void make_in(place const& p, group& g, std::string const& controller, std::int64_t limit, std::string const& owner);
    bool end(key const& name);
    int free_number() const;

    mount_points& directories_;
    std::string name_; ///< of the group of the node
    std::optional<std::vector<place>> places_;
    std::map<std::string, std::string> reasons_; ///< why a controller cannot be used
    std::map<key, group> groups_;
};

/** Mounts the control groups of this process in place of the groups of the machine, so that programs find their own
    limits. Needs an own mount namespace. Groups that the kernel does not permit to mount stay as they are.
    @par Upstream Container runtimes do the same: runc `libcontainer/rootfs_linux.go`, `mountCgroupV1` */
void mount_own_groups();

/// The way of one pod to the control_groups of its node.
class control_group_link {
public:
    /// The group of a started container.
    struct entry {
        entry() = default;

        std::vector<unique_fd> processes; ///< a process that writes `0` to each of these joins it
        std::string fault;                ///< why a limit is not enforced; empty if all are
    };

    /// @param socket To the supervisor
    control_group_link(int socket, std::string pod) : socket_(socket), pod_(std::move(pod)) {}

    /// @param limits Members `memory`, in bytes, and `cpu`, in thousandths of a processor
    entry make(std::string const& container, boost::json::object const& limits) const;
    /// Of a container that runs; without limits it has no descriptor.
    entry join(std::string const& container) const;
    /// The container has ended: kills what is left in its group. Returns whether the kernel killed one of its processes
    /// for lack of memory.
    bool end(std::string const& container) const;

private:
    int socket_;
    std::string pod_;
};

} // namespace kftrain::local::sandbox

#endif
