#include "job/field_error.hpp"
#include "kinds/pytorch_job/constants.hpp"

namespace kftrain {

void job_rules<pytorch_job>::validate(pytorch_job const& job, issues& found) {
    validate_replicas(view(job), found);
    if (job.spec.elastic_policy)
        found.push_back(forbidden("kftrain.unsupported", "spec.elasticPolicy",
                                  "elastic training is not supported by this version of kftrain"));
}

void job_rules<pytorch_job>::view::validate_replica(std::string_view type, replica_spec const& spec,
                                                    issues& found) const {
    // Looks at the job before defaults: an absent count is refused for the master although the default would be right.
    if (type == pytorch::master && spec.replicas.value_or(0) != 1)
        found.push_back(forbidden("pytorch.master.replicas", path_of(type) + ".replicas", "must be 1"));
    if (type != pytorch::master && spec.replicas && *spec.replicas < 1)
        found.push_back(forbidden("pytorch.worker.replicas", path_of(type) + ".replicas", "must be at least 1"));
}

} // namespace kftrain
