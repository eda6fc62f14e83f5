#ifndef KFTRAIN_LOCAL_ISOLATION_HPP
#define KFTRAIN_LOCAL_ISOLATION_HPP

#include <string_view>

namespace kftrain::local {

/** How the pods of a local cluster are isolated. No mode is a security boundary against hostile code: containers use
    the files of the host with the permissions of the user who started the program (docs/reference/security.md). */
enum class isolation {
    automatic,  ///< namespaces if the host permits them, otherwise processes
    namespaces, ///< a separate host name, address, mounts and process ids per pod
    processes,  ///< plain processes: the host name and files of the host, addresses in 127.0.0.0/8
};

/// Returns the name of the enumerator.
std::string_view to_string(isolation) noexcept;

} // namespace kftrain::local

#endif
