#include "local/sandbox/mounts/mounts.hpp"

#include "base/paths.hpp"
#include "local/sandbox/channel.hpp"
#include "local/sandbox/mounts/mount_points.hpp"
#include "local/sandbox/mounts/open_without_links.hpp"
#include "local/sandbox/system.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <vector>

namespace kftrain::local::sandbox {
namespace {

/** Creates mount points that the machine does not have. They exist on the machine as long as a pod needs them: see
    mount_points.

    If the user may not create them, a memory file system covers the nearest directory that exists. Everything in that
    directory is mounted into the cover again, and the missing names are created there. In the end the cover becomes
    read-only: programs get the same errors as without it, and nothing that they write is lost. */
class mount_targets {
public:
    explicit mount_targets(mount_point_link link) : link_(std::move(link)) {}
    mount_targets(mount_targets const&) = delete;
    mount_targets& operator=(mount_targets const&) = delete;

    /// Makes sure that `target` exists, as a directory or a file.
    void ensure(std::filesystem::path const& target, bool directory);
    /// Something was mounted at `target`: below it, names are made in what was mounted, as container runtimes do.
    void mounted(std::filesystem::path const& target);
    /// Makes covers read-only, and detaches the host's root if it was covered. Call after the last mount.
    void finish();

private:
    bool may_create_in(std::filesystem::path const& directory) const;
    void cover(std::filesystem::path const& directory, std::string const& except);
    void cover_root();

    mount_point_link link_;
    std::vector<std::filesystem::path> covered_; ///< not yet read-only
    std::set<std::filesystem::path> ours_;
    std::set<std::filesystem::path> mounted_;
    bool root_covered_ = false;
};

namespace fs = std::filesystem;

char const* const old_root = "/.kftrain-host";

std::string mode_option(mode_t mode) {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "mode=%o", mode & 07777U);
    return text.data();
}

void make_file(fs::path const& path) {
    unique_fd const file(check(::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644), "make " + path.string()));
}

/// Of a directory that the user may not look into, nothing is there for him.
bool exists_in(fs::path const& directory, fs::path const& name) {
    std::error_code failed;
    bool const found = fs::exists(directory / name, failed);
    if (failed && failed != std::errc::permission_denied)
        throw std::system_error(failed, "inspect \"" + (directory / name).string() + "\"");
    return found;
}

/// Makes everything that directory `from` holds appear in the empty directory `to`.
void repeat_entries(fs::path const& from, fs::path const& to, std::string const& except) {
    std::error_code hidden;
    fs::directory_iterator entries(from, hidden);
    // Without search permission the directory appeared empty before.
    if (hidden == std::errc::permission_denied && ::access(from.c_str(), X_OK) != 0) return;
    if (hidden) throw std::system_error(hidden, "list the entries of \"" + to.string() + "\"");
    for (auto const& entry : entries) {
        auto const name = entry.path().filename();
        auto const place = to / name;
        if (name == except) continue;
        auto const step = "mount \"" + name.string() + "\" again in \"" + to.string() + "\"";
        if (entry.is_symlink()) {
            check(::symlink(fs::read_symlink(entry.path()).c_str(), place.c_str()), step);
            continue;
        }
        if (entry.is_directory())
            check(::mkdir(place.c_str(), 0755), step);
        else
            make_file(place);
        check(::mount(entry.path().c_str(), place.c_str(), nullptr, MS_BIND | MS_REC, nullptr), step);
    }
}

bool mount_targets::may_create_in(fs::path const& directory) const {
    return ours_.contains(directory) ||
           std::any_of(mounted_.begin(), mounted_.end(), [&](fs::path const& m) { return is_within(directory, m); });
}

void mount_targets::ensure(fs::path const& target, bool directory) {
    fs::path existing;
    auto at = target.begin();
    while (at != target.end() && exists_in(existing, *at)) existing /= *at++;
    fs::path missing;
    for (; at != target.end(); ++at) missing /= *at;
    if (!missing.empty() && !fs::is_directory(existing))
        throw std::invalid_argument("\"" + existing.string() + "\" is not a directory");
    existing = fs::canonical(existing);
    for (auto const* const kernel : {"/proc", "/sys"})
        if (!missing.empty() && is_within(existing, kernel))
            throw std::invalid_argument("the target does not exist and cannot be created in " + std::string(kernel));
    if (!may_create_in(existing)) {
        auto const outcome = link_.create(existing, missing, directory);
        if (outcome == mount_point_link::outcome::there) return;
        if (outcome == mount_point_link::outcome::gone) return ensure(target, directory); // and check again
        if (missing.empty()) return;
        if (outcome == mount_point_link::outcome::refused || ::access(existing.c_str(), W_OK) != 0) {
            // A dangling link in the way is left out.
            if (existing == "/")
                cover_root();
            else
                cover(existing, missing.begin()->string());
        }
    }
    for (auto name = missing.begin(); name != missing.end(); ++name) {
        existing /= *name;
        if (std::next(name) == missing.end() && !directory) {
            make_file(existing);
            return;
        }
        check(::mkdir(existing.c_str(), 0755), "make directory \"" + existing.string() + "\"");
        ours_.insert(existing);
    }
}

void mount_targets::mounted(fs::path const& target) { mounted_.insert(fs::canonical(target)); }

void mount_targets::cover(fs::path const& directory, std::string const& except) {
    auto const step = "cover \"" + directory.string() + "\"";
    unique_fd const below(check(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC), step));
    struct stat info{};
    check(::fstat(below.get(), &info), step);
    check(::mount("tmpfs", directory.c_str(), "tmpfs", MS_NODEV, mode_option(info.st_mode).c_str()), step);
    repeat_entries("/proc/self/fd/" + std::to_string(below.get()), directory, except);
    ours_.insert(directory);
    covered_.push_back(directory);
}

void mount_targets::cover_root() {
    // The new root is staged on a directory, but filled only after the switch: else it would hold itself.
    char const* const stage = "/dev/shm";
    check(::mount("tmpfs", stage, "tmpfs", MS_NODEV, "mode=755"), "make a root for the pod");
    auto const host = std::string(stage) + old_root;
    check(::mkdir(host.c_str(), 0700), "make a root for the pod");
    check(static_cast<int>(::syscall(SYS_pivot_root, stage, host.c_str())), "change to the pod's root");
    check(::chdir("/"), "change to the pod's root");
    root_covered_ = true;
    repeat_entries(old_root, "/", fs::path(old_root).filename());
    ours_.insert("/");
    covered_.emplace_back("/");
}

void mount_targets::finish() {
    if (root_covered_) {
        check(::umount2(old_root, MNT_DETACH), "detach the host's root");
        ::rmdir(old_root);
        root_covered_ = false;
    }
    // Files that a program writes there would be lost; the user cannot write to the covered directory, either.
    for (auto const& directory : covered_)
        check(::mount(nullptr, directory.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NODEV, nullptr),
              "make the cover of \"" + directory.string() + "\" read-only");
    covered_.clear();
}

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
