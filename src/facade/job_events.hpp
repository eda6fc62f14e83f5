#ifndef KFTRAIN_SRC_FACADE_JOB_EVENTS_HPP
#define KFTRAIN_SRC_FACADE_JOB_EVENTS_HPP

#include "facade/parallel_queries.hpp"

#include <kftrain/facade/job_events.hpp>
#include <kftrain/job/prepared_job.hpp>

#include <map>
#include <set>

namespace kftrain {

/// The objects whose events belong to a job.
struct event_subjects {
    event_subjects() = default;

    /// `children`: includes the children of the job that its kind names.
    event_subjects(prepared_job const& job, bool children);

    /// Whether an event of a child is about an object of this job: it has its name, and is not older than the job,
    /// since an earlier job may have had the same name.
    bool includes(std::string const& kind, std::string const& name, std::optional<time_point> last) const;

    std::string namespace_;
    std::string uid;
    std::optional<time_point> created;
    std::map<std::string, std::set<std::string>> names; ///< of children, by kind
    std::set<std::string> pod_prefixes;                 ///< of pods whose names end in five random characters
};

/// The events of a job as they are read; must not be moved while the queries() run.
class event_collection {
public:
    explicit event_collection(event_subjects s) : subjects_(std::move(s)) {}
    event_collection(event_collection const&) = delete;
    event_collection& operator=(event_collection const&) = delete;

    /// One for the job, and one or a few for each kind of child.
    std::vector<query> queries();
    /// Sorted, equal ones as one, the newest.
    job_event_list list(std::size_t most) const;

    error_code job_error; ///< of the events of the job itself
    std::string job_error_text;

private:
    query make_query(std::string what, std::string of_core, std::string of_events, bool child);
    void add(job_event e, std::string const& uid, bool child);

    event_subjects subjects_;
    std::vector<job_event> items_;
    std::vector<std::string> unread_;
    std::set<std::string> added_; ///< uids
};

} // namespace kftrain

#endif
