#ifndef KFTRAIN_SRC_FACADE_PLAN_CHANGE_JUDGE_HPP
#define KFTRAIN_SRC_FACADE_PLAN_CHANGE_JUDGE_HPP

#include <kftrain/facade/update_plan.hpp>
#include <kftrain/job/prepared_job.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kftrain {

/// The effect of a change, and its source.
struct judgement {
    judgement() = default;
    judgement(change_effect e, std::string w) : effect(e), why(std::move(w)) {}

    change_effect effect = change_effect::none;
    std::string why;
};

/// Finds by the rules of its kind what becomes of a job when it is changed. All jobs have their defaults.
class change_judge {
public:
    /// `whole` is the job with all changes.
    change_judge(prepared_job const& before, prepared_job const& whole);

    /// The effect of one or more changes. `of_metadata`: only metadata changes.
    judgement judge(prepared_job const& next, bool of_metadata) const;
    /// The server's answer to all changes together.
    issues const& refusals() const noexcept { return refusals_; }
    /// The objects that the operator would create, delete and replace for all changes together.
    std::vector<object_change_plan> objects() const;

private:
    using counts = std::map<std::string, std::int32_t>;
    using objects_by_name = std::map<std::pair<std::string, std::string>, any_object>;

    static counts members_of(prepared_job const&);
    static objects_by_name objects_of(prepared_job const&);
    std::optional<judgement> of_counts(prepared_job const& next) const;
    std::optional<judgement> of_suspension(prepared_job const& next) const;
    judgement of_objects(prepared_job const& next, bool of_metadata) const;
    judgement of_object(std::string const& kind) const;
    bool is_runnable(prepared_job const&) const;

    prepared_job before_;
    prepared_job whole_;
    issues refusals_;
    bool finished_ = false;
    bool suspended_ = false;
    counts members_;
    objects_by_name objects_;
};

} // namespace kftrain

#endif
