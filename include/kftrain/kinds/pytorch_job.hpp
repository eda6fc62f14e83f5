#ifndef KFTRAIN_KINDS_PYTORCH_JOB_HPP
#define KFTRAIN_KINDS_PYTORCH_JOB_HPP

#include <kftrain/base/diagnostics.hpp>
#include <kftrain/base/special_members.hpp>
#include <kftrain/job/v1/job_types.hpp>
#include <kftrain/job/v1/training_operator_options.hpp>
#include <kftrain/objects/autoscaling/metric.hpp>

namespace kftrain::rules {
class job_rules;
}

namespace kftrain::kubeflow_v1 {

/// One `key=value` of torchrun's `--rdzv_conf`.
struct rdzv_conf {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(rdzv_conf);

    std::string key;   ///< name of the setting, e.g. `timeout`
    std::string value; ///< value of the setting, as text
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(rdzv_conf, (key, value))

/// The policy of a job whose number of workers may change while it runs; absent members have the defaults of torchrun.
struct elastic_policy {
    KFTRAIN_DECLARE_SPECIAL_MEMBERS(elastic_policy);

    std::optional<std::int32_t> min_replicas; ///< workers; absent: `maxReplicas`, else the number of workers
    std::optional<std::int32_t> max_replicas; ///< workers; absent: `minReplicas`, else the number of workers
    std::optional<std::string> rdzv_backend;  ///< c10d, etcd or etcd-v2
    std::optional<std::int32_t> rdzv_port;    ///< absent: the port of the workers of the job
    std::optional<std::string> rdzv_host;     ///< absent: the first worker
    std::optional<std::string> rdzv_id;       ///< identifies the rendezvous if a store serves several jobs
    /// Further settings of the rendezvous, as the variable `PET_RDZV_CONF`.
    std::vector<kubeflow_v1::rdzv_conf> rdzv_conf;
    std::optional<bool> standalone;              ///< one node with its own rendezvous
    std::optional<std::int32_t> n_proc_per_node; ///< replaced by `nproc_per_node` of the job
    std::optional<std::int32_t> max_restarts;    ///< how often torchrun restarts its workers
    /// Metrics of the autoscaler of the workers. Absent: no autoscaler; an empty list: its default, 80 % of the CPU.
    std::optional<std::vector<autoscaling::metric_spec>> metrics;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(elastic_policy, (min_replicas, max_replicas, rdzv_backend, rdzv_port, rdzv_host, rdzv_id, rdzv_conf,
                                  standalone, n_proc_per_node, max_restarts, metrics))

/// The specification of a PyTorchJob.
struct pytorch_job_spec {
    pytorch_job_spec() = default;

    kubeflow_v1::run_policy run_policy;                ///< limits, clean-up, suspension and gang scheduling
    boxed<kubeflow_v1::elastic_policy> elastic_policy; ///< absent: the number of workers is fixed
    replica_spec_map pytorch_replica_specs;            ///< Master and Worker
    /// Processes that torchrun starts in each pod: auto, cpu, gpu or a number; absent means auto, unless the elastic
    /// policy has a number.
    std::optional<std::string> nproc_per_node;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pytorch_job_spec, (run_policy, elastic_policy, pytorch_replica_specs, nproc_per_node))

/** A PyTorch training job: at most one master, any number of workers, or workers only.
    @par Upstream training-operator v1.9.0 `pkg/apis/kubeflow.org/v1/pytorch_types.go` */
struct pytorch_job {
    pytorch_job() = default;

    static constexpr resource_info resource{"kubeflow.org", "v1", "PyTorchJob", "pytorchjobs"};

    object_meta metadata;  ///< the name prefixes the names of the pods, e.g. `<name>-worker-<index>`
    pytorch_job_spec spec; ///< desired state
    job_status status;     ///< observed state, written by the operator
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE_RESOURCE(pytorch_job, (metadata, spec, status))

/** Options of an operator of PyTorchJobs.
    @par Upstream training-operator v1.9.0 `pkg/config/config.go` */
struct pytorch_operator_options {
    pytorch_operator_options() = default;

    std::string init_container_image = "alpine:3.10"; ///< image of the container in which workers wait for the master
    std::int32_t init_container_max_tries = 100;      ///< attempts to resolve the name of the master
    /** Replaces that container: a YAML list of containers with the placeholders `{{.MasterAddr}}`,
        `{{.InitContainerImage}}` and `{{.MaxTries}}`, in the format of the file for the upstream flag
        `--pytorch-init-container-template-file`. Empty, or rejected by read_init_container_template(): the built-in
        container. */
    std::string init_container_template;
};

/** Returns the containers that the template produces for workers that wait for `master`.
    @par Errors `errc::syntax` for other placeholders, and those of decode_yaml()
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/pytorch/initcontainer.go` */
[[nodiscard]] result<std::vector<core::container>> read_init_container_template(pytorch_operator_options const&,
                                                                                std::string_view master);

/** Returns the rules of PyTorchJobs. They read no file: the operator reads the template of the init container and
    passes its text.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/pytorch/`, `pkg/webhooks/pytorch/`,
    `pkg/apis/kubeflow.org/v1/pytorch_defaults.go` */
rules::job_rules const& kftrain_job_rules(type_tag<pytorch_job>) noexcept;

} // namespace kftrain::kubeflow_v1

namespace kftrain {

using kubeflow_v1::pytorch_job;
using kubeflow_v1::pytorch_operator_options;

} // namespace kftrain

#endif
