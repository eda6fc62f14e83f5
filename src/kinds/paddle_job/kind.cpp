#include "kinds/paddle_job/kind.hpp"

#include "job/contract/field_error.hpp"
#include "job/family/replica_rules.hpp"
#include "job/v1/built_job.hpp"
#include "job/v1/replica_outcome.hpp"

#include <kftrain/kinds/paddle_job_builder.hpp>

#include <array>

namespace kftrain::embedded {
extern std::string_view const paddle_job_schema; // schema.json
}

namespace kftrain::kubeflow_v1 {
namespace {

/// The variable of the pod's own address, to which its launcher binds; the next variable refers to it.
core::env_var own_address() {
    core::env_var v;
    v.name = "POD_IP_DUMMY";
    v.value_from.emplace().field_ref.emplace().field_path = "status.podIP";
    return v;
}

} // namespace

std::string_view paddle_kind::schema() noexcept { return embedded::paddle_job_schema; }

/// Upstream: training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/paddlepaddle_defautls.go`.
void paddle_kind::set_defaults(paddle_job& job) {
    auto& spec = job.spec;
    set_replica_defaults(spec.run_policy, spec.paddle_replica_specs, paddle_kind::constants);
    if (auto& elastic = spec.elastic_policy)
        set_elastic_bounds(elastic->min_replicas, elastic->max_replicas, spec.paddle_replica_specs);
}

void paddle_kind::assign_ranks(membership& layout) const {
    layout.rank_note =
        "paddle.distributed.launch assigns ranks when its nodes connect, in an order that is not known in advance";
}

/** Upstream: training-operator v1.9.0 `pkg/controller.v1/paddlepaddle/envvar.go`, in upstream's order. With masters the
    launcher starts servers in some pods and trainers in others; without any it trains collectively. */
std::vector<core::env_var> paddle_kind::environment(membership const&, member const& r, core::container const&) const {
    auto const leader = has_master() ? paddle::master : paddle::worker;
    auto const port = std::to_string(port_of(leader).value_or(paddle_kind::constants.port));
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

/// Upstream: training-operator v1.9.0 `pkg/controller.v1/paddlepaddle/paddlepaddle_controller.go`, `UpdateJobStatus`.
void paddle_kind::judge(status_editor& e) const {
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

namespace {

using enum issue::severity;

constexpr lint_rule elastic_policy_unused{"lint.paddle.elastic-policy", warning,
                                          "The operator stores the policy and ignores it: no pod receives the bounds, "
                                          "and the operator creates no autoscaler."};

constexpr std::array all{elastic_policy_unused};

} // namespace

std::span<lint_rule const> paddle_kind::lint_rules() noexcept { return all; }

void paddle_kind::lint(issues& found) const {
    if (job_.spec.elastic_policy)
        report(found, elastic_policy_unused, "spec.elasticPolicy", "has no effect, expected only a number of replicas");
}

rules::job_rules const& kftrain_job_rules(type_tag<paddle_job>) noexcept {
    static replica_rules_of<paddle_kind> const instance;
    return instance;
}

} // namespace kftrain::kubeflow_v1

namespace kftrain::kubeflow_v1::detail {

result<paddle_job> build(job_choices const& chosen, pod_choices const& pod, paddle_job_choices const& own) {
    paddle_job job;
    job.metadata = chosen.metadata;
    job.spec.run_policy = chosen.policy;
    auto const add = [&](std::string_view type, std::optional<replica_choices> const& replicas) {
        if (!replicas) return;
        job.spec.paddle_replica_specs.emplace(
            type, kftrain::detail::make_replicas(paddle_kind::constants.container, pod, *replicas));
    };
    add(paddle::master, own.masters);
    add(paddle::worker, own.workers);
    return kftrain::detail::checked<paddle_kind>(std::move(job), chosen.problems, own.problems);
}

} // namespace kftrain::kubeflow_v1::detail
