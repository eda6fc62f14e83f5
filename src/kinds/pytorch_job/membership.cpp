#include "base/joined.hpp"
#include "kinds/pytorch_job/init_container.hpp"
#include "kinds/pytorch_job/kind.hpp"
#include "kinds/pytorch_job/processes.hpp"

#include <limits>

namespace kftrain::kubeflow_v1 {

pytorch_kind::pytorch_kind(pytorch_job const& job, pytorch_operator_options const& given)
    : replica_job(job, job.spec.pytorch_replica_specs, constants), job_(job), told_(given) {}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/pytorch/envvar.go`. Without a master, torchrun assigns ranks
/// if it has an endpoint.
void pytorch_kind::assign_ranks(membership& layout) const {
    // Pods receive other numbers, but cannot start so many processes.
    auto const stated = pytorch::stated_processes(job_);
    if (stated && *stated >= 1 && *stated <= std::numeric_limits<std::int32_t>::max())
        layout.processes_per_member = stated;
    if (spec_of(pytorch::master) == nullptr) {
        layout.rank_note = job_.spec.elastic_policy
                               ? "torchrun assigns ranks at the rendezvous, because the job has no Master"
                               : "the operator sets no ranks and no address, because the job has neither a Master nor "
                                 "elasticPolicy";
        return;
    }
    for (auto& r : layout.members) r.rank = r.role == pytorch::master ? r.index : r.index + 1;
    layout.world_size = static_cast<std::int32_t>(layout.members.size());
    layout.rank_env.rank = "RANK";
    if (stated == layout.processes_per_member) layout.rank_env.world_size = "WORLD_SIZE";
    layout.rank_env.address = "MASTER_ADDR";
    layout.rank_env.port = "MASTER_PORT";
}

bool pytorch_kind::is_master(member const& r) const {
    return spec_of(pytorch::master) != nullptr ? r.role == pytorch::master : r.role == pytorch::worker && r.index == 0;
}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/pytorch/{envvar,master}.go`, in upstream's order.
std::vector<core::env_var> pytorch_kind::environment(membership const&, member const& r, core::container const&) const {
    std::vector<core::env_var> env;
    env.emplace_back("PYTHONUNBUFFERED", "1");
    std::int64_t const replicas = total_replicas();
    if (spec_of(pytorch::master) != nullptr) {
        auto const port = std::to_string(port_of(pytorch::master).value_or(pytorch_kind::constants.port));
        auto const address = replica_name(metadata.name, pytorch::master, 0);
        env.emplace_back("MASTER_PORT", port);
        env.emplace_back("PET_MASTER_PORT", port);
        env.emplace_back("MASTER_ADDR", address);
        env.emplace_back("PET_MASTER_ADDR", address);
        // Go wraps around where a number is too large; signed arithmetic of C++ may not.
        auto const processes = static_cast<std::uint64_t>(replicas) *
                               static_cast<std::uint64_t>(pytorch::stated_processes(job_).value_or(1));
        env.emplace_back("WORLD_SIZE", std::to_string(static_cast<std::int64_t>(processes)));
        auto const rank = std::to_string(r.rank.value());
        env.emplace_back("RANK", rank);
        env.emplace_back("PET_NODE_RANK", rank);
    }
    if (job_.spec.nproc_per_node) env.emplace_back("PET_NPROC_PER_NODE", *job_.spec.nproc_per_node);
    if (job_.spec.elastic_policy)
        add_elastic_environment(env);
    else
        env.emplace_back("PET_NNODES", std::to_string(replicas));
    return env;
}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/pytorch/elastic.go`, in upstream's order.
void pytorch_kind::add_elastic_environment(std::vector<core::env_var>& env) const {
    auto const& elastic = *job_.spec.elastic_policy;
    auto const number = [](std::int32_t n) { return std::to_string(n); };
    auto const host = elastic.rdzv_host.value_or(replica_name(metadata.name, pytorch::worker, 0));
    auto const port = elastic.rdzv_port ? elastic.rdzv_port : port_of(pytorch::worker);
    env.emplace_back("PET_RDZV_ENDPOINT", host + ":" + number(port.value_or(pytorch_kind::constants.port)));
    env.emplace_back("PET_RDZV_BACKEND", elastic.rdzv_backend.value_or("c10d"));
    env.emplace_back("PET_NNODES",
                     number(elastic.min_replicas.value_or(0)) + ":" + number(elastic.max_replicas.value_or(0)));
    if (elastic.max_restarts) env.emplace_back("PET_MAX_RESTARTS", number(*elastic.max_restarts));
    if (elastic.n_proc_per_node) env.emplace_back("PET_NPROC_PER_NODE", number(*elastic.n_proc_per_node));
    if (elastic.rdzv_id) env.emplace_back("PET_RDZV_ID", *elastic.rdzv_id);
    if (!elastic.rdzv_conf.empty())
        env.emplace_back("PET_RDZV_CONF",
                         joined(elastic.rdzv_conf, ",", [](auto const& c) { return c.key + "=" + c.value; }));
    if (elastic.standalone.value_or(false)) env.emplace_back("PET_STANDALONE", "");
}

std::vector<core::container> pytorch_kind::init_containers(member const& r) const {
    if (r.role != pytorch::worker || spec_of(pytorch::master) == nullptr) return {};
    if (!init_containers_)
        init_containers_ = pytorch::init_containers(told_, replica_name(metadata.name, pytorch::master, 0));
    return *init_containers_;
}

std::optional<rules::scale_place> pytorch_kind::elastic_place() const {
    auto const& elastic = job_.spec.elastic_policy;
    if (!elastic) return std::nullopt;
    rules::scale_place place;
    place.least = elastic->min_replicas;
    place.most = elastic->max_replicas;
    place.effect = "torchrun starts a new rendezvous. All workers continue from their last checkpoint with new ranks.";
    return place;
}

} // namespace kftrain::kubeflow_v1
