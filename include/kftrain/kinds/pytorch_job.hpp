#ifndef KFTRAIN_KINDS_PYTORCH_JOB_HPP
#define KFTRAIN_KINDS_PYTORCH_JOB_HPP

#include <kftrain/base/special_members.hpp>
#include <kftrain/job/replica_job.hpp>
#include <kftrain/model/job.hpp>
#include <kftrain/model/metric.hpp>

namespace kftrain {

/// One `key=value` of torchrun's `--rdzv_conf`.
struct rdzv_conf {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(rdzv_conf);

    std::string key;
    std::string value;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(rdzv_conf, (key, value))

/// A job whose number of workers may change while it runs; what is absent is torchrun's default.
struct elastic_policy {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(elastic_policy);

    std::optional<std::int32_t> min_replicas; ///< workers; absent: `maxReplicas`, else the number of workers
    std::optional<std::int32_t> max_replicas; ///< workers; absent: `minReplicas`, else the number of workers
    std::optional<std::string> rdzv_backend;  ///< c10d, etcd or etcd-v2
    std::optional<std::int32_t> rdzv_port;    ///< absent: the workers' port of the job
    std::optional<std::string> rdzv_host;     ///< absent: the first worker
    std::optional<std::string> rdzv_id;       ///< names the rendezvous where a store serves several jobs
    std::vector<kftrain::rdzv_conf> rdzv_conf;
    std::optional<bool> standalone;              ///< one node, which is its own rendezvous
    std::optional<std::int32_t> n_proc_per_node; ///< the job's own `nproc_per_node` took its place
    std::optional<std::int32_t> max_restarts;    ///< how often torchrun starts its workers again
    /// Of the autoscaler of the workers. Absent: there is none; an empty list: its own default, 80 % of the CPU.
    std::optional<std::vector<metric_spec>> metrics;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(elastic_policy, (min_replicas, max_replicas, rdzv_backend, rdzv_port, rdzv_host, rdzv_id, rdzv_conf,
                                  standalone, n_proc_per_node, max_restarts, metrics))

/// What a PyTorchJob is to do.
struct pytorch_job_spec {
    pytorch_job_spec() = default;

    kftrain::run_policy run_policy;
    boxed<kftrain::elastic_policy> elastic_policy;
    replica_spec_map pytorch_replica_specs;    ///< Master and Worker
    std::optional<std::string> nproc_per_node; ///< auto, cpu, gpu or a number
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pytorch_job_spec, (run_policy, elastic_policy, pytorch_replica_specs, nproc_per_node))

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

/** What an operator of PyTorchJobs can be told.
    @par Upstream training-operator v1.9.0 `pkg/config/config.go` */
struct pytorch_operator_options {
    pytorch_operator_options() = default;

    std::string init_container_image = "alpine:3.10"; ///< of the container in which workers wait for the master
    std::int32_t init_container_max_tries = 100;      ///< how often it asks for the master's name
    /** Takes the place of that container: a YAML list of containers with the placeholders `{{.MasterAddr}}`,
        `{{.InitContainerImage}}` and `{{.MaxTries}}`, as the file that the flag `--pytorch-init-container-template-file`
        of upstream names. Empty, or one that read_init_container_template() refuses: the built-in container. */
    std::string init_container_template;
};

/** The containers that the template makes for workers which wait for `master`.
    @par Errors `errc::syntax` for other placeholders, and those of decode_yaml()
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/pytorch/initcontainer.go` */
result<std::vector<container>> read_init_container_template(pytorch_operator_options const&, std::string_view master);

/** The rules of PyTorchJobs.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/pytorch/`, `pkg/webhooks/pytorch/`,
    `pkg/apis/kubeflow.org/v1/pytorch_defaults.go` */
template <> struct job_rules<pytorch_job> : replica_job_rules<pytorch_job> {
    static constexpr std::string_view operator_name = "pytorchjob-controller";
    static constexpr std::string_view child_selector = "training.kubeflow.org/operator-name=pytorchjob-controller";
    static constexpr std::string_view admission_name = "validator.pytorchjob.training-operator.kubeflow.org";

    static void set_defaults(pytorch_job& job);
    static std::vector<child_type> child_types(operator_options const&);
    static std::string_view schema() noexcept;
    static std::span<lint_rule const> lint_rules();
    /// Of the template, the operator that reads it tells the text: the rules read no file.
    static std::span<operator_flag const> operator_flags() noexcept;

    class view final : public replica_job {
    public:
        explicit view(pytorch_job const& job);

        void validate_spec(issues&) const override;
        void validate_replica(std::string_view type, replica_spec const&, issues&) const override;
        void lint(issues&) const override;
        bool is_elastic() const noexcept override { return job_.spec.elastic_policy.has_value(); }
        void assign_ranks(topology&) const override;
        bool is_master(replica const&) const override;
        std::vector<env_var> environment(topology const&, replica const&, container const&) const override;
        std::vector<container> init_containers(replica const&, operator_options const&) const override;
        std::vector<child> own_children() const override;
        void reconcile_own(observed const&, std::vector<action>&) const override;
        void judge(status_editor&) const override;

    private:
        void add_elastic_environment(std::vector<env_var>&) const;

        pytorch_job const& job_;
        /// The same for all workers, so made once.
        mutable std::optional<std::vector<container>> init_containers_;
    };
};

} // namespace kftrain

#endif
