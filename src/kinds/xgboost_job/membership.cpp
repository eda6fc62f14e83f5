#include "kinds/xgboost_job/kind.hpp"

namespace kftrain::kubeflow_v1 {

void xgboost_kind::assign_ranks(membership& layout) const {
    auto const* const masters = spec_of(xgboost::master);
    std::int32_t const before_workers = masters != nullptr ? masters->replicas.value_or(1) : 0;
    for (auto& r : layout.members) r.rank = r.role == xgboost::worker ? r.index + before_workers : r.index;
    layout.processes_per_member = 1;
    layout.world_size = static_cast<std::int32_t>(layout.members.size());
    layout.rank_env.rank = "RANK";
    layout.rank_env.world_size = "WORLD_SIZE";
    layout.rank_env.address = "MASTER_ADDR";
    layout.rank_env.port = "MASTER_PORT";
}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/xgboost/xgboost.go`, in upstream's order. LightGBM reads the last two.
std::vector<core::env_var> xgboost_kind::environment(membership const&, member const& r, core::container const&) const {
    auto const port_text = [&](std::string_view type) {
        return std::to_string(port_of(type).value_or(xgboost_kind::constants.port));
    };
    std::int64_t const replicas = total_replicas();
    std::vector<core::env_var> env;
    env.emplace_back("MASTER_PORT", port_text(xgboost::master));
    env.emplace_back("MASTER_ADDR", replica_name(metadata.name, xgboost::master, 0));
    env.emplace_back("WORLD_SIZE", std::to_string(replicas));
    env.emplace_back("RANK", std::to_string(r.rank.value()));
    env.emplace_back("PYTHONUNBUFFERED", "1");
    if (replicas <= 1) return env;
    if (worker_addresses_.empty())
        for (std::int32_t i = 0; i + 1 < replicas; ++i)
            worker_addresses_.append(i == 0 ? "" : ",").append(replica_name(metadata.name, xgboost::worker, i));
    env.emplace_back("WORKER_PORT", port_text(xgboost::worker));
    env.emplace_back("WORKER_ADDRS", worker_addresses_);
    return env;
}

} // namespace kftrain::kubeflow_v1
