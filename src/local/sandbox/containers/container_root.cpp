#include "local/sandbox/containers/container_root.hpp"

#include "local/sandbox/system.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace kftrain::local::sandbox {
namespace {

constexpr std::array<char const*, 2> system_files{"/etc/hosts", "/etc/resolv.conf"};

/// Those of the machine that a container has: some that every program expects, terminals, shared memory, and
/// accelerators.
std::vector<std::string> devices() {
    constexpr std::array<std::string_view, 11> usual{"null", "zero", "full", "random",     "urandom", "tty",
                                                     "pts",  "shm",  "dri",  "infiniband", "kfd"};
    std::vector<std::string> found;
    std::error_code ignored;
    for (auto const& entry : std::filesystem::directory_iterator("/dev", ignored)) {
        auto const name = entry.path().filename().string();
        bool const wanted = std::ranges::find(usual, name) != usual.end() || name.starts_with("nvidia");
        if (wanted && !entry.is_symlink(ignored)) found.push_back(entry.path().string());
    }
    return found;
}

/// A directory for them, with the usual links.
void make_devices() {
    if (::mkdir("/dev", 0755) != 0 && errno != EEXIST) fail("create /dev in the image");
    check(::mount("tmpfs", "/dev", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=755,size=1m"), "mount /dev");
    constexpr std::array<std::pair<char const*, char const*>, 5> links{{{"/proc/self/fd", "/dev/fd"},
                                                                        {"/proc/self/fd/0", "/dev/stdin"},
                                                                        {"/proc/self/fd/1", "/dev/stdout"},
                                                                        {"/proc/self/fd/2", "/dev/stderr"},
                                                                        {"pts/ptmx", "/dev/ptmx"}}};
    for (auto const& [target, link] : links) check(::symlink(target, link), std::string("create ") + link);
}

/// Of a system that made this file at its start.
void replace_dangling_link(char const* path) {
    struct stat info{};
    if (::lstat(path, &info) == 0 && S_ISLNK(info.st_mode) && ::stat(path, &info) != 0)
        check(::unlink(path), std::string("replace the link ") + path);
}

std::string path_of(unique_fd const& fd) { return "/proc/self/fd/" + std::to_string(fd.get()); }

unique_fd open_path(std::string const& path) {
    return unique_fd(check(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC), "open \"" + path + "\""));
}

/// The root of the container has the owner and the mode of this directory.
void make_upper(std::string const& path, unique_fd const& lower) {
    struct stat info{};
    check(::fstat(lower.get(), &info), "inspect the root of the image");
    check(::mkdir(path.c_str(), S_IRWXU), "create \"" + path + "\"");
    check(::chmod(path.c_str(), info.st_mode & 07777U), "set the mode of \"" + path + "\"");
    // An ordinary user cannot, and the directory is then his.
    [[maybe_unused]] auto const owned = ::chown(path.c_str(), info.st_uid, info.st_gid);
}

/// Mounts the image with its layer; returns the place.
std::string mount_overlay(container_root const& root) {
    auto const lower = open_path(root.lower);
    make_upper(root.layer + "/upper", lower);
    auto const place = root.layer + "/root";
    for (auto const& path : {root.layer + "/work", place})
        check(::mkdir(path.c_str(), S_IRWXU), "create \"" + path + "\"");
    auto const upper = open_path(root.layer + "/upper");
    auto const work = open_path(root.layer + "/work");
    // Paths may contain the separators of these options; those of descriptors do not.
    auto options = "lowerdir=" + path_of(lower) + ",upperdir=" + path_of(upper) + ",workdir=" + path_of(work);
    if (is_in_user_namespace()) options += ",userxattr";
    if (::mount("overlay", place.c_str(), "overlay", MS_NODEV, options.c_str()) == 0) return place;
    int const error = errno;
    std::string why = "mount overlayfs on \"" + root.lower + "\" with the layer \"" + root.layer + "\"";
    if (error == ENODEV) why += " (the kernel has no overlayfs)";
    if (error == EPERM) why += " (ordinary users need Linux 5.11, and the machine must permit it)";
    if (error == EINVAL) why += " (the file system of the layer, for example another overlayfs, cannot hold one)";
    errno = error;
    fail(why);
}

} // namespace

void enter_root(container_root const& root, std::vector<bind_request> mounts) {
    std::vector<bind_request> all;
    auto const add = [&](std::string const& path) {
        auto& one = all.emplace_back();
        one.source = path;
        one.target = path;
    };
    auto const add_all = [&](std::vector<std::string> const& paths) {
        for (auto const& path : paths) add(path);
    };
    for (auto const* const path : {"/proc", "/sys"}) add(path);
    for (auto const* const path : system_files) add(path);
    add_all(devices());
    for (auto& m : mounts) all.push_back(std::move(m));
    bind_plan plan(std::move(all));
    plan.detach();
    auto const place = mount_overlay(root);
    check(::chdir(place.c_str()), "enter the root of the image");
    check(static_cast<int>(::syscall(SYS_pivot_root, ".", ".")), "change to the root of the image");
    // From here on no path leads to the machine.
    check(::umount2(".", MNT_DETACH), "detach the root of the machine");
    check(::chdir("/"), "enter the root of the image");
    for (auto const* const file : system_files) replace_dangling_link(file);
    make_devices();
    plan.apply(mount_point_link());
    std::error_code reported_later; // by the attempt to enter it
    if (!root.working_directory.empty()) std::filesystem::create_directories(root.working_directory, reported_later);
    if (root.read_only)
        check(::mount(nullptr, "/", nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NODEV, nullptr),
              "make the root of the image read-only");
}

} // namespace kftrain::local::sandbox
