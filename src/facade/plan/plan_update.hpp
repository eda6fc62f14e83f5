#ifndef KFTRAIN_SRC_FACADE_PLAN_PLAN_UPDATE_HPP
#define KFTRAIN_SRC_FACADE_PLAN_PLAN_UPDATE_HPP

#include <kftrain/facade/update_plan.hpp>

namespace kftrain {

/** What submitting `wanted` would change in `stored`, a job of the same kind, or null if there is none of its name. Defaults are applied to
    both; what the server and the operator write is left out: status, metadata beside labels and annotations, what the operator fills in.
    Pure, and of any kind: what becomes of a field is found by its rules, which are asked about the job with this change alone. `wanted` must
    be valid. */
update_plan plan_update(any_job const& wanted, any_job const* stored);

/** The fields alone, without what becomes of them, which takes a plan of all members: cheap enough for every refusal. What an operator fills in is
    found for jobs of some hundred members at most. */
std::vector<field_change> fields_that_differ(any_job const& wanted, any_job const& stored);
/// `1 field differs`, and a line for each of the first few.
std::string words_of(std::vector<field_change> const& fields);

} // namespace kftrain

#endif
