#include "local/sandbox/mounts/open_without_links.hpp"

#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <iterator>
#include <memory>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace kftrain::local::sandbox {
namespace {

constexpr mode_t directory_mode = 0777; // the file mode creation mask takes away from both
constexpr mode_t file_mode = 0666;

/// On failure `errno` has the reason.
unique_fd open_entry(int directory, char const* name) {
    constexpr int flags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
    // With O_DIRECTORY the kernel mounts what is mounted on demand.
    unique_fd entry(::openat(directory, name, flags | O_DIRECTORY));
    if (entry || errno != ENOTDIR) return entry;
    entry.reset(::openat(directory, name, flags));
    struct stat info{};
    if (!entry || ::fstat(entry.get(), &info) != 0) return unique_fd();
    if (!S_ISLNK(info.st_mode)) return entry;
    entry.reset();
    errno = ELOOP;
    return entry;
}

bool create_entry(int directory, char const* name, creation what) {
    if (what == creation::directories) return ::mkdirat(directory, name, directory_mode) == 0 || errno == EEXIST;
    unique_fd const file(::openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, file_mode));
    return file || errno == EEXIST;
}

int open_directory(int at, char const* name) {
    return ::openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool empty_directory(int directory, dev_t device) {
    auto const close = [](DIR* d) { ::closedir(d); };
    std::unique_ptr<DIR, decltype(close)> const stream(::fdopendir(directory), close);
    if (!stream) {
        ::close(directory);
        return false;
    }
    bool complete = true;
    while (auto const* entry = ::readdir(stream.get())) {
        auto const* name = static_cast<char const*>(entry->d_name);
        if (std::strcmp(name, ".") == 0 || std::strcmp(name, "..") == 0) continue;
        struct stat info{};
        if (::fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (!S_ISDIR(info.st_mode)) {
            complete &= ::unlinkat(directory, name, 0) == 0 || errno == ENOENT;
            continue;
        }
        if (info.st_dev != device) {
            complete = false; // somebody mounted something here
            continue;
        }
        if ((info.st_mode & S_IRWXU) != S_IRWXU) ::fchmodat(directory, name, S_IRWXU, 0);
        int const child = open_directory(directory, name);
        if (child < 0 || !empty_directory(child, device) || ::unlinkat(directory, name, AT_REMOVEDIR) != 0)
            complete = false;
    }
    return complete;
}

} // namespace

unique_fd open_without_links(int directory, std::filesystem::path const& path, creation missing,
                             std::error_code& failed) {
    failed.clear();
    unique_fd here(::fcntl(directory, F_DUPFD_CLOEXEC, 0));
    for (auto part = path.begin(); here && part != path.end(); ++part) {
        if (part->empty() || *part == ".") continue;
        if (*part == "..") {
            failed = std::make_error_code(std::errc::invalid_argument);
            return unique_fd();
        }
        auto next = open_entry(here.get(), part->c_str());
        bool const creates =
            missing == creation::directories || (missing == creation::file && std::next(part) == path.end());
        if (!next && errno == ENOENT && creates && create_entry(here.get(), part->c_str(), missing))
            next = open_entry(here.get(), part->c_str());
        if (!next) failed.assign(errno, std::generic_category());
        here = std::move(next);
    }
    if (!here && !failed) failed.assign(errno, std::generic_category());
    return here;
}

std::string remove_tree(std::string const& path) {
    // Writers outside the sandbox may still add a file while we work.
    for (int attempt = 0; attempt < 20; ++attempt) {
        if (attempt != 0) ::usleep(10'000);
        struct stat info{};
        if (::lstat(path.c_str(), &info) != 0 && errno == ENOENT) return {};
        if ((info.st_mode & S_IRWXU) != S_IRWXU) ::chmod(path.c_str(), S_IRWXU);
        int const directory = open_directory(AT_FDCWD, path.c_str());
        if (directory >= 0) empty_directory(directory, info.st_dev);
        if (::rmdir(path.c_str()) == 0) return {};
    }
    return "cannot remove directory \"" + path + "\": " + std::generic_category().message(errno);
}

} // namespace kftrain::local::sandbox
