#ifndef KFTRAIN_SRC_FACADE_PLAN_PLAN_UPDATE_HPP
#define KFTRAIN_SRC_FACADE_PLAN_PLAN_UPDATE_HPP

#include <kftrain/facade/update_plan.hpp>
#include <kftrain/job/prepared_job.hpp>

namespace kftrain {

/// Returns the plan for a valid job whose name no job has.
update_plan plan_creation(prepared_job const& wanted);
/** Returns the changes that submitting `wanted` makes to `stored`, a job of the same kind. Defaults are applied to
    both. Fields that the server and the operator write are ignored: status, metadata except labels and annotations, and
    operator-written fields. Pure, and for any kind: the job rules find the effect of each change from the job with this
    change alone. `wanted` must be valid. */
update_plan plan_update(any_job const& wanted, any_job const& stored);

/** The changed fields without their effects, which need a plan of all members: cheap enough for every refusal.
    Operator-written fields are only found for jobs with at most some hundred members. */
std::vector<field_change> fields_that_differ(any_job const& wanted, any_job const& stored);
/// `1 field differs`, and a line for each of the first few.
std::string joined_paths(std::vector<field_change> const& fields);

} // namespace kftrain

#endif
