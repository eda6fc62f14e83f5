#include "kinds/train_job/kind.hpp"
#include "model/rules/namespace_of.hpp"

namespace kftrain::trainer {
namespace {

/// How a policy passes ranks to the pods that train.
rank_variables variables_of(ml_policy const& policy) {
    rank_variables v;
    v.container = node;
    if (policy.torch) {
        v.rank = "PET_NODE_RANK";
        v.address = "PET_MASTER_ADDR";
        v.port = "PET_MASTER_PORT";
    } else if (policy.jax) {
        v.rank = "JAX_PROCESS_ID";
        v.world_size = "JAX_NUM_PROCESSES";
    } else if (policy.xgboost) {
        v.rank = "DMLC_TASK_ID";
        v.address = "DMLC_TRACKER_URI";
        v.port = "DMLC_TRACKER_PORT";
    }
    return v;
}

std::string note_of(train_job const& job, ml_policy const& policy) {
    if (policy.mpi) return "mpirun assigns ranks in the order of its hostfile";
    if (policy.flux) return "runtimes with the policy flux are not supported";
    if (!policy.torch && !policy.jax && !policy.xgboost) return "the runtime has no policy that passes ranks";
    return job.spec.trainer ? "" : "without spec.trainer the operator passes no ranks";
}

void add_role(membership& all, train_job const& job, pod_set const& set, std::int32_t copy, std::int32_t copies,
              bool ranked) {
    auto& r = all.roles.emplace_back();
    r.name = copies == 1 ? set.name : set.name + "-" + std::to_string(copy);
    r.labels["jobset.sigs.k8s.io/jobset-name"] = job.metadata.name;
    r.labels["jobset.sigs.k8s.io/replicatedjob-name"] = set.name;
    if (copies != 1) r.labels["jobset.sigs.k8s.io/job-index"] = std::to_string(copy);
    r.index_label = "batch.kubernetes.io/job-completion-index";
    auto const host = job.metadata.name + "-" + set.name + "-" + std::to_string(copy) + "-";
    for (std::int32_t i = 0; i < set.count; ++i) {
        auto& m = all.members.emplace_back();
        m.role = r.name;
        m.index = i;
        if (ranked) m.rank = i;
        m.host = host + std::to_string(i);
    }
}

} // namespace

membership lay_out(train_job const& job, any_object const& runtime) {
    membership all;
    auto const* const stored = spec_of(runtime);
    if (stored == nullptr) {
        // Only the runtime has the names and numbers of the pods; they bear the name of the job all the same.
        auto& r = all.roles.emplace_back();
        r.name = trainer_step;
        r.labels["jobset.sigs.k8s.io/jobset-name"] = job.metadata.name;
        all.rank_note = "the " + *job.spec.runtime_ref.kind + " \"" + job.spec.runtime_ref.name + "\" is not available";
        return all;
    }
    auto spec = *stored;
    set_defaults(spec);
    auto const l = lay_out_runtime(job, spec);
    static ml_policy const none;
    auto const& policy = spec.ml_policy ? *spec.ml_policy : none;
    all.rank_note = note_of(job, policy);
    if (has_too_many_pods(l)) {
        all.rank_note = l.fault;
        return all;
    }
    bool const passes_ranks = all.rank_note.empty();
    for (std::size_t i = 0; i < l.sets.size(); ++i) {
        auto const& set = l.sets[i];
        bool const is_trainer = set.ancestor == trainer_step;
        auto const copies = is_trainer ? 1 : l.spec.replicated_jobs[i].replicas.value_or(1);
        for (std::int32_t k = 0; k < copies; ++k) add_role(all, job, set, k, copies, is_trainer && passes_ranks);
        if (is_trainer && passes_ranks) all.world_size = set.count;
    }
    if (passes_ranks) all.rank_env = variables_of(policy);
    bool const custom = l.spec.network && !l.spec.network->subdomain.empty();
    all.domain = (custom ? l.spec.network->subdomain : job.metadata.name) + "." + namespace_of(job.metadata) + ".svc";
    return all;
}

} // namespace kftrain::trainer
