#include "local/sandbox/mounts/remove_tree.hpp"

#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace kftrain::local::sandbox {
namespace {

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
