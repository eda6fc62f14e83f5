#ifndef KFTRAIN_SRC_BASE_SPAWN_HPP
#define KFTRAIN_SRC_BASE_SPAWN_HPP

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kftrain {

/// A process to be started. Its signal mask is empty, and it handles no signal.
struct spawn_request {
    spawn_request() = default;

    enum class group {
        same,    ///< signals of the terminal reach it
        own,     ///< a process group
        session, ///< and a session of its own
    };

    std::vector<std::string> arguments;                ///< first the program: a path, or a name to be found in PATH
    std::optional<std::vector<std::string>> variables; ///< `NAME=VALUE`; absent: those of this process
    std::vector<std::pair<int, int>> descriptors;      ///< of this process, and the numbers that they get
    std::vector<int> nowhere;                          ///< numbers that get /dev/null
    group signals = group::same;
    bool close_others = false; ///< closes descriptors from 3 on, if the C library can
};

/// Starts it. Returns an errno value, 0 for success.
int spawn(pid_t& pid, spawn_request request);

} // namespace kftrain

#endif
