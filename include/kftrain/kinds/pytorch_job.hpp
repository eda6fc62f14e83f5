#ifndef KFTRAIN_KINDS_PYTORCH_JOB_HPP
#define KFTRAIN_KINDS_PYTORCH_JOB_HPP

#include <kftrain/job/replica_job.hpp>
#include <kftrain/model/job.hpp>

namespace kftrain {

struct pytorch_job_spec {
    pytorch_job_spec() = default;

    kftrain::run_policy run_policy;
    replica_spec_map pytorch_replica_specs;    ///< Master and Worker
    std::optional<std::string> nproc_per_node; ///< auto, cpu, gpu or a number
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pytorch_job_spec, (run_policy, pytorch_replica_specs, nproc_per_node))

/** A PyTorch training job: at most one master, any number of workers, or workers only.
    @par Upstream training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/pytorch_types.go` */
struct pytorch_job {
    pytorch_job() = default;

    static constexpr resource_info resource{"kubeflow.org", "v1", "PyTorchJob", "pytorchjobs"};

    object_meta metadata;
    pytorch_job_spec spec;
    job_status status;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(pytorch_job, (metadata, spec, status))

/// What an operator of PyTorchJobs can be told.
struct pytorch_operator_options {
    pytorch_operator_options() = default;

    std::string init_container_image = "alpine:3.10"; ///< of the container in which workers wait for the master
    std::int32_t init_container_max_tries = 100;      ///< how often it asks for the master's name
};

/** @par Upstream training-operator v1.9.0 `pkg/controller.v1/pytorch/`, `pkg/webhooks/pytorch/`,
    `pkg/apis/kubeflow.org/v1/pytorch_defaults.go` */
template <> struct job_rules<pytorch_job> : replica_job_rules<pytorch_job> {
    static constexpr std::string_view operator_name = "pytorchjob-controller";
    static constexpr std::string_view child_selector = "training.kubeflow.org/operator-name=pytorchjob-controller";
    static constexpr std::string_view admission_name = "validator.pytorchjob.training-operator.kubeflow.org";

    static void set_defaults(pytorch_job& job);
    static void validate(pytorch_job const& job, issues& found);

    class view final : public replica_job {
    public:
        explicit view(pytorch_job const& job);

        void validate_replica(std::string_view type, replica_spec const&, issues&) const override;
        void assign_ranks(topology&) const override;
        bool is_master(replica const&) const override;
        std::vector<env_var> environment(topology const&, replica const&, container const&) const override;
        std::vector<container> init_containers(replica const&, operator_options const&) const override;
        void judge(status_editor&) const override;

    private:
        pytorch_job const& job_;
    };
};

} // namespace kftrain

#endif
