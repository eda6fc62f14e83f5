#ifndef KFTRAIN_SRC_JOB_CONTRACT_STARTED_PROGRAMS_HPP
#define KFTRAIN_SRC_JOB_CONTRACT_STARTED_PROGRAMS_HPP

#include <kftrain/objects/core.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/// A program that a container starts, as far as its command shows.
struct started_program {
    started_program() = default;

    std::string name;               ///< without folders, e.g. `torchrun`
    std::vector<std::string> words; ///< its arguments; a shell has removed the quotes, but no variable is replaced
    bool in_background = false;     ///< a script goes on without waiting for it
};

/** Returns the programs that the command and the arguments of a container start, in order. Scripts for a shell (`sh -c
    SCRIPT`) are split into their commands; scripts in files are not read. Empty if the container has no command: the
    image determines the program then. */
std::vector<started_program> started_programs(core::container const&);

/// Returns whether a word of command or arguments contains the text.
bool mentions(core::container const&, std::string_view text) noexcept;
/// Returns whether the path names a shell.
bool is_shell(std::string_view path) noexcept;

/// Returns whether the program is torchrun, also as `python -m torch.distributed.run`.
bool is_torchrun(started_program const&) noexcept;
/** Returns the script that Python runs in its own process, or `-m MODULE`. Absent for other programs and for modules
    that start further processes. */
std::optional<std::string> python_script(started_program const&);
/** Returns the value of an option of torchrun, e.g. `nnodes` of `--nnodes=2` and `--nnodes 2`; `_` and `-` are the
    same. Words behind the script belong to the script. */
std::optional<std::string> torchrun_option(started_program const&, std::string_view name);

/// Returns the script or module that torchrun starts; absent if it has none, and for other programs (`--no-python`).
std::optional<std::string> torchrun_script(started_program const&);

/// Returns whether the program is the launcher of an MPI implementation.
bool is_mpirun(started_program const&) noexcept;
/** Returns the number of processes that mpirun starts (`-np N`). Absent without the option and with options that
    determine hosts or slots otherwise. */
std::optional<std::int64_t> mpirun_processes(started_program const&);

} // namespace kftrain

#endif
