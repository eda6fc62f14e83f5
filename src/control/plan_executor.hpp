#ifndef KFTRAIN_SRC_CONTROL_PLAN_EXECUTOR_HPP
#define KFTRAIN_SRC_CONTROL_PLAN_EXECUTOR_HPP

#include <kftrain/base/backoff.hpp>
#include <kftrain/control/event_recorder.hpp>
#include <kftrain/job/any_job.hpp>
#include <kftrain/kube/client.hpp>

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace kftrain::control {

/// What an operator wrote for one job and may not have seen in its informers yet.
struct pending_writes {
    std::string job_version;                     ///< of the last write of the job
    std::map<std::string, std::string> versions; ///< highest version written, by type_key()
    /// What was asked to be deleted, by type_key(): uids and names.
    std::map<std::string, std::map<std::string, std::string>> deleted;
    std::optional<time_point> behind_since; ///< when the informers were first found not to show all of it
    /// When to look again after a write was refused because its object had changed.
    backoff outdated{std::chrono::milliseconds(500), std::chrono::seconds(60)};

    /// Nothing of it is waited for any more.
    void forget() {
        job_version.clear();
        versions.clear();
        deleted.clear();
    }
};

/// How the actions of a plan went.
struct plan_outcome {
    plan_outcome() = default;

    /// What was being done to which object, and the answer of the server; its code is 0 if all went well.
    failure problem;
    /// The job or a child is not what it was when the plan was made: its informer tells, or has told already.
    bool outdated = false;
};

/** How many writes the plans of an operator may have under way, all of them together. Each plan may have one in any case, so
    that none waits for another, and more as long as that is no more than its share.
    @par Thread safety Unsafe. */
class write_budget {
public:
    explicit write_budget(std::size_t limit) : limit_(limit) {}

    /// Whether a plan that has `own` writes under way may begin another.
    bool allows(std::size_t own) const noexcept;
    void take() noexcept { ++under_way_; }
    void give_back() noexcept { --under_way_; }

    /// A plan that is being carried out.
    class plan {
    public:
        explicit plan(std::shared_ptr<write_budget> b) : budget_(std::move(b)) { ++budget_->plans_; }
        plan(plan const&) = delete;
        plan& operator=(plan const&) = delete;
        ~plan() { --budget_->plans_; }

    private:
        std::shared_ptr<write_budget> budget_;
    };

private:
    std::size_t limit_;
    std::size_t under_way_ = 0;
    std::size_t plans_ = 0;
};

/// `plural.group`: plurals alone are not unique.
std::string type_key(resource_info const&);

/** Carries out the actions of `todo` and notes in `written` what it did. They are begun in order. Creations of one type that
    follow each other are under way together, and so are deletions: one at first, and one more with each success, as many as
    `budget` allows. Everything else waits for what comes before it. After the first failure nothing is begun; what is under
    way is waited for. An object to be deleted may be gone already. Events are recorded in the order of the plan. */
boost::asio::awaitable<plan_outcome> carry_out(kube::client client, event_recorder recorder, any_job job, plan todo,
                                               std::shared_ptr<pending_writes> written,
                                               std::shared_ptr<write_budget> budget);

/// How an event names the job.
object_reference reference_to(any_job const& job);

} // namespace kftrain::control

#endif
