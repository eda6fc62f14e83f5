#ifndef KFTRAIN_SRC_CLI_LOCAL_KNOWN_PROCESS_HPP
#define KFTRAIN_SRC_CLI_LOCAL_KNOWN_PROCESS_HPP

#include "base/unique_fd.hpp"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kftrain::cli {

/// A process id with the start time, which distinguishes it from later processes with the same id.
struct process_id {
    process_id() = default;
    process_id(pid_t p, std::uint64_t s) : pid(p), start(s) {}

    pid_t pid = 0;
    std::uint64_t start = 0; ///< in clock ticks after boot, as in /proc

    friend bool operator==(process_id const&, process_id const&) = default;
};

/// Absent if no such process is alive. Zombies count as ended.
std::optional<process_id> find_process(pid_t pid);

/// A process held by a descriptor. Signals never reach another process that gets the same id later.
class known_process {
public:
    /// Absent, with the reason, unless the process is alive, has this start time and belongs to this user.
    static std::optional<known_process> open(process_id const& id, std::string& why_not);

    process_id const& id() const noexcept { return id_; }
    void signal(int number) const noexcept;
    /// Waits until the process ends; returns false if it is still alive.
    bool ends_within(std::chrono::milliseconds limit) const;

private:
    known_process(process_id id, int fd) : id_(id), fd_(fd) {}

    process_id id_;
    unique_fd fd_;
};

/// The children of a process, theirs, and so on; a parent comes before its children.
std::vector<process_id> processes_below(pid_t root);

} // namespace kftrain::cli

#endif
