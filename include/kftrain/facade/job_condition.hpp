#ifndef KFTRAIN_FACADE_JOB_CONDITION_HPP
#define KFTRAIN_FACADE_JOB_CONDITION_HPP

#include <kftrain/facade/job_state.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace kftrain {

/** What training_client::async_wait() waits for; joined by `&&`, `||` and `!`. `until` has the usual ones.

        client.wait(job, until::all_ranks_ready() || until::finished());

    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class job_condition {
public:
    /// Is told null while there is no such job. Called on the executor of the client; must not throw.
    using predicate = std::function<bool(job_state const*)>;
    /// Whether it holds for good, or never will again, for a job that is finished as the state says; nothing: that may change.
    using outlook = std::function<std::optional<bool>(job_state const&)>;

    /// `what` says in a few words what is waited for, for messages. `of_pods`: whether `holds` looks at pods, by ranks or roles.
    job_condition(std::string what, predicate holds, bool of_pods = true);

    /// Lets waits end with `errc::incomplete` when the job is finished and this says no.
    job_condition& with_outlook(outlook o);

    bool operator()(job_state const* state) const { return holds_(state); }
    /// What its outlook says; nothing without one.
    std::optional<bool> settled(job_state const& finished) const;
    std::string const& what() const noexcept { return what_; }
    /// Whether pods have to be followed, too.
    bool of_pods() const noexcept { return of_pods_; }
    /// Whether it can hold for a job that is not there.
    bool holds_for_absence() const { return holds_(nullptr); }

    friend job_condition operator&&(job_condition a, job_condition b);
    friend job_condition operator||(job_condition a, job_condition b);
    friend job_condition operator!(job_condition a);

private:
    std::string what_;
    predicate holds_;
    outlook outlook_;
    bool of_pods_;
};

/** The conditions most programs wait for. None but deleted() holds for a job that is not there. Waiting for one that does not hold when the job
    is finished ends with `errc::incomplete`, since members of a finished job are not begun again; deleted(), holds() and what is joined with
    them are waited for all the same. */
namespace until {

/// It has succeeded or failed.
job_condition finished();
job_condition succeeded();
job_condition failed();
/// Its status says that it runs, or it is finished already.
job_condition running();
/// Every member of every role is ready at the same time.
job_condition all_ranks_ready();
/// So many members of a role, or more, are ready.
job_condition ranks_ready(std::string role, std::int32_t members);
/// It is suspended, and none of its pods is there any more.
job_condition suspended();
/// There is no such job.
job_condition deleted();
/// A condition of one's own of a job that is there. `what` as in job_condition.
job_condition holds(std::string what, std::function<bool(job_state const&)> predicate);

} // namespace until
} // namespace kftrain

#endif
