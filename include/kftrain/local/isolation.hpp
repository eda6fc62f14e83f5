#ifndef KFTRAIN_LOCAL_ISOLATION_HPP
#define KFTRAIN_LOCAL_ISOLATION_HPP

namespace kftrain::local {

/** How the pods of a local cluster are kept apart. None is a boundary against hostile code: containers use the files of the
    machine with the rights of the user who started the program (docs/security.md). */
enum class isolation {
    automatic,  ///< namespaces where the host permits them, else processes
    namespaces, ///< own host name, address, mounts and process ids per pod
    processes,  ///< plain processes: the host's name and files, addresses in 127.0.0.0/8
};

} // namespace kftrain::local

#endif
