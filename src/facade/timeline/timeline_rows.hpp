#ifndef KFTRAIN_SRC_FACADE_TIMELINE_TIMELINE_ROWS_HPP
#define KFTRAIN_SRC_FACADE_TIMELINE_TIMELINE_ROWS_HPP

#include <kftrain/facade/job_timeline.hpp>

#include <string>
#include <vector>

// The parts that the drawings of a timeline share.
namespace kftrain {

/// The state of a pod during a part of its life.
enum class pod_stage : std::uint8_t {
    unscheduled,
    starting,
    running,
    restarting,
    unknown ///< runs that the cluster no longer reports
};

struct pod_segment {
    pod_segment() = default;
    pod_segment(time_point f, time_point t, pod_stage s) : from(f), to(t), stage(s) {}

    time_point from, to;
    pod_stage stage = pod_stage::unscheduled;
    bool failed = false; ///< the run at whose end it ends failed
    friend bool operator==(pod_segment const&, pod_segment const&) = default;
};

/// The stages of a pod without gaps; runs of several containers that overlap are one. `until` ends what has not ended.
std::vector<pod_segment> segments_of(timeline_pod const& pod, time_point until);

/// The pods of one replica, one after the other.
struct timeline_row {
    timeline_row() = default;

    std::string label; ///< `Worker 3, rank 4`
    std::vector<timeline_pod const*> pods;

    /// A short text of the last state: `Failed: OOMKilled, exit code 137, 2 restarts`.
    std::string outcome() const;
    bool has_trouble() const;
};

/// All rows; they refer to the timeline.
std::vector<timeline_row> rows_of(job_timeline const& t);

/// Moves rows to the end of the list beyond `most`: those without problems, but the first of each role stays.
std::vector<timeline_row> split_off(std::vector<timeline_row>& rows, std::size_t most);

/// `37 replicas: 30 Succeeded, 7 Running`.
std::string summary_of(std::vector<timeline_row> const& rows);

/// Since a condition of type `type` holds, until another takes its place.
struct status_segment {
    status_segment() = default;
    status_segment(time_point f, time_point t, std::string s) : from(f), to(t), type(std::move(s)) {}

    time_point from, to;
    std::string type;
    friend bool operator==(status_segment const&, status_segment const&) = default;
};
std::vector<status_segment> status_segments(job_timeline const& t);

/// A round number of seconds between two ticks of an axis with at most `most` ticks.
std::int64_t tick_step(std::int64_t seconds, std::int64_t most);

/// `PyTorchJob default/mnist: Succeeded`, and `2026-03-01T10:00:00Z to 10:05:10Z, 5m10s`.
std::string title_of(job_timeline const& t);
std::string period_of(job_timeline const& t);

/// job_timeline::to_svg(), with the title and the period above it or without.
std::string picture_of(job_timeline const& t, bool heading);

} // namespace kftrain

#endif
