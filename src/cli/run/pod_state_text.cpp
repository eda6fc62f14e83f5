#include "cli/run/pod_state_text.hpp"

#include "cli/commands.hpp"
#include "local/kubelet/images/image_source.hpp"

namespace kftrain::cli {
namespace {

/// Why a container failed: its exit code, or why it did not start.
std::string reason_of(core::container_state_terminated const& ended) {
    if (ended.reason == "StartError") return "StartError: " + on_one_line(ended.message);
    return "exit " + std::to_string(ended.exit_code) + (ended.reason == "OOMKilled" ? ", OOMKilled" : "");
}

} // namespace

std::string describe(pod const& p) {
    std::string text = p.status.phase.empty() ? "Pending" : p.status.phase;
    auto const& list = p.status.phase == "Pending" && !p.status.init_container_statuses.empty()
                           ? p.status.init_container_statuses
                           : p.status.container_statuses;
    std::int32_t restarts = 0;
    std::string why = p.status.reason;
    for (auto const& c : list) {
        restarts += c.restart_count;
        if (c.state.terminated && c.state.terminated->exit_code != 0)
            why = reason_of(*c.state.terminated);
        else if (c.state.waiting && why.empty() && p.status.phase != "Running")
            why = c.state.waiting->reason;
        else if (c.state.running && p.status.phase == "Pending")
            why = c.name;
    }
    if (!why.empty()) text += " (" + why + ")";
    if (restarts != 0) text += ", " + std::to_string(restarts) + (restarts == 1 ? " restart" : " restarts");
    return text;
}

std::string image_fault(pod const& p) {
    for (auto const* list : {&p.status.init_container_statuses, &p.status.container_statuses})
        for (auto const& c : *list) {
            if (!c.state.waiting || c.state.waiting->reason != "ErrImagePull") continue;
            auto const& why = c.state.waiting->message;
            if (!why.ends_with(local::may_pass_text)) return "image " + c.image + " cannot be used: " + why;
        }
    return {};
}

} // namespace kftrain::cli
