#ifndef KFTRAIN_SRC_CLI_LOCAL_STATE_HPP
#define KFTRAIN_SRC_CLI_LOCAL_STATE_HPP

#include "cli/checked_directory.hpp"
#include "cli/known_process.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace kftrain::cli {

/// A server that was proven to be one.
struct local_server {
    explicit local_server(known_process p) : process(std::move(p)) {}

    known_process process;
    std::filesystem::path node_directory; ///< of its pods; the server removes it at its end
};

/// What stands in a state directory.
struct local_standing {
    local_standing() = default;

    std::optional<local_server> server;
    bool starting = false; ///< a command is about to become a server
};

/** The state directory, taken by a command that is or starts a server. Children forked by it share what it holds. */
class held_state {
public:
    /// Opened anew and emptied.
    result<unique_fd> open_log() const;
    result<void> write_kubeconfig(std::string const& text);
    /// If it is still the one that was written.
    void remove_kubeconfig() noexcept;
    /// Notes the calling process as the server, until it ends.
    result<void> claim(std::filesystem::path const& node_directory) const;

private:
    friend class local_state;
    held_state(checked_directory directory, unique_fd lock)
        : directory_(std::move(directory)), lock_(std::move(lock)) {}

    checked_directory directory_;
    unique_fd lock_;
    std::optional<file_id> kubeconfig_;
};

/** The directory by which `local up`, `down` and `status` find each other. It holds the files `lock`, `kubeconfig` and
    `server.log`; the first line of `lock` says that kftrain made it. The kernel tells who holds the lock, so that neither a
    stale nor a planted file counts: a server is a process that holds the lock and whose id, start and user are those that it
    noted.
    @par Errors Those of @ref checked_directory; `errc::invalid_argument` for what is no state directory. */
class local_state {
public:
    /// `directory` absolute.
    explicit local_state(std::filesystem::path directory) : directory_(std::move(directory)) {}

    std::filesystem::path const& directory() const noexcept { return directory_; }
    std::filesystem::path kubeconfig() const { return directory_ / "kubeconfig"; }
    std::filesystem::path log() const { return directory_ / "server.log"; }

    /// Reads only. Where there is no directory or no lock file, nothing stands.
    result<local_standing> look() const;
    result<std::string> read_kubeconfig() const;
    /** Makes the directory or takes an empty or known one, and locks it.
        @par Errors `resource_unavailable_try_again` when another process has the lock. */
    result<held_state> hold() const;
    /// Removes the kubeconfig that a killed server left.
    result<void> clean() const;

private:
    std::filesystem::path directory_;
};

} // namespace kftrain::cli

#endif
