#include "job/contract/field_error.hpp"
#include "job/v1/built_job.hpp"
#include "job/v1/replica_job.hpp"
#include "job/v1/replica_outcome.hpp"
#include "job/v1/replica_rules.hpp"

#include <kftrain/kinds/xgboost_job.hpp>
#include <kftrain/kinds/xgboost_job_builder.hpp>

#include <array>

namespace kftrain::embedded {
extern std::string_view const xgboost_job_schema; // schema.json
}

namespace kftrain::kubeflow_v1 {
namespace {

namespace xgboost {

constexpr std::string_view master = "Master";
constexpr std::string_view worker = "Worker";
constexpr std::array<std::string_view, 2> types{master, worker};

} // namespace xgboost

/// XGBoostJobs as a kind of the family: see replica_rules_of.
class xgboost_kind final : public replica_job {
public:
    using object = xgboost_job;
    using options = no_operator_options;
    static constexpr replica_constants constants = {.controller = "xgboostjob-controller",
                                                    .container = "xgboost",
                                                    .port_name = "xgboostjob-port",
                                                    .port = 9999,
                                                    .default_restart_policy = "Never",
                                                    .specs_field = "xgbReplicaSpecs",
                                                    .types = xgboost::types,
                                                    .admission_name =
                                                        "validator.xgboostjob.training-operator.kubeflow.org",
                                                    .manager = manager_rule::immutable,
                                                    .deleted_reason = "SuccessfulDeleteJob",
                                                    .ends_by_any_pod = true,
                                                    .max_replicas = 10'000};

    xgboost_kind(xgboost_job const& job, no_operator_options const&)
        : replica_job(job, job.spec.xgb_replica_specs, constants) {}

    /// Upstream: training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/xgboost_defaults.go`.
    static void set_defaults(xgboost_job& job) {
        set_replica_defaults(job.spec.run_policy, job.spec.xgb_replica_specs, constants);
    }

    static std::string_view schema() noexcept { return embedded::xgboost_job_schema; }

    /// Upstream: training-operator v1.9.0 `pkg/webhooks/xgboost/xgboostjob_webhook.go`, as validate_map(). Looks at the
    /// job before defaults: an absent count is refused although the default would be right.
    void validate_replica(std::string_view type, replica_spec const& spec, issues& found) const override {
        if (type == xgboost::master && spec.replicas.value_or(0) != 1)
            found.push_back(forbidden("xgboost.master.replicas", path_of(type) + ".replicas", "must be 1"));
    }

    void validate_map(issues& found) const override {
        if (spec_of(xgboost::master) == nullptr)
            found.push_back(required("xgboost.master", path_of(xgboost::master), "must be present"));
    }

    std::int64_t names_in_environments() const noexcept override { return most_containers() * members() * members(); }
    void assign_ranks(membership& layout) const override {
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

    bool is_master(member const& r) const override { return r.role == xgboost::master; }
    /// Upstream: training-operator v1.9.0 `pkg/controller.v1/xgboost/xgboost.go`, in upstream's order. Only LightGBM
    /// reads the last two.
    std::vector<core::env_var> environment(membership const&, member const& r, core::container const&) const override {
        auto const port_text = [&](std::string_view type) {
            return std::to_string(port_of(type).value_or(constants.port));
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

    /** Upstream: training-operator v1.9.0 `pkg/controller.v1/xgboost/xgboostjob_controller.go`, `UpdateJobStatus`.
        Success and failure first set Running, so that ended jobs always have this condition, as False. */
    void judge(status_editor& e) const override {
        auto const run = [&] { e.set("Running", sentence(e, e.job_name(), " is running.")); };
        for (auto type : types()) {
            auto const& spec = *spec_of(type);
            replica_status const counts = e.status().replica_statuses[std::string(type)];
            if (type == xgboost::master) {
                bool const done = spec.replicas.value_or(1) == counts.succeeded;
                if (done) run();
                if (judge_leader(e, counts, done)) return;
            }
            if (counts.failed == 0) continue;
            run();
            judge_any_failure(e, sentence(e, e.job_name(), ""), type, spec, counts);
        }
    }

private:
    /// The same for all members, and long in a large job: so made once.
    mutable std::string worker_addresses_;
};

} // namespace

rules::job_rules const& kftrain_job_rules(type_tag<xgboost_job>) noexcept {
    static replica_rules_of<xgboost_kind> const instance;
    return instance;
}

result<xgboost_job> xgboost_job_choices::build(job_choices const& chosen, pod_choices const& pod) const {
    xgboost_job made;
    kftrain::detail::add_replicas<xgboost_kind>(made.spec.xgb_replica_specs, xgboost::master, pod, master);
    kftrain::detail::add_replicas<xgboost_kind>(made.spec.xgb_replica_specs, xgboost::worker, pod, workers);
    return kftrain::detail::checked<xgboost_kind>(std::move(made), chosen, *this);
}

} // namespace kftrain::kubeflow_v1
