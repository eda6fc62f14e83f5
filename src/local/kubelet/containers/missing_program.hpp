#ifndef KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_MISSING_PROGRAM_HPP
#define KFTRAIN_SRC_LOCAL_KUBELET_CONTAINERS_MISSING_PROGRAM_HPP

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::local {

/// Whether a program can be run by its name or path.
using program_exists = std::function<bool(std::string const& program)>;

/** Returns the first program that a container needs and that does not exist; empty: there is none. Looks at the
    command, and, if this is a shell with a script, at the programs of the script whose package is known: others may be
    functions, or programs that the script itself installs. */
std::string missing_program(std::vector<std::string> const& argv, program_exists const& exists);

/// Whether this machine has the program in a directory of PATH among `environment`, or at its path.
bool is_on_this_machine(std::string const& program, std::vector<std::string> const& environment);

/// Returns `: install the Debian package bind9-dnsutils`, or the package of Python; empty if the package is not known.
std::string package_advice(std::string_view program);

/** Returns a sentence that names the container, the program and, if it is known, the package of Debian or Python. */
std::string missing_program_message(std::string_view container, std::string_view program);

} // namespace kftrain::local

#endif
