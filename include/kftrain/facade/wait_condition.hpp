#ifndef KFTRAIN_FACADE_WAIT_CONDITION_HPP
#define KFTRAIN_FACADE_WAIT_CONDITION_HPP

#include <kftrain/facade/job_state.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kftrain {

/** A condition that training_client::async_wait() waits for. Combine conditions with `&&`, `||` and `!`. Namespace
    `until` has the common ones.

        client.wait(job, until::all_ranks_ready() || until::finished());

    @par Thread safety Distinct objects: safe. Shared objects: unsafe. */
class wait_condition {
public:
    /// Receives null while the job does not exist. Called on the executor of the client; must not throw.
    using predicate = std::function<bool(job_state const*)>;
    /// The final verdict for a job that is finished according to the state: whether the condition holds for good or can
    /// never hold again. Returns nothing if that may still change.
    using final_verdict = std::function<std::optional<bool>(job_state const&)>;

    /// `what` describes the condition in a few words, for messages. `of_pods` is whether `holds` reads pods, by ranks
    /// or roles.
    wait_condition(std::string what, predicate holds, bool of_pods = true);

    /// Ends waits with `errc::incomplete` if the job is finished and this function returns false.
    wait_condition& with_final_verdict(final_verdict verdict);

    /// Ends waits with `errc::invalid_argument` if the job has no role of this name.
    wait_condition& with_role(std::string name);

    bool operator()(job_state const* state) const { return holds_(state); }
    /// Returns the final verdict for a finished job; nothing if there is none yet.
    std::optional<bool> settled(job_state const& finished) const;
    std::string const& what() const noexcept { return what_; }
    /// Returns the roles that the job must have.
    std::vector<std::string> const& roles() const noexcept { return roles_; }
    /// Returns whether the condition needs pods to be followed, too.
    bool of_pods() const noexcept { return of_pods_; }
    /// Returns whether the condition can hold for a job that does not exist.
    bool holds_for_absence() const { return holds_(nullptr); }

    friend wait_condition operator&&(wait_condition a, wait_condition b);
    friend wait_condition operator||(wait_condition a, wait_condition b);
    friend wait_condition operator!(wait_condition a);

private:
    std::string what_;
    predicate holds_;
    final_verdict final_verdict_;
    std::vector<std::string> roles_;
    bool of_pods_;
};

/** The conditions that most programs wait for. Only deleted() holds for a job that does not exist. If a condition
    does not hold when the job is finished, the wait ends with `errc::incomplete`, because members of a finished job
    are not restarted. Waits for deleted() and for holds() continue; a combination continues unless one of its parts can
    no longer hold. */
namespace until {

/// The job succeeded or failed.
wait_condition finished();
wait_condition succeeded();
wait_condition failed();
/// The status reports that the job runs, or the job is already finished.
wait_condition running();
/// All members of all roles are ready at the same time.
wait_condition all_ranks_ready();
/// At least this many members of a role are ready. The wait ends with `errc::invalid_argument` if the job has no such
/// role.
wait_condition ranks_ready(std::string role, std::int32_t members);
/// The job is suspended, and none of its pods exists any more.
wait_condition suspended();
/// The job does not exist.
wait_condition deleted();
/// A custom condition for a job that exists. `what` as in wait_condition.
wait_condition holds(std::string what, std::function<bool(job_state const&)> predicate);

} // namespace until
} // namespace kftrain

#endif
