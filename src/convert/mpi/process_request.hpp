#ifndef KFTRAIN_SRC_CONVERT_MPI_PROCESS_REQUEST_HPP
#define KFTRAIN_SRC_CONVERT_MPI_PROCESS_REQUEST_HPP

#include <kftrain/objects/core.hpp>

#include <cstdint>
#include <optional>

namespace kftrain::convert {

/// The number of processes that a command has mpiexec start, if it specifies it.
struct process_request {
    process_request() = default;

    std::optional<std::int64_t> processes; ///< -n; absent: one in each slot of all hosts
    std::optional<std::int64_t> per_host;  ///< -N and the like; absent: as many as a host has slots
};

/** The number of processes that a container's command and arguments request from mpiexec or mpirun, also within a shell
    line. Empty for other programs, for numbers that the shell substitutes, and for several programs in one call. */
process_request requested_processes(core::container const&);

} // namespace kftrain::convert

#endif
