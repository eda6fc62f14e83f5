#include "local/kubelet/containers/missing_program.hpp"

#include "base/debian_packages.hpp"
#include "job/programs/started_programs.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

namespace kftrain::local {
namespace {

/// Further programs, with the package that contains each.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> other_packages{
    {{"python", "Debian package python-is-python3"},
     {"torchrun", "Python package torch"},
     {"accelerate", "Python package accelerate"},
     {"deepspeed", "Python package deepspeed"},
     {"horovodrun", "Python package horovod"},
     {"ray", "Python package ray"}}};

/// `Debian package openmpi-bin`; empty if it is not known.
std::string package_of(std::string_view program) {
    if (auto const package = debian_package_of(program); !package.empty())
        return "Debian package " + std::string(package);
    program.remove_prefix(program.find_last_of('/') + 1);
    auto const at = std::ranges::find(other_packages, program, [](auto const& entry) { return entry.first; });
    return at == other_packages.end() ? std::string() : std::string(at->second);
}

/// Whether a script deals with the absence of a program itself: it looks for it, installs it, defines it or sets PATH.
bool handles_absence(std::string_view script, std::string_view program) {
    std::string const name(program);
    for (auto const& text : {"command -v " + name, "which " + name, "type " + name, "hash " + name, name + "()"})
        if (script.find(text) != script.npos) return true;
    for (std::string_view const text :
         {"apt-get", "apt ", "apk add", "yum ", "dnf ", "pip install", "conda ", "PATH=", "activate", "module load"})
        if (script.find(text) != script.npos) return true;
    return false;
}

} // namespace

std::string package_advice(std::string_view program) {
    auto const package = package_of(program);
    return package.empty() ? package : ": install the " + package;
}

std::string missing_program(std::vector<std::string> const& argv, program_exists const& exists) {
    if (argv.empty() || argv.front().empty()) return {};
    if (!exists(argv.front())) return argv.front();
    if (!is_shell(argv.front())) return {};
    auto const handled = [&](std::string const& program) {
        return std::ranges::any_of(argv, [&](auto const& argument) { return handles_absence(argument, program); });
    };
    for (auto const& p : started_programs(argv))
        if (!package_of(p.path).empty() && !handled(p.path) && !exists(p.path)) return p.path;
    return {};
}

bool is_on_this_machine(std::string const& program, std::vector<std::string> const& environment) {
    auto const runs = [](std::string const& path) { return ::access(path.c_str(), X_OK) == 0; };
    // The path may lead into a volume, which only the container sees.
    if (program.find('/') != std::string::npos) return true;
    constexpr std::string_view key = "PATH=";
    std::string_view path;
    for (auto const& variable : environment)
        if (variable.starts_with(key)) path = std::string_view(variable).substr(key.size());
    while (!path.empty()) {
        auto const end = std::min(path.find(':'), path.size());
        auto const folder = path.substr(0, end);
        path.remove_prefix(std::min(end + 1, path.size()));
        if (runs(std::string(folder.empty() ? "." : folder) + "/" + program)) return true;
    }
    return false;
}

std::string missing_program_message(std::string_view container, std::string_view program) {
    std::string text = "container ";
    text.append(container).append(" runs ").append(program).append(
        ", which is not installed on this machine (--image uses an image)");
    return text + package_advice(program);
}

} // namespace kftrain::local
