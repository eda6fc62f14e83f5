#ifndef KFTRAIN_SRC_CONTROLLERS_BATCH_JOB_PASS_HPP
#define KFTRAIN_SRC_CONTROLLERS_BATCH_JOB_PASS_HPP

#include "controllers/batch_job/failure_policy.hpp"
#include "controllers/batch_job/indexes.hpp"
#include "controllers/batch_job/job_pods.hpp"

#include <kftrain/job/controller_rules.hpp>

#include <map>
#include <memory>

namespace kftrain::controllers::batch_jobs {

/// One look at a Job that has not ended, and what follows from it.
class pass {
public:
    explicit pass(rules::look<batch::job> const& look);
    pass(pass const&) = delete;
    pass& operator=(pass const&) = delete;

    rules::plan make();

private:
    // whether the Job is to end, and why
    /// How the Job is to end, if it is: SuccessCriteriaMet, or FailureTarget.
    std::optional<batch::job_condition> verdict();
    std::optional<batch::job_condition> verdict_of_indexes() const;
    bool past_restarts() const;
    void find_delayed();
    batch::job_condition condition(std::string type, std::string reason, std::string message) const;
    bool set_condition(std::string const& type, bool holds, std::string const& reason, std::string const& message);

    // the pods that a Job makes
    /// Pods to make, as many as wanted; of those whose index still waits for its time none.
    std::vector<rules::action> new_pods(std::int64_t count);
    pod new_pod(std::optional<std::int32_t> index) const;

    // how pods are counted, each once
    bool count_untracked(); ///< whether there were any
    /// Notes the pods that have finished, and returns those that may go.
    pod_list note_finished();
    bool may_go(pod const&) const;

    void manage();
    void remove_pods(pod_list, bool counted);
    pod_list surplus(std::int64_t least) const;
    void suspend_or_resume();
    void end_if_all_is_counted(bool pods_remain);
    void requeue_by(time_point t);

    rules::look<batch::job> const& look_;
    batch::job const& job_;
    batch::job next_;
    pod_list pods_, active_, new_succeeded_, new_failed_;
    std::int64_t active_count_ = 0, ready_ = 0, terminating_ = 0, succeeded_ = 0, failed_ = 0;
    index_set counted_indexes_, succeeded_indexes_, failed_indexes_;
    std::map<std::int32_t, pod const*> delayed_; ///< failed pods that wait until there is another of their index
    std::optional<batch::job_condition> ending_;
    failure_record record_;
    std::vector<rules::step> steps_;
    std::vector<rules::action> events_; ///< events that follow the write of the status
    std::optional<time_point> requeue_at_;
};

} // namespace kftrain::controllers::batch_jobs

#endif
