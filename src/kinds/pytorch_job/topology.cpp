#include "kinds/pytorch_job/constants.hpp"
#include "kinds/pytorch_job/init_container.hpp"
#include "kinds/pytorch_job/processes.hpp"

#include <limits>

namespace kftrain {

using view = job_rules<pytorch_job>::view;

view::view(pytorch_job const& job) : replica_job(job, job.spec.pytorch_replica_specs, pytorch::constants), job_(job) {}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/pytorch/envvar.go`. Without a master torchrun assigns ranks.
void view::assign_ranks(topology& layout) const {
    // Other numbers are told to the pods, which cannot start so many.
    if (auto const n = pytorch::stated_processes(job_); n && *n >= 1 && *n <= std::numeric_limits<std::int32_t>::max())
        layout.processes_per_replica = n;
    if (spec_of(pytorch::master) == nullptr) {
        layout.rank_note = "torchrun assigns ranks at the rendezvous, since the job has no Master";
        return;
    }
    for (auto& r : layout.replicas) r.rank = r.type == pytorch::master ? r.index : r.index + 1;
    layout.world_size = static_cast<std::int32_t>(layout.replicas.size());
}

bool view::is_master(replica const& r) const {
    return spec_of(pytorch::master) != nullptr ? r.type == pytorch::master : r.type == pytorch::worker && r.index == 0;
}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/pytorch/{envvar,master}.go`, in upstream's order.
std::vector<env_var> view::environment(topology const&, replica const& r, container const&) const {
    std::vector<env_var> env;
    env.emplace_back("PYTHONUNBUFFERED", "1");
    std::int64_t const replicas = total_replicas();
    if (spec_of(pytorch::master) != nullptr) {
        auto const port = std::to_string(port_of(pytorch::master).value_or(pytorch::constants.port));
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
void view::add_elastic_environment(std::vector<env_var>& env) const {
    auto const& elastic = *job_.spec.elastic_policy;
    auto const number = [](std::int32_t n) { return std::to_string(n); };
    auto const host = elastic.rdzv_host.value_or(replica_name(metadata.name, pytorch::worker, 0));
    auto const port = elastic.rdzv_port ? elastic.rdzv_port : port_of(pytorch::worker);
    env.emplace_back("PET_RDZV_ENDPOINT", host + ":" + number(port.value_or(pytorch::constants.port)));
    env.emplace_back("PET_RDZV_BACKEND", elastic.rdzv_backend.value_or("c10d"));
    env.emplace_back("PET_NNODES",
                     number(elastic.min_replicas.value_or(0)) + ":" + number(elastic.max_replicas.value_or(0)));
    if (elastic.max_restarts) env.emplace_back("PET_MAX_RESTARTS", number(*elastic.max_restarts));
    if (elastic.n_proc_per_node) env.emplace_back("PET_NPROC_PER_NODE", number(*elastic.n_proc_per_node));
    if (elastic.rdzv_id) env.emplace_back("PET_RDZV_ID", *elastic.rdzv_id);
    if (!elastic.rdzv_conf.empty()) {
        std::string list;
        for (auto const& c : elastic.rdzv_conf) list += (list.empty() ? "" : ",") + c.key + "=" + c.value;
        env.emplace_back("PET_RDZV_CONF", std::move(list));
    }
    if (elastic.standalone.value_or(false)) env.emplace_back("PET_STANDALONE", "");
}

std::vector<container> view::init_containers(replica const& r, operator_options const& options) const {
    if (r.type != pytorch::worker || spec_of(pytorch::master) == nullptr) return {};
    if (!init_containers_)
        init_containers_ = pytorch::init_containers(options.get<pytorch_operator_options>(),
                                                    replica_name(metadata.name, pytorch::master, 0));
    return *init_containers_;
}

} // namespace kftrain
