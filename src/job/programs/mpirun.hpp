#ifndef KFTRAIN_SRC_JOB_PROGRAMS_MPIRUN_HPP
#define KFTRAIN_SRC_JOB_PROGRAMS_MPIRUN_HPP

#include "job/programs/started_programs.hpp"

#include <cstdint>

namespace kftrain {

/// Returns whether the program is the launcher of an MPI implementation.
bool is_mpirun(started_program const&) noexcept;
/** Returns the number of processes that mpirun starts (`-np N`). Absent without the option and with options that
    determine hosts or slots otherwise. */
std::optional<std::int64_t> mpirun_processes(started_program const&);

} // namespace kftrain

#endif
