#ifndef KFTRAIN_FACADE_JOB_TIMELINE_HPP
#define KFTRAIN_FACADE_JOB_TIMELINE_HPP

#include <kftrain/facade/job_events.hpp>
#include <kftrain/facade/job_progress.hpp>
#include <kftrain/facade/job_state.hpp>
#include <kftrain/job/any_job.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kftrain {

/// One run of a container.
struct timeline_run {
    timeline_run() = default;

    std::string container;
    std::int32_t number = 0; ///< 0 for the first run, 1 more after each restart
    std::optional<time_point> started, ended;
    std::string reason;                    ///< of its end, e.g. `Completed`, `Error`, `OOMKilled`
    std::optional<std::int32_t> exit_code; ///< 128 + n for signal n; absent while it runs, or if it is unknown

    friend bool operator==(timeline_run const&, timeline_run const&) = default;
};

/// One pod of a job, which may no longer exist. Times that are unknown, or have not come, are absent.
struct timeline_pod {
    timeline_pod() = default;

    kftrain::member member; ///< without role if only events of the pod are known
    std::string uid;        ///< empty if only events of the pod are known
    std::string node;
    rank_phase phase = rank_phase::pending; ///< last known phase
    std::string reason;                     ///< of this phase; may be empty
    std::optional<std::int32_t> exit_code;  ///< as rank_state::exit_code
    std::int32_t restarts = 0;              ///< restarts of all containers
    std::optional<time_point> created, scheduled, ready;
    std::optional<time_point> ended;   ///< end of its last run, if no further run follows
    std::optional<time_point> deleted; ///< when its deletion was requested or observed
    std::vector<timeline_run> runs;    ///< known runs of its containers except init containers, by their start

    friend bool operator==(timeline_pod const&, timeline_pod const&) = default;
};

/// A condition of the job since a time. Conditions that another one has replaced are known only from a recording.
struct timeline_condition {
    timeline_condition() = default;

    std::optional<time_point> time; ///< of its last transition
    std::string type;               ///< e.g. `Running`
    std::string status;             ///< True, False or Unknown
    std::string reason, message;

    friend bool operator==(timeline_condition const&, timeline_condition const&) = default;
};

/// A change of the requested number of members of a role; known only from a recording.
struct timeline_scaling {
    timeline_scaling() = default;

    time_point time;
    std::string role;
    std::int32_t from = 0, to = 0;

    friend bool operator==(timeline_scaling const&, timeline_scaling const&) = default;
};

/// The number of running pods from a time on.
struct timeline_size {
    timeline_size() = default;

    time_point time;
    std::int32_t running = 0; ///< pods with a running container

    friend bool operator==(timeline_size const&, timeline_size const&) = default;
};

/** The history of a job: its pods, conditions, size and progress over time. A value. Times are those of the API: whole
    seconds by the clocks of the cluster. The times that only a recording observes are those of this machine. */
struct job_timeline {
    job_timeline() = default;

    job_reference job;
    job_phase phase = job_phase::created;
    std::optional<time_point> created, started, finished; ///< as in job_state
    std::optional<time_point> observed;                   ///< up to when the timeline was observed
    bool recorded = false; ///< it was recorded while the job ran; otherwise it has only what the API still has
    std::vector<timeline_condition> conditions; ///< oldest first
    std::vector<timeline_scaling> scalings;     ///< oldest first; the latest 1,000
    std::vector<timeline_size> sizes;           ///< oldest first, one for each change
    std::vector<job_progress> progress;         ///< oldest first; at most 1,000, evenly thinned out
    std::vector<timeline_pod> pods;             ///< by role, index and creation
    std::size_t left_out = 0;                   ///< number of further pods beyond timeline_options::most_pods
    std::vector<std::string> missing;           ///< what is unknown, and why, one sentence each

    /// Returns the first and last time of the timeline; equal if it has none.
    std::pair<time_point, time_point> span() const noexcept;

    /** Draws the timeline as text, 100 columns wide, without control characters that a server sent. Shows 100 replicas
        and counts the others. */
    std::string to_text() const;
    /** Draws the timeline as an SVG document with a title and a description, in colours for light and dark mode. Shows
        40 replicas, those with problems first, and draws the others as one row that counts them: the size is
        bounded. */
    std::string to_svg() const;
    /// Returns an HTML page with the picture, and tables of pods, conditions and notes; of 1,000 pods at most.
    std::string to_html() const;
    /// Returns a compact JSON object in the format of job_state::to_json().
    std::string to_json() const;

    friend bool operator==(job_timeline const&, job_timeline const&) = default;
};

/// Options of training_client::async_timeline().
struct timeline_options {
    timeline_options() = default;

    /// Without `follow`: for the whole operation, 0: 65 s for each request. With `follow`: ends the recording, 0: no
    /// limit.
    std::chrono::milliseconds timeout{0};
    diagnostics* detail = nullptr;  ///< filled before completion; must live until then
    bool follow = false;            ///< record until the job is finished
    bool progress = true;           ///< read the progress in the output of the primary replica
    std::size_t most_pods = 20'000; ///< maximum number of pods to keep; at least 1

    timeline_options& with_timeout(std::chrono::milliseconds t) { return timeout = t, *this; }
    timeline_options& with_detail(diagnostics& d) { return detail = &d, *this; }
    timeline_options& with_follow(bool on = true) { return follow = on, *this; }
    timeline_options& with_progress(bool on) { return progress = on, *this; }
    timeline_options& with_most_pods(std::size_t n) { return most_pods = n, *this; }
};

/** Computes the timeline of a stored job from what the API has at `now`: those of `pods` that belong to it by labels
    and owner, and its events, which may be about pods that no longer exist. Pure.
    @par Upstream pods and container states: k8s.io/api `core/v1/types.go`, v0.31; the events `Scheduled` of
    kube-scheduler, `Started` and `Killing` of the kubelet */
job_timeline job_timeline_of(any_job const& job, std::span<std::shared_ptr<core::pod const> const> pods,
                             std::span<job_event const> events, time_point now);

} // namespace kftrain

#endif
