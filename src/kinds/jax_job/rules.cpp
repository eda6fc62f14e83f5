#include <kftrain/kinds/jax_job.hpp>

#include "job/replica_outcome.hpp"

#include <array>

namespace kftrain {
namespace jax {
namespace {

constexpr std::string_view worker = "Worker";
constexpr std::array<std::string_view, 1> types{worker};
constexpr replica_constants constants = [] {
    replica_constants c;
    c.controller = job_rules<jax_job>::operator_name;
    c.container = "jax";
    c.port_name = "jaxjob-port";
    c.port = 6666;
    c.default_restart_policy = "Never";
    c.specs_field = "jaxReplicaSpecs";
    c.types = types;
    c.manager = manager_rule::ignored;
    return c;
}();

} // namespace
} // namespace jax

using view = job_rules<jax_job>::view;

view::view(jax_job const& job) : replica_job(job, job.spec.jax_replica_specs, jax::constants) {}

/// Upstream: training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/jax_defaults.go`.
void job_rules<jax_job>::set_defaults(jax_job& job) {
    set_replica_defaults(job.spec.run_policy, job.spec.jax_replica_specs, jax::constants);
}

void view::assign_ranks(topology& layout) const {
    for (auto& r : layout.replicas) r.rank = r.index;
    layout.processes_per_replica = 1;
    layout.world_size = static_cast<std::int32_t>(layout.replicas.size());
}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/jax/envvar.go`, in upstream's order.
std::vector<env_var> view::environment(topology const&, replica const& r, container const&) const {
    std::vector<env_var> env;
    env.emplace_back("PYTHONUNBUFFERED", "1");
    env.emplace_back("COORDINATOR_PORT", std::to_string(port_of(jax::worker).value_or(jax::constants.port)));
    env.emplace_back("COORDINATOR_ADDRESS", replica_name(metadata.name, jax::worker, 0));
    env.emplace_back("NUM_PROCESSES", std::to_string(total_replicas()));
    env.emplace_back("PROCESS_ID", std::to_string(r.index));
    return env;
}

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/jax/jaxjob_controller.go`, `UpdateJobStatus`.
void view::judge(status_editor& e) const {
    for (auto type : types()) {
        auto const& spec = *spec_of(type);
        note_selector(e.status(), type);
        replica_status const counts = e.status().replica_statuses[std::string(type)];
        if (type == jax::worker) judge_whole(e, counts, spec.replicas.value_or(1) == counts.succeeded);
        judge_failures(e, type, spec, counts);
    }
}

} // namespace kftrain
