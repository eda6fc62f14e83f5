#include "local/sandbox/mounts/mount_point_record.hpp"

#include <exception>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <utility>
#include <vector>

namespace kftrain::local::sandbox {
namespace {

std::string record_of(std::string const& node_directory) { return node_directory + "/.mount-points"; }

} // namespace

bool is_made_mount_point(struct stat const& info) {
    bool const kind = S_ISDIR(info.st_mode) || (S_ISREG(info.st_mode) && info.st_size == 0);
    return kind && (info.st_mode & mount_point_mark) != 0 && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0 &&
           info.st_uid == ::geteuid();
}

bool leads_to(std::string const& path, int fd) {
    struct stat named{};
    struct stat opened{};
    return ::lstat(path.c_str(), &named) == 0 && ::fstat(fd, &opened) == 0 && named.st_dev == opened.st_dev &&
           named.st_ino == opened.st_ino;
}

unique_fd lock_mount_point(std::string const& path) {
    unique_fd fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!fd || ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 || !leads_to(path, fd.get())) return unique_fd();
    return fd;
}

bool remove_mount_point(std::string const& path, unique_fd lock, int tries) noexcept {
    // Other users have a lock, too. A failed attempt releases ours, so the last one succeeds.
    struct stat info{};
    if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0 || !leads_to(path, lock.get()) ||
        ::fstat(lock.get(), &info) != 0)
        return true;
    if (S_ISDIR(info.st_mode)) {
        for (; ::rmdir(path.c_str()) != 0; --tries) {
            if (errno != EBUSY || tries <= 0) return errno != EBUSY && errno != EROFS;
            ::usleep(1000);
        }
    } else if (info.st_size == 0) {
        ::unlink(path.c_str());
    }
    return true;
}

void record_mount_point(std::string const& node_directory, std::string const& path) {
    auto const record = record_of(node_directory);
    unique_fd const file(check(::open(record.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600),
                               "open \"" + record + "\""));
    auto const size = path.size() + 1; // with the zero: paths may hold line ends
    auto const written = check(::write(file.get(), path.c_str(), size), "write \"" + record + "\"");
    if (static_cast<std::size_t>(written) == size) return;
    errno = ENOSPC;
    fail("write \"" + record + "\"");
}

bool remove_recorded_mount_points(std::string const& node_directory, int tries) noexcept {
    try {
        std::ifstream record(record_of(node_directory), std::ios::binary);
        std::vector<std::string> paths;
        bool done = true;
        for (std::string path; std::getline(record, path, '\0');) paths.push_back(path);
        for (auto at = paths.rbegin(); at != paths.rend(); ++at) { // what is inside goes first
            struct stat info{};
            if (::lstat(at->c_str(), &info) == 0 && is_made_mount_point(info))
                done = remove_mount_point(*at, lock_mount_point(*at), tries) && done;
        }
        return done;
    } catch (std::exception const&) {
        return true; // empty directories stay until the next run that needs them
    }
}

} // namespace kftrain::local::sandbox
