#ifndef KFTRAIN_SRC_CLI_LOCAL_LOCAL_STATE_HPP
#define KFTRAIN_SRC_CLI_LOCAL_LOCAL_STATE_HPP

#include "cli/local/checked_directory.hpp"
#include "cli/local/known_process.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace kftrain::cli {

/// A verified server process.
struct local_server {
    explicit local_server(known_process p) : process(std::move(p)) {}

    known_process process;
    std::filesystem::path node_directory; ///< of its pods; the server removes it when it ends
};

/// The state of a state directory.
struct local_standing {
    local_standing() = default;

    std::optional<local_server> server;
    bool starting = false; ///< a command is starting a server
};

/// A locked state directory. Forked children share the lock.
class held_state {
public:
    /// Opens the log and empties it. Keeps the end of the previous content as `server.log.1`.
    result<unique_fd> open_log() const;
    result<void> write_kubeconfig(std::string const& text);
    /// Writes the image table of the server, for `local images`.
    result<void> write_images(std::string const& text) const;
    /// Removes the kubeconfig that was written here, unless it has been replaced.
    void remove_kubeconfig() noexcept;
    /// Records the calling process as the server until it ends.
    result<void> claim(std::filesystem::path const& node_directory) const;

private:
    friend class local_state;
    held_state(checked_directory directory, unique_fd lock)
        : directory_(std::move(directory)), lock_(std::move(lock)) {}

    checked_directory directory_;
    unique_fd lock_;
    std::optional<file_id> kubeconfig_;
};

/** The directory that the commands `local` share. It has the files `lock`, `kubeconfig`, `images.json`, `server.log`
    and `server.log.1`; the first line of `lock` shows that kftrain created it. The kernel reports the process that
    holds the lock, so that stale and planted files have no effect: a server is a process that holds the lock and whose
    id, start time and user match the record.
    @par Errors Those of @ref checked_directory; `errc::invalid_argument` if the directory is not a state directory. */
class local_state {
public:
    /// `directory` must be absolute.
    explicit local_state(std::filesystem::path directory) : directory_(std::move(directory)) {}

    std::filesystem::path const& directory() const noexcept { return directory_; }
    std::filesystem::path kubeconfig() const { return directory_ / "kubeconfig"; }
    std::filesystem::path log() const { return directory_ / "server.log"; }

    /// Reads the state without changing it. Without a directory or a lock file, no server runs.
    result<local_standing> look() const;
    result<std::string> read_kubeconfig() const;
    result<std::string> read_images() const;
    /** Creates the directory, or accepts an empty or known one, and locks it.
        @par Errors `resource_unavailable_try_again` if another process has the lock. */
    result<held_state> hold() const;
    /// Removes the kubeconfig that a killed server left behind.
    result<void> clean() const;

private:
    std::filesystem::path directory_;
};

} // namespace kftrain::cli

#endif
