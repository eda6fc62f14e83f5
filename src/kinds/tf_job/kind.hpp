#ifndef KFTRAIN_SRC_KINDS_TF_JOB_KIND_HPP
#define KFTRAIN_SRC_KINDS_TF_JOB_KIND_HPP

#include "job/v1/replica_job.hpp"

#include <kftrain/kinds/tf_job.hpp>

#include <array>
#include <map>

namespace kftrain::kubeflow_v1 {
namespace tf {

inline constexpr std::string_view chief = "Chief";
inline constexpr std::string_view evaluator = "Evaluator";
inline constexpr std::string_view master = "Master";
inline constexpr std::string_view parameter_server = "PS";
inline constexpr std::string_view worker = "Worker";
inline constexpr std::array<std::string_view, 5> types{chief, evaluator, master, parameter_server, worker};

/// The value of `successPolicy` that is not the default.
inline constexpr std::string_view all_workers = "AllWorkers";

/** The tasks of a job.
    @par Upstream training-operator v1.9.0 `pkg/controller.v1/tensorflow/tensorflow.go`, `genClusterSpec` */
struct cluster {
    cluster() = default;

    /// By task type, which is the replica type in lower case, and by index.
    std::map<std::string, std::vector<std::string>, std::less<>> addresses;
    std::string text; ///< the same as JSON
};

} // namespace tf

/// TFJobs as a kind of the family: see replica_rules_of.
class tf_kind final : public replica_job {
public:
    using object = tf_job;
    using options = tf_operator_options;
    static constexpr replica_constants constants = {.controller = "tfjob-controller",
                                                    .container = "tensorflow",
                                                    .port_name = "tfjob-port",
                                                    .port = 2222,
                                                    .default_restart_policy = "Never",
                                                    .specs_field = "tfReplicaSpecs",
                                                    .types = tf::types,
                                                    .admission_name = "validator.tfjob.training-operator.kubeflow.org",
                                                    .manager = manager_rule::immutable,
                                                    .deleted_reason = "SuccessfulDeleteJob",
                                                    .any_type = true,
                                                    .dates_all_ends = true};

    tf_kind(tf_job const& job, tf_operator_options const& given)
        : replica_job(job, job.spec.tf_replica_specs, constants), job_(job), options_(given) {}

    static void set_defaults(tf_job&);
    static std::string_view schema() noexcept;
    static std::span<lint_rule const> lint_rules() noexcept;

    /// Whether a chief, by either name, decides about the job; else its workers do.
    bool has_chief() const noexcept { return spec_of(tf::chief) != nullptr || spec_of(tf::master) != nullptr; }

    void validate_map(issues&) const override;
    void lint(issues&) const override;
    std::int64_t names_in_environments() const noexcept override;
    std::int64_t characters_around_name() const noexcept override;
    bool is_elastic() const noexcept override { return job_.spec.enable_dynamic_worker; }
    std::optional<rules::scale_place> elastic_place() const override;
    void assign_ranks(membership&) const override;
    bool is_master(member const&) const override;
    std::vector<core::env_var> environment(membership const&, member const&, core::container const&) const override;
    void judge(status_editor&) const override;

private:
    tf_job const& job_;
    tf_operator_options const& options_;
    mutable std::optional<tf::cluster> cluster_; ///< the same for all tasks, so made once
};

} // namespace kftrain::kubeflow_v1

#endif
