#ifndef KFTRAIN_SRC_FACADE_SCALE_JOB_HPP
#define KFTRAIN_SRC_FACADE_SCALE_JOB_HPP

#include <kftrain/job/prepared_job.hpp>
#include <kftrain/objects/autoscaling/horizontal_pod_autoscaler.hpp>

#include <vector>

namespace kftrain {

/** Returns the write that scales a role of the stored job to this number of members; pure.
    @par Errors `errc::invalid_argument` for what scaling() of the job does not allow, for fewer members than its gang
    needs, and where an autoscaler would undo it */
result<rules::job_write> checked_scaling(prepared_job const& stored, std::string_view role, std::int32_t members,
                                         std::vector<autoscaling::horizontal_pod_autoscaler> const& autoscalers);

} // namespace kftrain

#endif
