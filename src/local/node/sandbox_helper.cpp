#include "local/node/sandbox_helper.hpp"

#include "base/joined.hpp"
#include "local/sandbox/run_directory.hpp"

#include <kftrain/local/leftovers.hpp>

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <link.h>
#include <sstream>
#include <unistd.h>
#include <vector>

/* The package config adds a source with this symbol to programs that link the static libraries, because an archive does
   not know its own path. Other programs leave it undefined. */
extern "C" [[gnu::weak]] char const kftrain_sandbox_helper[];
namespace kftrain::local {
namespace {

constexpr auto helper_name = "kftrain-sandbox";

/// The shared library that this code was loaded with; empty when it is part of the program.
std::filesystem::path own_library() {
    Dl_info info{};
    link_map* loaded = nullptr;
    // Any address of this library does.
    auto const* const here = reinterpret_cast<void const*>(&is_executable_file);
    if (::dladdr1(here, &info, reinterpret_cast<void**>(&loaded), RTLD_DL_LINKMAP) == 0 || loaded == nullptr) return {};
    std::error_code ec;
    // The name is as the loader was given it, and empty for the program itself.
    auto library = std::filesystem::canonical(loaded->l_name, ec);
    return ec ? std::filesystem::path() : library;
}

std::vector<std::filesystem::path> places_of_helper() {
    std::vector<std::filesystem::path> places;
    auto const add = [&](std::filesystem::path const& place) {
        auto normal = place.lexically_normal();
        if (std::ranges::find(places, normal) == places.end()) places.push_back(std::move(normal));
    };
    std::error_code ec;
    if (auto const program = std::filesystem::read_symlink("/proc/self/exe", ec); !ec) {
        add(program.parent_path() / helper_name);
        add(program.parent_path() / "../libexec/kftrain" / helper_name);
    }
    if (auto const library = own_library(); !library.empty()) {
        add(library.parent_path() / helper_name);
        add(library.parent_path() / KFTRAIN_LIBEXEC_FROM_LIBRARIES / helper_name);
        // The module of a Python package is in DIR/kftrain or PREFIX/lib/pythonX.Y/site-packages/kftrain.
        for (auto const* const above : {"..", "../../../.."})
            add(library.parent_path() / above / "libexec/kftrain" / helper_name);
    }
    if (kftrain_sandbox_helper != nullptr) add(kftrain_sandbox_helper);
    add(std::filesystem::path(KFTRAIN_LIBEXEC_DIR) / helper_name);
    return places;
}

} // namespace

bool is_executable_file(std::filesystem::path const& file) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

std::filesystem::path find_kftrain_command() {
    std::vector<std::filesystem::path> places;
    std::error_code ec;
    auto const program = std::filesystem::read_symlink("/proc/self/exe", ec);
    if (!ec && program.filename() == "kftrain") places.push_back(program);
    for (auto const& helper : places_of_helper())
        for (auto const* const from_helper : {"kftrain", "../../bin/kftrain"})
            places.push_back((helper.parent_path() / from_helper).lexically_normal());
    char const* const path = std::getenv("PATH"); // NOLINT(concurrency-mt-unsafe): nothing here sets variables
    std::istringstream directories(path != nullptr ? path : "");
    for (std::string directory; std::getline(directories, directory, ':');)
        if (directory.starts_with('/')) places.push_back(std::filesystem::path(directory) / "kftrain");
    auto const found = std::ranges::find_if(places, is_executable_file);
    return found == places.end() ? std::filesystem::path() : *found;
}

result<std::filesystem::path> find_sandbox_helper() {
    auto const places = places_of_helper();
    if (auto const found = std::ranges::find_if(places, is_executable_file); found != places.end()) return *found;
    diagnostics d;
    d.message = "cannot find the executable of the sandbox helper; the searched places are " +
                joined(places, ", ", [](auto const& place) { return place.string(); });
    d.message.append("; put ").append(helper_name).append(" at one of these places, or set the option `helper`");
    return failure(errc::helper_failed, d);
}

std::vector<std::string> remove_leftovers() { return sandbox::remove_dead_run_directories(); }

bool remove_leftovers_of(std::string const& directory) { return sandbox::remove_dead_run_directory(directory); }

} // namespace kftrain::local
