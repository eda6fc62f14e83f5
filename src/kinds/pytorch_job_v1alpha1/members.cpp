#include "kinds/pytorch_job_v1alpha1/members.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1alpha1::pytorch {

membership lay_out(pytorch_job const& job) {
    membership all;
    for (auto const type : {master_type, worker_type}) {
        std::int32_t count = 0; // sets of a type share the names of their replicas
        for (auto const& set : job.spec.replica_specs)
            if (type_of(set) == type) count = std::max(count, count_of(set));
        if (count == 0) continue;
        auto& role = all.roles.emplace_back();
        role.name = type;
        role.labels = type_labels(job, type);
        role.index_label = label::task_index;
        role.first_label = rank_of(type, 0);
        for (std::int32_t i = 0; i < count; ++i) {
            auto& m = all.members.emplace_back();
            m.role = type;
            m.index = i;
            m.rank = rank_of(type, i);
            m.host = child_name(job, type, *m.rank);
        }
    }
    all.domain = (job.metadata.namespace_.empty() ? "default" : job.metadata.namespace_) + ".svc";
    all.world_size = static_cast<std::int32_t>(all.members.size());
    return all;
}

} // namespace kftrain::kubeflow_v1alpha1::pytorch
