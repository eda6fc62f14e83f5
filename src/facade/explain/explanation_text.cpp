#include <kftrain/facade/explanation.hpp>

namespace kftrain {

std::string_view to_string(cause_kind kind) noexcept {
    switch (kind) {
    case cause_kind::invalid: return "invalid";
    case cause_kind::no_operator: return "no-operator";
    case cause_kind::out_of_memory: return "out-of-memory";
    case cause_kind::command_not_found: return "command-not-found";
    case cause_kind::exited: return "exited";
    case cause_kind::evicted: return "evicted";
    case cause_kind::deleted: return "deleted";
    case cause_kind::image_not_found: return "image-not-found";
    case cause_kind::config_missing: return "config-missing";
    case cause_kind::quota: return "quota";
    case cause_kind::refused: return "refused";
    case cause_kind::name_too_long: return "name-too-long";
    case cause_kind::unschedulable: return "unschedulable";
    case cause_kind::gang: return "gang";
    case cause_kind::sidecar: return "sidecar";
    case cause_kind::crash_loop: return "crash-loop";
    case cause_kind::backoff_limit: return "backoff-limit";
    case cause_kind::deadline: return "deadline";
    case cause_kind::starting: return "starting";
    case cause_kind::rendezvous: return "rendezvous";
    case cause_kind::suspended: return "suspended";
    case cause_kind::stalled: return "stalled";
    case cause_kind::still_running: return "still-running";
    case cause_kind::healthy: break;
    }
    return "healthy";
}

std::string explanation::to_string() const {
    auto text = state.job.to_string() + ": " + state.to_string() + "\n";
    for (auto const& c : causes) {
        text.append(kftrain::to_string(c.kind)).append(": ").append(c.summary).append("\n");
        for (auto const& line : c.evidence) text += "  - " + line + "\n";
        for (auto const& line : c.log) text += "  | " + line + "\n";
        if (!c.advice.empty()) text += "  > " + c.advice + "\n";
    }
    for (auto const& line : missing) text += "not checked: " + line + "\n";
    return text;
}

} // namespace kftrain
