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
        return "Find out who killed it: the memory of the node may have run out, a liveness probe failed, or the pod "
               "did not end in its "
               "grace period.";
    case 15: return "It was asked to end: look for a deletion, a drain of its node, or a launcher that stopped it.";
    case 11:
    case 7:
        return "The program crashed in native code: look at its last lines, and at versions of drivers and libraries.";
    case 6:
        return "The program aborted itself: its last lines say why, as of a failed check or a timeout of "
               "communication.";
    case 4:
        return "The program uses instructions that the node's processor does not have: use another build or other "
               "nodes.";
    case 2: return "It was interrupted: look for who sent the signal.";
    default: break;
    }
    return "Look at the last lines of its log; what the code means is the program's own matter.";
}

bool names_missing_program(std::string_view message) {
    if (says_any(message, {"executable file not found", "exec format error", "command not found"})) return true;
    bool const about_program =
        says_any(message, {"exec:", "exec ", "starting container process", "start container process", "execve",
                           "stat /", "fork/exec", "entrypoint"});
    return about_program && says_any(message, {"no such file or directory", "permission denied", "is a directory"});
}

} // namespace kftrain::explaining
