#ifndef KFTRAIN_SRC_LOCAL_SANDBOX_CONTAINERS_CONTAINER_USER_HPP
#define KFTRAIN_SRC_LOCAL_SANDBOX_CONTAINERS_CONTAINER_USER_HPP

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace kftrain::local::sandbox {

/// The user that a container runs as.
struct container_user {
    container_user() = default;

    uid_t uid = 0;
    gid_t gid = 0;
    std::vector<gid_t> groups; ///< further ones
    std::string home = "/";
};

/** Finds the user `USER` or `USER:GROUP`, each a name or a number, in /etc/passwd and /etc/group of the container;
    empty: root. A number needs no entry. Without GROUP, the group and the further groups are those of the entry. Throws
    `std::runtime_error` for a name without an entry.
    @par Upstream runc `libcontainer/user/user.go`, `GetExecUser` */
container_user find_user(std::string const& text);

/// Restrictions of the programs of a container.
struct restrictions {
    restrictions() = default;

    std::vector<std::int64_t> dropped_capabilities; ///< numbers
    bool no_new_privileges = false;
};

/** Becomes the user. In a user namespace, this process enters a further one, in which the user has that number: it owns
    the files that root owns outside, and has no further groups. Needs `/proc`. Neither this process nor a program of it
    gets dropped capabilities again. Throws `std::system_error`. */
void become(container_user const& user, restrictions const& limits);

} // namespace kftrain::local::sandbox

#endif
