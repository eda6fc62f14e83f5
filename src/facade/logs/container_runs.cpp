#include "facade/logs/container_runs.hpp"

namespace kftrain {

core::container_status const* status_of(pod const& p, std::string_view container) noexcept {
    for (auto const* list : {&p.status.container_statuses, &p.status.init_container_statuses})
        for (auto const& c : *list)
            if (c.name == container) return &c;
    return nullptr;
}

std::int32_t runs_begun(pod const& p, std::string_view container) noexcept {
    auto const* c = status_of(p, container);
    if (c == nullptr) return 0;
    // If a container waits for another reason than the back-off, its restart count may already include the next run.
    bool const counted =
        c->state.running || c->state.terminated ||
        (c->state.waiting && c->state.waiting->reason == "CrashLoopBackOff" && c->last_state.terminated);
    return c->restart_count + (counted ? 1 : 0);
}

bool may_hide_a_run(pod const& p, std::string_view container, std::int32_t read) noexcept {
    auto const* c = status_of(p, container);
    return c != nullptr && c->state.waiting && c->last_state.terminated &&
           runs_begun(p, container) == c->restart_count && read <= c->restart_count;
}

bool is_running(pod const& p, std::string_view container) noexcept {
    auto const* c = status_of(p, container);
    return c != nullptr && c->state.running;
}

bool shows_previous(pod const& p, std::string_view container) noexcept {
    auto const* c = status_of(p, container);
    return c != nullptr && (c->state.running || c->state.terminated);
}

} // namespace kftrain
