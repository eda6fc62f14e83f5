#include "control/plan_executor.hpp"

#include "control/plan_step.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <vector>

namespace kftrain::control {
namespace {

namespace asio = boost::asio;

/** Whether `b`, which follows `a`, may begin before `a` has ended: nobody depends on which of two pods of a job exists
    first, while services come after the pods of their type, and status after all. */
bool may_overlap(action const& a, action const& b) {
    if (auto const* first = std::get_if<create_child>(&a)) {
        auto const* second = std::get_if<create_child>(&b);
        return second != nullptr && !first->otherwise && !second->otherwise &&
               &first->object.type() == &second->object.type();
    }
    return std::holds_alternative<delete_child>(a) && std::holds_alternative<delete_child>(b);
}

/// One past the actions that may be under way together with the first of them; events are no obstacle.
std::size_t end_of_run(std::vector<action> const& actions, std::size_t first) {
    std::size_t last = first;
    for (std::size_t i = first + 1; i < actions.size(); ++i) {
        if (std::holds_alternative<raise_event>(actions[i])) continue;
        if (!may_overlap(actions[first], actions[i])) break;
        last = i;
    }
    return last + 1;
}

/// Actions of a plan that are under way together. Its handlers keep it, so it must not keep what they wait for.
struct run {
    run(std::shared_ptr<write_budget> b, std::size_t f, std::size_t end)
        : budget(std::move(b)), first(f), last(end), next(f), told(f), outcomes(end - f) {}

    bool going() const { return under_way != 0 || (next != last && !failed); }
    bool may_begin() const { return next != last && !failed && under_way < window && budget->allows(under_way); }
    std::optional<step_outcome>& outcome(std::size_t at) { return outcomes[at - first]; }

    void take() {
        ++under_way;
        budget->take();
    }
    void give_back() {
        --under_way;
        budget->give_back();
    }
    void give_up(std::exception_ptr e) {
        failed = true;
        if (!thrown) thrown = std::move(e);
    }
    void ended(std::size_t at, std::exception_ptr e, step_outcome o) {
        give_back();
        ++window;
        failed = failed || o.problem.code;
        if (e)
            give_up(std::move(e));
        else
            outcome(at) = std::move(o);
        changed = true;
        if (auto const t = wake.lock()) t->cancel();
    }

    std::shared_ptr<write_budget> budget;
    std::size_t const first;
    std::size_t const last; ///< one past it
    std::size_t next;       ///< to begin
    std::size_t told;       ///< whose event is to be recorded next
    std::vector<std::optional<step_outcome>> outcomes;
    std::size_t under_way = 0;
    std::size_t window = 1; ///< grows with each success: what is refused for all is asked once
    bool failed = false;
    bool changed = false;
    std::exception_ptr thrown;
    std::weak_ptr<asio::steady_timer> wake; ///< the coroutine has it
};

/// One plan. What is under way for it keeps it, so that nothing of it goes early even when memory runs out.
class executor : public std::enable_shared_from_this<executor> {
public:
    executor(kube::client client, event_recorder recorder, any_job job, plan todo,
             std::shared_ptr<pending_writes> written, std::shared_ptr<write_budget> budget)
        : executor_(client.get_executor()),
          recorder_(std::move(recorder)),
          about_(reference_to(job)),
          todo_(std::move(todo)),
          steps_(std::move(client), std::move(job), std::move(written)),
          budget_(std::move(budget)),
          counted_(budget_) {}

    asio::awaitable<plan_outcome> carry_out() {
        plan_outcome outcome;
        for (std::size_t i = 0; i < todo_.actions.size();) {
            std::size_t const end = end_of_run(todo_.actions, i);
            if (end == i + 1)
                outcome = co_await alone(i);
            else
                outcome = co_await side_by_side(i, end);
            if (outcome.problem.code) break;
            i = end;
        }
        co_return outcome;
    }

private:
    asio::awaitable<plan_outcome> alone(std::size_t at) {
        step_outcome step = co_await steps_.perform(todo_.actions[at]);
        tell(step);
        plan_outcome outcome;
        outcome.problem = std::move(step.problem);
        outcome.outdated = step.outdated;
        co_return outcome;
    }

    asio::awaitable<plan_outcome> side_by_side(std::size_t first, std::size_t end) {
        auto const r = std::make_shared<run>(budget_, first, end);
        auto const wake = std::make_shared<asio::steady_timer>(executor_);
        r->wake = wake;
        while (r->going()) {
            r->changed = false;
            advance(r);
            if (r->changed || !r->going()) continue;
            error_code woken; // the timer never expires
            wake->expires_at(asio::steady_timer::time_point::max());
            co_await wake->async_wait(asio::redirect_error(asio::use_awaitable, woken));
        }
        tell_in_order(*r);
        if (r->thrown) std::rethrow_exception(r->thrown);
        co_return first_problem(*r);
    }

    void advance(std::shared_ptr<run> const& r) {
        try {
            while (r->may_begin()) begin(r);
            tell_in_order(*r);
        } catch (...) {
            r->give_up(std::current_exception());
        }
    }

    void begin(std::shared_ptr<run> const& r) {
        std::size_t const at = r->next++;
        if (auto const* event = std::get_if<raise_event>(&todo_.actions[at])) {
            r->outcome(at).emplace().told = *event;
            return;
        }
        r->take();
        try {
            asio::co_spawn(executor_, steps_.perform(todo_.actions[at]),
                           [self = shared_from_this(), r, at](std::exception_ptr e, step_outcome o) {
                               r->ended(at, e, std::move(o));
                           });
        } catch (...) {
            r->give_back();
            throw;
        }
    }

    /// Events are recorded in the order of the plan, whatever ended first.
    void tell_in_order(run& r) {
        for (; r.told != r.next && r.outcome(r.told); ++r.told) tell(*r.outcome(r.told));
    }
    void tell(step_outcome const& step) {
        if (auto const& e = step.told) recorder_.record(about_, e->type, e->reason, e->message);
    }

    static plan_outcome first_problem(run& r) {
        plan_outcome outcome;
        for (auto& o : r.outcomes)
            if (o && o->problem.code) {
                outcome.problem = std::move(o->problem);
                outcome.outdated = o->outdated;
                break;
            }
        return outcome;
    }

    asio::any_io_executor executor_;
    event_recorder recorder_;
    object_reference about_;
    plan todo_;
    plan_steps steps_;
    std::shared_ptr<write_budget> budget_;
    write_budget::plan counted_;
};

} // namespace

object_reference reference_to(any_job const& job) {
    auto const& meta = job.metadata();
    object_reference about;
    about.api_version = job.resource().api_version();
    about.kind = job.resource().kind;
    about.namespace_ = meta.namespace_;
    about.name = meta.name;
    about.uid = meta.uid;
    about.resource_version = meta.resource_version;
    return about;
}

std::string type_key(resource_info const& type) { return std::string(type.plural).append(".").append(type.group); }

bool write_budget::allows(std::size_t own) const noexcept {
    if (own == 0) return true;
    std::size_t const share = std::max<std::size_t>(limit_ / std::max<std::size_t>(plans_, 1), 1);
    return own < share && under_way_ < limit_;
}

asio::awaitable<plan_outcome> carry_out(kube::client client, event_recorder recorder, any_job job, plan todo,
                                        std::shared_ptr<pending_writes> written, std::shared_ptr<write_budget> budget) {
    auto const e = std::make_shared<executor>(std::move(client), std::move(recorder), std::move(job), std::move(todo),
                                              std::move(written), std::move(budget));
    plan_outcome outcome = co_await e->carry_out();
    co_return outcome;
}

} // namespace kftrain::control
