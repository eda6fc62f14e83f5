#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include "convert/before_v1/early_job.hpp"

#include <kftrain/model/reflect.hpp>

namespace kftrain::convert {

/// The spec in both old forms. It includes the fields of the current form to find jobs that mix the forms.
struct pytorch_operator_spec {
    pytorch_operator_spec() = default;

    std::optional<std::int64_t> active_deadline_seconds; ///< not of v1alpha2, as the next
    std::optional<std::int32_t> backoff_limit;
    std::optional<std::string> clean_pod_policy;
    std::optional<std::int32_t> ttl_seconds_after_finished;
    kubeflow_v1::replica_spec_map pytorch_replica_specs;
    raw_json run_policy; ///< of today's form, as the next two
    raw_json elastic_policy;
    raw_json nproc_per_node;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(pytorch_operator_spec,
                 (active_deadline_seconds, backoff_limit, clean_pod_policy, ttl_seconds_after_finished,
                  pytorch_replica_specs, run_policy, elastic_policy, nproc_per_node))

/// A job as pytorch-operator stored it.
using pytorch_operator_job = early_job<pytorch_operator_spec>;

/// Fields that identify the form of `kubeflow.org/v1`.
struct spec_fields {
    spec_fields() = default;

    raw_json active_deadline_seconds;
    raw_json backoff_limit;
    raw_json clean_pod_policy;
    raw_json ttl_seconds_after_finished;
};
KFTRAIN_DESCRIBE(spec_fields, (active_deadline_seconds, backoff_limit, clean_pod_policy, ttl_seconds_after_finished))

KFTRAIN_TABLE(pytorch_operator_spec)
KFTRAIN_TABLE(spec_fields)

namespace {

constexpr std::string_view alpha_api = "kubeflow.org/v1alpha2";
constexpr std::string_view v1beta1_api = "kubeflow.org/v1beta1";
constexpr std::string_view stable_api = "kubeflow.org/v1";
constexpr std::string_view master_type = "Master";
constexpr std::string_view worker_type = "Worker";
constexpr std::string_view unknown_in_pytorch_operator =
    "In this version a PyTorchJob of pytorch-operator has no such field.";

std::string pytorch_path(std::string_view type) {
    return std::string("spec.pytorchReplicaSpecs[").append(type).append("]");
}

/// One conversion; refers to the source.
class pytorch_operator_pass : public early_pass<pytorch_operator_spec, pytorch_job> {
public:
    explicit pytorch_operator_pass(pytorch_operator_job const& job)
        : early_pass(job, unknown_in_pytorch_operator),
          early_(job.api_version == alpha_api || job.api_version == v1beta1_api) {}

    result<converted<pytorch_job>> run() {
        if (auto fault = mixed_forms()) return *std::move(fault);
        if (!from_.pytorch_replica_specs.contains(master_type))
            return refused_field(pytorch_path(master_type),
                                 "is absent, expected one: pytorch-operator rejects jobs without a master");
        if (job_.api_version != stable_api)
            changes_.changed("apiVersion", json_text(job_.api_version), "apiVersion",
                             "The current version is different.");
        carry_head();
        drop_fields_of_today();
        convert_policy();
        for (auto const& [type, spec] : from_.pytorch_replica_specs) convert_replicas(type, spec);
        return finish();
    }

private:
    struct todays_field {
        char const* path;
        raw_json const& value;
    };
    std::vector<todays_field> fields_of_today() const {
        return {{"spec.runPolicy", from_.run_policy},
                {"spec.elasticPolicy", from_.elastic_policy},
                {"spec.nprocPerNode", from_.nproc_per_node}};
    }

    /// It is unknown which of two values applies.
    std::optional<failure> mixed_forms() const {
        if (job_.api_version != stable_api) return std::nullopt;
        for (auto const& field : fields_of_today())
            if (!field.value.text.empty())
                return refused_field(field.path, "is a field of the current PyTorchJob, and the spec also has fields "
                                                 "of pytorch-operator: expected one form");
        return std::nullopt;
    }

    void drop_fields_of_today() {
        for (auto const& field : fields_of_today())
            if (!field.value.text.empty()) changes_.dropped(field.path, field.value.text, unknown_in_pytorch_operator);
    }

    /// The operators of v1alpha2 and v1beta1 never read the limits.
    void convert_policy() {
        auto& policy = result_.spec.run_policy;
        move_to_policy("ttlSecondsAfterFinished", from_.ttl_seconds_after_finished, policy.ttl_seconds_after_finished);
        move_to_policy("activeDeadlineSeconds", from_.active_deadline_seconds, policy.active_deadline_seconds, !early_);
        move_to_policy("backoffLimit", from_.backoff_limit, policy.backoff_limit, !early_);
        convert_cleaning();
    }

    /** Upstream: pytorch-operator v0.3.0 `pkg/controller.v2/pytorch/job.go` and v0.5.0
        `pkg/controller.v1beta1/pytorch/job.go`, which compare with None only. */
    void convert_cleaning() {
        auto const& given = from_.clean_pod_policy;
        auto& policy = result_.spec.run_policy.clean_pod_policy;
        if (!given || !early_ || *given == "None" || *given == "All")
            return move_to_policy("cleanPodPolicy", given, policy);
        policy = "All";
        changes_.changed("spec.cleanPodPolicy", json_text(*given), "spec.runPolicy.cleanPodPolicy",
                         "The operator of " + job_.api_version.substr(job_.api_version.find('/') + 1) +
                             " treats every value but None as All.");
    }

    void convert_replicas(std::string const& type, kubeflow_v1::replica_spec const& given) {
        std::string const path = pytorch_path(type);
        if (type == worker_type && given.replicas == 0) {
            changes_.dropped(path, to_json(given), "The job has no workers, so the result has no entry for them.");
            return;
        }
        auto spec = known_part(given, path);
        if (type == master_type && !spec.replicas) {
            spec.replicas = 1;
            changes_.changed(path + ".replicas", absent, path + ".replicas",
                             "The default was 1, and the field is now required.");
        }
        result_.spec.pytorch_replica_specs.emplace(type, std::move(spec));
    }

    bool early_; ///< v1alpha2 or v1beta1, which have no limits
};

} // namespace

bool has_early_pytorch_policy(document& text) { return has_form<spec_fields>(text); }

result<converted<pytorch_job>> read_pytorch_operator_job(document& text) {
    auto const job = read_source<pytorch_operator_job>(text);
    if (!job) return job.error();
    return pytorch_operator_pass(*job).run();
}

} // namespace kftrain::convert
