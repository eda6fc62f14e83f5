#include "base/ascii.hpp"
#include "job/v1/labels.hpp"

#include "job/v1/replica_job.hpp"
#include "model/rules/namespace_of.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1 {

std::string replica_name(std::string_view job, std::string_view type, std::int32_t index) {
    std::string name = std::string(job) + '-' + to_lower(type) + '-' + std::to_string(index);
    std::replace(name.begin(), name.end(), '/', '-');
    return name;
}

membership lay_out(replica_job const& job) {
    membership result;
    // Without services only the pods themselves know their names.
    if (!job.constants.own_members) result.domain = namespace_of(job.metadata) + ".svc";
    for (std::string_view type : job.types()) {
        auto& in_common = result.roles.emplace_back();
        in_common.name = type;
        in_common.labels = type_labels(job, type);
        if (job.has_index(type)) in_common.index_label = label::replica_index;
        std::int32_t const count = job.spec_of(type)->replicas.value_or(1);
        for (std::int32_t i = 0; i < count; ++i) {
            auto& m = result.members.emplace_back();
            m.role = type;
            m.index = i;
            m.pod_name = job.name_of(type, i);
        }
    }
    job.assign_ranks(result);
    return result;
}

} // namespace kftrain::kubeflow_v1
