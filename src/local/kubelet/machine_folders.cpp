#include "local/kubelet/machine_folders.hpp"

#include <algorithm>
#include <fstream>

namespace kftrain::local {
namespace {

namespace fs = std::filesystem;

failure bad_path(std::string sentence) {
    diagnostics why;
    why.message = std::move(sentence);
    return failure(errc::invalid_argument, std::move(why));
}

fs::path without_slash(fs::path const& path) {
    auto const normal = path.lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
}

bool is_within(fs::path const& path, fs::path const& folder) {
    return std::ranges::mismatch(folder, path).in1 == folder.end();
}

/// Whether the path is still allowed when links are followed. What does not exist has no links.
bool leads_to_allowed(fs::path const& path, pod_options const& options) {
    std::error_code failed;
    auto const real = fs::weakly_canonical(path, failed);
    if (failed) return false;
    return std::ranges::any_of(options.host_paths, [&](std::string const& allowed) {
        std::error_code missing;
        auto const folder = fs::canonical(allowed, missing);
        return !missing && is_within(real, folder);
    });
}

std::string type_fault(fs::path const& path, std::string_view expected) {
    return "hostPath type check failed: " + path.string() + " is not a " + std::string(expected);
}

} // namespace

bool is_allowed_path(std::string const& path, pod_options const& options) {
    if (!path.starts_with('/')) return false;
    auto const normal = without_slash(path);
    return std::ranges::any_of(options.host_paths,
                               [&](std::string const& allowed) { return is_within(normal, without_slash(allowed)); });
}

result<fs::path> prepare_host_path(core::host_path_volume_source const& volume, pod_options const& options) {
    auto const path = without_slash(volume.path);
    std::string const type = volume.type.value_or("");
    if (!is_allowed_path(volume.path, options) || !leads_to_allowed(path, options))
        return bad_path("hostPath \"" + volume.path + "\" leads out of the directories that pods may mount");
    std::error_code failed;
    bool const exists = fs::exists(path, failed);
    // Container runtimes make a directory if the type does not say what has to be there.
    if (!exists && (type.empty() || type == "DirectoryOrCreate")) fs::create_directories(path, failed);
    if (!exists && type == "FileOrCreate") std::ofstream(path, std::ios::app).close();
    bool const wants_file = type == "File" || type == "FileOrCreate";
    if (wants_file && !fs::is_regular_file(path, failed)) return bad_path(type_fault(path, "file"));
    if (type.starts_with("Directory") && !fs::is_directory(path, failed))
        return bad_path(type_fault(path, "directory"));
    auto real = fs::canonical(path, failed);
    if (failed) return bad_path("hostPath \"" + volume.path + "\": " + failed.message());
    return real;
}

std::string directory_of_claim(std::string const& namespace_, std::string const& claim, pod_options const& options) {
    auto found = options.volumes.find(namespace_ + "/" + claim);
    if (found == options.volumes.end()) found = options.volumes.find(claim);
    return found == options.volumes.end() ? std::string() : found->second;
}

} // namespace kftrain::local
