#ifndef KFTRAIN_SRC_FACADE_EXPLAIN_EXIT_STATUS_HPP
#define KFTRAIN_SRC_FACADE_EXPLAIN_EXIT_STATUS_HPP

#include <kftrain/objects/core/container_status.hpp>

#include <string>
#include <string_view>

namespace kftrain::explaining {

/// The name of a signal of Linux, e.g. `SIGKILL`; empty for what is none.
std::string_view signal_name(std::int32_t number) noexcept;
/// The signal that ended a container, by its status or exit code; 0: none.
std::int32_t signal_of(core::container_state_terminated const& end) noexcept;
/// `exit code 3`, or `exit code 137 (SIGKILL)`
std::string exit_text(core::container_state_terminated const& end);
/// A sentence with the usual cause of this exit code or signal, and advice.
std::string exit_advice(core::container_state_terminated const& end);
/// Whether a message of a container runtime means that the program was not found or cannot be executed.
bool names_missing_program(std::string_view message);

} // namespace kftrain::explaining

#endif
