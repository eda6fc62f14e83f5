#ifndef KFTRAIN_KINDS_JAX_JOB_HPP
#define KFTRAIN_KINDS_JAX_JOB_HPP

#include <kftrain/job/replica_job.hpp>
#include <kftrain/model/job.hpp>

namespace kftrain {

/// What a JAXJob is to do.
struct jax_job_spec {
    jax_job_spec() = default;

    kftrain::run_policy run_policy;
    replica_spec_map jax_replica_specs; ///< Worker
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(jax_job_spec, (run_policy, jax_replica_specs))

/** A JAX training job: workers, the first of which is the coordinator.
    @par Upstream training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/jax_types.go` */
struct jax_job {
    jax_job() = default;

    static constexpr resource_info resource{"kubeflow.org", "v1", "JAXJob", "jaxjobs"};

    object_meta metadata;
    jax_job_spec spec;
    job_status status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(jax_job, (metadata, spec, status))

/** The rules of JAXJobs.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/jax/`, `pkg/webhooks/jax/`,
    `pkg/apis/kubeflow.org/v1/jax_defaults.go` */
template <> struct job_rules<jax_job> : replica_job_rules<jax_job> {
    static constexpr std::string_view operator_name = "jaxjob-controller";
    static constexpr std::string_view child_selector = "training.kubeflow.org/operator-name=jaxjob-controller";
    static constexpr std::string_view admission_name = "validator.jaxjob.training-operator.kubeflow.org";

    static void set_defaults(jax_job& job);
    static std::string_view schema() noexcept;

    class view final : public replica_job {
    public:
        explicit view(jax_job const& job);

        void assign_ranks(topology&) const override;
        bool is_master(replica const& r) const override { return r.index == 0; }
        std::vector<env_var> environment(topology const&, replica const&, container const&) const override;
        void judge(status_editor&) const override;
    };
};

} // namespace kftrain

#endif
