#include "job/contract/field_error.hpp"
#include "job/v1/built_job.hpp"
#include "job/v1/replica_job.hpp"
#include "job/v1/replica_outcome.hpp"
#include "job/v1/replica_rules.hpp"

#include <kftrain/kinds/paddle_job.hpp>
#include <kftrain/kinds/paddle_job_builder.hpp>

#include <array>

namespace kftrain::embedded {
extern std::string_view const paddle_job_schema; // schema.json
}

namespace kftrain::kubeflow_v1 {
namespace {

namespace paddle {

constexpr std::string_view master = "Master";
constexpr std::string_view worker = "Worker";
constexpr std::array<std::string_view, 2> types{master, worker};

} // namespace paddle

/// The variable of the pod's own address, to which its launcher binds; the next variable refers to it.
core::env_var own_address() {
    core::env_var v;
    v.name = "POD_IP_DUMMY";
    v.value_from.emplace().field_ref.emplace().field_path = "status.podIP";
    return v;
}

using enum issue::severity;

constexpr lint_rule elastic_policy_unused{"lint.paddle.elastic-policy", warning,
                                          "The operator stores the policy and ignores it: no pod receives the bounds, "
                                          "and the operator creates no autoscaler."};

constexpr std::array all{elastic_policy_unused};

/// PaddleJobs as a kind of the family: see replica_rules_of.
class paddle_kind final : public replica_job {
public:
    using object = paddle_job;
    using options = no_operator_options;
    static constexpr replica_constants constants = {.controller = "paddlejob-controller",
                                                    .container = "paddle",
                                                    .port_name = "master",
                                                    .port = 36543,
                                                    .default_restart_policy = "OnFailure",
                                                    .specs_field = "paddleReplicaSpecs",
                                                    .types = paddle::types,
                                                    .admission_name =
                                                        "validator.paddlejob.training-operator.kubeflow.org",
                                                    .manager = manager_rule::immutable,
                                                    .quotes_container = true};

    paddle_kind(paddle_job const& job, no_operator_options const&)
        : replica_job(job, job.spec.paddle_replica_specs, constants), job_(job) {}

    /// Upstream: training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/paddlepaddle_defautls.go`.
    static void set_defaults(paddle_job& job) {
        auto& spec = job.spec;
        set_replica_defaults(spec.run_policy, spec.paddle_replica_specs, constants);
        if (auto& elastic = spec.elastic_policy)
            set_elastic_bounds(elastic->min_replicas, elastic->max_replicas, spec.paddle_replica_specs);
    }

    static std::string_view schema() noexcept { return embedded::paddle_job_schema; }

    static std::span<lint_rule const> lint_rules() noexcept { return all; }

    void lint(issues& found) const override {
        if (job_.spec.elastic_policy)
            report(found, elastic_policy_unused, "spec.elasticPolicy",
                   "has no effect, expected only a number of replicas");
    }

    void assign_ranks(membership& layout) const override {
        layout.rank_note =
            "paddle.distributed.launch assigns ranks when its nodes connect, in an order that is not known in advance";
    }

    bool is_master(member const& r) const override { return r.role == paddle::master; }
    /** Upstream: training-operator v1.9.0 `pkg/controller.v1/paddlepaddle/envvar.go`, in upstream's order. With
        masters the launcher starts servers in some pods and trainers in others; without any it trains collectively. */
    std::vector<core::env_var> environment(membership const&, member const& r, core::container const&) const override {
        auto const leader = has_master() ? paddle::master : paddle::worker;
        auto const port = std::to_string(port_of(leader).value_or(constants.port));
        std::vector<core::env_var> env;
        env.emplace_back("PYTHONUNBUFFERED", "1");
        env.emplace_back("PADDLE_JOB_ID", metadata.name);
        env.emplace_back("PADDLE_NNODES", std::to_string(total_replicas()));
        if (r.index == 0 && r.role == leader) {
            env.push_back(own_address());
            env.emplace_back("PADDLE_MASTER", "$(POD_IP_DUMMY):" + port);
        } else {
            env.emplace_back("PADDLE_MASTER", replica_name(metadata.name, leader, 0) + ":" + port);
        }
        if (has_master()) env.emplace_back(r.role == paddle::master ? "PADDLE_SERVER_NUM" : "PADDLE_TRAINER_NUM", "1");
        return env;
    }

    /// Upstream: training-operator v1.9.0 `pkg/controller.v1/paddlepaddle/paddlepaddle_controller.go`,
    /// `UpdateJobStatus`.
    void judge(status_editor& e) const override {
        for (auto type : types()) {
            auto const& spec = *spec_of(type);
            note_selector(e.status(), type);
            replica_status const counts = e.status().replica_statuses[std::string(type)];
            bool const done = spec.replicas.value_or(1) == counts.succeeded;
            if (has_master() && type == paddle::master) {
                if (judge_leader(e, counts, done)) return;
            } else if (!has_master() && type == paddle::worker) {
                judge_whole(e, counts, done);
            }
            judge_failures(e, type, spec, counts);
        }
    }

private:
    bool has_master() const noexcept { return spec_of(paddle::master) != nullptr; }

    paddle_job const& job_;
};

} // namespace

rules::job_rules const& kftrain_job_rules(type_tag<paddle_job>) noexcept {
    static replica_rules_of<paddle_kind> const instance;
    return instance;
}

result<paddle_job> paddle_job_choices::build(job_choices const& chosen, pod_choices const& pod) const {
    paddle_job made;
    kftrain::detail::add_replicas<paddle_kind>(made.spec.paddle_replica_specs, paddle::master, pod, masters);
    kftrain::detail::add_replicas<paddle_kind>(made.spec.paddle_replica_specs, paddle::worker, pod, workers);
    return kftrain::detail::checked<paddle_kind>(std::move(made), chosen, *this);
}

} // namespace kftrain::kubeflow_v1
