#ifndef KFTRAIN_FACADE_JOB_STATE_HPP
#define KFTRAIN_FACADE_JOB_STATE_HPP

#include <kftrain/facade/job_reference.hpp>
#include <kftrain/job/job_phase.hpp>
#include <kftrain/job/membership.hpp>
#include <kftrain/model/scalars.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

namespace core {
struct pod;
}

/// Where the pod of a member stands.
enum class rank_phase : std::uint8_t {
    absent,      ///< there is no pod
    pending,     ///< not on a node yet, or no container runs, yet or between two runs
    running,     ///< a container runs, and not all are ready
    ready,       ///< all containers are ready
    succeeded,   ///< all containers ended with 0
    failed,      ///< a container ended otherwise, or the pod was evicted, and none is begun again
    terminating, ///< it is being deleted, and its containers may still run
    unknown,     ///< its node does not answer
};

/// `Absent`, `Pending`, `Running`, ...
std::string_view to_string(rank_phase) noexcept;

/// Where one member of a job stands.
struct rank_state {
    rank_state() = default;

    kftrain::member member; ///< with the name of its pod, if there is one
    rank_phase phase = rank_phase::absent;
    std::int32_t restarts = 0; ///< of its containers, of the pod that is there
    std::string reason;        ///< e.g. `ImagePullBackOff`, `Unschedulable`, `OOMKilled`; may be empty
    std::string message;       ///< what the cluster says to it; may be empty
    std::string node;          ///< where it runs; may be empty
    /// Of the first container that ended with another code than 0, now or before the run that it waits for; 128 + n for signal n.
    std::optional<std::int32_t> exit_code;

    friend bool operator==(rank_state const&, rank_state const&) = default;
};

/// How many members of a role stand where. Each is counted once; those that are absent, being deleted or unknown are in `wanted` alone.
struct role_state {
    role_state() = default;

    std::string role;
    std::int32_t wanted = 0; ///< as the job asks for
    std::int32_t pending = 0;
    std::int32_t running = 0; ///< ready or not
    std::int32_t ready = 0;   ///< of those that run
    std::int32_t succeeded = 0;
    std::int32_t failed = 0;

    friend bool operator==(role_state const&, role_state const&) = default;
};

/** What there is to know of a job at one time, from the job and its pods. A value, made by job_state_of().
    Its ranks are those of the job as it is written; none if a server keeps a job that breaks the rules of its kind. */
struct job_state {
    job_state() = default;

    job_reference job;
    job_phase phase = job_phase::created;
    std::string reason;  ///< of the last condition that is True; may be empty
    std::string message; ///< of the same
    bool suspended = false;
    bool deleting = false;
    std::vector<role_state> roles; ///< in the order of the kind
    std::vector<rank_state> ranks; ///< in the order of the kind, as membership::members
    std::int32_t restarts = 0;     ///< of all containers of the pods that are there
    std::optional<time_point> created;
    /// When its operator took it up, by its status; of kinds that do not tell this since when it runs.
    std::optional<time_point> started;
    std::optional<time_point> finished; ///< of a job that is
    std::string resource_version;       ///< of the job that was looked at; that it alone changes is told by no watch

    /// Whether every member is ready; a job without members is not.
    bool all_ready() const noexcept;
    /// `Running, Master 1/1, Worker 3/4 ready, 2 restarts`, on one line, with what keeps the first member that something does:
    /// `, Worker 3 Pending: Unschedulable`. Of a finished job members that succeeded are counted.
    std::string to_string() const;
    /// A compact JSON object with the names of the members in camelCase; most of what is empty is left out.
    std::string to_json() const;

    friend bool operator==(job_state const&, job_state const&) = default;
};

/** Looks at a job as a server stores it, with those of `pods` that are its own by labels and owner; others are passed over. Of several pods
    of one member the newest counts that is not being deleted. Pods may be decoded in part, as observed_pod_type() says. Takes time linear
    in members and pods. Pure.
    @par Upstream the phase of a pod as `kubectl get pods` prints it: kubernetes v1.31 `pkg/printers/internalversion/printers.go`, `printPod` */
job_state job_state_of(any_job const& job, std::span<std::shared_ptr<core::pod const> const> pods);

} // namespace kftrain

#endif
