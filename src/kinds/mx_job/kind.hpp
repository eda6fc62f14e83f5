#ifndef KFTRAIN_SRC_KINDS_MX_JOB_KIND_HPP
#define KFTRAIN_SRC_KINDS_MX_JOB_KIND_HPP

#include "job/v1/replica_job.hpp"

#include <kftrain/kinds/mx_job.hpp>

#include <array>

namespace kftrain::kubeflow_v1 {
namespace mxnet {

inline constexpr std::string_view scheduler = "Scheduler";
inline constexpr std::string_view server = "Server";
inline constexpr std::string_view worker = "Worker";
inline constexpr std::string_view tuner_tracker = "TunerTracker";
inline constexpr std::string_view tuner_server = "TunerServer";
inline constexpr std::string_view tuner = "Tuner";
inline constexpr std::array<std::string_view, 6> types{scheduler, server, worker, tuner_tracker, tuner_server, tuner};
/// Keys of these are put right when their case is wrong.
inline constexpr std::array<std::string_view, 3> spelled_types{scheduler, server, worker};

} // namespace mxnet

/// MXJobs as a kind of the family: see replica_rules_of.
class mx_kind final : public replica_job {
public:
    using object = mx_job;
    using options = no_operator_options;
    static constexpr replica_constants constants = [] {
        replica_constants c;
        c.controller = "mxjob-controller";
        c.container = "mxnet";
        c.port_name = "mxjob-port";
        c.port = 9091;
        c.default_restart_policy = "Never";
        c.specs_field = "mxReplicaSpecs";
        c.types = mxnet::types;
        c.manager = manager_rule::ignored;
        c.any_type = true;
        c.ends_by_any_pod = true;
        c.max_replicas = 10'000;
        c.release = operator_release::v1_7_0;
        return c;
    }();

    mx_kind(mx_job const& job, no_operator_options const&)
        : replica_job(job, job.spec.mx_replica_specs, constants), job_(job) {}

    static void set_defaults(mx_job&);
    static std::string_view schema() noexcept;
    static std::span<lint_rule const> lint_rules() noexcept;

    rules::plan plan_of_invalid(issues const&) const override;
    void lint(issues&) const override;
    std::int64_t names_in_environments() const noexcept override { return most_containers() * members() * members(); }
    std::int64_t characters_around_name() const noexcept override {
        return static_cast<std::int64_t>(std::string_view(R"({"url":"","port":1},)").size());
    }
    void assign_ranks(membership&) const override;
    bool is_master(member const& r) const override { return r.role == mxnet::server; }
    std::vector<core::env_var> environment(membership const&, member const&, core::container const&) const override;
    void judge(status_editor&) const override;

    /// One worker, and neither scheduler nor server: it needs nobody, and decides alone.
    bool is_single_worker() const noexcept;

private:
    std::int32_t count_of(std::string_view type) const noexcept;
    std::string cluster() const;

    mx_job const& job_;
    /// The cluster in `MX_CONFIG`, the same for all members. It is long in a large job, so it is made only once.
    mutable std::string cluster_;
};

} // namespace kftrain::kubeflow_v1

#endif
