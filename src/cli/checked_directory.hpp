#ifndef KFTRAIN_SRC_CLI_CHECKED_DIRECTORY_HPP
#define KFTRAIN_SRC_CLI_CHECKED_DIRECTORY_HPP

#include "local/sandbox/system.hpp"

#include <kftrain/base/diagnostics.hpp>

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kftrain::cli {

using local::sandbox::unique_fd;

/// Tells a file from any other that has or had its name.
struct file_id {
    file_id() = default;

    dev_t device = 0;
    ino_t inode = 0;

    friend bool operator==(file_id const&, file_id const&) = default;
};

/** A directory of this user's that nobody else can write to, held open. Its files are reached by the open directory, so that
    whoever renames one above it leads nobody elsewhere, and are believed only when they are regular files of this user's, under one
    name, that nobody else can read or write. Links are not followed. What exists is never given another mode or owner.
    @par Errors `errc::invalid_argument`, naming path, what was found and what was expected; the system's. */
class checked_directory {
public:
    /// Of an existing directory. @par Errors no_such_file() when there is none.
    static result<checked_directory> open(std::filesystem::path const& path);
    /// Makes what is missing of the path, for this user only.
    static result<checked_directory> make(std::filesystem::path const& path);

    std::filesystem::path const& path() const noexcept { return path_; }
    /// Of what it holds, `most` names at most.
    result<std::vector<std::string>> names(std::size_t most) const;

    /// Which file has this name, whatever it is.
    std::optional<file_id> find(std::string const& name) const noexcept;
    /// Opens a file, with O_CREAT in `flags` also a new one. @par Errors no_such_file()
    result<unique_fd> open_file(std::string const& name, int flags) const;
    /** Puts a new file in the place of one of that name, or of none, all at once; by way of `name` and `.next`. */
    result<file_id> replace_file(std::string const& name, std::string_view text) const;
    /// That a file of the name is as described above, or that there is none.
    result<void> check_file(std::string const& name) const;
    /// Removes a file, if it is still that one.
    void remove_file(std::string const& name, file_id const& which) const noexcept;

private:
    checked_directory(std::filesystem::path path, unique_fd fd) : path_(std::move(path)), fd_(std::move(fd)) {}

    std::filesystem::path path_;
    unique_fd fd_;
};

/// Whether the failure says that there is no such file or directory.
bool no_such_file(failure const&) noexcept;

/// What errno says about `what`, which `path` is about.
failure system_failure(std::filesystem::path const& path, std::string_view what);
/// `path: found ..., expected ...`
failure unexpected(std::filesystem::path const& path, std::string_view found, std::string_view expected);

/// All that a file holds from its beginning, up to `limit` bytes.
result<std::string> read_open_file(int fd, std::filesystem::path const& path, std::size_t limit);
/// False, with errno, when not all could be written.
bool write_open_file(int fd, std::string_view text, off_t from = 0) noexcept;

} // namespace kftrain::cli

#endif
