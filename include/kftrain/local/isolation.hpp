#ifndef KFTRAIN_LOCAL_ISOLATION_HPP
#define KFTRAIN_LOCAL_ISOLATION_HPP

namespace kftrain::local {

/// How the pods of a local cluster are kept apart.
enum class isolation {
    automatic,  ///< namespaces where the host permits them, else processes
    namespaces, ///< own host name, address, files and process ids per pod
    processes,  ///< plain processes: the host's name and files, addresses in 127.0.0.0/8
};

} // namespace kftrain::local

#endif
