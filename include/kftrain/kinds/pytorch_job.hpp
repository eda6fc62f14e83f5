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
    std::vector<kubeflow_v1::rdzv_conf> rdzv_conf;
    std::optional<bool> standalone;              ///< one node, which is its own rendezvous
    std::optional<std::int32_t> n_proc_per_node; ///< the job's own `nproc_per_node` took its place
    std::optional<std::int32_t> max_restarts;    ///< how often torchrun starts its workers again
    /// Of the autoscaler of the workers. Absent: there is none; an empty list: its own default, 80 % of the CPU.
    std::optional<std::vector<autoscaling::metric_spec>> metrics;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(elastic_policy, (min_replicas, max_replicas, rdzv_backend, rdzv_port, rdzv_host, rdzv_id, rdzv_conf,
                                  standalone, n_proc_per_node, max_restarts, metrics))

/// What a PyTorchJob is to do.
struct pytorch_job_spec {
    pytorch_job_spec() = default;

    kubeflow_v1::run_policy run_policy;
    boxed<kubeflow_v1::elastic_policy> elastic_policy;
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
result<std::vector<core::container>> read_init_container_template(pytorch_operator_options const&,
                                                                  std::string_view master);

/** The rules of PyTorchJobs. They read no file: of the init container's template, the operator that reads it tells the text.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/pytorch/`, `pkg/webhooks/pytorch/`,
    `pkg/apis/kubeflow.org/v1/pytorch_defaults.go` */
rules::job_rules const& kftrain_job_rules(type_tag<pytorch_job>) noexcept;

} // namespace kftrain::kubeflow_v1

namespace kftrain {

using kubeflow_v1::pytorch_job;
using kubeflow_v1::pytorch_operator_options;

} // namespace kftrain

#endif
