#include "facade/explain/exit_status.hpp"

#include "facade/explain/findings.hpp"

#include <array>

namespace kftrain::explaining {
namespace {

/// By number, of Linux on the architectures that clusters run on; 0 is none.
constexpr std::array<std::string_view, 32> signals{
    "",          "SIGHUP",  "SIGINT",    "SIGQUIT", "SIGILL",   "SIGTRAP", "SIGABRT", "SIGBUS",
    "SIGFPE",    "SIGKILL", "SIGUSR1",   "SIGSEGV", "SIGUSR2",  "SIGPIPE", "SIGALRM", "SIGTERM",
    "SIGSTKFLT", "SIGCHLD", "SIGCONT",   "SIGSTOP", "SIGTSTP",  "SIGTTIN", "SIGTTOU", "SIGURG",
    "SIGXCPU",   "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH", "SIGIO",   "SIGPWR",  "SIGSYS"};

} // namespace

std::string_view signal_name(std::int32_t number) noexcept {
    if (number < 1 || number >= static_cast<std::int32_t>(signals.size())) return {};
    return signals[static_cast<std::size_t>(number)];
}

std::int32_t signal_of(core::container_state_terminated const& end) noexcept {
    if (end.signal > 0) return end.signal;
    auto const by_code = end.exit_code - 128;
    return end.reason != "StartError" && !signal_name(by_code).empty() ? by_code : 0;
}

std::string exit_text(core::container_state_terminated const& end) {
    auto text = "exit code " + std::to_string(end.exit_code);
    if (auto const name = signal_name(signal_of(end)); !name.empty()) text.append(" (").append(name).append(")");
    return text;
}

std::string exit_advice(core::container_state_terminated const& end) {
    switch (signal_of(end)) {
    case 9:
        return "Find out what killed it: the node may have run out of memory, a liveness probe may have failed, or the "
               "pod may not have ended within its grace period.";
    case 15:
        return "The program was asked to end. Look for a deletion of the pod, a drain of its node, or a launcher that "
               "stopped it.";
    case 11:
    case 7:
        return "The program crashed in native code. Check its last lines, and the versions of drivers and libraries.";
    case 6:
        return "The program aborted itself. Check its last lines, for example for a failed assertion or a "
               "communication timeout.";
    case 4:
        return "The program uses instructions that the node's processor does not support. Use another build or other "
               "nodes.";
    case 2: return "The program was interrupted. Find out what sent the signal.";
    default: break;
    }
    return "Check the last lines of its log. The program defines the meaning of the code.";
}

bool names_missing_program(std::string_view message) {
    if (contains_any(message, {"executable file not found", "exec format error", "command not found"})) return true;
    bool const about_program =
        contains_any(message, {"exec:", "exec ", "starting container process", "start container process", "execve",
                               "stat /", "fork/exec", "entrypoint"});
    return about_program && contains_any(message, {"no such file or directory", "permission denied", "is a directory"});
}

} // namespace kftrain::explaining
