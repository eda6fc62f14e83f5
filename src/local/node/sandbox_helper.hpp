#ifndef KFTRAIN_SRC_LOCAL_NODE_SANDBOX_HELPER_HPP
#define KFTRAIN_SRC_LOCAL_NODE_SANDBOX_HELPER_HPP

#include <kftrain/base/diagnostics.hpp>

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace kftrain::local {

/** The helper executable `kftrain-sandbox`. It is looked for, in this order,
    - beside the running program, and in `../libexec/kftrain` from there;
    - beside the shared library or module that contains this code, where the helper is installed relative to the
      libraries, and where `pip` installs it relative to the module of the Python package;
    - where the package config, through which CMake found static libraries, says that the package has it;
    - where the build was configured to be installed.
    Environment variables do not count.
    @par Errors `errc::helper_failed`, naming the places. */
result<std::filesystem::path> find_sandbox_helper();

/// The program `kftrain`: this one, next to the helper, in the `bin` of its installation, or in PATH; else empty.
std::filesystem::path find_kftrain_command();

/** Starts the helper with descriptor 3 as `socket`, in a session of its own, without input and output. Returns an errno
    value; `pid` is a child. */
int spawn_sandbox_helper(pid_t& pid, std::vector<std::string> arguments, int socket);

bool is_executable_file(std::filesystem::path const& file);

} // namespace kftrain::local

#endif
