#ifndef KFTRAIN_SRC_KINDS_VOLCANO_JOB_PLAN_REQUESTS_HPP
#define KFTRAIN_SRC_KINDS_VOLCANO_JOB_PLAN_REQUESTS_HPP

#include "kinds/volcano_job/kind.hpp"

#include <kftrain/job/job_rules.hpp>

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::volcano {

/** An event for which a job must be examined; the action is decided when its turn comes. Equal pending requests are
    merged.
    @par Upstream volcano v1.9.0 `pkg/controllers/apis/request.go` */
struct request {
    request() = default;
    explicit request(std::string e) : event(std::move(e)) {}

    std::string event; ///< OutOfSync, PodFailed, ...; may be empty
    std::string task;
    std::int32_t exit_code = 0;
    std::int32_t version = 0; ///< of the job when the pod was created
    std::string action;       ///< of a command; empty: the policies decide
    std::string pod, pod_uid; ///< since v1.11

    friend bool operator==(request const&, request const&) = default;
    friend std::strong_ordering operator<=>(request const&, request const&) = default;
};

/// Whether both request the same, for any pod.
bool is_alike(request const&, request const&) noexcept;

/** Pending requests, each once, first in, first out. Copies share their common part, so that a copy is
    cheap even if many requests wait: there is a copy for each plan, and a request for each pod. */
class request_queue {
public:
    request_queue() = default;

    bool empty() const noexcept { return batches_.empty(); }
    /// Appends the requests that are not pending already, in this order.
    void add(std::vector<request> const& more);
    void add(request one) { add(std::vector<request>{std::move(one)}); }
    /// The first; there must be one.
    request const& front() const noexcept { return batches_.front()->in_order[taken_]; }
    void pop();

private:
    /// Never changed.
    struct batch {
        explicit batch(std::vector<request> all);

        std::vector<request> in_order;
        std::vector<std::size_t> by_value; ///< numbers of them
    };

    bool contains(request const&) const;
    std::size_t size_of(std::size_t number) const noexcept;
    std::vector<request> waiting_in(std::size_t number) const;

    std::vector<std::shared_ptr<batch const>> batches_; ///< each less than half as long as the one before it
    std::size_t taken_ = 0;                             ///< of the first batch
};

inline constexpr std::string_view sync_action = "SyncJob";

/// The action for a request, and its delay.
struct decision {
    decision() = default;

    std::string action{sync_action};
    kftrain::duration delay{};
};

/// An action that a policy puts off. There is one for each pod.
struct delayed_action {
    delayed_action() = default;

    request by; ///< with the action
    time_point at;
};

/// The memory of a job between plans.
class job_memory final : public rules::memory {
public:
    job_memory() = default;

    request_queue waiting;
    std::optional<request> begun; ///< the request that the last plan only began
    std::optional<request> held;  ///< waits for a queue or a claim; all others come first
    std::optional<request> taken; ///< the request that the last plan carried out or began
    std::string phase;            ///< as last observed, like the next
    std::int64_t generation = 0;
    /// Version of the PodGroup that was last found in order, or put in order; v1.9.0 writes each version once.
    std::string group_version;
    std::string ssh_config;                        ///< that the Secret was made with
    std::map<std::string, delayed_action> delayed; ///< by pod

    /// The first that waits, if any.
    std::optional<request> take();
    /// The first waiting request, if it is the same for another pod.
    std::optional<request> take_like(request const&);

    // Actions that a policy delays. Upstream: volcano v1.12.0 `pkg/controllers/job/job_controller.go`.
    /// Has no effect if the same action is put off for the pod already.
    void put_off(request by, std::string action, time_point at);
    /// Removes delayed actions that an event of their pod has made needless.
    void drop_needless(request const&);
    /// One action on job, task or pod stands for all that are put off for the same.
    void drop_like(request const& by, std::string_view action);
    /// Removes and returns the first action that is due.
    std::optional<request> take_due(time_point now);
    std::optional<time_point> next_due() const;
};

/** Adds the changes since the last pass to what was remembered; `rows` are the watched rows of the kind. As in
    upstream's queue, a request that is repeated while it is carried out moves behind all others: the deletions of pods
    by a kill follow the phase that the kill led to.
    @par Upstream volcano v1.9.0 `pkg/controllers/job/job_controller_handler.go` */
std::shared_ptr<job_memory> note_changes(job const&, rules::world const&, std::span<rules::watched const> rows,
                                         std::shared_ptr<rules::memory const> const& remembered, volcano_release);

/// Chooses the action: that of the request itself, else of the policies of its task, else of those of the job.
/// @par Upstream volcano v1.9.0 `pkg/controllers/job/job_controller_util.go`, `applyPolicies`
decision decide(job const&, request const&, volcano_release);

/** Completes and checks a new job. A server without Volcano's webhooks stores jobs as they were submitted: the plan
    sets the defaults, and reports a fault in an event and the state. Empty if the job is complete and valid. */
std::optional<rules::plan> check_stored(prepared_job const&, time_point now);

/// Properties of pods that plans need.
bool is_leaving(core::pod const&) noexcept;
std::string_view task_of(core::pod const&) noexcept;

} // namespace kftrain::volcano

#endif
