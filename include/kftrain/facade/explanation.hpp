#ifndef KFTRAIN_FACADE_EXPLANATION_HPP
#define KFTRAIN_FACADE_EXPLANATION_HPP

#include <kftrain/facade/job_events.hpp>
#include <kftrain/facade/job_state.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kftrain {

/** Why a job does not run, or how it ended. What explains others stands before them; of out_of_memory to evicted, what happened
    first comes first. */
enum class cause_kind : std::uint8_t {
    invalid,           ///< it breaks rules of its kind: no operator makes pods of it
    no_operator,       ///< nobody looks after jobs of the kind
    out_of_memory,     ///< a container was ended for its memory
    command_not_found, ///< the program of a container is not there, or may not be run
    exited,            ///< a container ended with a code or a signal, or could not be started
    evicted,           ///< a pod was evicted or preempted, or its node went or refused it
    image_not_found,   ///< an image cannot be had
    config_missing,    ///< a ConfigMap, Secret or volume that a pod names is not there
    quota,             ///< a quota does not allow pods
    refused,           ///< the server refuses objects that the operator makes
    name_too_long,     ///< names that the operator makes are no names
    unschedulable,     ///< no node has what a pod asks for
    gang,              ///< fewer members than the gang needs can run
    crash_loop,        ///< containers are begun again and again
    backoff_limit,     ///< failed too often
    deadline,          ///< active deadline of the job or a pod
    starting,          ///< pods are on their way: images are pulled, volumes are mounted
    rendezvous,        ///< members wait for others, which are missing
    suspended,         ///< it was asked to stop
    stalled,           ///< runs, and has written nothing for long
    healthy,           ///< nothing is wrong
};

/// The name of a cause as tools print it, e.g. `out-of-memory`; it stays the same.
std::string_view to_string(cause_kind) noexcept;

/// One thing that is the case.
struct job_cause {
    job_cause() = default;

    cause_kind kind = cause_kind::healthy;
    std::string summary; ///< one sentence
    /// Those it is about, at most 16: of what ended, what ended first comes first, else by rank; empty: the job as a whole. Of
    /// `rendezvous` those that are missing.
    std::vector<member> members;
    std::int64_t affected = 0;         ///< how many members, also where `members` names the first alone
    std::string container;             ///< of the first of them; may be empty
    std::optional<std::int32_t> code;  ///< the exit code
    std::string signal;                ///< by name: `SIGKILL`; empty: no signal
    std::vector<std::string> evidence; ///< what shows it: conditions, events, states, a line each
    std::vector<std::string> log;      ///< the last lines of the first of them; at most 500 bytes each
    std::string advice;                ///< what to do, one sentence; may be empty
};

/// Why a job is where it is.
struct explanation {
    explanation() = default;

    job_state state;
    std::vector<job_cause> causes; ///< the likeliest root first; never empty
    std::vector<std::string>
        missing; ///< what could not be looked at, and why; the causes are to be read with this in mind

    /// Of some lines: the state, then each cause with its evidence.
    std::string to_string() const;
    /// A compact JSON object, as job_state::to_json().
    std::string to_json() const;
};

struct explain_options : kube::detail::call_options_of<explain_options> {
    explain_options() = default;

    std::size_t log_lines = 20; ///< of the member that failed first; 0: logs are not read
    /// A job whose members wrote nothing for so long is taken for stalled; 0: that is not looked at.
    std::chrono::seconds quiet{600};

    explain_options& with_log_lines(std::size_t n) { return log_lines = n, *this; }
    explain_options& with_quiet(std::chrono::seconds t) { return quiet = t, *this; }
};

} // namespace kftrain

#endif
