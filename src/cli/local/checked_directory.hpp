#ifndef KFTRAIN_SRC_CLI_LOCAL_CHECKED_DIRECTORY_HPP
#define KFTRAIN_SRC_CLI_LOCAL_CHECKED_DIRECTORY_HPP

#include "base/unique_fd.hpp"

#include <kftrain/base/diagnostics.hpp>

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kftrain::cli {

/// Identifies a file, whatever its name.
struct file_id {
    file_id() = default;

    dev_t device = 0;
    ino_t inode = 0;

    friend bool operator==(file_id const&, file_id const&) = default;
};

/** An open directory that belongs to this user and that no other user can write to. Files are opened relative to it, so
    that renaming a parent directory has no effect. A file is accepted only if it is a regular file of this user, with
    one hard link, that no other user can read or write. Symbolic links are not followed. Modes and owners of existing
    files are never changed.
    @par Errors `errc::invalid_argument` with the path, what was found and what was expected; errors of the system. */
class checked_directory {
public:
    /// Opens an existing directory. @par Errors no_such_file() if it does not exist.
    static result<checked_directory> open(std::filesystem::path const& path);
    /// Opens a directory; creates missing parts of the path for this user only.
    static result<checked_directory> make(std::filesystem::path const& path);

    std::filesystem::path const& path() const noexcept { return path_; }
    /// The names of at most `most` entries.
    result<std::vector<std::string>> names(std::size_t most) const;

    /// Identifies the file with this name, whatever its type.
    std::optional<file_id> find(std::string const& name) const noexcept;
    /// Opens a file; creates it if `flags` has O_CREAT. @par Errors no_such_file()
    result<unique_fd> open_file(std::string const& name, int flags) const;
    /// Creates or replaces a file atomically. The new content is first written to `NAME.next`.
    result<file_id> replace_file(std::string const& name, std::string_view text) const;
    /// Checks that the file is as described above or does not exist.
    result<void> check_file(std::string const& name) const;
    /// Removes the file if it is still this one.
    void remove_file(std::string const& name, file_id const& which) const noexcept;

private:
    checked_directory(std::filesystem::path path, unique_fd fd) : path_(std::move(path)), fd_(std::move(fd)) {}

    std::filesystem::path path_;
    unique_fd fd_;
};

/// Whether the file or directory does not exist.
bool no_such_file(failure const&) noexcept;

/// The failure for errno: `PATH: WHAT: REASON`.
failure system_failure(std::filesystem::path const& path, std::string_view what);
/// `path: found ..., expected ...`
failure unexpected(std::filesystem::path const& path, std::string_view found, std::string_view expected);

/// Reads a file from an offset to its end, at most `limit` bytes.
result<std::string> read_open_file(int fd, std::filesystem::path const& path, std::size_t limit, off_t from = 0);
/// Writes the text. Returns false and sets errno on failure.
bool write_open_file(int fd, std::string_view text, off_t from = 0) noexcept;

} // namespace kftrain::cli

#endif
