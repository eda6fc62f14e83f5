#include "local/sandbox/mounts/open_without_links.hpp"

#include <fcntl.h>
#include <iterator>
#include <sys/stat.h>

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

} // namespace kftrain::local::sandbox
