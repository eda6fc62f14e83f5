#ifndef KFTRAIN_SRC_LOCAL_POD_FILES_HPP
#define KFTRAIN_SRC_LOCAL_POD_FILES_HPP

#include <kftrain/base/error.hpp>
#include <kftrain/model/core.hpp>

#include "local/node.hpp"

#include <filesystem>

namespace kftrain::local {

/// Writes the files that a pod sees as /etc/hosts and /etc/resolv.conf below `directory`, and names them in `box`.
error_code write_pod_files(std::filesystem::path const& directory, pod const& p, pod_sandbox& box);
void remove_pod_files(std::filesystem::path const& directory, pod const& p) noexcept;

/// A file that a container appends its output to.
class output_file {
public:
    /// Makes the folders above it, too.
    explicit output_file(std::filesystem::path const& file);
    output_file(output_file const&) = delete;
    output_file& operator=(output_file const&) = delete;
    ~output_file() { close(); }

    int fd() const noexcept { return fd_; }                ///< -1 if the file could not be opened
    error_code failed() const noexcept { return failed_; } ///< why not
    void close() noexcept;

private:
    int fd_ = -1;
    error_code failed_;
};

} // namespace kftrain::local

#endif
