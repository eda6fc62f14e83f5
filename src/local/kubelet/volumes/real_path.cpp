#include "local/kubelet/volumes/real_path.hpp"

#include "base/paths.hpp"

#include <fcntl.h>

namespace kftrain::local {

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
