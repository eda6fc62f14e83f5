#include <kftrain/job/topology.hpp>

#include "job/labels.hpp"

#include <kftrain/job/replica_job.hpp>

#include <algorithm>

namespace kftrain {

std::string replica_name(std::string_view job, std::string_view type, std::int32_t index) {
    std::string name = std::string(job) + '-' + to_lower(type) + '-' + std::to_string(index);
    std::replace(name.begin(), name.end(), '/', '-');
    return name;
}

topology lay_out(replica_job const& job) {
    topology result;
    for (std::string_view type : job.types()) {
        std::int32_t const count = job.spec_of(type)->replicas.value_or(1);
        for (std::int32_t i = 0; i < count; ++i) {
            replica r;
            r.type = type;
            r.index = i;
            r.name = replica_name(job.metadata.name, type, i);
            result.replicas.push_back(std::move(r));
        }
    }
    job.assign_ranks(result);
    return result;
}

} // namespace kftrain
