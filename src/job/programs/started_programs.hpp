#ifndef KFTRAIN_SRC_JOB_PROGRAMS_STARTED_PROGRAMS_HPP
#define KFTRAIN_SRC_JOB_PROGRAMS_STARTED_PROGRAMS_HPP

#include <kftrain/objects/core.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/// A program that a container starts, as far as its command shows.
struct started_program {
    started_program() = default;

    std::string name;                   ///< without folders, e.g. `torchrun`
    std::string path;                   ///< as written, e.g. `/opt/venv/bin/torchrun`
    std::vector<std::string> arguments; ///< its arguments; a shell has removed the quotes, but no variable is replaced
    bool in_background = false;         ///< a script goes on without waiting for it
};

/** Returns the programs that the command and the arguments of a container start, in order. Scripts for a shell (`sh -c
    SCRIPT`) are split into their commands; scripts in files are not read. Empty if the container has no command: the
    image determines the program then. */
std::vector<started_program> started_programs(core::container const&);
/// The same for a command and its arguments in one list.
std::vector<started_program> started_programs(std::vector<std::string> const& argv);

/// The program of `sh -c PROGRAM ARGUMENT...`, which the shell runs without the arguments.
struct lonely_program {
    lonely_program() = default;

    std::string name;                   ///< what the shell runs
    std::vector<std::string> arguments; ///< what becomes `$0`, `$1` and so on
};

/// Returns the program that a shell starts without its arguments, because these are not part of the script.
std::optional<lonely_program> lonely_program_of(core::container const&);

/// Returns whether the command or an argument contains the text.
bool mentions(core::container const&, std::string_view text) noexcept;
/// Returns whether the path names a shell.
bool is_shell(std::string_view path) noexcept;

/// Returns whether the program is torchrun, also as `python -m torch.distributed.run`.
bool is_torchrun(started_program const&) noexcept;
/** Returns the script that Python runs in its own process, or `-m MODULE`. Absent for other programs and for modules
    that start further processes. */
std::optional<std::string> python_script(started_program const&);
/** Returns the value of an option of torchrun, e.g. `nnodes` of `--nnodes=2` and `--nnodes 2`; `_` and `-` are the
    same. Arguments after the script belong to the script. */
std::optional<std::string> torchrun_option(started_program const&, std::string_view name);

/// Numbers of nodes.
struct node_range {
    node_range() = default;

    std::int64_t min = 0;
    std::int64_t max = 0;
};

/// Returns the nodes of `--nnodes N` or `--nnodes MIN:MAX`. Absent without the option and for other values.
std::optional<node_range> torchrun_nodes(started_program const&);
/** Returns the torchrun of a container if the container starts it once and unconditionally; otherwise absent. Loops,
    conditions and programs in the background can give each process other nodes. */
std::optional<started_program> plain_torchrun(core::container const&);

/// Returns the script or module that torchrun starts; absent if it has none, and for other programs (`--no-python`).
std::optional<std::string> torchrun_script(started_program const&);

} // namespace kftrain

#endif
