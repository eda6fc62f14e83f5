#include "local/sandbox/mounts/mount_targets.hpp"

#include "base/paths.hpp"
#include "local/sandbox/system.hpp"

#include <algorithm>
#include <array>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace kftrain::local::sandbox {
namespace {

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

} // namespace

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
    // What a program wrote there would be lost; the user may not write below, either.
    for (auto const& directory : covered_)
        check(::mount(nullptr, directory.c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NODEV, nullptr),
              "make the cover of \"" + directory.string() + "\" read-only");
    covered_.clear();
}

} // namespace kftrain::local::sandbox
