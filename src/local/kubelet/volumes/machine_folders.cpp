#include "local/kubelet/volumes/machine_folders.hpp"

#include "base/make_failure.hpp"
#include "base/paths.hpp"

#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>

namespace kftrain::local {
namespace {

namespace fs = std::filesystem;

/// Opens the path in the first allowed directory to which it leads, whatever its links are.
real_path open_allowed(fs::path const& path, pod_options const& options, creation missing, std::error_code& failed) {
    real_path found;
    failed = std::make_error_code(std::errc::cross_device_link);
    for (auto const& allowed : options.host_paths) {
        std::error_code absent;
        auto const directory = open_real(allowed, absent);
        if (absent) continue;
        found = open_within(directory, path, missing, failed);
        if (!leads_out(failed)) break;
    }
    return found;
}

mode_t mode_of(real_path const& path) {
    struct stat info{};
    return path.descriptor && ::fstat(path.descriptor.get(), &info) == 0 ? info.st_mode : 0;
}

std::string type_fault(fs::path const& path, std::string_view expected) {
    return "hostPath type check failed: " + path.string() + " is not a " + std::string(expected);
}

} // namespace

bool is_allowed_path(std::string const& path, pod_options const& options) {
    if (!path.starts_with('/')) return false;
    auto const normal = normal_path(path);
    return std::ranges::any_of(options.host_paths,
                               [&](std::string const& allowed) { return is_within(normal, normal_path(allowed)); });
}

result<real_path> prepare_host_path(core::host_path_volume_source const& volume, pod_options const& options) {
    auto const path = normal_path(volume.path);
    std::string const type = volume.type.value_or("");
    auto const refuse = [](std::string why) { return make_failure(errc::invalid_argument, std::move(why)); };
    auto const out = "hostPath \"" + volume.path + "\" leads out of the directories that pods may mount";
    if (!is_allowed_path(volume.path, options))
        return refuse("hostPath \"" + volume.path + "\" is in no directory that pods may mount; allow it with " +
                      "--host-path " + volume.path + " (host_paths in C++ and Python)");
    // Container runtimes make a directory if the type does not say what has to be there.
    auto const missing = type.empty() || type == "DirectoryOrCreate" ? creation::directories
                         : type == "FileOrCreate"                    ? creation::file
                                                                     : creation::none;
    std::error_code failed;
    auto real = open_allowed(path, options, missing, failed);
    if (leads_out(failed)) return refuse(out);
    bool const is_absent = failed == std::errc::no_such_file_or_directory || failed == std::errc::not_a_directory;
    if (failed && !is_absent) return refuse("hostPath \"" + volume.path + "\": " + text_of(failed));
    auto const mode = mode_of(real);
    if (type.starts_with("File") && !S_ISREG(mode)) return refuse(type_fault(path, "file"));
    if (type.starts_with("Directory") && !S_ISDIR(mode)) return refuse(type_fault(path, "directory"));
    if (failed) return refuse("hostPath \"" + volume.path + "\": " + text_of(failed));
    return real;
}

std::string directory_of_claim(std::string const& ns, std::string const& claim, pod_options const& options) {
    auto found = options.volumes.find(ns + "/" + claim);
    if (found == options.volumes.end()) found = options.volumes.find(claim);
    return found == options.volumes.end() ? std::string() : found->second;
}

namespace fs = std::filesystem;

real_path open_real(fs::path const& path, std::error_code& failed) {
    real_path real;
    real.path = fs::canonical(path, failed);
    if (failed) return real_path();
    sandbox::unique_fd const root(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
    real.descriptor = sandbox::open_without_links(root.get(), real.path.relative_path(), creation::none, failed);
    return real;
}

real_path open_within(real_path const& directory, fs::path const& path, creation missing, std::error_code& failed) {
    real_path real;
    auto const whole = directory.path / path;
    if (whole.native().find('\0') != std::string::npos) {
        failed = std::make_error_code(std::errc::invalid_argument);
        return real;
    }
    // A link to a place that does not exist stays in this path, so that it cannot be opened below.
    real.path = normal_path(fs::weakly_canonical(whole, failed));
    if (failed) return real;
    if (is_within(real.path, directory.path))
        real.descriptor = sandbox::open_without_links(directory.descriptor.get(),
                                                      real.path.lexically_relative(directory.path), missing, failed);
    else
        failed = std::make_error_code(std::errc::cross_device_link);
    return real;
}

bool leads_out(std::error_code const& failed) { return failed == std::errc::cross_device_link; }

std::string text_of(std::error_code const& failed) {
    if (failed == std::errc::too_many_symbolic_link_levels) return "a link on the way leads to no existing place";
    return failed.message();
}

} // namespace kftrain::local
