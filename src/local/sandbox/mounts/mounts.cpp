#include "local/sandbox/mounts/mounts.hpp"

#include "base/paths.hpp"
#include "local/sandbox/channel.hpp"
#include "local/sandbox/mounts/mount_targets.hpp"
#include "local/sandbox/mounts/open_without_links.hpp"

#include <boost/json/array.hpp>

#include <fcntl.h>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

namespace kftrain::local::sandbox {
namespace {

std::string path_of(unique_fd const& fd) { return "/proc/self/fd/" + std::to_string(fd.get()); }

// A user namespace may not drop these flags from what it inherited, so a remount repeats them.
unsigned long inherited_flags(std::string const& target) {
    struct statvfs info{};
    check(::statvfs(target.c_str(), &info), "inspect mount \"" + target + "\"");
    unsigned long flags = 0;
    if ((info.f_flag & ST_NOSUID) != 0) flags |= MS_NOSUID;
    if ((info.f_flag & ST_NODEV) != 0) flags |= MS_NODEV;
    if ((info.f_flag & ST_NOEXEC) != 0) flags |= MS_NOEXEC;
    if ((info.f_flag & ST_NOATIME) != 0) flags |= MS_NOATIME;
    if ((info.f_flag & ST_NODIRATIME) != 0) flags |= MS_NODIRATIME;
    if ((info.f_flag & ST_RELATIME) != 0) flags |= MS_RELATIME;
    return flags;
}

bool flag_of(boost::json::object const& object, std::string_view member, bool usual) {
    auto const* flag = object.if_contains(member);
    return flag != nullptr && flag->is_bool() ? flag->as_bool() : usual;
}

unique_fd open_source(bind_request const& what) {
    auto const step = "mount \"" + what.source + "\" at \"" + what.target + "\": open the source";
    if (what.follows_links) return unique_fd(check(::open(what.source.c_str(), O_PATH | O_CLOEXEC), step));
    unique_fd const root(check(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), step));
    std::error_code failed;
    auto source =
        open_without_links(root.get(), std::filesystem::path(what.source).relative_path(), creation::none, failed);
    if (failed) throw std::system_error(failed, step);
    return source;
}

/// @param copy Of the mount of the source, which is mounted instead; may be empty
void bind(mount_targets& targets, unique_fd const& source, unique_fd const& copy, bind_request const& what) {
    auto const step = "mount \"" + what.source + "\" at \"" + what.target + "\"";
    struct stat from{};
    struct stat to{};
    check(::fstat(source.get(), &from), step);
    try {
        targets.ensure(normal_path(what.target), S_ISDIR(from.st_mode));
    } catch (std::exception const& e) {
        throw std::invalid_argument(step + ": " + e.what());
    }
    check(::stat(what.target.c_str(), &to), step);
    if (S_ISDIR(from.st_mode) != S_ISDIR(to.st_mode))
        throw std::invalid_argument(step + ": one is a directory, the other is not");
    if (copy)
        check(::move_mount(copy.get(), "", AT_FDCWD, what.target.c_str(),
                           MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_SYMLINKS),
              step);
    else
        check(::mount(path_of(source).c_str(), what.target.c_str(), nullptr, MS_BIND | MS_REC, nullptr), step);
    if (what.read_only)
        check(::mount(nullptr, what.target.c_str(), nullptr,
                      MS_BIND | MS_REMOUNT | MS_RDONLY | inherited_flags(what.target), nullptr),
              step + " read-only");
    targets.mounted(what.target);
}

} // namespace

std::vector<bind_request> binds_of(boost::json::object const& request) {
    std::vector<bind_request> list;
    auto const* mounts = request.if_contains("mounts");
    if (mounts == nullptr) return list;
    for (auto const& entry : mounts->as_array()) {
        auto const& object = entry.as_object();
        bind_request one;
        one.source = text_of(object, "source");
        one.target = text_of(object, "target");
        one.read_only = flag_of(object, "read_only", false);
        one.follows_links = flag_of(object, "follows_links", true);
        if (one.target.empty() || one.target.front() != '/')
            throw std::invalid_argument("mount target: expected an absolute path, got \"" + one.target + "\"");
        list.push_back(std::move(one));
    }
    return list;
}

void make_mounts_private() {
    check(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr), "make the mounts private");
}

void mount_proc() { check(::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr), "mount /proc"); }

void mount_pod_file_systems() {
    check(::mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777"), "mount /dev/shm");
    // The host's /sys lists the host's network links, which misleads programs that look for theirs. Where a new one is
    // not permitted the host's stays.
    unique_fd const control_groups(::open("/sys/fs/cgroup", O_PATH | O_CLOEXEC));
    if (::mount("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, nullptr) == 0 && control_groups)
        ::mount(path_of(control_groups).c_str(), "/sys/fs/cgroup", nullptr, MS_BIND | MS_REC, nullptr);
    // Otherwise a pod could change its limits. Kernels before 5.12 can only hide them.
    mount_attr read_only{};
    read_only.attr_set = MOUNT_ATTR_RDONLY;
    if (::mount_setattr(AT_FDCWD, "/sys/fs/cgroup", AT_RECURSIVE, &read_only, sizeof read_only) != 0)
        ::umount2("/sys/fs/cgroup", MNT_DETACH);
}

void mount_memory(boost::json::object const& request) {
    auto const* const all = request.if_contains("memory");
    if (all == nullptr) return;
    for (auto const& entry : all->as_array()) {
        auto const& object = entry.as_object();
        auto const path = text_of(object, "path");
        auto const group = number_of(object, "group");
        auto options = std::string(group == 0 ? "mode=777" : "mode=2777") + ",gid=" + std::to_string(group);
        if (auto const size = number_of(object, "size"); size > 0) options += ",size=" + std::to_string(size);
        check(::mount("tmpfs", path.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()),
              "mount memory at \"" + path + "\"");
    }
}

bind_plan::bind_plan(std::vector<bind_request> requests) {
    std::multimap<std::ptrdiff_t, bind_request> by_depth; // keeps the order of equals
    for (auto& request : requests) {
        auto const path = std::filesystem::path(request.target).lexically_normal();
        by_depth.emplace(std::distance(path.begin(), path.end()), std::move(request));
    }
    for (auto& [depth, request] : by_depth) {
        item one;
        one.source = open_source(request);
        one.request = std::move(request);
        items_.push_back(std::move(one));
    }
}

void bind_plan::detach() {
    for (auto& one : items_)
        one.copy.reset(
            check(::open_tree(one.source.get(), "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH | AT_RECURSIVE),
                  "copy the mount \"" + one.request.source + "\""));
}

void bind_plan::apply(mount_point_link const& link) {
    mount_targets targets(link);
    for (auto const& one : items_) bind(targets, one.source, one.copy, one.request);
    targets.finish();
}

} // namespace kftrain::local::sandbox
