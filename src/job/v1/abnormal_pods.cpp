#include "job/v1/abnormal_pods.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1 {

void report_abnormal(pod const& p, rules::plan_writer& todo) {
    auto const warn = [&](std::string reason, std::string message) {
        todo.emit("Warning", std::move(reason), std::move(message));
    };
    if (p.metadata.deletion_timestamp || p.status.phase == "Succeeded" || p.status.phase == "Failed") return;
    auto const& list =
        p.status.container_statuses.empty() ? p.status.init_container_statuses : p.status.container_statuses;
    std::string const who = "Error pod " + p.metadata.name;
    for (auto const& c : list) {
        if (auto const& t = c.state.terminated; t && t->exit_code != 0)
            warn(t->reason, who + " container " + c.name + " exitCode: " + std::to_string(t->exit_code) +
                                " terminated message: " + t->message);
        if (auto const& w = c.state.waiting; w && !w->message.empty())
            warn(w->reason, who + " container " + c.name + " waiting message: " + w->message);
    }
    if (!list.empty() || p.status.conditions.empty()) return;
    auto const newest =
        std::max_element(p.status.conditions.begin(), p.status.conditions.end(),
                         [](auto const& a, auto const& b) { return a.last_transition_time < b.last_transition_time; });
    if (newest->status != "True") warn(newest->reason, who + " condition message: " + newest->message);
}

} // namespace kftrain::kubeflow_v1
