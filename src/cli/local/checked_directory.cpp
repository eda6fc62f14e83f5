#include "cli/local/checked_directory.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <memory>

namespace kftrain::cli {
namespace {

constexpr mode_t of_others = S_IRWXG | S_IRWXO;
constexpr mode_t writable_by_others = S_IWGRP | S_IWOTH;
constexpr int deepest_path = 256;

std::string mode_of(struct stat const& info) {
    std::string octal;
    for (int shift = 9; shift >= 0; shift -= 3) octal += static_cast<char>('0' + ((info.st_mode >> shift) & 7U));
    return "mode " + octal;
}

std::string kind_of(struct stat const& info) {
    switch (info.st_mode & S_IFMT) {
    case S_IFREG: return "a file";
    case S_IFDIR: return "a directory";
    case S_IFLNK: return "a symbolic link";
    case S_IFIFO: return "a named pipe";
    case S_IFSOCK: return "a socket";
    default: return "a device";
    }
}

/// The fault of a directory; empty if only this user can write to it.
std::string fault_of_directory(struct stat const& info) {
    if (!S_ISDIR(info.st_mode)) return kind_of(info);
    if (info.st_uid != ::geteuid()) return "a directory owned by user " + std::to_string(info.st_uid);
    if ((info.st_mode & writable_by_others) != 0) return "a directory with " + mode_of(info);
    return {};
}

std::string fault_of_file(struct stat const& info) {
    if (!S_ISREG(info.st_mode)) return kind_of(info);
    if (info.st_uid != ::geteuid()) return "a file owned by user " + std::to_string(info.st_uid);
    if (info.st_nlink != 1) return "a file with " + std::to_string(info.st_nlink) + " hard links";
    if ((info.st_mode & of_others) != 0) return "a file with " + mode_of(info);
    return {};
}

std::string expected_directory() {
    return "a directory owned by user " + std::to_string(::geteuid()) + " that no other user can write to";
}

std::string expected_file() {
    return "a regular file owned by user " + std::to_string(::geteuid()) + " with one hard link and mode 0600";
}

file_id id_of(struct stat const& info) noexcept {
    file_id id;
    id.device = info.st_dev;
    id.inode = info.st_ino;
    return id;
}

std::filesystem::path place_of(int fd) {
    std::error_code ignored;
    return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd), ignored);
}

/** If every user can rename the directory or a parent, the next command could find another directory. The owners of the
    parents are trusted; the content of the directory is still checked. */
result<void> check_above(int directory, std::filesystem::path const& path) {
    struct stat below{};
    if (::fstat(directory, &below) != 0) return system_failure(path, "cannot inspect it");
    unique_fd at;
    for (int depth = 0; depth < deepest_path; ++depth) {
        unique_fd above(::openat(at ? at.get() : directory, "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
        struct stat info{};
        if (!above || ::fstat(above.get(), &info) != 0) return {}; // not visible to this user
        if (info.st_dev == below.st_dev && info.st_ino == below.st_ino) return {};
        if ((info.st_mode & S_IWOTH) != 0 && (info.st_mode & S_ISVTX) == 0)
            return unexpected(path, "a directory below " + place_of(above.get()).string() + " with " + mode_of(info),
                              "parent directories that not every user can change");
        below = info;
        at = std::move(above);
    }
    return {};
}

} // namespace

failure system_failure(std::filesystem::path const& path, std::string_view what) {
    failure f;
    f.code = error_code(errno, boost::system::system_category());
    f.detail.path = path.string();
    f.detail.message.assign(what).append(": ").append(f.code.message());
    return f;
}

failure unexpected(std::filesystem::path const& path, std::string_view found, std::string_view expected) {
    failure f;
    f.code = errc::invalid_argument;
    f.detail.path = path.string();
    f.detail.message.append("found ").append(found).append(", expected ").append(expected);
    return f;
}

bool no_such_file(failure const& f) noexcept { return f.code == boost::system::errc::no_such_file_or_directory; }

result<std::string> read_open_file(int fd, std::filesystem::path const& path, std::size_t limit, off_t from) {
    std::string text(limit + 1, '\0');
    std::size_t size = 0;
    while (size < text.size()) {
        auto const n = ::pread(fd, text.data() + size, text.size() - size, from + static_cast<off_t>(size));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return system_failure(path, "cannot read it");
        if (n == 0) break;
        size += static_cast<std::size_t>(n);
    }
    if (size > limit)
        return unexpected(path, "a file of more than " + std::to_string(limit) + " bytes", "a file that kftrain wrote");
    text.resize(size);
    return text;
}

bool write_open_file(int fd, std::string_view text, off_t from) noexcept {
    while (!text.empty()) {
        auto const n = ::pwrite(fd, text.data(), text.size(), from);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        text.remove_prefix(static_cast<std::size_t>(n));
        from += n;
    }
    return true;
}

result<checked_directory> checked_directory::open(std::filesystem::path const& path) {
    struct stat info{};
    if (::lstat(path.c_str(), &info) != 0) return system_failure(path, "cannot inspect it");
    if (auto const fault = fault_of_directory(info); !fault.empty())
        return unexpected(path, fault, expected_directory());
    unique_fd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!fd || ::fstat(fd.get(), &info) != 0) return system_failure(path, "cannot open it");
    if (auto const fault = fault_of_directory(info); !fault.empty()) // the path may have changed meanwhile
        return unexpected(path, fault, expected_directory());
    if (auto r = check_above(fd.get(), path); !r) return r.error();
    return checked_directory(path, std::move(fd));
}

result<checked_directory> checked_directory::make(std::filesystem::path const& path) {
    std::filesystem::path prefix;
    for (auto const& name : path) {
        prefix /= name;
        // open() checks what exists already. If a part cannot be created, the last error is the reason.
        if (::mkdir(prefix.c_str(), S_IRWXU) == 0 || errno == EEXIST) continue;
        auto why = system_failure(path, "cannot create " + prefix.string());
        struct stat info{};
        if (::stat(prefix.c_str(), &info) != 0) return why;
    }
    return open(path);
}

result<std::vector<std::string>> checked_directory::names(std::size_t most) const {
    int const copy = ::openat(fd_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    auto const close = [](DIR* d) { ::closedir(d); };
    std::unique_ptr<DIR, decltype(close)> const stream(copy < 0 ? nullptr : ::fdopendir(copy), close);
    if (!stream) return system_failure(path_, "cannot list it");
    std::vector<std::string> all;
    while (all.size() < most) {
        auto const* const entry = ::readdir(stream.get());
        if (entry == nullptr) break;
        std::string name = entry->d_name;
        if (name != "." && name != "..") all.push_back(std::move(name));
    }
    return all;
}

result<void> checked_directory::check_file(std::string const& name) const {
    struct stat info{};
    if (::fstatat(fd_.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
        if (errno == ENOENT) return {};
        return system_failure(path_ / name, "cannot inspect it");
    }
    if (auto const fault = fault_of_file(info); !fault.empty()) return unexpected(path_ / name, fault, expected_file());
    return {};
}

result<unique_fd> checked_directory::open_file(std::string const& name, int flags) const {
    // Checked first, since opening a pipe or a device has side effects.
    if (auto r = check_file(name); !r) return r.error();
    unique_fd fd(::openat(fd_.get(), name.c_str(), flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600));
    struct stat info{};
    if (!fd || ::fstat(fd.get(), &info) != 0) return system_failure(path_ / name, "cannot open it");
    if (auto const fault = fault_of_file(info); !fault.empty()) return unexpected(path_ / name, fault, expected_file());
    return fd;
}

result<file_id> checked_directory::replace_file(std::string const& name, std::string_view text) const {
    std::string const next = name + ".next";
    for (auto const& taken : {name, next})
        if (auto r = check_file(taken); !r) return r.error();
    ::unlinkat(fd_.get(), next.c_str(), 0); // left by a killed command
    unique_fd fd(::openat(fd_.get(), next.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    struct stat info{};
    if (!fd) return system_failure(path_ / next, "cannot create it");
    if (!write_open_file(fd.get(), text) || ::fstat(fd.get(), &info) != 0 ||
        ::renameat(fd_.get(), next.c_str(), fd_.get(), name.c_str()) != 0) {
        auto f = system_failure(path_ / name, "cannot write it");
        ::unlinkat(fd_.get(), next.c_str(), 0);
        return f;
    }
    return id_of(info);
}

std::optional<file_id> checked_directory::find(std::string const& name) const noexcept {
    struct stat info{};
    if (::fstatat(fd_.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
    return id_of(info);
}

void checked_directory::remove_file(std::string const& name, file_id const& which) const noexcept {
    if (find(name) == which) ::unlinkat(fd_.get(), name.c_str(), 0);
}

} // namespace kftrain::cli
