#include "kinds/pytorch_job/constants.hpp"

namespace kftrain {

void job_rules<pytorch_job>::set_defaults(pytorch_job& job) {
    set_replica_defaults(job.spec.run_policy, job.spec.pytorch_replica_specs, pytorch::constants);
    if (!job.spec.nproc_per_node) job.spec.nproc_per_node = "auto";
}

} // namespace kftrain
