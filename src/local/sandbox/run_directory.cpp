#include "local/sandbox/run_directory.hpp"

#include "local/sandbox/mounts/open_without_links.hpp"

#include <algorithm>
#include <cstring>
#include <dirent.h>
#include <exception>
#include <fcntl.h>
#include <memory>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>

namespace kftrain::local::sandbox {
namespace {

constexpr auto mark = ".node";
constexpr std::string_view made_names = "kftrain-";
constexpr std::size_t drawn_letters = 6; // as mkdtemp() draws them

unique_fd open_directory(std::string const& path) noexcept {
    return unique_fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/// Whether only this user can have written to the directory.
bool is_own(struct stat const& info) noexcept {
    return info.st_uid == ::geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool is_marked(int directory) noexcept {
    struct stat info{};
    return ::fstat(directory, &info) == 0 && is_own(info) &&
           ::fstatat(directory, mark, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode) && is_own(info);
}

} // namespace

unique_fd lock_run_directory(std::string const& path) noexcept {
    auto directory = open_directory(path);
    if (!directory || ::flock(directory.get(), LOCK_SH | LOCK_NB) != 0) return unique_fd();
    return directory;
}

bool mark_run_directory(std::string const& path) noexcept {
    auto const directory = open_directory(path);
    if (!directory) return false;
    return static_cast<bool>(unique_fd(
        ::openat(directory.get(), mark, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR)));
}

std::string remove_run_directory(std::string const& path, int tries) {
    // The next start of the user tries again, with the record in the directory.
    if (!remove_recorded_mount_points(path, tries)) return "cannot remove the control groups of \"" + path + "\" yet";
    return remove_tree(path);
}

bool remove_dead_run_directory(std::string const& path) noexcept {
    try {
        auto const directory = open_directory(path);
        if (!directory || !is_marked(directory.get())) return false;
        if (::flock(directory.get(), LOCK_EX | LOCK_NB) != 0 || !leads_to(path, directory.get())) return false;
        return remove_run_directory(path).empty();
    } catch (std::exception const&) {
        return false;
    }
}

std::vector<std::string> remove_dead_run_directories(std::string const& parent) {
    std::vector<std::string> found;
    auto const close = [](DIR* d) { ::closedir(d); };
    std::unique_ptr<DIR, decltype(close)> const all(::opendir(parent.c_str()), close);
    while (auto const* entry = all ? ::readdir(all.get()) : nullptr) {
        std::string_view const name = entry->d_name;
        if (name.starts_with(made_names) && name.size() == made_names.size() + drawn_letters)
            found.push_back(parent + "/" + std::string(name));
    }
    std::ranges::sort(found);
    std::erase_if(found, [](std::string const& path) { return !remove_dead_run_directory(path); });
    return found;
}

} // namespace kftrain::local::sandbox
