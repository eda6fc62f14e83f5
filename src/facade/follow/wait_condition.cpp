#include <kftrain/facade/wait_condition.hpp>

#include <algorithm>

namespace kftrain {
namespace {

std::vector<std::string> roles_of_both(wait_condition const& a, wait_condition const& b) {
    std::vector<std::string> all = a.roles();
    all.insert(all.end(), b.roles().begin(), b.roles().end());
    return all;
}

/// A condition on the phase, which a finished job keeps.
wait_condition of_phase(std::string what, bool (*holds)(job_phase)) {
    wait_condition c(std::move(what), [holds](job_state const* s) { return s != nullptr && holds(s->phase); }, false);
    return c.with_final_verdict([holds](job_state const& end) { return std::optional(holds(end.phase)); });
}

/// A condition that can no longer become true once the job has ended.
wait_condition not_after_the_end(std::string what, std::function<bool(job_state const&)> holds) {
    wait_condition c(std::move(what), [holds](job_state const* s) { return s != nullptr && holds(*s); });
    return c.with_final_verdict([holds = std::move(holds)](job_state const& end) {
        return holds(end) ? std::optional<bool>() : std::optional(false);
    });
}

} // namespace

wait_condition::wait_condition(std::string what, predicate holds, bool of_pods)
    : what_(std::move(what)), holds_(std::move(holds)), of_pods_(of_pods) {}

wait_condition& wait_condition::with_final_verdict(final_verdict o) {
    final_verdict_ = std::move(o);
    return *this;
}

wait_condition& wait_condition::with_role(std::string name) {
    roles_.push_back(std::move(name));
    return *this;
}

std::optional<bool> wait_condition::settled(job_state const& finished) const {
    return final_verdict_ ? final_verdict_(finished) : std::optional<bool>();
}

wait_condition operator&&(wait_condition a, wait_condition b) {
    auto roles = roles_of_both(a, b);
    auto what = a.what() + " and " + b.what();
    bool const of_pods = a.of_pods() || b.of_pods();
    auto final_verdict = [a, b](job_state const& end) -> std::optional<bool> {
        auto const x = a.settled(end);
        auto const y = b.settled(end);
        if (x == false || y == false) return false;
        return x == true && y == true ? std::optional(true) : std::nullopt;
    };
    wait_condition both(
        std::move(what), [a = std::move(a), b = std::move(b)](job_state const* state) { return a(state) && b(state); },
        of_pods);
    both.roles_ = std::move(roles);
    return both.with_final_verdict(std::move(final_verdict));
}

wait_condition operator||(wait_condition a, wait_condition b) {
    auto roles = roles_of_both(a, b);
    auto what = a.what() + " or " + b.what();
    bool const of_pods = a.of_pods() || b.of_pods();
    auto final_verdict = [a, b](job_state const& end) -> std::optional<bool> {
        auto const x = a.settled(end);
        auto const y = b.settled(end);
        if (x == true || y == true) return true;
        return x == false && y == false ? std::optional(false) : std::nullopt;
    };
    wait_condition either(
        std::move(what), [a = std::move(a), b = std::move(b)](job_state const* state) { return a(state) || b(state); },
        of_pods);
    either.roles_ = std::move(roles);
    return either.with_final_verdict(std::move(final_verdict));
}

wait_condition operator!(wait_condition a) {
    auto what = "not " + a.what();
    bool const of_pods = a.of_pods();
    auto roles = a.roles();
    auto final_verdict = [a](job_state const& end) -> std::optional<bool> {
        auto const x = a.settled(end);
        return x ? std::optional(!*x) : std::nullopt;
    };
    wait_condition opposite(std::move(what), [a = std::move(a)](job_state const* state) { return !a(state); }, of_pods);
    opposite.roles_ = std::move(roles);
    return opposite.with_final_verdict(std::move(final_verdict));
}

namespace until {

wait_condition finished() {
    return of_phase("finished", [](job_phase p) { return is_finished(p); });
}

wait_condition succeeded() {
    return of_phase("succeeded", [](job_phase p) { return p == job_phase::succeeded; });
}

wait_condition failed() {
    return of_phase("failed", [](job_phase p) { return p == job_phase::failed; });
}

wait_condition running() {
    return of_phase("running", [](job_phase p) { return p == job_phase::running || is_finished(p); });
}

wait_condition all_ranks_ready() { return not_after_the_end("all ranks ready", &job_state::all_ready); }

wait_condition ranks_ready(std::string role, std::int32_t members) {
    auto what = std::to_string(members) + " of " + role + " ready";
    auto ready = not_after_the_end(std::move(what), [role, members](job_state const& s) {
        auto const found = std::ranges::find(s.roles, role, &role_state::role);
        return found != s.roles.end() && found->ready >= members;
    });
    return ready.with_role(std::move(role));
}

wait_condition suspended() {
    return not_after_the_end("suspended", [](job_state const& s) {
        return s.suspended &&
               std::ranges::all_of(s.ranks, [](rank_state const& r) { return r.phase == rank_phase::absent; });
    });
}

wait_condition deleted() {
    return {"deleted", [](job_state const* s) { return s == nullptr; }, false};
}

wait_condition holds(std::string what, std::function<bool(job_state const&)> predicate) {
    return {std::move(what),
            [holds_for = std::move(predicate)](job_state const* s) { return s != nullptr && holds_for(*s); }};
}

} // namespace until
} // namespace kftrain
