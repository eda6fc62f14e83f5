#include "control/plans/plan_executor.hpp"

#include "control/plans/plan_actions.hpp"

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

/// Actions of a step that are under way together. Its handlers keep it, so it must not keep what they wait for.
struct run {
    run(std::shared_ptr<write_budget> b, std::vector<rules::action> const& a)
        : budget(std::move(b)), actions(a), outcomes(a.size()) {}

    bool awaitable_outcome() const { return under_way != 0 || (next != actions.size() && !failed); }
    bool may_begin() const {
        return next != actions.size() && !failed && under_way < window && budget->allows(under_way);
    }

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
    void ended(std::size_t at, std::exception_ptr e, action_outcome o) {
        give_back();
        ++window;
        failed = failed || o.problem.code;
        if (e)
            give_up(std::move(e));
        else
            outcomes[at] = std::move(o);
        changed = true;
        if (auto const t = wake.lock()) t->cancel();
    }

    std::shared_ptr<write_budget> budget;
    std::vector<rules::action> const& actions; ///< of the plan, which the executor has
    std::size_t next = 0;                      ///< to begin
    std::size_t recorded = 0;                  ///< whose event is to be recorded next
    std::vector<std::optional<action_outcome>> outcomes;
    std::size_t under_way = 0;
    std::size_t window = 1; ///< grows with each success: what is rejected for all is requested once
    bool failed = false;
    bool changed = false;
    std::exception_ptr thrown;
    std::weak_ptr<asio::steady_timer> wake; ///< the coroutine has it
};

/// One plan. What is under way for it keeps it, so that nothing of it goes early even when memory runs out.
class executor : public std::enable_shared_from_this<executor> {
public:
    executor(kube::client client, event_recorder recorder, plan_subject subject, rules::plan todo,
             std::shared_ptr<pending_writes> written, std::shared_ptr<write_budget> budget)
        : executor_(client.get_executor()),
          recorder_(std::move(recorder)),
          about_(reference_to(subject.primary)),
          primary_(subject.primary),
          todo_(std::move(todo)),
          actions_(std::move(client), std::move(subject), std::move(written)),
          budget_(std::move(budget)),
          counted_(budget_) {}

    asio::awaitable<plan_outcome> carry_out() {
        plan_outcome outcome;
        for (auto const& step : todo_.steps) {
            if (step.side_by_side && step.actions.size() > 1)
                outcome = co_await side_by_side(step);
            else
                outcome = co_await one_by_one(step);
            if (!outcome.problem.code) continue;
            if (step.refused && !outcome.outdated) co_await write_instead(*step.refused, outcome);
            break;
        }
        co_return outcome;
    }

private:
    asio::awaitable<plan_outcome> one_by_one(rules::step const& step) {
        plan_outcome outcome;
        for (auto const& action : step.actions) {
            action_outcome done = co_await actions_.perform(action);
            report(done);
            outcome.problem = std::move(done.problem);
            outcome.outdated = done.outdated;
            outcome.message = std::move(done.message);
            if (outcome.problem.code) break;
        }
        co_return outcome;
    }

    asio::awaitable<void> write_instead(rules::write_status const& status, plan_outcome& first) {
        rules::write_status next(status.filled != nullptr ? status.filled(status.object, first.message)
                                                          : status.object);
        if (next.object == primary_) co_return;
        rules::action const action = std::move(next);
        action_outcome const second = co_await actions_.perform(action);
        if (second.problem.code) first.problem.detail.message += "; then " + second.problem.detail.message;
    }

    asio::awaitable<plan_outcome> side_by_side(rules::step const& step) {
        auto const r = std::make_shared<run>(budget_, step.actions);
        auto const wake = std::make_shared<asio::steady_timer>(executor_);
        r->wake = wake;
        while (r->awaitable_outcome()) {
            r->changed = false;
            advance(r);
            if (r->changed || !r->awaitable_outcome()) continue;
            error_code woken; // the timer never expires
            wake->expires_at(asio::steady_timer::time_point::max());
            co_await wake->async_wait(asio::redirect_error(asio::use_awaitable, woken));
        }
        report_in_order(*r);
        if (r->thrown) std::rethrow_exception(r->thrown);
        co_return first_problem(*r);
    }

    void advance(std::shared_ptr<run> const& r) {
        try {
            while (r->may_begin()) begin(r);
            report_in_order(*r);
        } catch (...) {
            r->give_up(std::current_exception());
        }
    }

    void begin(std::shared_ptr<run> const& r) {
        std::size_t const at = r->next++;
        auto const& action = r->actions[at];
        if (auto const* event = std::get_if<rules::emit_event>(&action)) {
            r->outcomes[at].emplace().event = *event;
            return;
        }
        r->take();
        try {
            asio::co_spawn(executor_, actions_.perform(action),
                           [self = shared_from_this(), r, at](std::exception_ptr e, action_outcome o) {
                               r->ended(at, e, std::move(o));
                           });
        } catch (...) {
            r->give_back();
            throw;
        }
    }

    /// Events are recorded in the order of the plan, whatever ended first.
    void report_in_order(run& r) {
        for (; r.recorded != r.next && r.outcomes[r.recorded]; ++r.recorded) report(*r.outcomes[r.recorded]);
    }
    void report(action_outcome const& done) {
        if (auto const& e = done.event)
            recorder_.record(e->about ? reference_to(*e->about) : about_, e->type, e->reason, e->message);
    }

    static plan_outcome first_problem(run& r) {
        plan_outcome outcome;
        for (auto& o : r.outcomes)
            if (o && o->problem.code) {
                outcome.problem = std::move(o->problem);
                outcome.outdated = o->outdated;
                outcome.message = std::move(o->message);
                break;
            }
        return outcome;
    }

    asio::any_io_executor executor_;
    event_recorder recorder_;
    core::object_reference about_;
    any_object primary_;
    rules::plan todo_;
    plan_actions actions_;
    std::shared_ptr<write_budget> budget_;
    write_budget::plan counted_;
};

} // namespace

core::object_reference reference_to(rules::target const& object) {
    core::object_reference about;
    about.api_version = object.type->api_version();
    about.kind = object.type->kind;
    about.namespace_ = object.namespace_;
    about.name = object.name;
    about.uid = object.uid;
    return about;
}

core::object_reference reference_to(any_object const& object) {
    core::object_reference about = reference_to(rules::target(object.resource(), object.metadata()));
    about.resource_version = object.metadata().resource_version;
    return about;
}

std::string type_key(resource_info const& type) { return std::string(type.plural).append(".").append(type.group); }

bool write_budget::allows(std::size_t own) const noexcept {
    if (own == 0) return true;
    std::size_t const share = std::max<std::size_t>(limit_ / std::max<std::size_t>(plans_, 1), 1);
    return own < share && under_way_ < limit_;
}

asio::awaitable<plan_outcome> carry_out(kube::client client, event_recorder recorder, plan_subject subject,
                                        rules::plan todo, std::shared_ptr<pending_writes> written,
                                        std::shared_ptr<write_budget> budget) {
    auto const e = std::make_shared<executor>(std::move(client), std::move(recorder), std::move(subject),
                                              std::move(todo), std::move(written), std::move(budget));
    plan_outcome outcome = co_await e->carry_out();
    co_return outcome;
}

} // namespace kftrain::control
