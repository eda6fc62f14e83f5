#ifndef KFTRAIN_FACADE_EXPLANATION_HPP
#define KFTRAIN_FACADE_EXPLANATION_HPP

#include <kftrain/facade/job_events.hpp>
#include <kftrain/facade/job_state.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/** Why a job does not run, or how it ended. Causes that explain other causes come first; from out_of_memory to
    deleted, the earliest event comes first. */
enum class cause_kind : std::uint8_t {
    invalid,           ///< the job breaks rules of its kind, so no operator creates pods for it
    no_operator,       ///< no operator manages jobs of this kind
    out_of_memory,     ///< a container was killed because of its memory use
    command_not_found, ///< the program of a container does not exist or is not executable
    exited,            ///< a container exited with a code or a signal, or could not be started
    evicted,           ///< a pod was evicted or preempted, or its node disappeared or rejected it
    deleted,           ///< a pod was deleted, and not by its operator
    image_not_found,   ///< an image cannot be pulled
    config_missing,    ///< a ConfigMap, Secret or volume that a pod references does not exist
    quota,             ///< a resource quota does not allow the pods
    refused,           ///< the server rejects objects that the operator creates
    name_too_long,     ///< names that the operator generates are invalid because of their length
    unschedulable,     ///< no node satisfies the requests of a pod
    gang,              ///< fewer members than the gang needs can run
    sidecar,           ///< the main container of a pod ended, and another container keeps the pod running
    crash_loop,        ///< containers are restarted, or pods are created again, again and again
    backoff_limit,     ///< the back-off limit is exceeded
    deadline,          ///< the active deadline of the job or of a pod has passed
    starting,          ///< pods are being started: images are pulled, volumes are mounted
    rendezvous,        ///< members wait for members that are missing
    suspended,         ///< the job is suspended
    stalled,           ///< the job runs, but has written no output for a long time
    healthy,           ///< nothing is wrong
    still_running,     ///< the job has ended, and pods of it still run
};

/// Returns the stable name of a cause as tools print it, e.g. `out-of-memory`.
std::string_view to_string(cause_kind) noexcept;

/// One cause with its evidence.
struct job_cause {
    job_cause() = default;

    cause_kind kind = cause_kind::healthy;
    std::string summary; ///< one sentence
    /// The members concerned, at most 16. Members that ended are sorted by the time of their end, others by rank. Empty
    /// if the cause concerns the job as a whole. For `rendezvous`, the members that are missing.
    std::vector<member> members;
    std::int64_t affected = 0;        ///< number of members concerned, also if `members` lists only the first ones
    std::string container;            ///< container of the first of them; may be empty
    std::optional<std::int32_t> code; ///< the exit code
    std::string signal;               ///< signal name, e.g. `SIGKILL`; empty: no signal
    /// Number of restarts of the containers and pods of the member that restarted most often; only for `crash_loop`.
    std::optional<std::int64_t> restarts;
    /// The line of the whole log of the first of them that shows why it ended; at most 500 bytes; may be empty.
    std::string decisive_line;
    std::vector<std::string> evidence; ///< the proof: conditions, events and states, one line each
    std::vector<std::string> log;      ///< the last lines of the first of them; at most 500 bytes each
    std::string advice;                ///< what to do, in one sentence; may be empty
};

/// Why a job is in its current state.
struct explanation {
    explanation() = default;

    job_state state;
    std::vector<job_cause> causes;    ///< the most likely root cause first; never empty
    std::vector<std::string> missing; ///< what could not be examined, and why; read the causes with this in mind

    /// Returns several lines: the state, then each cause with its evidence.
    std::string to_string() const;
    /// Returns a compact JSON object in the format of job_state::to_json().
    std::string to_json() const;
};

struct explain_options : kube::detail::call_options_of<explain_options> {
    explain_options() = default;

    std::size_t log_lines = 20; ///< log lines to read of the member that failed first; 0: read no logs
    /// A job is reported as stalled if its members write nothing for this time; 0: no such check.
    std::chrono::seconds quiet{600};

    explain_options& with_log_lines(std::size_t n) { return log_lines = n, *this; }
    explain_options& with_quiet(std::chrono::seconds t) { return quiet = t, *this; }
};

} // namespace kftrain

#endif
