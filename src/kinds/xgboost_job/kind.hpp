#ifndef KFTRAIN_SRC_KINDS_XGBOOST_JOB_KIND_HPP
#define KFTRAIN_SRC_KINDS_XGBOOST_JOB_KIND_HPP

#include "job/v1/replica_job.hpp"

#include <kftrain/kinds/xgboost_job.hpp>

#include <array>

namespace kftrain::kubeflow_v1 {
namespace xgboost {

inline constexpr std::string_view master = "Master";
inline constexpr std::string_view worker = "Worker";
inline constexpr std::array<std::string_view, 2> types{master, worker};

} // namespace xgboost

/// XGBoostJobs as a kind of the family: see replica_rules_of.
class xgboost_kind final : public replica_job {
public:
    using object = xgboost_job;
    using options = no_operator_options;
    static constexpr replica_constants constants = [] {
        replica_constants c;
        c.controller = "xgboostjob-controller";
        c.container = "xgboost";
        c.port_name = "xgboostjob-port";
        c.port = 9999;
        c.default_restart_policy = "Never";
        c.specs_field = "xgbReplicaSpecs";
        c.types = xgboost::types;
        c.manager = manager_rule::immutable;
        c.ends_by_any_pod = true;
        c.max_replicas = 10'000;
        c.deleted_reason = "SuccessfulDeleteJob";
        c.admission_name = "validator.xgboostjob.training-operator.kubeflow.org";
        return c;
    }();

    xgboost_kind(xgboost_job const& job, no_operator_options const&)
        : replica_job(job, job.spec.xgb_replica_specs, constants) {}

    static void set_defaults(xgboost_job&);
    static std::string_view schema() noexcept;

    void validate_replica(std::string_view type, replica_spec const&, issues&) const override;
    void validate_map(issues&) const override;
    std::int64_t names_in_environments() const noexcept override { return most_containers() * members() * members(); }
    void assign_ranks(membership&) const override;
    bool is_master(member const& r) const override { return r.role == xgboost::master; }
    std::vector<core::env_var> environment(membership const&, member const&, core::container const&) const override;
    void judge(status_editor&) const override;

private:
    /// The same for all members, and long in a large job: so made once.
    mutable std::string worker_addresses_;
};

} // namespace kftrain::kubeflow_v1

#endif
