#include "job/v1/built_job.hpp"
#include "job/v1/replica_job.hpp"
#include "job/v1/replica_outcome.hpp"
#include "job/v1/replica_rules.hpp"

#include <kftrain/kinds/jax_job.hpp>
#include <kftrain/kinds/jax_job_builder.hpp>

#include <array>

namespace kftrain::embedded {
extern std::string_view const jax_job_schema; // schema.json
}

namespace kftrain::kubeflow_v1 {
namespace {

namespace jax {

constexpr std::string_view worker = "Worker";
constexpr std::array<std::string_view, 1> types{worker};

} // namespace jax

/// JAXJobs as a kind of the family: see replica_rules_of.
class jax_kind final : public replica_job {
public:
    using object = jax_job;
    using options = no_operator_options;
    static constexpr replica_constants constants = {.controller = "jaxjob-controller",
                                                    .container = "jax",
                                                    .port_name = "jaxjob-port",
                                                    .port = 6666,
                                                    .default_restart_policy = "Never",
                                                    .specs_field = "jaxReplicaSpecs",
                                                    .types = jax::types,
                                                    .admission_name = "validator.jaxjob.training-operator.kubeflow.org",
                                                    .manager = manager_rule::ignored};

    jax_kind(jax_job const& job, no_operator_options const&)
        : replica_job(job, job.spec.jax_replica_specs, constants) {}

    /// Upstream: training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/jax_defaults.go`.
    static void set_defaults(jax_job& job) {
        set_replica_defaults(job.spec.run_policy, job.spec.jax_replica_specs, constants);
    }

    static std::string_view schema() noexcept { return embedded::jax_job_schema; }

    void assign_ranks(membership& layout) const override {
        for (auto& r : layout.members) r.rank = r.index;
        layout.processes_per_member = 1;
        layout.world_size = static_cast<std::int32_t>(layout.members.size());
        layout.rank_env.rank = "PROCESS_ID";
        layout.rank_env.world_size = "NUM_PROCESSES";
        layout.rank_env.address = "COORDINATOR_ADDRESS";
        layout.rank_env.port = "COORDINATOR_PORT";
    }

    bool is_master(member const& r) const override { return r.index == 0; }
    /// Upstream: training-operator v1.9.0 `pkg/controller.v1/jax/envvar.go`, in upstream's order.
    std::vector<core::env_var> environment(membership const&, member const& r, core::container const&) const override {
        std::vector<core::env_var> env;
        env.emplace_back("PYTHONUNBUFFERED", "1");
        env.emplace_back("COORDINATOR_PORT", std::to_string(port_of(jax::worker).value_or(constants.port)));
        env.emplace_back("COORDINATOR_ADDRESS", replica_name(metadata.name, jax::worker, 0));
        env.emplace_back("NUM_PROCESSES", std::to_string(total_replicas()));
        env.emplace_back("PROCESS_ID", std::to_string(r.index));
        return env;
    }

    /// Upstream: training-operator v1.9.0 `pkg/controller.v1/jax/jaxjob_controller.go`, `UpdateJobStatus`.
    void judge(status_editor& e) const override {
        for (auto type : types()) {
            auto const& spec = *spec_of(type);
            note_selector(e.status(), type);
            replica_status const counts = e.status().replica_statuses[std::string(type)];
            if (type == jax::worker) judge_whole(e, counts, spec.replicas.value_or(1) == counts.succeeded);
            judge_failures(e, type, spec, counts);
        }
    }
};

} // namespace

rules::job_rules const& kftrain_job_rules(type_tag<jax_job>) noexcept {
    static replica_rules_of<jax_kind> const instance;
    return instance;
}

result<jax_job> jax_job_choices::build(job_choices const& chosen, pod_choices const& pod) const {
    jax_job made;
    kftrain::detail::add_replicas<jax_kind>(made.spec.jax_replica_specs, jax::worker, pod, workers);
    return kftrain::detail::checked<jax_kind>(std::move(made), chosen, *this);
}

} // namespace kftrain::kubeflow_v1
