#ifndef KFTRAIN_SRC_FACADE_FOLLOW_JOB_LAYOUT_HPP
#define KFTRAIN_SRC_FACADE_FOLLOW_JOB_LAYOUT_HPP

#include <kftrain/facade/job_state.hpp>
#include <kftrain/job/prepared_job.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kftrain {

/// The members of a job, with what finds the one of a pod in a time that does not depend on their number.
class job_layout {
public:
    job_layout(job_layout const&) = delete;
    job_layout& operator=(job_layout const&) = delete;

    explicit job_layout(prepared_job const& job);

    membership const& members() const noexcept { return all_; }
    /// The place among the members of the one whose pod this is, as membership::of(); absent for pods of others.
    std::optional<std::size_t> place_of(object_meta const& pod) const noexcept;
    /// Whether it bears the labels of a role, be it of a member or not.
    bool knows(object_meta const& pod) const noexcept;

private:
    void find_distinguishing_label();
    std::optional<std::size_t> role_of(object_meta const& pod) const noexcept;

    prepared_job job_;
    membership const& all_;         ///< of the job
    std::vector<std::size_t> ends_; ///< of each role, the place behind its last member
    std::string apart_;             ///< a label whose value differs for each role; empty: there is none
    std::map<std::string, std::size_t, std::less<>> role_of_value_;
};

/// Selectors by which a server finds the pods of a job: one, or one of each role where these have no label in common.
std::vector<std::string> pod_selectors(membership const& all);

/// The members of a stored job; null if it is invalid.
std::shared_ptr<job_layout const> lay_out_job(prepared_job const& job);

/// job_state_of() with a layout that the caller keeps; without one the state has no ranks.
job_state state_of_job(prepared_job const& job, job_layout const* layout,
                       std::span<std::shared_ptr<core::pod const> const> pods);

/// The state of a member from its pod.
void look_at_pod(core::pod const& pod, rank_state& rank);

/// Whether the first of two pods of one member is its current one.
bool counts_more(core::pod const& pod, core::pod const& than);

} // namespace kftrain

#endif
