#define KFTRAIN_DESCRIBE_MEMBERS // see model/descriptor.hpp

#include "convert/before_v1/early_job.hpp"

#include "base/ascii.hpp"

#include <kftrain/model/reflect.hpp>

namespace kftrain::convert {

/// An entry of the replica map in all forms that have one.
struct mx_operator_replicas {
    mx_operator_replicas() = default;

    std::optional<std::int32_t> replicas;
    std::string label; ///< the key of a tuning server; not of v1
    core::pod_template_spec template_;
    std::string restart_policy;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(mx_operator_replicas, (replicas, label, template_, restart_policy))

/// The spec in these forms. It includes `runPolicy` of the current form to find jobs that mix the forms.
struct mx_operator_spec {
    mx_operator_spec() = default;

    std::optional<std::string> clean_pod_policy;
    std::optional<std::int32_t> ttl_seconds_after_finished;
    std::optional<std::string> success_policy;           ///< of v1beta1
    std::optional<std::int64_t> active_deadline_seconds; ///< of v1, as the next two
    std::optional<std::int32_t> backoff_limit;
    boxed<kubeflow_v1::scheduling_policy> scheduling_policy;
    std::string job_mode;
    std::map<std::string, mx_operator_replicas, std::less<>> mx_replica_specs;
    raw_json run_policy;
    unknown_fields unknown;
};
KFTRAIN_DESCRIBE(mx_operator_spec,
                 (clean_pod_policy, ttl_seconds_after_finished, success_policy, active_deadline_seconds, backoff_limit,
                  scheduling_policy, job_mode, mx_replica_specs, run_policy))

using mx_operator_job = early_job<mx_operator_spec>;

KFTRAIN_TABLE(mx_operator_replicas)
KFTRAIN_TABLE(mx_operator_spec)

namespace {

constexpr std::string_view mx_v1 = "kubeflow.org/v1";
constexpr std::string_view mx_v1beta1 = "kubeflow.org/v1beta1";
constexpr std::string_view unknown_in_mx_operator = "In this version an MXJob of mxnet-operator has no such field.";

/// The annotation of a template from which the current operator reads the label.
constexpr std::string_view server_key = "tuner-server-key";

/// One conversion of a form with a map of replicas; refers to the source.
class mx_operator_pass : public early_pass<mx_operator_spec, mx_job> {
public:
    explicit mx_operator_pass(mx_operator_job const& job) : early_pass(job, unknown_in_mx_operator) {}

    result<converted<mx_job>> run() {
        if (is_v1() && !from_.run_policy.text.empty())
            return refused_field(
                "spec.runPolicy",
                "is a field of the current MXJob, and the spec also has fields of mxnet-operator: expected one form");
        changes_.approximated(
            "apiVersion", json_text(job_.api_version), "apiVersion",
            is_v1()
                ? "The operator is different: it sets its own labels on pods."
                : "The current version is different. Workers also receive DMLC_WORKER_ID, and pods have other labels.");
        carry_head();
        if (!from_.run_policy.text.empty())
            changes_.dropped("spec.runPolicy", from_.run_policy.text, unknown_in_mx_operator);
        result_.spec.job_mode = from_.job_mode;
        convert_policy();
        for (auto const& [type, spec] : from_.mx_replica_specs) convert_replicas(type, spec);
        explain_end();
        return finish();
    }

private:
    bool is_v1() const { return job_.api_version == mx_v1; }
    static std::string path_of(std::string const& type) { return "spec.mxReplicaSpecs[" + type + "]"; }

    /// Only the operator of v1 read the limits and the policy for gangs.
    void convert_policy() {
        auto& policy = result_.spec.run_policy;
        move_cleaning(from_.clean_pod_policy, "All");
        move_to_policy("ttlSecondsAfterFinished", from_.ttl_seconds_after_finished, policy.ttl_seconds_after_finished);
        if (auto const& success = from_.success_policy) {
            if (job_.api_version != mx_v1beta1)
                changes_.dropped("spec.successPolicy", json_text(*success), unknown_in_mx_operator);
            else
                changes_.changed("spec.successPolicy", json_text(*success), "", "No operator ever read this field.");
        }
        move_to_policy("activeDeadlineSeconds", from_.active_deadline_seconds, policy.active_deadline_seconds, is_v1());
        move_to_policy("backoffLimit", from_.backoff_limit, policy.backoff_limit, is_v1());
        move_to_policy("schedulingPolicy", from_.scheduling_policy, policy.scheduling_policy, is_v1());
    }

    void convert_replicas(std::string const& type, mx_operator_replicas const& given) {
        std::string const path = path_of(type);
        changes_.dropped(given.unknown, path, unknown_in_mx_operator);
        auto& made = result_.spec.mx_replica_specs[type];
        made.replicas = given.replicas;
        made.template_ = given.template_;
        made.restart_policy = given.restart_policy;
        convert_label(given, path, made.template_.metadata.annotations);
    }

    void convert_label(mx_operator_replicas const& given, std::string const& path, string_map& annotations) {
        std::string const to = path + ".template.metadata.annotations[" + std::string(server_key) + "]";
        if (is_v1()) {
            if (!given.label.empty()) changes_.dropped(path + ".label", json_text(given.label), unknown_in_mx_operator);
            return;
        }
        auto const own = annotations.find(std::string(server_key));
        if (own != annotations.end() && own->second != given.label)
            changes_.approximated(to, json_text(own->second), to, "MX_CONFIG now lists this value among the labels.");
        if (given.label.empty()) return;
        annotations[std::string(server_key)] = given.label;
        changes_.changed(path + ".label", json_text(given.label), to,
                         "The label is now an annotation of the template.");
    }

    std::int32_t count(std::string_view type) const {
        std::int32_t sum = 0;
        for (auto const& [key, spec] : from_.mx_replica_specs)
            if (to_lower(key) == type) sum += spec.replicas.value_or(1);
        return sum;
    }

    /// Without a scheduler the workers or tuners decided; today only a worker that is alone does.
    void explain_end() {
        if (count("scheduler") > 0) return;
        if (count("worker") == 1 && count("server") == 0) return;
        changes_.approximated(path_of("Scheduler"), scheduler_text(), "",
                              "Without a Scheduler the job ended with its Workers or its Tuners. Now it runs forever.");
    }

    std::string scheduler_text() const {
        auto const found = from_.mx_replica_specs.find("Scheduler");
        return found == from_.mx_replica_specs.end() ? std::string(absent) : to_json(found->second);
    }
};

} // namespace

result<converted<mx_job>> read_mx_operator_job(document& text) {
    auto const job = read_source<mx_operator_job>(text);
    if (!job) return job.error();
    return mx_operator_pass(*job).run();
}

} // namespace kftrain::convert
