#include <kftrain/local/pod_options.hpp>

#include "local/kubelet/images/image_commands.hpp"
#include "local/kubelet/images/image_source.hpp"

#include <filesystem>
#include <utility>

namespace kftrain::local {
namespace {

namespace fs = std::filesystem;

issue fault(std::string path, std::string const& text) {
    issue i;
    i.rule = "local.options";
    i.message = path + ": " + text;
    i.path = std::move(path);
    return i;
}

/// Returns the fault of a directory of the machine; empty if there is none.
std::string fault_of_directory(std::string const& path) {
    std::error_code failed;
    if (!path.starts_with('/')) return "expected an absolute path, got \"" + path + "\"";
    if (!fs::is_directory(path, failed)) return "expected an existing directory, got \"" + path + "\"";
    return {};
}

} // namespace

issues faults_of(pod_options const& options) {
    issues found;
    for (auto const& [pattern, text] : options.commands) {
        auto const at = "commands[" + pattern + "]";
        if (auto const command = split_command(text); !command)
            found.push_back(fault(at, command.error().detail.message));
    }
    for (auto const& [pattern, text] : options.images) {
        auto const source = parse_image_source(text);
        auto const why = source ? fault_of(*source) : source.error().detail.message;
        if (!why.empty()) found.push_back(fault("images[" + pattern + "]", why));
    }
    auto const& store = options.image_store;
    if (!store.directory.empty() && !store.directory.starts_with('/'))
        found.push_back(fault("image_store.directory", "expected an absolute path, got \"" + store.directory + "\""));
    for (auto const& [name, value] : {std::pair{"image_size", store.image_size},
                                      {"image_files", store.image_files},
                                      {"total_size", store.total_size}})
        if (value < 1)
            found.push_back(
                fault("image_store." + std::string(name), "expected at least 1, got " + std::to_string(value)));
    for (auto const& [claim, directory] : options.volumes)
        if (auto const why = fault_of_directory(directory); !why.empty())
            found.push_back(fault("volumes[" + claim + "]", why));
    for (std::size_t i = 0; i < options.host_paths.size(); ++i)
        if (auto const why = fault_of_directory(options.host_paths[i]); !why.empty())
            found.push_back(fault("host_paths[" + std::to_string(i) + "]", why));
    return found;
}

} // namespace kftrain::local
