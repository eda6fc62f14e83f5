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

// Here and not in described.hpp, because the comparison of rank_state looks for the table.
KFTRAIN_DESCRIBE(member, (role, index, rank, pod_name, host))

/// The phase of the pod of a member.
enum class rank_phase : std::uint8_t {
    absent,      ///< the pod does not exist
    pending,     ///< the pod is not on a node yet, or no container runs, before the first run or between two runs
    running,     ///< a container runs, but not all are ready
    ready,       ///< all containers are ready
    succeeded,   ///< all containers exited with 0
    failed,      ///< a container exited with another code, or the pod was evicted, and no container is restarted
    terminating, ///< the pod is being deleted, and its containers may still run
    unknown,     ///< its node does not answer
};

/// Returns `Absent`, `Pending`, `Running`, ...
std::string_view to_string(rank_phase) noexcept;

/// The state of one member of a job.
struct rank_state {
    rank_state() = default;

    kftrain::member member; ///< includes the name of its pod, if the pod exists
    rank_phase phase = rank_phase::absent;
    std::int32_t restarts = 0; ///< restarts of all containers of the existing pod
    std::string reason;        ///< e.g. `ImagePullBackOff`, `Unschedulable`, `OOMKilled`; may be empty
    std::string message;       ///< message of the cluster about the reason; may be empty
    std::string node;          ///< node of the pod; may be empty
    /// Of the first container that exited with a code other than 0, now or in the run before the restart it waits for;
    /// 128 + n for signal n.
    std::optional<std::int32_t> exit_code;

    friend bool operator==(rank_state const&, rank_state const&) = default;
};

/// Counts of the members of a role by phase. A ready member counts in `ready` and in `running`; absent, terminating
/// and unknown members count in `wanted` alone.
struct role_state {
    role_state() = default;

    std::string role;
    std::int32_t wanted = 0; ///< as the job requests
    std::int32_t pending = 0;
    std::int32_t running = 0; ///< running, ready or not
    std::int32_t ready = 0;   ///< running and ready
    std::int32_t succeeded = 0;
    std::int32_t failed = 0;

    friend bool operator==(role_state const&, role_state const&) = default;
};

/** The state of a job at one time, computed from the job and its pods by job_state_of(). A value. The ranks are
    those of the job as it is written; empty if the server stores a job that breaks the rules of its kind. */
struct job_state {
    job_state() = default;

    job_reference job;
    job_phase phase = job_phase::created;
    std::string reason;  ///< reason of the last condition that is True; may be empty
    std::string message; ///< message of the same condition
    bool suspended = false;
    bool deleting = false;
    std::vector<role_state> roles; ///< in the order of the kind
    std::vector<rank_state> ranks; ///< in the order of the kind, as in membership::members
    std::int32_t restarts = 0;     ///< restarts of all containers of the existing pods
    std::optional<time_point> created;
    /// When the operator started the job, according to the status; for kinds that do not report this, the time since
    /// which the job runs.
    std::optional<time_point> started;
    std::optional<time_point> finished; ///< set for a finished job
    /// resourceVersion of the observed job; job_watch does not report a change of this field alone
    std::string resource_version;

    /// Returns whether every member is ready; false for a job without members.
    bool all_ready() const noexcept;
    /// Returns one line, `Running, Master 1/1, Worker 3/4 ready, 2 restarts`, followed by what blocks the first blocked
    /// member: `, Worker 3 Pending: Unschedulable`. Members that succeeded or failed are counted in every phase: `, 2
    /// Worker succeeded`.
    std::string to_string() const;
    /// Returns a compact JSON object with the names of the members in camelCase; most empty values are omitted.
    std::string to_json() const;

    friend bool operator==(job_state const&, job_state const&) = default;
};

/** Computes the state of a stored job from those of `pods` that belong to it by labels and owner; other pods are
    ignored. If a member has several pods, the newest one that is not being deleted counts. Pods may be decoded
    partially, see observed_pod_type(). Takes time linear in members and pods. Pure.
    @par Upstream the phase of a pod as `kubectl get pods` prints it: kubernetes v1.31
    `pkg/printers/internalversion/printers.go`, `printPod` */
job_state job_state_of(any_job const& job, std::span<std::shared_ptr<core::pod const> const> pods);

} // namespace kftrain

#endif
