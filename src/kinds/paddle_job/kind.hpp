#ifndef KFTRAIN_SRC_KINDS_PADDLE_JOB_KIND_HPP
#define KFTRAIN_SRC_KINDS_PADDLE_JOB_KIND_HPP

#include "job/v1/replica_job.hpp"

#include <kftrain/kinds/paddle_job.hpp>

#include <array>

namespace kftrain::kubeflow_v1 {
namespace paddle {

inline constexpr std::string_view master = "Master";
inline constexpr std::string_view worker = "Worker";
inline constexpr std::array<std::string_view, 2> types{master, worker};

} // namespace paddle

/// PaddleJobs as a kind of the family: see replica_rules_of.
class paddle_kind final : public replica_job {
public:
    using object = paddle_job;
    using options = no_operator_options;
    static constexpr replica_constants constants = [] {
        replica_constants c;
        c.controller = "paddlejob-controller";
        c.container = "paddle";
        c.port_name = "master";
        c.port = 36543;
        c.default_restart_policy = "OnFailure";
        c.specs_field = "paddleReplicaSpecs";
        c.types = paddle::types;
        c.manager = manager_rule::immutable;
        c.quotes_container = true;
        c.admission_name = "validator.paddlejob.training-operator.kubeflow.org";
        return c;
    }();

    paddle_kind(paddle_job const& job, no_operator_options const&)
        : replica_job(job, job.spec.paddle_replica_specs, constants), job_(job) {}

    static void set_defaults(paddle_job&);
    static std::string_view schema() noexcept;
    static std::span<lint_rule const> lint_rules() noexcept;

    void lint(issues&) const override;
    void assign_ranks(membership&) const override;
    bool is_master(member const& r) const override { return r.role == paddle::master; }
    std::vector<core::env_var> environment(membership const&, member const&, core::container const&) const override;
    void judge(status_editor&) const override;

private:
    bool has_master() const noexcept { return spec_of(paddle::master) != nullptr; }

    paddle_job const& job_;
};

} // namespace kftrain::kubeflow_v1

#endif
