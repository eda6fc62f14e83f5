#ifndef KFTRAIN_SRC_CLI_KNOWN_PROCESS_HPP
#define KFTRAIN_SRC_CLI_KNOWN_PROCESS_HPP

#include "local/sandbox/system.hpp"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kftrain::cli {

/// A process id together with what tells it from a later process of the same id.
struct process_id {
    process_id() = default;
    process_id(pid_t p, std::uint64_t s) : pid(p), start(s) {}

    pid_t pid = 0;
    std::uint64_t start = 0; ///< in clock ticks after the machine's start, as /proc tells it

    friend bool operator==(process_id const&, process_id const&) = default;
};

/// Absent when no such process lives; one that ended and was not reaped does not.
std::optional<process_id> find_process(pid_t pid);

/** A process held by a descriptor: signals reach it or nobody, whoever gets its id later. */
class known_process {
public:
    /** Absent, with the reason, unless a process of this id lives that began then and belongs to this user. */
    static std::optional<known_process> open(process_id const& id, std::string& why_not);

    process_id const& id() const noexcept { return id_; }
    void signal(int number) const noexcept;
    /// Waits for its end; false when it still lives.
    bool ends_within(std::chrono::milliseconds limit) const;

private:
    known_process(process_id id, int fd) : id_(id), fd_(fd) {}

    process_id id_;
    local::sandbox::unique_fd fd_;
};

/// The children of a process, theirs, and so on; a parent comes before its children.
std::vector<process_id> processes_below(pid_t root);

} // namespace kftrain::cli

#endif
