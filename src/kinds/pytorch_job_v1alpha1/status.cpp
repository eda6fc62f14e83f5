#include "kinds/pytorch_job_v1alpha1/kind.hpp"

#include "model/rules/label_of.hpp"

#include <tuple>

namespace kftrain::kubeflow_v1alpha1::pytorch {
namespace {

/// The state of the container that trains; of equal names the last one counts. Empty: it has none.
std::string_view state_of(core::pod const& pod) noexcept {
    std::string_view state;
    for (auto const& c : pod.status.container_statuses) {
        if (c.name != main_container) continue;
        if (c.state.running || c.state.waiting)
            state = running;
        else if (c.state.terminated)
            state = c.state.terminated->exit_code == 0 ? succeeded : failed;
        else
            state = {};
    }
    return state;
}

bool is_later(core::pod const& a, core::pod const& b) {
    auto const age = [](core::pod const& p) { return std::tie(p.metadata.creation_timestamp, p.metadata.name); };
    return age(a) > age(b);
}

} // namespace

void observed_pods::add(pytorch_job const& job, core::pod const& pod) {
    auto const& meta = pod.metadata;
    if (label_of(meta, label::runtime_id) != runtime_id_of(job) || !meta.labels.contains(label::group)) return;
    auto& all = of_[{std::string(label_of(meta, label::job_type)), std::string(label_of(meta, label::task_index))}];
    all.any = true;
    all.alive = all.alive || pod.status.phase != failed;
    if (!state_of(pod).empty() && (all.latest == nullptr || is_later(pod, *all.latest))) all.latest = &pod;
}

bool observed_pods::lives(std::string_view type, std::int32_t rank) const {
    auto const it = of_.find(key(type, rank));
    return it != of_.end() && it->second.alive;
}

std::string_view observed_pods::state(std::string_view type, std::int32_t rank) const {
    auto const it = of_.find(key(type, rank));
    if (it == of_.end()) return running;
    return it->second.latest == nullptr ? unknown_state : state_of(*it->second.latest);
}

pytorch_replica_status status_of(pytorch_replica_spec const& set, observed_pods const& observed) {
    pytorch_replica_status status;
    status.replica_type = type_of(set);
    for (std::int32_t i = 0; i < count_of(set); ++i)
        ++status.replicas_states[std::string(observed.state(type_of(set), i))];
    auto const any = [&](std::string_view state) { return status.replicas_states.contains(state); };
    auto const all_succeeded = [&] {
        auto const it = status.replicas_states.find(succeeded);
        return it != status.replicas_states.end() && it->second == count_of(set);
    };
    status.state = unknown_state;
    if (any(failed))
        status.state = failed;
    else if (any(running))
        status.state = running;
    else if (all_succeeded())
        status.state = succeeded;
    return status;
}

std::string_view end_of(pytorch_job const& job, replica_sets const& sets, observed_pods const& observed) {
    auto const& policy = job.spec.termination_policy;
    std::string_view const type = policy && policy->master ? policy->master->replica_name : master_type;
    std::int32_t rank = policy && policy->master ? policy->master->replica_rank : 0;
    if (type == worker_type && rank == 0) rank = rank_of(type, 0);
    for (auto const& set : sets) {
        if (type_of(set) != type) continue;
        auto const state = observed.state(type, rank);
        if (state == succeeded || state == failed) return state;
    }
    return {};
}

} // namespace kftrain::kubeflow_v1alpha1::pytorch
