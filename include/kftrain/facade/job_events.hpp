#ifndef KFTRAIN_FACADE_JOB_EVENTS_HPP
#define KFTRAIN_FACADE_JOB_EVENTS_HPP

#include <kftrain/kube/call_options.hpp>
#include <kftrain/model/scalars.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kftrain {

/// An event about a job or an object of the job, from either API of events.
struct job_event {
    job_event() = default;

    std::optional<time_point> first, last;
    std::int64_t count = 1; ///< number of occurrences, for a series
    std::string type;       ///< Normal or Warning
    std::string reason;     ///< e.g. `FailedScheduling`
    std::string message;
    std::string source;      ///< the reporting component, e.g. `default-scheduler`
    std::string object_kind; ///< kind of the object that the event is about, e.g. `Pod`
    std::string object_name;

    /// Returns for example `Warning FailedScheduling Pod/digits-worker-0: 0/3 nodes are available (x4)`.
    std::string to_string() const;

    friend bool operator==(job_event const&, job_event const&) = default;
};

struct job_event_options : kube::detail::call_options_of<job_event_options> {
    job_event_options() = default;

    bool children = true;    ///< include events of pods and other objects of the job; otherwise of the job alone
    std::size_t most = 1000; ///< maximum number of events to keep, the newest ones; at least 1

    job_event_options& with_children(bool on) { return children = on, *this; }
    job_event_options& with_most(std::size_t n) { return most = n, *this; }
};

/// The events of a job, oldest first.
struct job_event_list {
    job_event_list() = default;

    std::vector<job_event> items;
    std::size_t left_out = 0; ///< number of older events beyond job_event_options::most
    /// Objects whose events could not be read, and why. Unreadable events of the job itself are an error instead.
    std::vector<std::string> unread;

    /// Returns a compact JSON object in the format of job_state::to_json().
    std::string to_json() const;
};

} // namespace kftrain

#endif
