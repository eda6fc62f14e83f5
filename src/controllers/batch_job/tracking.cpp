#include "controllers/batch_job/failure_policy.hpp"
#include "controllers/batch_job/pass.hpp"

#include <algorithm>
#include <set>

// How pods are counted, each once.
namespace kftrain::controllers::batch_jobs {

/// Noted pods that have lost their finalizer, or are gone, can no more be noted again: now they count.
bool pass::count_untracked() {
    std::set<std::string_view> tracked;
    for (auto const* p : pods_)
        if (is_tracked(*p)) tracked.insert(p->metadata.uid);
    auto& noted = *next_.status.uncounted_terminated_pods;
    auto const count = [&](std::vector<std::string>& uids, std::int32_t& sum) {
        auto const found = std::erase_if(uids, [&](auto const& uid) { return !tracked.contains(uid); });
        sum += static_cast<std::int32_t>(found);
        return found != 0;
    };
    bool const any = count(noted.succeeded, next_.status.succeeded);
    return count(noted.failed, next_.status.failed) || any;
}

bool pass::may_go(pod const& p) const {
    if (job_.metadata.deletion_timestamp || ending_ || p.status.phase == "Succeeded") return true;
    if (!has_failed(p, job_)) return false;
    auto const index = index_of(p);
    auto const at = index ? delayed_.find(*index) : delayed_.end();
    return at == delayed_.end() || at->second != &p;
}

pod_list pass::note_finished() {
    bool const indexed = is_indexed(job_);
    auto& noted = *next_.status.uncounted_terminated_pods;
    std::set<std::string> const succeeded(noted.succeeded.begin(), noted.succeeded.end());
    std::set<std::string> const failed(noted.failed.begin(), noted.failed.end());
    index_set completed = counted_indexes_;
    std::size_t new_indexes = 0;
    pod_list free;
    for (auto const* p : pods_) {
        if (!is_tracked(*p) || !may_go(*p)) continue;
        if (new_indexes + noted.succeeded.size() + noted.failed.size() >= most_per_plan) break;
        free.push_back(p);
        auto const& uid = p->metadata.uid;
        if (p->status.phase == "Succeeded" && !failed.contains(uid)) {
            // The index is enough to count it once.
            if (!indexed && !succeeded.contains(uid)) noted.succeeded.push_back(uid);
            if (indexed && index_of(*p) && has_valid_index(*p, job_) && !completed.has(*index_of(*p))) {
                completed.add(*index_of(*p));
                ++new_indexes;
            }
        } else if (has_failed(*p, job_) || (ending_ && ending_->type != "SuccessCriteriaMet")) {
            if (!failed.contains(uid) && has_valid_index(*p, job_) && judge_failed_pod(job_, *p).counts)
                noted.failed.push_back(uid);
        }
    }
    if (indexed) {
        next_.status.succeeded = static_cast<std::int32_t>(succeeded_indexes_.size());
        next_.status.completed_indexes = succeeded_indexes_.to_string();
        if (job_.spec.backoff_limit_per_index) next_.status.failed_indexes = failed_indexes_.to_string();
    }
    return free;
}

} // namespace kftrain::controllers::batch_jobs
