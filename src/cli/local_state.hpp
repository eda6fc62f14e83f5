#ifndef KFTRAIN_SRC_CLI_LOCAL_STATE_HPP
#define KFTRAIN_SRC_CLI_LOCAL_STATE_HPP

#include <kftrain/base/diagnostics.hpp>

#include <sys/types.h>

#include <filesystem>
#include <optional>

namespace kftrain::cli {

/** The files by which `local up`, `down` and `status` find each other. The server holds a lock on one of them as long as it
    lives, so a stale file never counts. */
class local_state {
public:
    explicit local_state(std::filesystem::path directory) : directory_(std::move(directory)) {}

    std::filesystem::path kubeconfig() const { return directory_ / "kubeconfig"; }
    std::filesystem::path log() const { return directory_ / "server.log"; }

    /// Makes the directory, for its owner only, and takes the lock for this process and the children forked by it.
    result<int> lock() const;
    /// Notes this process as the server; false if that cannot be written. `fd` is what lock() handed out.
    bool claim(int fd) const;
    /// Whether a server is about to be there.
    bool starting() const;
    /// The process id of the server; absent if none runs.
    std::optional<pid_t> server() const;
    /// Writes the kubeconfig so that nobody else can read it.
    result<void> write_kubeconfig(std::string const& text) const;
    void remove_kubeconfig() const noexcept;

private:
    std::filesystem::path lock_file() const { return directory_ / "lock"; }

    std::filesystem::path directory_;
};

} // namespace kftrain::cli

#endif
