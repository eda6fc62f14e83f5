#include "kinds/pytorch_job_v1alpha1/members.hpp"

#include "model/rules/namespace_of.hpp"

#include <algorithm>

namespace kftrain::kubeflow_v1alpha1::pytorch {

membership lay_out(pytorch_job const& job) {
    membership all;
    auto const& sets = job.spec.replica_specs;
    for (auto const type : {master_type, worker_type}) {
        std::int32_t count = 0; // sets of a type share the names of their replicas
        for (auto const& set : sets)
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
    all.domain = namespace_of(job.metadata) + ".svc";
    all.world_size = static_cast<std::int32_t>(all.members.size());
    all.rank_env.container = main_container;
    all.rank_env.rank = "RANK";
    if (world_size(sets) == *all.world_size) all.rank_env.world_size = "WORLD_SIZE";
    all.rank_env.address = "MASTER_ADDR";
    // Each set has its own port, which can differ from that of the master.
    bool const one_port =
        std::ranges::all_of(sets, [&](auto const& set) { return port_of(set) == port_of(sets.front()); });
    if (one_port) all.rank_env.port = "MASTER_PORT";
    return all;
}

} // namespace kftrain::kubeflow_v1alpha1::pytorch
