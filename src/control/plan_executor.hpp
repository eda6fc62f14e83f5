#ifndef KFTRAIN_SRC_CONTROL_PLAN_EXECUTOR_HPP
#define KFTRAIN_SRC_CONTROL_PLAN_EXECUTOR_HPP

#include <kftrain/base/backoff.hpp>
#include <kftrain/control/event_recorder.hpp>
#include <kftrain/job/any_job.hpp>
#include <kftrain/kube/client.hpp>

#include <boost/asio/awaitable.hpp>

#include <map>
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

/// `plural.group`: plurals alone are not unique.
std::string type_key(resource_info const&);

/** Carries out the actions of `todo` in order and notes in `written` what it did. Stops at the first failure, except that
    an object to be deleted may be gone already.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/control/{pod,service}_control.go` (event texts) */
boost::asio::awaitable<plan_outcome> carry_out(kube::client& client, event_recorder& recorder, any_job const& job,
                                               plan const& todo, pending_writes& written);

/// How an event names the job.
object_reference reference_to(any_job const& job);

} // namespace kftrain::control

#endif
