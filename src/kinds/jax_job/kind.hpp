#ifndef KFTRAIN_SRC_KINDS_JAX_JOB_KIND_HPP
#define KFTRAIN_SRC_KINDS_JAX_JOB_KIND_HPP

#include "job/v1/replica_job.hpp"

#include <kftrain/kinds/jax_job.hpp>

#include <array>

namespace kftrain::kubeflow_v1 {
namespace jax {

inline constexpr std::string_view worker = "Worker";
inline constexpr std::array<std::string_view, 1> types{worker};

} // namespace jax

/// JAXJobs as a kind of the family: see replica_rules_of.
class jax_kind final : public replica_job {
public:
    using object = jax_job;
    using options = no_operator_options;
    static constexpr replica_constants constants = [] {
        replica_constants c;
        c.controller = "jaxjob-controller";
        c.container = "jax";
        c.port_name = "jaxjob-port";
        c.port = 6666;
        c.default_restart_policy = "Never";
        c.specs_field = "jaxReplicaSpecs";
        c.types = jax::types;
        c.manager = manager_rule::ignored;
        c.admission_name = "validator.jaxjob.training-operator.kubeflow.org";
        return c;
    }();

    jax_kind(jax_job const& job, no_operator_options const&)
        : replica_job(job, job.spec.jax_replica_specs, constants) {}

    static void set_defaults(jax_job&);
    static std::string_view schema() noexcept;

    void assign_ranks(membership&) const override;
    bool is_master(member const& r) const override { return r.index == 0; }
    std::vector<core::env_var> environment(membership const&, member const&, core::container const&) const override;
    void judge(status_editor&) const override;
};

} // namespace kftrain::kubeflow_v1

#endif
