#include <kftrain/facade/job_condition.hpp>

#include <algorithm>

namespace kftrain {

job_condition::job_condition(std::string what, predicate holds, bool of_pods)
    : what_(std::move(what)), holds_(std::move(holds)), of_pods_(of_pods) {}

job_condition& job_condition::with_outlook(outlook o) {
    outlook_ = std::move(o);
    return *this;
}

std::optional<bool> job_condition::settled(job_state const& finished) const {
    return outlook_ ? outlook_(finished) : std::optional<bool>();
}

job_condition operator&&(job_condition a, job_condition b) {
    auto what = a.what() + " and " + b.what();
    bool const of_pods = a.of_pods() || b.of_pods();
    auto outlook = [a, b](job_state const& end) -> std::optional<bool> {
        auto const x = a.settled(end);
        auto const y = b.settled(end);
        if (x == false || y == false) return false;
        return x == true && y == true ? std::optional(true) : std::nullopt;
    };
    job_condition both(
        std::move(what), [a = std::move(a), b = std::move(b)](job_state const* state) { return a(state) && b(state); },
        of_pods);
    return both.with_outlook(std::move(outlook));
}

job_condition operator||(job_condition a, job_condition b) {
    auto what = a.what() + " or " + b.what();
    bool const of_pods = a.of_pods() || b.of_pods();
    auto outlook = [a, b](job_state const& end) -> std::optional<bool> {
        auto const x = a.settled(end);
        auto const y = b.settled(end);
        if (x == true || y == true) return true;
        return x == false && y == false ? std::optional(false) : std::nullopt;
    };
    job_condition either(
        std::move(what), [a = std::move(a), b = std::move(b)](job_state const* state) { return a(state) || b(state); },
        of_pods);
    return either.with_outlook(std::move(outlook));
}

job_condition operator!(job_condition a) {
    auto what = "not " + a.what();
    bool const of_pods = a.of_pods();
    auto outlook = [a](job_state const& end) -> std::optional<bool> {
        auto const x = a.settled(end);
        return x ? std::optional(!*x) : std::nullopt;
    };
    job_condition opposite(std::move(what), [a = std::move(a)](job_state const* state) { return !a(state); }, of_pods);
    return opposite.with_outlook(std::move(outlook));
}

namespace until {
namespace {

/// Of the phase, which a finished job keeps.
job_condition of_phase(std::string what, bool (*holds)(job_phase)) {
    job_condition c(std::move(what), [holds](job_state const* s) { return s != nullptr && holds(s->phase); }, false);
    return c.with_outlook([holds](job_state const& end) { return std::optional(holds(end.phase)); });
}

/// What the end of a job may take away, but does not bring any more.
job_condition not_after_the_end(std::string what, std::function<bool(job_state const&)> holds) {
    job_condition c(std::move(what), [holds](job_state const* s) { return s != nullptr && holds(*s); });
    return c.with_outlook([holds = std::move(holds)](job_state const& end) {
        return holds(end) ? std::optional<bool>() : std::optional(false);
    });
}

} // namespace

job_condition finished() {
    return of_phase("finished", [](job_phase p) { return is_finished(p); });
}

job_condition succeeded() {
    return of_phase("succeeded", [](job_phase p) { return p == job_phase::succeeded; });
}

job_condition failed() {
    return of_phase("failed", [](job_phase p) { return p == job_phase::failed; });
}

job_condition running() {
    return of_phase("running", [](job_phase p) { return p == job_phase::running || is_finished(p); });
}

job_condition all_ranks_ready() { return not_after_the_end("all ranks ready", &job_state::all_ready); }

job_condition ranks_ready(std::string role, std::int32_t members) {
    auto what = std::to_string(members) + " of " + role + " ready";
    return not_after_the_end(std::move(what), [role = std::move(role), members](job_state const& s) {
        auto const found = std::ranges::find(s.roles, role, &role_state::role);
        return found != s.roles.end() && found->ready >= members;
    });
}

job_condition suspended() {
    return not_after_the_end("suspended", [](job_state const& s) {
        return s.suspended &&
               std::ranges::all_of(s.ranks, [](rank_state const& r) { return r.phase == rank_phase::absent; });
    });
}

job_condition deleted() {
    return {"deleted", [](job_state const* s) { return s == nullptr; }, false};
}

job_condition holds(std::string what, std::function<bool(job_state const&)> predicate) {
    return {std::move(what),
            [holds_for = std::move(predicate)](job_state const* s) { return s != nullptr && holds_for(*s); }};
}

} // namespace until
} // namespace kftrain
