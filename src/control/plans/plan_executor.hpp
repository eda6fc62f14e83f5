#ifndef KFTRAIN_SRC_CONTROL_PLANS_PLAN_EXECUTOR_HPP
#define KFTRAIN_SRC_CONTROL_PLANS_PLAN_EXECUTOR_HPP

#include <kftrain/base/backoff.hpp>
#include <kftrain/control/content_maker.hpp>
#include <kftrain/control/event_recorder.hpp>
#include <kftrain/job/controller_rules.hpp>
#include <kftrain/kube/client.hpp>

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain::control {

class key_worker; // control/key_worker.hpp

/// Writes of an operator for one object that its informers may not show yet.
struct pending_writes {
    std::string job_version;                     ///< of the last write of the object itself
    std::map<std::string, std::string> versions; ///< highest version written, by plan_subject::informers
    /// The requested deletions, by the same keys: uids and names.
    std::map<std::string, std::map<std::string, rules::object_name>> deleted;
    std::optional<time_point> behind_since; ///< since when the informers lack some of these writes
    /// The delays of reconciles after conflicts.
    backoff outdated{std::chrono::milliseconds(500), std::chrono::seconds(60)};

    /// Stops waiting for all of these writes.
    void forget() {
        job_version.clear();
        versions.clear();
        deleted.clear();
    }
};

/// The subject of a plan, and the write options of its controller.
struct plan_subject {
    plan_subject(any_object o, rules::status_form f = rules::status_form::subresource,
                 std::shared_ptr<content_maker> m = nullptr)
        : primary(std::move(o)), status(f), maker(m ? std::move(m) : make_content_maker()) {}

    any_object primary;
    rules::status_form status;
    std::shared_ptr<content_maker> maker; ///< for recipes
    std::shared_ptr<key_worker> keys;     ///< generates keys on another thread; null: the maker does, on the executor
    /// Returns the keys in pending_writes of the informers that will show an object; `labels` may be null. Empty: one
    /// key for each type.
    std::function<std::vector<std::string>(resource_info const& type, std::string_view ns, std::string_view name,
                                           string_map const* labels)>
        informers;
};

/// How the actions of a plan went.
struct plan_outcome {
    plan_outcome() = default;

    /// The action, its object and the answer of the server; the code is 0 after success.
    failure problem;
    /// An object has changed since the plan was made; its informer has reported the change or will do so.
    bool outdated = false;
    std::string message; ///< of the server, if the write failed
};

/** Limits the writes that all plans of an operator run at the same time. Each plan may always have one, so that none
    waits for another, and more up to its share.
    @par Thread safety Unsafe. */
class write_budget {
public:
    explicit write_budget(std::size_t limit) : limit_(limit) {}

    /// Returns whether a plan with `own` running writes may begin another.
    bool allows(std::size_t own) const noexcept;
    void take() noexcept { ++under_way_; }
    void give_back() noexcept { --under_way_; }

    /// A running plan.
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

/** Runs the steps of `todo` in order, and records its writes in `written`. A step with concurrent actions starts with
    one, and adds one more with each success, up to `budget`. After the first failure only the step's actions for that
    case start; running ones are awaited. Events are recorded in the order of the plan. */
boost::asio::awaitable<plan_outcome> carry_out(kube::client client, event_recorder recorder, plan_subject subject,
                                               rules::plan todo, std::shared_ptr<pending_writes> written,
                                               std::shared_ptr<write_budget> budget);

/// Returns the reference of an event to an object.
core::object_reference reference_to(any_object const& object);
core::object_reference reference_to(rules::target const& object);

} // namespace kftrain::control

#endif
