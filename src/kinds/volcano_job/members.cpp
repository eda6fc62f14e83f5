#include "kinds/volcano_job/kind.hpp"

#include "model/rules/namespace_of.hpp"

namespace kftrain::volcano {
namespace {

/// How the pods of a job receive their ranks; nothing if they receive none.
struct ranking {
    ranking() = default;

    std::optional<rank_settings> by;
    std::int32_t masters = 0;
    bool torch = false; ///< by variables
    std::string note;
};

ranking ranking_of(job const& job, volcano_operator_options const& options) {
    ranking r;
    r.torch = has_plugin(job, plugin::pytorch);
    if (!r.torch && !has_plugin(job, plugin::hcclrank)) {
        r.note = "no plugin of the job passes ranks to its pods";
        if (has_plugin(job, plugin::mxnet) && is_designed(options))
            r.note = "the scheduler assigns ranks when servers and workers connect to it";
        if (has_plugin(job, plugin::mpi))
            r.note = "mpirun assigns ranks when it starts, host by host in the order of " +
                     std::string(is_designed(options) ? "the hostfile" : "MPI_HOST");
        return r;
    }
    r.by = r.torch ? pytorch_of(job, options.plugins) : hcclrank_of(job);
    auto const* const master = find_task(job, r.by->master);
    r.masters = master == nullptr ? 0 : replicas_of(*master);
    bool const clear = r.masters == 1 || (is_designed(options) && master != nullptr);
    if (!r.torch)
        r.note = "the annotation hccl/rankIndex has the rank, but RANK of the first container takes precedence";
    if (r.torch && !clear) {
        r.note = master == nullptr
                     ? "the plugin pytorch does nothing without a task " + r.by->master
                     : "the plugin pytorch gives rank 0 to every replica of " + r.by->master + " the rank 0";
        r.by.reset();
    }
    return r;
}

std::optional<std::int32_t> rank_of(ranking const& r, task_spec const& task, std::int32_t index) {
    if (!r.by) return std::nullopt;
    if (task.name == r.by->master) return index;
    if (task.name == r.by->worker) return r.masters + index;
    return std::nullopt;
}

} // namespace

membership lay_out(job const& job, volcano_operator_options const& options) {
    membership all;
    auto const ranks = ranking_of(job, options);
    std::int32_t ranked = 0;
    for (auto const& task : job.spec.tasks) {
        auto& r = all.roles.emplace_back();
        r.name = task.name;
        r.labels.emplace(key::job_name, job.metadata.name);
        r.labels.emplace(key::job_namespace, namespace_of(job.metadata));
        r.labels.emplace(key::task_name, std::string(task_name(task)));
        r.index_label = key::task_index;
        for (std::int32_t i = 0; i < replicas_of(task); ++i) {
            auto& m = all.members.emplace_back();
            m.role = task.name;
            m.index = i;
            m.pod_name = pod_name(job, task, i);
            if (auto host = host_name(job, task, i); host != m.pod_name) m.host = std::move(host);
            m.rank = rank_of(ranks, task, i);
            if (m.rank) ++ranked;
        }
    }
    if (ranks.by) {
        all.world_size = ranked;
        all.processes_per_member = processes_of(*ranks.by);
    }
    if (ranks.by && ranks.torch) {
        all.rank_env.rank = "RANK";
        if (world_size_of(job, *ranks.by, options) == ranked * all.processes_per_member.value_or(1))
            all.rank_env.world_size = "WORLD_SIZE";
        all.rank_env.address = "MASTER_ADDR";
        all.rank_env.port = "MASTER_PORT";
    }
    all.rank_note = ranks.note;
    all.domain = job.metadata.name + "." + namespace_of(job.metadata) + ".svc";
    return all;
}

} // namespace kftrain::volcano
