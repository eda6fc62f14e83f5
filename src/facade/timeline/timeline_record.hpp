#ifndef KFTRAIN_SRC_FACADE_TIMELINE_TIMELINE_RECORD_HPP
#define KFTRAIN_SRC_FACADE_TIMELINE_TIMELINE_RECORD_HPP

#include "facade/follow/job_layout.hpp"
#include "job/contract/watched_pods.hpp"

#include <kftrain/facade/job_timeline.hpp>
#include <kftrain/facade/progress_record.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace kftrain {

/** Collects what is observed of one job over time. Repeated and late observations change nothing that is known. Pods
    are kept by uid, so that a pod and its replacement of the same name are two. */
class timeline_record {
public:
    explicit timeline_record(std::size_t most_pods) : most_pods_(std::max<std::size_t>(most_pods, 1)) {}

    /// The stored job; a later job of the same name is ignored. The first call comes before all others.
    void see(any_job const& job, time_point now);
    void see(core::pod const& pod, time_point now);
    /// The pod no longer exists.
    void see_deleted(object_meta const& pod, time_point now);
    /// Only the pods with these uids exist.
    void see_all(std::set<std::string, std::less<>> const& uids, time_point now);
    /// Replaces the known events.
    void see_events(std::span<job_event const> events) { events_.assign(events.begin(), events.end()); }
    void see(log_line const& line, time_point now);
    void lacks(std::string why) { missing_.insert(std::move(why)); }
    void set_recorded() { timeline_.recorded = true; }
    /// Whether the pods may be incomplete. Then nothing is concluded from those that are absent.
    void set_pods_unknown() { pods_known_ = false; }

    bool empty() const noexcept { return job_.empty(); }
    prepared_job const& job() const noexcept { return job_; }
    job_layout const* layout() const noexcept { return layout_.get(); }
    job_timeline result(time_point now) const;

private:
    void see_conditions(time_point now);
    void see_size(job_layout const& before, time_point now);
    static void end_pod(timeline_pod& pod, time_point now);
    member member_of(object_meta const& pod) const;
    void add_pods_of_events(job_timeline& t) const;
    void note_gaps(job_timeline& t) const;

    std::size_t most_pods_;
    prepared_job job_;
    std::shared_ptr<job_layout const> layout_;
    std::optional<pod_claim> claim_;
    object_meta claimed_;                                   ///< what claim_ refers to
    job_timeline timeline_;                                 ///< without what result() adds
    std::map<std::string, timeline_pod, std::less<>> pods_; ///< by uid
    std::set<std::string> further_pods_;                    ///< uids of those beyond `most_pods_`
    std::vector<job_event> events_;
    progress_record progress_;
    std::size_t thinned_ = 1; ///< every n-th report is kept
    std::size_t reports_ = 0;
    bool last_is_extra_ = false; ///< it is not an n-th one
    std::set<std::string> missing_;
    bool pods_known_ = true;
};

} // namespace kftrain

#endif
